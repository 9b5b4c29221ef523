// SPDX-License-Identifier: MIT
// The formats against their own rules.

import CShared
import Foundation
import RerenderModel
@testable import RerenderTrace
import TestSupport
import Testing
@testable import TraceSupport

@Suite("Formats of a recording")
struct FormatTests {
    private func script() -> EventScript {
        let script = EventScript()
        script.turn(1) {
            let outer = script.begin("Outer")
            script.evaluate("In\"ner\n;é", body: 40, turn: 1)
            script.end(outer, "Outer", body: 100, turn: 1)
        }
        script.write("Gauge.level", "w()", views: 2)
        script.other(.begin, 1)
        script.other(.begin, 2)
        script.other(.end, 1)
        // Lost partners: an end without a beginning, and beginnings without an end.
        script.other(.end, 9)
        script.end(77, "Unbegun", body: 5)
        _ = script.begin("Unended")
        script.add(.hangEnded(script.hang(300, view: "Outer", isEnd: true)), pid: 99)
        script.add(.discarded(3), pid: 0)
        return script
    }

    @Test("chrome: rules of the format hold, with lost events too, and every evaluation is there")
    func chrome() throws {
        let written = Written()
        let script = script()
        try script.feed(ChromeFormat(written.output, script.texts))
        let events = try ChromeTrace.check(written.text)
        let names = events.filter { $0.cat == "evaluation" }.map(\.name)
        #expect(names.sorted() == ["In\"ner\n;é", "Outer", "Unbegun", "Unended"])
        #expect(events.contains { $0.ph == "M" && $0.name == "process_name" && $0.args?.name == "app" })
        #expect(events.contains { $0.cat == "turn" } && events.contains { $0.cat == "hang" })
        #expect(events.count { $0.ph == "b" } == 1 && events.count { $0.ph == "i" } == 2)
        #expect(events.first { $0.name == "Outer" && $0.cat == "evaluation" }?.args?.reason == "tick")
    }

    @Test("chrome: a hang that is open at the end lasts until then")
    func chromeOpenHang() throws {
        let script = EventScript()
        var hang = script.hang(0, view: "Spin", isEnd: false)
        hang.age_ns = 250_000
        script.add(.hangBegan(hang), pid: 99)
        script.evaluate("Row")
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let events = try ChromeTrace.check(written.text).filter { $0.cat == "hang" }
        #expect(events.map(\.name) == ["Spin"] && written.text.contains("\"ended\":false"))
    }

    @Test("chrome: signposts of two processes that have the same number are two pairs")
    func chromeProcesses() throws {
        let script = EventScript()
        for (kind, pid) in [(.begin, 1), (.begin, 2), (.end, 1), (.end, 2)] as [(SignpostKind, Int32)] {
            script.other(kind, 300, pid: pid)
        }
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let pairs = try ChromeTrace.check(written.text).filter { $0.ph != "M" }
        #expect(
            pairs.map { "\($0.ph) \($0.pid) \($0.id2?.local ?? "")" } == [
                "b 1 0x12c", "e 1 0x12c", "b 2 0x12c", "e 2 0x12c",
            ])
    }

    @Test("chrome: hangs have a track of their own, and a process is called like its first thread")
    func chromeTracks() throws {
        let script = EventScript()
        script.threadNames = [2: "worker", 99: "NIO-ELT-1-#1"]
        script.end(script.begin("Aside"), "Aside", tid: 2)
        script.turn(1) { script.evaluate("Row", turn: 1) }
        script.add(.hangEnded(script.hang(3_000, view: "Row", isEnd: true)), pid: 99)
        script.add(.discarded(3), pid: 1)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let events = try ChromeTrace.check(written.text)
        // As Perfetto does: the name that comes last is the thread's.
        let named = events.filter { $0.name == "thread_name" }.map { ("\($0.pid) \($0.tid)", $0.args?.name ?? "") }
        let names = Dictionary(named) { _, last in last }
        #expect(names["1 1"] == "app" && names["1 2"] == "worker" && names["1 2147483647"] == "hangs")
        #expect(events.filter { $0.tid == Int(Int32.max) && $0.ph == "X" }.map(\.cat) == ["hang"])
        let processes = events.filter { $0.name == "process_name" }
        #expect(processes.map(\.pid) == [1] && processes.map { $0.args?.name } == ["app"])
        #expect(events.allSatisfy { $0.pid == 1 }, "the daemon has no events of its own")
    }

    @Test("a process is called as who recorded it says: a thread's name is cut")
    func recordedNames() throws {
        let script = EventScript()
        script.threadNames = [1: "gtk4-widget-fac"]
        script.evaluate("Row", body: 20)
        let names: [Int32: String] = [1: "gtk4-widget-factory", 7: "another"]
        let (chrome, folded) = (Written(), Written())
        try script.feed(ChromeFormat(chrome.output, script.texts, names: names))
        try script.feed(FoldedFormat(folded.output, names: names))
        let processes = try ChromeTrace.check(chrome.text).filter { $0.name == "process_name" }
        #expect(processes.map { $0.args?.name } == ["gtk4-widget-factory"])
        #expect(folded.text == "gtk4-widget-factory;Row 20\n")
    }

    @Test("chrome: a view may have a name that Firefox takes for its own", arguments: ChromeTrace.namesOfFirefox)
    func chromeNames(name: String) throws {
        let script = EventScript()
        script.evaluate(name)
        script.write(name, "w()", views: 1)
        script.add(.hangEnded(script.hang(300, view: name, isEnd: true)), pid: 99)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let events = try ChromeTrace.check(written.text)
        #expect(events.count { $0.ph != "M" && $0.name == name + " " } == 3)
    }

    @Test("chrome: the detail of an event, which Firefox shows, has what is known of it")
    func chromeDetails() throws {
        let script = EventScript()
        script.evaluate("Row", reason: "a\"b", writers: "w() ×2", waste: .measured)
        script.evaluate("Cell", waste: .inferred)
        script.evaluate("Text", isUnjudged: true)
        script.end(77, "Unbegun")
        script.write("Gauge.level", "w()", views: 2)
        script.add(.hangEnded(script.hang(300, view: "Row", isEnd: true)), pid: 99)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let details = try ChromeTrace.check(written.text).compactMap { $0.args?.detail }
        let expected = [
            "a\"b ← w() ×2 · wasted (measured) · App/Row.swift:7", "tick · wasted (inferred) · App/Cell.swift:7",
            "tick · not judged · App/Text.swift:7", "tick", "w()", "in body · running",
        ]
        #expect(Set(details) == Set(expected) && details.count == expected.count)
    }

    @Test("chrome: an evaluation is wasted as its commit says, and there are as many as `report` counts")
    func chromeWaste() throws {
        let script = EventScript()
        var wasted: UInt32 = 0
        for round in 1...20 as ClosedRange<UInt64> {
            let isWasted = round % 3 != 0
            let id = script.begin("Row")
            script.end(id, "Row", waste: round % 2 == 0 ? .inferred : .none)
            if isWasted { wasted += 1 }
            script.commit("Row", round, wasted: wasted, of: id, as: isWasted ? .measured : TraceWaste.none)
        }
        script.evaluate("Late", waste: .inferred)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let events = try ChromeTrace.check(written.text).filter { $0.cat == "evaluation" }
        let rows = events.filter { $0.name == "Row" }.compactMap { $0.args?.wasted }
        #expect(rows == (1...20).map { $0 % 3 == 0 ? 0 : 2 })
        #expect(events.last?.args?.wasted == 1 && events[0].args?.detail?.contains("wasted (measured)") == true)
        let report = try script.report().export.processes.flatMap(\.views).reduce(UInt64(0)) { $0 + $1.wasted.count }
        #expect(UInt64(events.count { $0.args?.wasted != 0 }) == report && !written.text.contains("lateVerdicts"))
    }

    @Test("chrome: what is decided of more evaluations than are held back is counted", arguments: around(4))
    func chromeLateWaste(count: Int) throws {
        let script = EventScript()
        let ids = (0..<count).map { _ in
            let id = script.begin("Row")
            script.end(id, "Row")
            return id
        }
        for id in ids { script.commit("Row", 1, wasted: 1, of: id) }
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts, holding: 4))
        let evaluations = try ChromeTrace.check(written.text).filter { $0.cat == "evaluation" }
        let wasted = evaluations.compactMap { $0.args?.wasted }
        let late = max(0, count - 4)
        #expect(wasted == Array(repeating: 0, count: late) + Array(repeating: 2, count: count - late))
        #expect(written.text.contains("\"lateVerdicts\":\(late)}") == (late > 0))
    }

    @Test("chrome: a phase that outlasts its turn ends with it, and one behind it is whole")
    func chromePhases() throws {
        let script = EventScript()
        let phase = { Phase(signpost_id: $0, name: script.texts.intern("callouts"), turn: 1) }
        script.turn(1) { script.add(.phaseBegan(phase(1))) }
        script.add(.phaseEnded(phase(1)))
        script.add(.phaseBegan(phase(2)))
        script.add(.phaseEnded(phase(2)))
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let phases = try ChromeTrace.check(written.text).filter { $0.cat == "phase" }
        #expect(phases.map(\.dur) == [0.999, 1])
    }

    @Test("chrome: times are those of the trace's clock, to the nanosecond")
    func chromeClock() throws {
        let script = EventScript()
        script.evaluate("Row")
        let began = try #require(script.events.first).nanoseconds
        let uptime: Int64 = 987_654_321_123_456
        let written = Written()
        var format = ChromeFormat(written.output, script.texts)
        format.start(clockOrigin: began - uptime)
        try script.feed(format)
        #expect(written.text.contains(",\"ts\":987654321123.456,"))
        #expect(try ChromeTrace.check(written.text).count { $0.cat == "evaluation" } == 1)
    }

    @Test("chrome: arrows lead from a write to what it caused, and from there to the children, where that is certain")
    func chromeArrows() throws {
        let script = EventScript()
        script.write("Gauge.other", "w()", views: 1)
        script.write("Gauge.level", "w()", views: 1)
        script.turn(1) {
            let outer = script.begin("Outer")
            script.evaluate("Inner", reason: "parent: Outer", body: 40, turn: 1)
            script.end(outer, "Outer", reason: "gauge.level", turn: 1, writers: "w() ×2")
            script.evaluate("Beside", reason: "parent: Outer", turn: 1)
            script.evaluate("Again", reason: "gauge.level", turn: 1, writers: "w()")
            script.evaluate("Strange", reason: "gauge.level", turn: 1, writers: "v()")
        }
        script.evaluate("Later", reason: "parent: Outer", turn: 2)
        script.evaluate("Orphan", reason: "parent: Nothing", turn: 2)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let arrows = ChromeTrace.arrows(try ChromeTrace.check(written.text))
        #expect(
            arrows == ["Gauge.level → Outer", "Outer → Inner", "Outer → Beside", "Gauge.level → Again"], "\(arrows)")
    }

    @Test(
        "chrome: an arrow leads from one of the latest writes, or there is no arrow",
        arguments: around(TraceLimits.causingWrites))
    func chromeFarWrites(others: Int) throws {
        let script = EventScript()
        script.write("Gauge.level", "w()", views: 1)
        for _ in 0..<others { script.write("Gauge.other", "w()", views: 1) }
        script.evaluate("Row", reason: "gauge.level", writers: "w()")
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let arrows = ChromeTrace.arrows(try ChromeTrace.check(written.text))
        #expect(arrows == (others < TraceLimits.causingWrites ? ["Gauge.level → Row"] : []))
    }

    @Test("chrome: counters have the evaluations of each turn, and the waste that is known at its end")
    func chromeCounters() throws {
        let script = EventScript()
        script.turn(1) {
            script.evaluate("Row", turn: 1, waste: .inferred)
            script.evaluate("Cell", turn: 1)
        }
        script.turn(2) {}
        let id = script.begin("Cell")
        script.end(id, "Cell")
        script.commit("Cell", 1, wasted: 1, of: id)
        let written = Written()
        try script.feed(ChromeFormat(written.output, script.texts))
        let counters = try ChromeTrace.check(written.text).filter { $0.ph == "C" }
        let told = counters.map { "\($0.name) \($0.args?.count ?? -1)" }
        #expect(
            told == [
                "evaluations in a turn 2", "evaluations in a turn 0", "wasted evaluations 1", "wasted evaluations 2",
            ])
    }

    @Test("chrome: a recording of nothing is a valid document")
    func chromeEmpty() throws {
        let written = Written()
        let script = EventScript()
        try script.feed(ChromeFormat(written.output, script.texts))
        #expect(try ChromeTrace.check(written.text).isEmpty)
    }

    @Test("folded: ways of views with their own time, which adds up to the outermost bodies")
    func folded() throws {
        let written = Written()
        try script().feed(FoldedFormat(written.output))
        let lines = written.text.split(separator: "\n").map(String.init).sorted()
        #expect(lines == ["app;Outer 60", "app;Outer;In\"ner\\u{a},é 40", "app;Unbegun 5"])
    }

    @Test("folded: a stack begins with the process, and processes of one name are told apart")
    func foldedProcesses() throws {
        let script = EventScript()
        script.threadNames = [2: "worker", 3: "shop"]
        script.end(script.begin("Row"), "Row", body: 10, tid: 2)
        script.evaluate("Row", body: 20)
        for (pid, name) in [(3, "Cart"), (4, "Cart"), (5, ";")] as [(Int32, String)] {
            script.end(script.begin(name, pid: pid), name, body: 30, pid: pid)
        }
        let written = Written()
        try script.feed(FoldedFormat(written.output))
        let lines = written.text.split(separator: "\n").map(String.init).sorted()
        #expect(lines == ["app[1];Row 30", "app[4];Cart 30", "app[5];, 30", "shop;Cart 30"])
    }

    @Test("an outermost evaluation whose end was lost is around none of the later ones")
    func lostOutermostEnd() throws {
        let script = EventScript()
        script.lose(script.begin("Lost"))
        script.evaluate("Outer", body: 60)
        let (chrome, folded) = (Written(), Written())
        try script.feed(ChromeFormat(chrome.output, script.texts))
        try script.feed(FoldedFormat(folded.output))
        #expect(try ChromeTrace.check(chrome.text).filter { $0.cat == "evaluation" }.map(\.name) == ["Outer"])
        #expect(folded.text == "app;Outer 60\n")
    }
}
