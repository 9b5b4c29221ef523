// SPDX-License-Identifier: MIT
// Chrome's trace event format, as its viewers read it.

import Foundation
import Testing

/// One event of Chrome's trace event format.
struct ChromeEvent: Decodable {
    let ph: String
    let name: String
    let pid: Int
    let tid: Int
    let ts: Double
    let dur: Double?
    let cat: String?
    let s: String?
    let id: String?
    let bp: String?
    let id2: Local?
    let args: Arguments?

    /// An identity within a process.
    struct Local: Decodable {
        let local: String
    }

    struct Arguments: Decodable {
        let name: String?
        let reason: String?
        let wasted: Int?
        let detail: String?
        let sort_index: Int?
        let count: Int?
    }
}

/// The format's own rules.
enum ChromeTrace {
    /// Names by which Firefox's profiler finds what it needs; it reads more of such events than others have.
    static let namesOfFirefox: Set = [
        "Profile", "ProfileChunk", "CpuProfile", "ScriptCatchup", "Screenshot", "CompositorScreenshot",
        "TracingStartedInBrowser",
        "thread_name", "process_name", "process_labels", "process_sort_index", "thread_sort_index",
    ]

    private struct Document: Decodable {
        let traceEvents: [ChromeEvent]
    }

    /// The rules of the format's description that a viewer relies on.
    static func check(_ text: String) throws -> [ChromeEvent] {
        let events = try JSONDecoder().decode(Document.self, from: Data(text.utf8)).traceEvents
        var asynchronous: [String: Int] = [:]
        for event in events {
            #expect(event.ts >= 0 && !event.name.isEmpty)
            #expect(event.ph == "M" || !namesOfFirefox.contains(event.name))
            // Perfetto takes the thread 0 of a process for its first thread.
            #expect(event.tid != 0 || event.pid == 0, "\(event.name) would be on the main thread")
            switch event.ph {
            case "X": #expect((event.dur ?? -1) >= 0 && event.cat != nil)
            case "i": #expect(["g", "p", "t"].contains(event.s))
            case "b", "e":
                // Viewers pair those of one category and identity; that of `id2.local` is within its process.
                let id = try #require(event.id2?.local)
                #expect(event.id == nil && id.hasPrefix("0x") && UInt64(id.dropFirst(2), radix: 16) != nil)
                let pair = "\(event.pid) \(event.cat ?? "") \(id)"
                asynchronous[pair, default: 0] += event.ph == "b" ? 1 : -1
            case "s", "f": #expect(event.id?.hasPrefix("0x") == true)
            case "C": #expect(event.args?.count != nil)
            case "M" where event.name == "thread_sort_index": #expect(event.args?.sort_index != nil)
            case "M":
                #expect(["process_name", "thread_name"].contains(event.name) && event.args?.name?.isEmpty == false)
            default: Issue.record("a phase that viewers do not know: \(event.ph)")
            }
        }
        #expect(asynchronous.values.allSatisfy { $0 == 0 })
        expectNesting(events.filter { $0.ph == "X" })
        return events
    }

    /// The names of what arrows lead from and to, as Perfetto ties them: to what began last on the track, in the order of times and then
    /// of the file.
    static func arrows(_ events: [ChromeEvent]) -> [String] {
        var open: [String: [ChromeEvent]] = [:]
        var sources: [String: String] = [:]
        var arrows: [String] = []
        for (_, event) in events.enumerated().sorted(by: { ($0.1.began, $0.0) < ($1.1.began, $1.0) }) {
            let track = "\(event.pid) \(event.tid)"
            let arrow = "\(event.cat ?? "") \(event.name) \(event.id ?? "")"
            switch event.ph {
            case "X", "i":
                while let last = open[track]?.last, last.ended <= event.began { open[track]?.removeLast() }
                open[track, default: []].append(event)
            case "s":
                #expect(sources[arrow] == nil && open[track]?.isEmpty == false)
                sources[arrow] = open[track]?.last?.name
            case "f":
                #expect(event.bp == "e" && sources[arrow] != nil && open[track]?.isEmpty == false)
                arrows.append("\(sources[arrow] ?? "?") → \(open[track]?.last?.name ?? "?")")
            default: break
            }
        }
        return arrows
    }

    /// Complete events of a thread lie in one another or apart.
    private static func expectNesting(_ events: [ChromeEvent]) {
        for thread in Dictionary(grouping: events, by: { "\($0.pid) \($0.tid)" }).values {
            var ends: [Double] = []
            for event in thread.sorted(by: { ($0.ts, -($0.dur ?? 0)) < ($1.ts, -($1.dur ?? 0)) }) {
                while let last = ends.last, last <= event.began { ends.removeLast() }
                if let last = ends.last { #expect(event.ended <= last, "\(event.name)") }
                ends.append(event.ended)
            }
        }
    }
}

extension ChromeEvent {
    /// In nanoseconds: microseconds since a machine was started have binary fractions.
    var began: Double { (ts * 1_000).rounded() }
    var ended: Double { began + ((dur ?? 0) * 1_000).rounded() }
}
