// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

/// What a run of the real engine did wrong with an earlier version of the file.
@Suite(
    "What the analyses make of traces made by hand",
    .enabled(if: AnalysisScriptRunner.isInstalled, "needs nodejs, for the scripts in the analyses"))
struct AnalysesBehaviourTests {
    private static let keys = [
        "Café", "Übersicht", "日本語", "it’s", "🙂", "Feed", "A", "dead", "10", "Row 7", "Café\u{301}", "a/b:c.swift:3",
    ]

    private static func row(_ view: String, _ value: String, pid: Int = 7) -> [String] {
        ["Processes", "\(pid)", "Views", view, value]
    }

    private static func states(_ engine: AnalysesEngine, _ path: [String]) -> [StateValue] {
        (engine.history[path] ?? []).map(\.value)
    }

    // MARK: Texts

    @Test("keys in any language stop no analysis, and name the rows of the timelines")
    func keys() throws {
        var trace = MadeTrace()
        trace.process = "übung’"
        for key in Self.keys {
            try trace.turnBegins(1)
            try trace.begin(key, instance: 1)
            _ = try trace.evaluate(key, instance: 2, wasted: 2, reason: "\(key).tick")
            try trace.end(wasted: 1, reason: "parent: \(key)")
            let id = try trace.evaluate(key, instance: 1, turn: 1, reason: key)
            try trace.change("committed", key, of: id, as: 2, instance: 1)
            try trace.turnEnds(1, evaluations: 3)
            try trace.hang(1, key, of: 7, last: key)
            try trace.hang(1, key, of: 7, duration: 1_000, last: key)
        }
        for id in MadeTrace.analyses { #expect(try trace.run(id).failure == nil, "\(id)") }
        let engine = try trace.run("com.rerender.states")
        let rows = Set(engine.history.keys.filter { $0.count == 5 && $0[2] == "Views" }.map { $0[3] })
        #expect(rows == Set(Self.keys))
        #expect(engine.states[["Processes", "7", "Name"]] == .text("übung’[7]"))
        let hangs = Self.states(engine, ["Processes", "7", "Hang"]).filter { $0 != .none }
        #expect(hangs == Self.keys.map { .text($0) })
    }

    @Test("a control character, or the one key that the engine takes for its own, stops no analysis and names a row")
    func controlCharacters() throws {
        let rows = [
            "new\nline": "new\\u{a}line", "tab\there": "tab\\u{9}here", "\u{7F}del": "\\u{7f}del",
            "\u{85}nel": "\\u{85}nel", "*": "\\u{2a}",
        ]
        var trace = MadeTrace()
        trace.process = "wörker"
        for key in rows.keys.sorted() {
            _ = try trace.evaluate(key, reason: key)
            try trace.hang(1, key, of: 7)
            try trace.hang(1, key, of: 7, duration: 1_000)
        }
        for id in MadeTrace.analyses { #expect(try trace.run(id).failure == nil, "\(id)") }
        let engine = try trace.run("com.rerender.states")
        #expect(Set(engine.history.keys.filter { $0.count == 5 && $0[2] == "Views" }.map { $0[3] }) == Set(rows.values))
        #expect(engine.states[["Processes", "7", "Name"]] == .text("wörker[7]"))
    }

    @Test("a row has a state from its first event on, also where only an end or a commit is there")
    func rowsWithoutBegin() throws {
        var trace = MadeTrace()
        try trace.begin("Ended", isLost: true)
        try trace.end()
        try trace.change("committed", "Committed", of: 0, as: 0)
        let engine = try trace.run("com.rerender.states")
        for view in ["Ended", "Committed"] {
            #expect(Self.states(engine, Self.row(view, "State")).first == .number(4), "\(view)")
        }
    }

    @Test("the names in tables are ASCII, say which process, and stay different")
    func tableNames() throws {
        var trace = MadeTrace()
        for pid in [7, 8] {
            trace.pid = pid
            for key in Self.keys { _ = try trace.evaluate(key) }
        }
        let names = try trace.run("com.rerender.latency.evaluations").segments.map(\.name)
        #expect(names.count == 24 && Set(names).count == 24)
        #expect(names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        #expect(names[0] == "Caf\\u{e9} [7]" && names[4] == "\\u{1f642} [7]" && names[9] == "Row 7 [7]")
        #expect(names[12] == "Caf\\u{e9} [8]")
    }

    @Test("the flame views show the key, also one that reads as a hexadecimal number")
    func flameNames() throws {
        /// As the flame views do: what reads as a hexadecimal number is taken for an address.
        func shown(_ name: String) -> String { UInt64(name, radix: 16).map { "0x\(String($0, radix: 16))" } ?? name }
        var trace = MadeTrace()
        for key in Self.keys { _ = try trace.evaluate(key) }
        let engine = try trace.run("com.rerender.callstack.states")
        let names = (engine.history[["Processes", "7", "7", "CallStack", "1"]] ?? []).compactMap { entry -> String? in
            guard case .text(let text) = entry.value else { return nil }
            return shown(text).trimmingCharacters(in: .whitespaces)
        }
        #expect(names == Self.keys)
    }

    @Test("a text that is not UTF-8 stops nothing either")
    func notUTF8() throws {
        var line = Array(
            "[0] (+0) vm com.rerender.BodyEval:begin: { cpu_id = 1 }, { vpid = 7, vtid = 7, procname = \"p\" }, { signpost_id = 1, name = \"A"
                .utf8)
        line += [0xFF, 0x85] + Array("B\", file = \"f\", line = 3, parent = \" \", instance = 1 }".utf8)
        let event = try #require(LTTngTrace.parse(line))
        for id in MadeTrace.analyses {
            var engine = try AnalysesEngine.of(id)
            engine.run([event])
            #expect(engine.failure == nil)
            if id == "com.rerender.states" {
                #expect(engine.history.keys.contains(Self.row("A\\u{ff}\\u{85}B", "State")))
            }
        }
    }

    // MARK: Processes

    @Test("every process has a row with its number, and its name from the first thread, whenever that was heard of")
    func processNames() throws {
        var trace = MadeTrace()
        trace.pid = 11
        _ = try trace.evaluate("Early", thread: 12)
        try trace.add("RenderLoop:begin", "signpost_id = 1, name = \"turn\", turn = 1, in_body = 0", threadName: "shop")
        trace.pid = 21
        try trace.turnBegins(1)
        try trace.turnEnds(1)
        trace.pid = 31
        try trace.begin("Aside", thread: 32, threadName: "worker")
        try trace.hang(1, "Feed", of: 41)
        let engine = try trace.run("com.rerender.states")
        let names = ["11": "shop[11]", "21": "shop[21]", "31": "pid 31", "41": "pid 41"]
        for (pid, name) in names {
            // One state from the beginning: a row is named by the first.
            #expect(Self.states(engine, ["Processes", pid, "Name"]) == [.text(name)])
            #expect(engine.states[["Processes", pid, "Pid"]] == .number(Int64(pid) ?? 0))
        }
        #expect(engine.states[["Processes", "99", "Name"]] == nil, "the daemon is no app")
        #expect(engine.states[["Processes", "31", "Threads", "32", "Name"]] == .text("worker[32]"))
        #expect(engine.states[["Processes", "21", "Loop", "Name"]] == .text("shop[21]"))
        #expect(engine.states[["Processes", "31", "Loop"]] == nil, "a process without turns is not in the chart")
    }

    // MARK: Lost events

    @Test("whatever ends were lost, nothing is open after the next evaluation that nothing is around", arguments: 1...8)
    func lostEnds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trace = MadeTrace()
        /// How many events there were when each thread had nothing open any more.
        var quiet: [(events: Int, thread: Int)] = []
        func nest(_ depth: Int, _ thread: Int) throws {
            for _ in 0..<Int.random(in: 0...2, using: &random) where depth > 0 {
                try trace.begin("View \(Int.random(in: 0...3, using: &random))", instance: 1, thread: thread)
                try nest(depth - 1, thread)
                try trace.end(thread: thread, isLost: Int.random(in: 0..<4, using: &random) == 0)
            }
        }
        for round in 0..<60 {
            let thread = [7, 8][round % 2]
            // The end of the outermost is there, so that all must be over.
            try trace.begin("Root", thread: thread)
            try nest(5, thread)
            try trace.end(thread: thread)
            quiet.append((trace.events.count, thread))
        }
        var states = try AnalysesEngine.of("com.rerender.states")
        var flames = try AnalysesEngine.of("com.rerender.callstack.states")
        var done = 0
        for (count, thread) in quiet {
            for event in done..<count {
                states.run([trace.events[event]], at: [event])
                flames.run([trace.events[event]], at: [event])
            }
            done = count
            let stack = states.states[["Processes", "7", "Threads", "\(thread)", "Stack"]] ?? StateValue.none
            #expect(stack == StateValue.none)
            let open = states.states.filter { path, value in
                path.last == "Depth" && value != .number(0) || path.last == "State" && value != .number(4)
            }
            #expect(open.isEmpty)
            let flame = flames.states[["Processes", "7", "\(thread)", "CallStack"]] ?? StateValue.none
            #expect(flame == StateValue.none)
        }
    }

    @Test(
        "what was left open at each level is closed by the outermost end, by the next outermost begin and by a turn",
        arguments: 1...12, ["end", "begin", "turn"])
    func levels(depth: Int, closing: String) throws {
        var trace = MadeTrace()
        for level in 1...depth { try trace.begin("View \(level)") }
        for _ in 1..<depth { try trace.end(isLost: true) }
        switch closing {
        case "end": try trace.end()
        case "begin":
            try trace.end(isLost: true)
            try trace.begin("Next")
        default: try trace.turnBegins(2)
        }
        let states = try trace.run("com.rerender.states").states
        for level in 1...depth {
            #expect(states[Self.row("View \(level)", "State")] == .number(4), "view \(level)")
            #expect(states[Self.row("View \(level)", "Depth")] == .number(0), "view \(level)")
        }
    }

    @Test("views that are nested deeper than the timelines can hold are in the flame views, and leave nothing open")
    func deep() throws {
        var trace = MadeTrace()
        for level in 1...20 { try trace.begin("View \(level)") }
        let count = trace.events.count
        for _ in 1...20 { try trace.end() }
        var states = try AnalysesEngine.of("com.rerender.states")
        states.run(trace.events)
        for (path, state) in states.states where path.last == "State" { #expect(state == .number(4), "\(path)") }
        #expect(states.history.keys.contains(Self.row("View 12", "State")))
        // The engine complains of a row that never has a state.
        #expect(Self.states(states, Self.row("View 13", "State")) == [.number(4)])
        var flames = try AnalysesEngine.of("com.rerender.callstack.states")
        flames.run(Array(trace.events.prefix(count)))
        #expect(flames.states[["Processes", "7", "7", "CallStack"]] == .number(20))
    }

    @Test("a turn ends what has lost its end, but not what runs around it")
    func turnsEndWhatIsLost() throws {
        for isInBody in [false, true] {
            var trace = MadeTrace()
            try trace.begin("Outer")
            try trace.begin("Inner")
            try trace.turnBegins(2, inBody: isInBody)
            let engine = try trace.run("com.rerender.states")
            #expect(engine.states[Self.row("Outer", "State")] == .number(isInBody ? 1 : 4))
            #expect(engine.states[Self.row("Inner", "Depth")] == .number(isInBody ? 1 : 0))
            let stack = engine.states[["Processes", "7", "Threads", "7", "Stack"]] ?? StateValue.none
            #expect(stack == (isInBody ? StateValue.number(2) : StateValue.none))
            let flames = try trace.run("com.rerender.callstack.states")
            #expect(flames.states[["Processes", "7", "7", "CallStack"]] ?? StateValue.none == stack)
        }
    }

    @Test("an outermost evaluation begins at the bottom, also where the end of the one before was lost")
    func lostOutermost() throws {
        var trace = MadeTrace()
        for _ in 0..<50 {
            try trace.begin("Root")
            try trace.begin("Row")
            try trace.end(isLost: true)
            try trace.end(isLost: true)
        }
        try trace.begin("Root")
        let engine = try trace.run("com.rerender.states")
        #expect(engine.states[["Processes", "7", "Threads", "7", "Stack"]] == .number(1))
        #expect(engine.states[Self.row("Root", "Depth")] == .number(1))
        #expect(engine.states[Self.row("Row", "State")] == .number(4))
        let flames = try trace.run("com.rerender.callstack.states")
        #expect(flames.states[["Processes", "7", "7", "CallStack"]] == .number(1))
        #expect(flames.history[["Processes", "7", "7", "CallStack", "3"]] == nil)
    }

    // MARK: Hangs

    @Test("hangs take as long in their table as the app says, and one that was none is not there")
    func hangLengths() throws {
        var trace = MadeTrace()
        let durations = [400_123_457, 250_000_001, 3_000_000_019, 401_999_999]
        for (id, duration) in durations.enumerated() {
            trace.now += 1_000_000_000
            try trace.hang(id, "Guess", of: 7)
            // What is drawn from here to the end is too short.
            trace.now += 157_000_000
            try trace.hang(id, id == 1 ? " " : "Feed", of: 7, duration: duration)
        }
        try trace.hang(9, "Feed", of: 7)
        try trace.hang(9, "Feed", of: 7, duration: 0)
        let rows = try trace.run("com.rerender.latency.hangs").segments
        #expect(rows.map { $0.end - $0.start } == durations)
        #expect(rows.map(\.name) == ["Feed [7]", "(no view) [7]", "Feed [7]", "Feed [7]"])
        // Within what JavaScript's numbers lose.
        let ends = [1, 3, 5, 7].map { trace.times[$0] }
        #expect(zip(rows, ends).allSatisfy { abs($0.end - $1) <= 512 })
    }

    @Test("the row of hangs says in the end which view it was, also of the time before that was known")
    func hangStates() throws {
        var trace = MadeTrace()
        try trace.turnBegins(1)
        try trace.hang(1, "Guess", of: 7)
        try trace.turnEnds(1, evaluations: 1)
        try trace.hang(1, " ", of: 7, duration: 400_000_000)
        try trace.turnBegins(2)
        try trace.hang(2, "Guess", of: 7)
        try trace.hang(2, "Guess", of: 7, duration: 0)
        try trace.turnEnds(2)
        let engine = try trace.run("com.rerender.states")
        let hangs = engine.history[["Processes", "7", "Hang"]] ?? []
        #expect(hangs.map(\.value).filter { $0 != .none } == [.text("(no view)")])
        #expect(hangs.first?.start == trace.times[1])
        // The turn is the hang, from its own beginning.
        let turns = engine.history[["Processes", "7", "Turn"]] ?? []
        #expect(turns.map(\.value) == [.number(3), .none, .number(1), .none])
        #expect(turns.first?.start == trace.times[0])
    }

    // MARK: Waste

    @Test(
        "of two evaluations in a turn the first, wasted one has the row and the colour, and not the one that was needed"
    )
    func doubles() throws {
        var trace = MadeTrace()
        _ = try trace.evaluate("Save", instance: 1, turn: 1)
        try trace.change("committed", "Save", of: 1, as: 0, instance: 1)
        try trace.turnBegins(2)
        let first = try trace.evaluate("Save", instance: 1, turn: 2, reason: "title", took: 44_796)
        let second = try trace.evaluate("Save", instance: 1, wasted: 1, kind: 6, turn: 2, reason: "layout", took: 3_495)
        try trace.change("judged", "Save", of: first, as: 1, instance: 1)
        try trace.change("committed", "Save", of: second, as: 0, instance: 1)
        let expected = [trace.times[4], trace.times[5]]
        for id in ["com.rerender.doubles", "com.rerender.wasted"] {
            let rows = try trace.run(id).segments
            #expect(rows.count == 1 && rows.allSatisfy { [$0.start, $0.end] == expected }, "\(id): \(rows)")
            #expect(rows.first?.fields["reason"] == .text("title"))
        }
        let bars = try trace.run("com.rerender.states").history[Self.row("Save", "State")] ?? []
        #expect(bars.map(\.value) == [1, 4, 1, 5, 1, 4].map { .number($0) }, "the gap behind the first has the colour")
        #expect(bars.map(\.start) == [0, 1, 4, 5, 6, 7].map { trace.times[$0] })
    }

    @Test("a recording that has numbers for enumerations, as older ones have, gives the same rows and states")
    func numbers() throws {
        func trace(_ hasEnumerations: Bool) throws -> MadeTrace {
            var trace = MadeTrace()
            trace.hasEnumerations = hasEnumerations
            for (turn, (wasted, kind)) in [(0, 0), (1, 2), (2, 1), (1, 6), (1, 6)].enumerated() {
                _ = try trace.evaluate("Row", instance: 1, wasted: wasted, kind: kind, turn: turn / 4 + 1)
            }
            for wasted in 0...2 {
                let id = try trace.evaluate("Cell", instance: 2)
                try trace.change("committed", "Cell", of: id, as: wasted, instance: 2)
            }
            return trace
        }
        for id in MadeTrace.analyses {
            let (new, old) = (try trace(true).run(id), try trace(false).run(id))
            #expect(new.failure == nil && old.failure == nil && new.segments == old.segments, "\(id)")
            let paths = Set(new.history.keys.filter { $0[0] != "Codes" })
            #expect(paths == Set(old.history.keys.filter { $0[0] != "Codes" }))
            for path in paths { #expect(Self.states(new, path) == Self.states(old, path), "\(path)") }
        }
        let wasted = try trace(true).run("com.rerender.wasted").segments.compactMap { $0.fields["wasted"] }
        #expect(Set(wasted) == [.number(1), .number(2)])
    }

    @Test("where nothing tells of commits the second end says that the first was wasted, and inferred waste is final")
    func withoutCommits() throws {
        var trace = MadeTrace()
        _ = try trace.evaluate("Row", instance: 1, turn: 1)
        _ = try trace.evaluate("Row", instance: 1, wasted: 1, kind: 6, turn: 1)
        _ = try trace.evaluate("Row", instance: 1, wasted: 1, kind: 6, turn: 1)
        _ = try trace.evaluate("Row", instance: 1, wasted: 1, kind: 2, turn: 2)
        _ = try trace.evaluate("Row", instance: 1, wasted: 2, kind: 1, turn: 3)
        let rows = try trace.run("com.rerender.wasted").segments
        #expect(rows.map(\.start) == [0, 2, 6, 8].map { trace.times[$0] })
        let bars = try trace.run("com.rerender.states").history[Self.row("Row", "State")] ?? []
        #expect(bars.map(\.value) == [1, 4, 1, 4, 1, 4, 2, 5, 3, 6].map { .number($0) })
    }

    @Test(
        "without commits, each evaluation that another one follows in its turn has one row, also if a commit comes late",
        arguments: 1...8)
    func lateCommit(turns: Int) throws {
        var trace = MadeTrace()
        var ids: [Int] = []
        for turn in 1...turns {
            ids.append(try trace.evaluate("Row", instance: 1, turn: turn))
            for _ in 0..<2 { ids.append(try trace.evaluate("Row", instance: 1, wasted: 1, kind: 6, turn: turn)) }
        }
        // Three in each turn, with two events each: the last of the three was needed.
        let first = ids.indices.filter { $0 % 3 < 2 }
        for index in first { try trace.change("judged", "Row", of: ids[index], as: 1, instance: 1) }
        let rows = try trace.run("com.rerender.wasted").segments
        #expect(rows.map(\.start) == first.map { trace.times[2 * $0] })
        #expect(rows.map(\.end) == first.map { trace.times[2 * $0 + 1] })
    }

    @Test("rows without a number that were evaluated once each are no double evaluations; those that the app found are")
    func doublesByInstance() throws {
        var trace = MadeTrace()
        for (instance, turn) in [(1, 3), (2, 3), (1, 3), (2, 4), (1, 0), (1, 0), (nil, 5), (nil, 5)] {
            _ = try trace.evaluate("Row", instance: instance, turn: turn)
        }
        _ = try trace.evaluate("Row", wasted: 1, kind: 6, turn: 5)
        let rows = try trace.run("com.rerender.doubles").segments
        #expect(rows.map(\.start) == [0, 14].map { trace.times[$0] })
        #expect(rows.map(\.end) == [1, 15].map { trace.times[$0] })
    }

    @Test("the gap behind the last evaluation says what a commit has decided of it, and of no other")
    func decided() throws {
        var trace = MadeTrace()
        for (number, wasted) in [2, 1, 0].enumerated() {
            let id = try trace.evaluate("Row", instance: 1, wasted: 1, kind: 2)
            // Of another evaluation of the row.
            if number > 0 { try trace.change("judged", "Row", of: id - 1, as: 2, instance: 1) }
            try trace.change("committed", "Row", of: id, as: wasted, instance: 1)
        }
        let values = try trace.run("com.rerender.states").history[Self.row("Row", "State")]?.map(\.value)
        // Before the first commit nothing tells that there will be one.
        #expect(values == [2, 5, 6, 1, 4, 5, 1, 4].map { .number($0) })
    }

    @Test("a commit that decides of eight evaluations makes a row of each that was wasted", arguments: 1...6)
    func manyDecided(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var trace = MadeTrace()
        try trace.change("committed", "Row", of: 0, as: 0, instance: 1)
        var expected: [String: Int] = [:]
        for _ in 0..<40 {
            let instances = (1...3).map { instance in (instance, Int.random(in: 1...8, using: &random)) }
            var ended: [(id: Int, instance: Int, row: String)] = []
            for (instance, count) in instances {
                for number in 0..<count {
                    let id = try trace.evaluate("Row", instance: instance, reason: "tick \(number)")
                    ended.append((id, instance, "\(trace.times.suffix(2)) tick \(number)"))
                }
            }
            for (id, instance, row) in ended {
                let wasted = Int.random(in: 0...2, using: &random)
                try trace.change("judged", "Row", of: id, as: wasted, instance: instance)
                if wasted > 0 { expected["\(row) \(wasted)"] = 1 }
            }
        }
        let rows = try trace.run("com.rerender.wasted").segments
        let found = rows.map { row in
            let fields = ["reason", "wasted"].map { row.fields[$0]?.spelled ?? "" }
            return "\([row.start, row.end]) \(fields.joined(separator: " "))"
        }
        #expect(Dictionary(found.map { ($0, 1) }) { $0 + $1 } == expected)
    }

    // MARK: The chart

    @Test("the chart shows the evaluations of the latest turn, which no end of the trace makes negative")
    func chart() throws {
        var trace = MadeTrace()
        for turn in 1...3 {
            try trace.turnBegins(turn)
            try trace.turnEnds(turn, evaluations: turn * 10)
        }
        let values = Self.states(try trace.run("com.rerender.states"), ["Processes", "7", "Loop"])
        #expect(values == [.number(10), .number(20), .number(30)])
    }
}
