// SPDX-License-Identifier: MIT
// A file in Chrome's trace event format, as importers have it before they look for anything.

import Foundation

/// An event, with whatever fields it has.
struct ImportedEvent {
    let fields: [String: Any]

    var phase: String { fields["ph"] as? String ?? "" }
    var name: String { fields["name"] as? String ?? "" }
    var category: String { fields["cat"] as? String ?? "" }
    var pid: Int { Self.number(fields["pid"]).map { Int($0) } ?? 0 }
    var tid: Int { Self.number(fields["tid"]).map { Int($0) } ?? pid }
    /// In microseconds; nil without a number.
    var time: Double? { Self.number(fields["ts"]) }
    var duration: Double? { Self.number(fields["dur"]) }
    var arguments: [String: Any]? { fields["args"] as? [String: Any] }

    static func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

    /// The thread, or what stands for one.
    var thread: ImportedThread { ImportedThread(pid: pid, tid: tid) }
}

struct ImportedThread: Hashable {
    var pid: Int
    var tid: Int
}

/// Why a viewer refuses a file.
struct ImportFault: Error, Equatable {
    let text: String

    init(_ text: String) { self.text = text }
}

enum ImportedFile {
    /// The events of a document; throws for anything else.
    static func events(_ text: String) throws -> [ImportedEvent] {
        let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let object = document as? [String: Any], let events = object["traceEvents"] as? [[String: Any]] else {
            throw ImportFault("no list of events")
        }
        return events.map { ImportedEvent(fields: $0) }
    }
}
