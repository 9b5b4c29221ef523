// SPDX-License-Identifier: MIT
// Which processes of a recording are wanted: a session records everybody's.

internal import RerenderModel

/// Some processes of a recording.
package enum TraceProcesses: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The one with this number, or those with this name.
    case named(String)
    /// Those with these numbers.
    case numbered(Set<Int32>)

    package init(stringLiteral name: String) { self = .named(name) }

    /// For people to read.
    var text: String {
        switch self {
        case .named(let name): "process \(Printable.text(name))"
        case .numbered(let numbers):
            "process with the number \(numbers.sorted().prefix(8).map { String($0) }.joined(separator: " or "))"
        }
    }
}

/// Keeps the events of some processes.
struct ProcessFilter {
    let wanted: TraceProcesses
    private let numbers: Set<Int32>
    private let name: String?
    /// By the process's number.
    private var verdicts: [Int32: Verdict] = [:]
    private var names: Set<String> = []

    private struct Verdict {
        let keeps: Bool
        /// Whether the name is the program's, or that of some thread.
        let isSure: Bool
    }

    init(_ wanted: TraceProcesses) {
        self.wanted = wanted
        switch wanted {
        case .named(let name): (self.name, numbers) = (name, Set([Int32(name)].compactMap(\.self)))
        case .numbered(let numbers): (name, self.numbers) = (nil, numbers)
        }
    }

    /// Whether a process of that number or name was there.
    var hasFound: Bool { verdicts.values.contains { $0.keeps } }

    /// The processes that were there, for people to read; some of them where there are very many.
    var processes: [String] { names.sorted() }

    /// Whether the event is of a wanted process. Discarded events are of nobody, and kept.
    mutating func keeps(_ event: TraceEvent, _ texts: TraceTexts) -> Bool {
        switch event.what {
        case .discarded: return true
        // These are told by the daemon, about another process.
        case .hangBegan(let hang), .hangEnded(let hang):
            return verdicts[hang.process]?.keeps ?? numbers.contains(hang.process)
        default: return verdict(event, texts)
        }
    }

    private mutating func verdict(_ event: TraceEvent, _ texts: TraceTexts) -> Bool {
        // A thread may have a name of its own; the first one has the program's.
        let isFirstThread = event.tid == event.pid
        if let known = verdicts[event.pid], known.keeps || known.isSure || !isFirstThread { return known.keeps }
        let name = texts[event.processName]
        let keeps = numbers.contains(event.pid) || (!name.isEmpty && name == self.name)
        guard verdicts.count < TraceLimits.processes || verdicts[event.pid] != nil else { return keeps }
        verdicts[event.pid] = Verdict(keeps: keeps, isSure: isFirstThread)
        if names.count < 64 { names.insert("\(Printable.text(name))[\(event.pid)]") }
        return keeps
    }
}

extension TraceError {
    /// No process of that number or name is in the trace.
    static func noProcess(_ filter: ProcessFilter, in path: String) -> TraceError {
        let some = filter.processes.prefix(20).joined(separator: ", ")
        let there = some.isEmpty ? "It has no process at all." : "It has \(some)."
        return TraceError(
            .empty, "there is no \(filter.wanted.text) in \(Printable.text(path)).\n\(there)")
    }
}
