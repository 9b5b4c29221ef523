// SPDX-License-Identifier: MIT
// The formats against their own rules.

import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

/// What a format wrote.
final class Written {
    var bytes: [UInt8] = []
    var output: TraceOutput { TraceOutput { self.bytes += $0 } }
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

@Suite("Formats of a recording")
struct FormatTests {
    /// One event of Chrome's trace event format.
    private struct ChromeEvent: Decodable {
        let ph: String
        let name: String
        let pid: Int
        let tid: Int
        let ts: Double
        let dur: Double?
        let cat: String?
        let s: String?
        let id: String?
        let id2: Local?
        let args: Arguments?

        /// An identity within a process.
        struct Local: Decodable {
            let local: String
        }

        struct Arguments: Decodable {
            let name: String?
            let reason: String?
        }
    }

    private struct ChromeTrace: Decodable {
        let traceEvents: [ChromeEvent]
    }

    /// The rules of the format's description that a viewer relies on.
    private func check(_ text: String) throws -> [ChromeEvent] {
        let events = try JSONDecoder().decode(ChromeTrace.self, from: Data(text.utf8)).traceEvents
        var asynchronous: [String: Int] = [:]
        for event in events {
            #expect(event.ts >= 0 && !event.name.isEmpty)
            switch event.ph {
            case "X": #expect((event.dur ?? -1) >= 0 && event.cat != nil)
            case "i": #expect(["g", "p", "t"].contains(event.s))
            case "b", "e":
                // Viewers pair those of one category and identity; that of `id2.local` is within its process.
                let id = try #require(event.id2?.local)
                #expect(event.id == nil && id.hasPrefix("0x") && UInt64(id.dropFirst(2), radix: 16) != nil)
                let pair = "\(event.pid) \(event.cat ?? "") \(id)"
                asynchronous[pair, default: 0] += event.ph == "b" ? 1 : -1
            case "M":
                #expect(["process_name", "thread_name"].contains(event.name) && event.args?.name?.isEmpty == false)
            default: Issue.record("a phase that viewers do not know: \(event.ph)")
            }
        }
        #expect(asynchronous.values.allSatisfy { $0 == 0 })
        expectNesting(events.filter { $0.ph == "X" })
        return events
    }

    /// Complete events of a thread lie in one another or apart.
    private func expectNesting(_ events: [ChromeEvent]) {
        for thread in Dictionary(grouping: events, by: { "\($0.pid) \($0.tid)" }).values where thread[0].tid != 0 {
            var ends: [Double] = []
            for event in thread.sorted(by: { ($0.ts, -($0.dur ?? 0)) < ($1.ts, -($1.dur ?? 0)) }) {
                let end = event.ts + (event.dur ?? 0)
                while let last = ends.last, last <= event.ts { ends.removeLast() }
                // Nanoseconds in a binary fraction of microseconds.
                if let last = ends.last { #expect(end <= last + 0.001, "\(event.name)") }
                ends.append(end)
            }
        }
    }

    @Test(
        "of a real recording every format holds to its rules",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func real() async throws {
        let (chrome, folded, report) = try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            for order in ["nest 50", "write 10", "hostile"] { _ = try await app.ask(order) }
        } read: { directory, _ in
            let (chrome, folded) = (Written(), Written())
            try ChromeFormat.write(path: directory, to: chrome.output)
            try FoldedFormat.write(path: directory, to: folded.output)
            return (chrome.text, folded.text, try TraceReport.read(path: directory))
        }
        let evaluations = try check(chrome).count { $0.cat == "evaluation" }
        let views = report.export.processes.flatMap(\.views)
        #expect(UInt64(evaluations) == views.reduce(0) { $0 + $1.count })
        let own = folded.split(separator: "\n").compactMap { $0.split(separator: " ").last.flatMap { UInt64($0) } }
        let outermost = views.filter { $0.key != "Middle" && $0.key != "Inner" }
        #expect(own.reduce(0, +) == outermost.reduce(0) { $0 + $1.body.totalNanoseconds })
        #expect(views.reduce(0) { $0 + ($1.selfNanoseconds ?? 0) } == own.reduce(0, +))
        #expect(folded.contains(";Outer;Middle;Inner "))
    }
}
