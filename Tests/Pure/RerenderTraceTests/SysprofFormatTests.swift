// SPDX-License-Identifier: MIT
// Sysprof's format against a small model of its reader.

import CShared
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Captures of Sysprof")
struct SysprofFormatTests {
    private func captured(_ script: EventScript, names: [Int32: String] = [:], origin: Int64? = nil) throws
        -> SysprofCapture
    {
        let written = Written()
        var format = SysprofFormat(written.output, script.texts, names: names)
        if let origin { format.start(clockOrigin: origin) }
        try script.feed(format)
        return SysprofCapture(written.bytes)
    }

    @Test("marks are of views, turns, hangs, writes and other signposts, each in a group, with lost events too")
    func groups() throws {
        let script = EventScript()
        script.turn(1) {
            let outer = script.begin("Outer")
            script.evaluate("Inner", reason: "parent: Outer", turn: 1, writers: "w() ×2", waste: .inferred)
            script.end(outer, "Outer", turn: 1, attribution: 3)
        }
        script.write("Gauge.level", "w()", views: 2)
        script.other(.begin, 1)
        script.other(.end, 1)
        script.add(.hangEnded(script.hang(3_000, view: "Outer", isEnd: true)), pid: 99)
        script.add(.discarded(3), pid: 1)
        _ = script.begin("Unended")
        let capture = try captured(script)
        let marks = capture.marks.map { "\($0.group): \($0.name): \($0.message)" }
        #expect(
            Set(marks) == [
                "Rerender views: Inner: parent: Outer ← w() ×2 · wasted (inferred) · App/Inner.swift:7",
                "Rerender views: Outer: ~tick · App/Outer.swift:7", "Rerender views: Unended: not ended",
                "Rerender turns: turn: turn 1 · 2 evaluations", "Rerender writes: Gauge.level: w() · 2 views",
                "com.example.Net: fetch: ", "Rerender hangs: Outer: in body · running · 3.00µs",
                "Rerender lost: events discarded: 3 events",
            ], "\(marks)")
        #expect(capture.processes == [1: "app"], "the daemon has no marks")
        #expect(
            capture.values.sorted() == [
                "evaluations in a turn [1] 0", "evaluations in a turn [1] 2", "wasted evaluations [1] 1",
            ])
    }

    @Test("times are those of the trace's clock, to the nanosecond, and the capture ends with the last event")
    func clock() throws {
        let script = EventScript()
        script.evaluate("Row")
        let began = try #require(script.events.first).nanoseconds
        let uptime: Int64 = 987_654_321_123_456
        let capture = try captured(script, origin: began - uptime)
        #expect(capture.time == uptime && capture.marks.map(\.time) == [uptime])
        #expect(capture.marks.map(\.duration) == [1_000] && capture.lastTime == uptime + 1_000)
        #expect(capture.capturedAt == Timestamp(nanosecondsSince1970: began).iso8601)
        // A reader that looks for the end leaves out the frame behind each mark.
        #expect(capture.kinds.suffix(2) == [1, 1])
    }

    @Test("what began before the first event begins with it, as a hang may")
    func earlier() throws {
        let script = EventScript()
        var hang = script.hang(0, view: "Spin", isEnd: false)
        hang.age_ns = 250_000_000
        script.add(.hangBegan(hang), pid: 99)
        script.evaluate("Row")
        let capture = try captured(script)
        let mark = try #require(capture.marks.first { $0.group == "Rerender hangs" })
        #expect(mark.name == "Spin" && mark.time == capture.time && mark.message.hasSuffix("not ended"))
    }

    @Test("evaluations in a store of widgets are in a group of their own")
    func widgets() throws {
        let script = EventScript()
        script.store = (3, "gtk")
        script.evaluate("GtkLabel")
        var told = csignpost_read_store()
        (told.store, told.store_id) = (script.texts.intern("gtk"), 3)
        told.kind = TraceCode.code(StoreKind.widgets)
        script.add(.ofStore(.store(told)))
        let capture = try captured(script)
        #expect(capture.marks.map { "\($0.group) \($0.name)" } == ["Rerender widgets GtkLabel"])
    }

    @Test("a handler is told of with its calls since it was told before, and not without one")
    func handlers() throws {
        let script = EventScript()
        for (count, time) in [(0, 0), (2, 5_000), (2, 5_000), (3, 9_000)] as [(UInt64, UInt64)] {
            var row = csignpost_read_loop_row()
            (row.store, row.name) = (script.texts.intern("main"), script.texts.intern("on_save()"))
            (row.kind, row.count, row.wall_ns, row.longest_ns) = (
                TraceCode.code(LoopRow.Kind.handler), count, time, 4_000
            )
            script.add(.ofStore(.row(row)))
        }
        let capture = try captured(script)
        #expect(
            capture.marks.map { "\($0.group): \($0.name): \($0.message)" } == [
                "Rerender handlers: on_save(): 2 calls, 5.00µs since the program last told · longest of all 4.00µs",
                "Rerender handlers: on_save(): 1 call, 4.00µs since the program last told · longest of all 4.00µs",
            ])
    }

    @Test("a name is cut between characters, and its text then has the whole of it", arguments: [39, 40, 41, 60])
    func names(length: Int) throws {
        let script = EventScript()
        let name = String(repeating: "ü", count: length / 2) + String(repeating: "x", count: length % 2)
        script.evaluate(name)
        let mark = try #require(try captured(script).marks.first)
        #expect(name.hasPrefix(mark.name) && mark.name.utf8.count <= 39)
        #expect((mark.name == name) == (length <= 39))
        #expect(mark.message.hasPrefix(length <= 39 ? "tick" : name + " · tick"))
    }

    @Test("a long text is cut, a control character is shown, and an empty name is that of nothing")
    func texts() throws {
        let script = EventScript()
        script.evaluate("a\nb\u{0}c", reason: String(repeating: "é", count: 900))
        let mark = try #require(try captured(script).marks.first)
        #expect(mark.name == "a\\u{a}b\\u{0}c" && mark.message.utf8.count == SysprofFrames.messageBytes)
    }

    @Test("a process is called as who recorded it says, or else as its first thread")
    func processes() throws {
        let script = EventScript()
        script.threadNames = [1: "gtk4-widget-fac", 2: "worker", 5: "shop"]
        script.end(script.begin("Aside"), "Aside", tid: 2)
        script.evaluate("Row")
        script.end(script.begin("Cart", pid: 5), "Cart", pid: 5)
        #expect(try captured(script).processes == [1: "gtk4-widget-fac", 5: "shop"])
        #expect(try captured(script, names: [1: "gtk4-widget-factory"]).processes[1] == "gtk4-widget-factory")
    }

    @Test("what is decided of an evaluation that left is counted")
    func late() throws {
        let script = EventScript()
        let ids = (0..<3).map { _ in
            let id = script.begin("Row")
            script.end(id, "Row")
            return id
        }
        for id in ids { script.commit("Row", 1, wasted: 1, of: id) }
        let written = Written()
        try script.feed(SysprofFormat(written.output, script.texts, holding: 2))
        let capture = SysprofCapture(written.bytes)
        let rows = capture.marks.filter { $0.group == "Rerender views" }
        #expect(rows.count == 3 && rows.count { $0.message.contains("wasted (measured)") } == 2)
        #expect(capture.marks.last?.message == "1 evaluation had left before a commit decided on the waste")
    }

    @Test("a recording of nothing is a capture without marks")
    func empty() throws {
        let capture = try captured(EventScript())
        #expect(capture.marks.isEmpty && capture.kinds == [1, 1])
    }
}
