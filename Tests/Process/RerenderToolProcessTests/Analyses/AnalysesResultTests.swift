// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import RerenderTrace
import TestSupport
import Testing
@testable import ToolSupport

@Suite(
    "What the analyses make of recordings",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .enabled(if: AnalysisScriptRunner.isInstalled, "needs nodejs, for the scripts in the analyses"),
    .timeLimit(.minutes(15)))
struct AnalysesResultTests {
    /// Ten threads that evaluate the same views at once, and views in views on four.
    private static func threads() async throws -> [LTTngEvent] {
        try await RecordBench.with { bench in
            let process = try await bench.record(["-o", bench.home + "/trace", "--", bench.program("counting")])
            #expect(try await process.nextLine() == "ready")
            #expect(try await process.ask("run 3000") == "done")
            #expect(try await process.ask("nest 40") == "done")
            try process.send("exit")
            #expect(await process.finish().exit == .status(0))
            return try await bench.events("trace")
        }
    }

    private static func engine(_ id: String, _ events: [LTTngEvent]) throws -> AnalysesEngine {
        var engine = try AnalysesEngine.of(id)
        engine.run(events)
        #expect(engine.failure == nil)
        return engine
    }

    /// Whether a view's row says that its body runs.
    private static func isBar(_ state: StateValue?) -> Bool {
        guard case .number(let number) = state else { return false }
        return (1...3).contains(number)
    }

    private static func ends(_ events: [LTTngEvent]) -> [LTTngEvent] {
        events.filter { $0.name == "com.rerender.BodyEval:end" }
    }

    @Test("overlapping evaluations of a view are one bar, every one is counted, and nothing stays open")
    func views() async throws {
        let events = try await Self.threads()
        let engine = try Self.engine("com.rerender.states", events)
        var counts: [[String]: Int64] = [:]
        for end in Self.ends(events) {
            counts[["Processes", "\(end.integer("vpid") ?? 0)", "Views", end.text("name") ?? ""], default: 0] += 1
        }
        #expect(counts.count > 3 && counts.values.reduce(0, +) == Self.ends(events).count)
        for (view, count) in counts {
            #expect(engine.history[view + ["LastID"]]?.count == Int(count))
            #expect(engine.states[view + ["Depth"]] == .number(0) && !Self.isBar(engine.states[view + ["State"]]))
            let bars = engine.history[view + ["State"]] ?? []
            #expect(
                zip(bars, bars.dropFirst()).allSatisfy { Self.isBar($0.value) != Self.isBar($1.value) },
                "bar, gap, bar")
        }
        let pid = events[0].integer("vpid").map { "\($0)" } ?? ""
        #expect(engine.states[["Processes", pid, "Name"]] == .text("counting[\(pid)]"))
        #expect(engine.states.allSatisfy { $0.key.last != "Stack" || $0.value == .none })
    }

    @Test(
        "a view that runs in two threads and in itself is one bar from the first begin to the last end, with its worst colour"
    )
    func overlap() throws {
        var trace = MadeTrace()
        try trace.begin("A")
        try trace.begin("A", thread: 8)
        try trace.begin("A", thread: 8)
        try trace.end(thread: 8)
        try trace.end()
        try trace.end(wasted: 2, kind: 1, thread: 8)
        try trace.begin("A", thread: 8, isLost: true)
        try trace.end(thread: 8)
        try trace.begin("A", thread: 8)
        let engine = try Self.engine("com.rerender.states", trace.events)
        let bars = engine.history[["Processes", "7", "Views", "A", "State"]] ?? []
        #expect(bars.map(\.start) == [0, 5, 7] && bars.map(\.value) == [.number(3), .number(6), .number(1)])
        let depths = engine.history[["Processes", "7", "Views", "A", "Depth"]] ?? []
        #expect(
            depths.map(\.value) == [1, 2, 3, 2, 1, 0, 1].map { .number($0) }, "the end without a begin changes nothing")
        let stacks = engine.history[["Processes", "7", "Threads", "8", "Stack"]] ?? []
        #expect(stacks.map(\.value) == [.number(1), .number(2), .number(1), .none, .number(1)])
        let table = try Self.engine("com.rerender.latency.evaluations", trace.events).segments
        #expect(table.count == 3, "the end without a begin is in no table, and neither is what has not ended")
    }

    @Test("the flame chart is as deep as the views are nested, and empty in the end")
    func callStack() async throws {
        let events = try await Self.threads()
        let engine = try Self.engine("com.rerender.callstack.states", events)
        var open: [UInt64: Int] = [:]
        var deepest: [UInt64: Int] = [:]
        for event in events {
            guard event.name.hasPrefix("com.rerender.BodyEval:"), let thread = event.integer("vtid") else { continue }
            open[thread, default: 0] += event.name.hasSuffix(":begin") ? 1 : -1
            deepest[thread] = max(deepest[thread] ?? 0, open[thread] ?? 0)
        }
        #expect(deepest.values.max() == 3 && deepest.count > 1)
        for (thread, depth) in deepest {
            let path = ["Processes", "\(events[0].integer("vpid") ?? 0)", "\(thread)", "CallStack"]
            let depths = (engine.history[path] ?? []).map(\.value)
            #expect(depths.contains(.number(Int64(depth))) && !depths.contains(.number(Int64(depth + 1))))
            #expect(depths.last == StateValue.none)
        }
    }

    @Test("each evaluation is in the table with its own reason, body time and place")
    func evaluations() async throws {
        let events = try await Self.threads()
        let segments = try Self.engine("com.rerender.latency.evaluations", events).segments
        let ends = Self.ends(events)
        #expect(segments.count == ends.count)
        let begins = events.filter { $0.name == "com.rerender.BodyEval:begin" }
        let files = Dictionary(begins.map { ($0.integer("signpost_id"), $0.text("file")) }) { $1 }
        for (segment, end) in zip(segments, ends) {
            let pid = end.integer("vpid") ?? 0
            #expect(segment.name == "\(end.text("name") ?? "") [\(pid)]" && segment.start < segment.end)
            #expect(events[segment.start].integer("signpost_id") == end.integer("signpost_id"))
            #expect(segment.fields["body_ns"] == end.integer("body_ns").map { .number(Int64($0)) })
            #expect(segment.fields["reason"] == end.text("reason").map { .text($0) })
            #expect(segment.fields["file"] == files[end.integer("signpost_id")].flatMap { $0 }.map { .text($0) })
        }
    }

    @Test(
        "hangs are in their table, and views that are evaluated twice in a turn in theirs; wasted bars have their colour"
    )
    func hangsAndDoubles() async throws {
        let events = try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-o", bench.home + "/trace"])
            // All evaluations of the probe are of one view in turn 7.
            try await bench.probe("body 40", "hangs 3", "turns 5")
            process.kill(SIGINT)
            #expect(await process.finish().exit == .status(0))
            return try await bench.events("trace")
        }
        // Without a number all instances are one.
        let doubles = try Self.engine("com.rerender.doubles", events).segments
        let pid = try #require(Self.ends(events).first?.integer("vpid"))
        #expect(doubles.count == 39 && doubles.allSatisfy { $0.name == "CartTotal [\(pid)]" })
        #expect(
            doubles.allSatisfy {
                events[$0.start].name == "com.rerender.BodyEval:begin" && $0.end == $0.start + 1
                    && events[$0.start].integer("signpost_id") == events[$0.end].integer("signpost_id")
            })
        let hangs = try Self.engine("com.rerender.latency.hangs", events).segments
        let ended = events.filter { $0.name == "com.rerender.Hang:end" }
        #expect(hangs.count == 3 && hangs.allSatisfy { $0.name == "CartTotal [4711]" })
        #expect(hangs.map { $0.fields["duration_ns"] } == ended.map { .number(Int64($0.integer("duration_ns") ?? 0)) })

        let states = try Self.engine("com.rerender.states", events)
        let bars = states.history.filter { $0.key.last == "State" }.flatMap(\.value).map(\.value)
            .filter { Self.isBar($0) }
        let wasted = Self.ends(events).map { end in StateValue.number(Int64(end.integer("wasted") ?? 0) + 1) }
        #expect(bars == wasted && bars.contains(.number(2)))
        let turns = states.history.filter { $0.key.last == "Turn" }.flatMap(\.value)
        #expect(turns.count == 10 && states.history.contains { $0.key.last == "Hang" && $0.value.count == 6 })
    }

    @Test(
        "the table of wasted evaluations has as many of each view as `report` counts, and that of doubles as many turns",
        arguments: [
            ["wasteful", "--ticks", "60"], ["isolated", "--ticks", "60"],
            ["showmax-1", "--script", "tap:heart,wait,tap:season,wait,tap:heart"],
            ["flow-layout", "--script", "wait"], ["on-appear", "--script", "wait"],
            ["form-wasteful", "--script", "type:abc"], ["isolation-observable", "--script", "wait"],
        ])
    func wasteIsThatOfTheReport(scenario: [String]) async throws {
        let (events, report) = try await RecordBench.with { bench in
            let demo = [try await bench.program("rerender-demo"), "--scenario"] + scenario
            let recorded = try await bench.record(["-o", bench.home + "/trace", "--"] + demo)
            #expect(await recorded.finish().exit == .status(0))
            return (try await bench.events("trace"), try TraceReport.read(path: bench.home + "/trace"))
        }
        let process = try #require(report.export.processes.first)
        let rows = try Self.engine("com.rerender.wasted", events).segments
        var found: [String: UInt64] = [:]
        for row in rows { found[row.name, default: 0] += 1 }
        var expected: [String: UInt64] = [:]
        for view in process.views where view.wasted.count > 0 {
            expected["\(view.key.rawValue) [\(process.pid)]"] = view.wasted.count
        }
        #expect(found == expected)
        let measured = process.views.reduce(0) { $0 + $1.wasted.measured }
        #expect(UInt64(rows.count { $0.fields["wasted"] == .number(2) }) == measured)
        let doubles = try Self.engine("com.rerender.doubles", events).segments
        #expect(UInt64(doubles.count) == report.doubleEvaluations)
    }
}
