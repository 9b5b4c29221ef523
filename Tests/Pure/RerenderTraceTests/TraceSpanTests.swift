// SPDX-License-Identifier: MIT
// Spans of recordings: which moments there are, and what is counted between two.

import CShared
import Foundation
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite("Spans of recordings")
struct TraceSpanTests {
    private let texts = TraceTexts()

    private func mark(_ name: String, at nanoseconds: Int64) -> TraceEvent {
        var fields = csignpost_read_generic()
        (fields.name, fields.message) = (texts.intern("mark"), texts.intern(name))
        let event = OtherEvent(event: texts.intern("com.rerender.Mark:event"), kind: .event, fields: fields)
        return TraceEvent(
            nanoseconds: nanoseconds, pid: 99, tid: 99, processName: texts.intern("rerenderd"), what: .other(event))
    }

    private func times(_ moments: [TraceMoment], _ events: [TraceEvent]) -> TraceTimes {
        var times = TraceTimes(of: moments)
        for event in events { times.take(event, texts) }
        return times
    }

    @Test(
        "are named by seconds after the beginning, by a time, or by a mark",
        arguments: [
            ("2.5s", .after(2_500_000_000)), ("400ms", .after(400_000_000)), ("2m", .after(120_000_000_000)),
            ("1h", .after(3_600_000_000_000)), ("tap Add", .mark("tap Add")), ("s", .mark("s")), ("-1s", .mark("-1s")),
            ("9999999999h", .mark("9999999999h")), ("1.2.3s", .mark("1.2.3s")),
        ] as [(String, TraceMoment)])
    func moments(text: String, moment: TraceMoment) {
        #expect(TraceMoment(text) == moment)
    }

    @Test("begin at the latest mark of a name, and name the marks that there are")
    func marks() throws {
        let events = [
            mark("tap", at: 1_000), mark("done", at: 2_000), mark("tap", at: 3_000), mark("\u{1B}", at: 4_000),
        ]
        let found = times([.mark("tap")], events)
        #expect(try found.time(of: .mark("tap")) == 3_000)
        #expect(try found.time(of: .after(500)) == 1_500)
        let error = #expect(throws: TraceError.self) { try found.time(of: .mark("tip")) }
        let said = error?.description ?? ""
        #expect(said.hasPrefix("the recording has no mark \"tip\".\nIt has "), "\(said)")
        #expect(said.contains("\"done\"") && said.contains("\"tap\"") && !said.contains("\u{1B}"))
        let none = #expect(throws: TraceError.self) { try times([.mark("tap")], []).time(of: .mark("tap")) }
        #expect(none?.description.contains("It has no mark") == true)
    }

    @Test("have what came until their end, and the counts of their beginning beside them")
    func span() throws {
        let directory = try TemporaryDirectory()
        let hang: UInt64 = 1_000_000_000
        let events = (1...4).flatMap { second -> [CraftedTrace.Event] in
            let begin = UInt64(second) * 10 * hang
            return [
                .hang(begins: true, of: hang, at: begin), .hang(begins: false, of: hang, at: begin + hang),
            ]
        }
        try CraftedTrace(events).write(to: directory.url.appending(path: "trace"))
        func read(_ from: TraceMoment?, _ to: TraceMoment?) throws -> TraceSpan {
            try TraceSpan.read(path: directory.path, from: from, to: to)
        }
        let whole = try read(nil, nil)
        #expect(whole.before == nil && whole.report.events == 8)
        let span = try read(.after(5 * hang), .after(25 * hang))
        // The last hang comes later; what came before the beginning is in the report, and is subtracted.
        #expect(span.report.events == 6 && span.began?.nanosecondsSince1970 == Int64(15 * hang))
        #expect(span.before?.generatedAt == span.began)
        let window = try TraceWindow.find(path: directory.path, from: .after(5 * hang), to: .after(25 * hang))
        let chrome = Written()
        try ChromeFormat.write(path: directory.path, window: window, to: chrome.output)
        let all = Written()
        try ChromeFormat.write(path: directory.path, to: all.output)
        #expect(!chrome.bytes.isEmpty && chrome.bytes.count < all.bytes.count)
        #expect(throws: TraceError.self) { try read(.after(25 * hang), .after(5 * hang)) }
        let late = try TraceWindow.find(path: directory.path, from: .after(500 * hang), to: nil)
        let refused = Written()
        let table = #expect(throws: TraceError.self) { try read(.after(500 * hang), nil) }
        let format = #expect(throws: TraceError.self) {
            try FoldedFormat.write(path: directory.path, window: late, to: refused.output)
        }
        #expect(table != nil && table == format && refused.bytes.isEmpty)
        #expect(throws: TraceError.self) { try read(.mark("tap"), nil) }
    }
}
