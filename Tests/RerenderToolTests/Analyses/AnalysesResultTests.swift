// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderRecording
@testable import RerenderTool
import RerenderTrace
import TestSupport
import TestTags
import Testing

@Suite(
    "What the analyses make of recordings", .tags(.heavy),
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"), .timeLimit(.minutes(15)))
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
        let root = try XMLNode.parse(TraceCompassFile.bytes)
        let provider = try #require(
            root.tree.first { $0["id"] == id && ["stateProvider", "pattern"].contains($0.name) })
        var engine = AnalysesEngine(provider)
        engine.run(events)
        return engine
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
            #expect(engine.states[view + ["Count"]] == .number(count))
            #expect(engine.states[view + ["Depth"]] == .number(0) && engine.states[view + ["State"]] == StateValue.none)
            let bars = engine.history[view + ["State"]] ?? []
            #expect(
                zip(bars, bars.dropFirst()).allSatisfy { ($0.value == .none) != ($1.value == .none) }, "bar, gap, bar")
        }
        let pid = events[0].integer("vpid").map { "\($0)" } ?? ""
        #expect(engine.states[["Processes", pid, "Name"]] == .text("counting"))
        #expect(engine.states.allSatisfy { $0.key.last != "Stack" || $0.value == .none })
    }

    @Test(
        "a view that runs in two threads and in itself is one bar from the first begin to the last end, with its worst colour"
    )
    func overlap() throws {
        func event(_ kind: String, _ thread: Int, _ id: Int) throws -> LTTngEvent {
            let fields = kind == "begin" ? "parent = \"\"" : "wasted = \(id == 2 ? 2 : 0)"
            let line =
                "[0] (+0) vm com.rerender.BodyEval:\(kind): { cpu_id = 1 }, { vpid = 7, vtid = \(thread), "
                + "procname = \"p\" }, { signpost_id = \(id), name = \"A\", \(fields) }"
            return try #require(LTTngTrace.parse(Array(line.utf8)))
        }
        let events = [
            try event("begin", 7, 1), try event("begin", 8, 2), try event("begin", 8, 3), try event("end", 8, 3),
            try event("end", 7, 1), try event("end", 8, 2), try event("end", 8, 4), try event("begin", 8, 5),
        ]
        let engine = try Self.engine("com.rerender.states", events)
        let bars = engine.history[["Processes", "7", "Views", "A", "State"]] ?? []
        #expect(bars.map(\.start) == [0, 5, 7] && bars.map(\.value) == [.number(3), .none, .number(1)])
        let depths = engine.history[["Processes", "7", "Views", "A", "Depth"]] ?? []
        #expect(
            depths.map(\.value) == [1, 2, 3, 2, 1, 0, 1].map { .number($0) }, "the end without a begin changes nothing")
        let stacks = engine.history[["Processes", "7", "Threads", "8", "Stack"]] ?? []
        #expect(stacks.map(\.value) == [.number(1), .number(2), .number(1), .none, .number(1)])
    }

    @Test("the flame chart is as deep as the views are nested, and empty in the end")
    func callStack() async throws {
        let events = try await Self.threads()
        let engine = try Self.engine("com.rerender.callstack.states", events)
        var open: [UInt64: Int] = [:]
        var deepest: [UInt64: Int] = [:]
        for event in events {
            guard let thread = event.integer("vtid") else { continue }
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

    @Test("rows that share a key and are evaluated once each are no double evaluations; one that is evaluated twice is")
    func doublesByInstance() throws {
        func end(_ instance: Int, turn: Int, store: Int = 1) throws -> LTTngEvent {
            let line =
                "[0] (+0) vm com.rerender.BodyEval:end: { cpu_id = 1 }, { vpid = 7, vtid = 7, procname = \"p\" }, "
                + "{ signpost_id = 1, name = \"Row\", reason = \"r\", wasted = 0, turn = \(turn), count = 1, "
                + "store_id = \(store), instance = \(instance) }"
            return try #require(LTTngTrace.parse(Array(line.utf8)))
        }
        let events = [
            try end(1, turn: 3), try end(2, turn: 3), try end(1, turn: 3), try end(2, turn: 4),
            try end(2, turn: 4, store: 2), try end(1, turn: 0), try end(1, turn: 0),
        ]
        let doubles = try Self.engine("com.rerender.doubles", events).segments
        #expect(doubles.map(\.start) == [0] && doubles.map(\.end) == [2])
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
            #expect(segment.name == end.text("name") && segment.start < segment.end)
            #expect(events[segment.start].integer("signpost_id") == end.integer("signpost_id"))
            #expect(segment.fields["body_ns"] == end.integer("body_ns").map { .number(Int64($0)) })
            #expect(segment.fields["reason"] == end.text("reason").map { .text($0) })
            #expect(segment.fields["file"] == files[end.integer("signpost_id")].flatMap { $0 }.map { .text($0) })
        }
    }

    @Test("an end whose begin was lost closes nothing, opens nothing, and is in no table")
    func lostBegins() async throws {
        let all = try await Self.threads()
        var number = 0
        let events = all.filter { event in
            if event.name.hasSuffix(":begin") { number += 1 }
            return !event.name.hasSuffix(":begin") || number % 5 != 0
        }
        let states = try Self.engine("com.rerender.states", events)
        for (path, values) in states.history where path.last == "Depth" {
            for (_, value) in values {
                if case .number(let depth) = value { #expect(depth >= 0) }
            }
        }
        let begins = events.count { $0.name.hasSuffix(":begin") }
        #expect(try Self.engine("com.rerender.latency.evaluations", events).segments.count == begins)
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
        #expect(doubles.count == 39 && doubles.allSatisfy { $0.name == Self.ends(events)[0].text("name") })
        #expect(doubles.allSatisfy { events[$0.start].name == "com.rerender.BodyEval:end" && $0.start < $0.end })
        let hangs = try Self.engine("com.rerender.latency.hangs", events).segments
        let ended = events.filter { $0.name == "com.rerender.Hang:end" }
        #expect(hangs.count == 3 && hangs.map(\.name) == ended.map { $0.text("name") })
        #expect(hangs.map { $0.fields["duration_ns"] } == ended.map { .number(Int64($0.integer("duration_ns") ?? 0)) })

        let states = try Self.engine("com.rerender.states", events)
        let bars = states.history.filter { $0.key.last == "State" }.flatMap(\.value).map(\.value).filter { $0 != .none }
        let wasted = Self.ends(events).map { end in StateValue.number(Int64(end.integer("wasted") ?? 0) + 1) }
        #expect(bars == wasted && bars.contains(.number(2)))
        let turns = states.history.filter { $0.key.last == "Turn" }.flatMap(\.value)
        #expect(turns.count == 10 && states.history.contains { $0.key.last == "Hang" && $0.value.count == 6 })
    }
}
