// SPDX-License-Identifier: MIT
// A program in Python: who writes, what the loop calls, and where it hangs, by function, file and line.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "Functions of Python in a process",
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"),
    .enabled(if: WidgetTests.pythonObstacle == nil, "\(WidgetTests.pythonObstacle ?? "")"))
struct PythonTests {
    private let source: CaseSource
    init() throws { source = try CaseSource("clock.py", in: "Widgets") }

    private func run(_ arguments: String..., program: String = "clock.py") async throws -> CaseRun {
        let server = try await XServer()
        let command = [WidgetTests.interpreter, Fixture.source("Widgets/\(program)")]
        let run = try await CaseRun(command + arguments, environment: server.environment)
        withExtendedLifetime(server) {}
        return run
    }

    private func writers(of view: ViewKey, _ reason: String, in run: CaseRun) -> Set<String> {
        let reasons = run.processes.flatMap(\.views).filter { $0.key == view }.flatMap(\.reasons)
        return Set(reasons.filter { $0.reason.hasPrefix(reason) }.flatMap(\.writers).map(\.writer))
    }

    @Test(
        "write properties and call queue_draw, are called by timers, handlers and frame clocks, and have rows", .promise
    )
    func names() async throws {
        let run = try await run()
        #expect(run.calls == 60, "\(run.said)")
        let write = try source.function("Clock.update_label")
        #expect(writers(of: "GtkLabel#number", "property label", in: run) == [write])
        #expect(writers(of: "GtkDrawingArea#hand", "queue_draw", in: run) == [try source.function("Clock.tick draws")])
        let rows = try #require(run.loop?.rows)
        for (kind, function, count) in [
            (.timer, "Clock.tick", 60), (.timer, "Clock.press", 1), (.tick, "Clock.on_tick", 2),
            (.handler, "Clock.on_save", 1),
        ] as [(LoopRow.Kind, String, UInt64)] {
            let name = try source.function(function)
            let row = try #require(rows.first { $0.kind == kind && $0.function == name }, "\(name) of \(rows)")
            #expect(kind == .tick ? row.numbers.count >= count : row.numbers.count == count, "\(row)")
        }
        #expect(rows.first { $0.function == (try? source.function("Clock.tick")) }?.numbers.interval == 50_000_000)
        #expect(run.processes.allSatisfy { ($0.gaps ?? []).isEmpty }, "\(run.processes.map(\.gaps))")
        #expect(run.processes.allSatisfy { $0.name == "clock.py" }, "\(run.processes.map(\.name))")
    }

    @Test("are of a program that tables, --process, metrics and history call by its script")
    func called() async throws {
        try await Fixture.preload()
        let (lab, directory) = (try await InjectionLab(), try TemporaryDirectory())
        let environment = ProcessInfo.processInfo.environment.merging([
            "RERENDER_RUNTIME_DIR": lab.daemon.directory, "RERENDER_WAIT_AT_EXIT": "60000", "RERENDER_HISTORY": "1",
            "XDG_STATE_HOME": directory.path,
        ]) { $1 }
        func ctl(_ arguments: String...) async throws -> String {
            let output = try await ChildProcess.run(
                [ChildProcess.product("rerenderctl")] + arguments, environment: environment)
            try #require(output.succeeded, "\(output.standardError)")
            return output.standardOutput
        }
        _ = try await ctl("run", "--inject", "--", WidgetTests.interpreter, Fixture.source("Loops/late.py"))
        let kept = try await ctl("history").split(separator: "\n").dropFirst()
        let names = kept.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(names == ["late.py last"], "\(kept)")
        let file = directory.path + "/metrics"
        _ = try await ctl("export", "--format", "prometheus", "-o", file)
        let metrics = try String(contentsOfFile: file, encoding: .utf8)
        let programs = Set(metrics.matches(of: /[{,]process="([^"]*)"/).map { String($0.1) })
        #expect(programs == ["late.py"], "\(metrics)")
        for stats in [try await ctl("stats", "--all"), try await ctl("stats", "--all", "--process", "late.py")] {
            let isInterpreters = stats.contains(/python3[.\d]*\[/)
            #expect(stats.contains("late.py[") && !isInterpreters, "\(stats)")
        }
        withExtendedLifetime((lab, directory)) {}
    }

    @Test("that PyGObject makes anew for each call are one row, and leave room for a timer that begins later")
    func madeAnew() async throws {
        let run = try await run(program: "posts.py")
        #expect(run.calls == 800, "\(run.said)")
        let rows = try #require(run.loop?.rows)
        let made = rows.filter { $0.kind == .idle && $0.thread == nil && $0.function == "an idle function of Python" }
        #expect(made.count == 1 && (made.first?.numbers.count ?? 0) >= 800, "\(rows)")
        let posts = try CaseSource("posts.py", in: "Widgets")
        for (function, count) in [("Posts.post", 80), ("Posts.write_late", 30)] as [(String, UInt64)] {
            let name = try posts.function(function)
            let row = rows.first { $0.kind == .timer && $0.function == name }
            #expect(row?.numbers.count == count, "\(name) of \(rows)")
        }
        #expect(!rows.contains { $0.kind == .others }, "\(rows)")
    }

    @Test("are the culprit of a hang, where the thread waits and where it runs", arguments: ["sleep", "busy"])
    func hangs(how: String) async throws {
        let run = try await run(how)
        let (first, function) = (run.first, try source.function("Clock.on_save holds"))
        #expect(first.kind == .hangs && first.source == function && first.count == 1, "\(run.verdict)")
        #expect(first.text.hasPrefix("\(function) blocked the main loop once, for "), "\(first.text)")
        // The interpreter's own functions are in no stack.
        let frames = run.hangs.flatMap(\.stacks).flatMap(\.frames)
        let interpreters = ["python3.", "libpython", "_gi.", "libffi"]
        #expect(!frames.isEmpty && !frames.contains { frame in interpreters.contains { frame.contains(" in \($0)") } })
        #expect(frames.contains { $0.hasPrefix("hold() clock.py:") }, "\(frames)")
    }

    @Test("are no culprit of a hang in which another thread has Python's lock: the function that has it is named")
    func lock() async throws {
        let run = try await run("lock")
        let (first, function) = (run.first, try source.function("keep_lock"))
        let wait = "a wait for Python's lock (the GIL) held by \(function)"
        #expect(first.kind == .hangs && first.source == wait && first.count == 1, "\(run.verdict)")
        #expect(first.text.hasPrefix("\(wait) blocked the main loop once, for "), "\(first.text)")
        let activities = run.hangs.flatMap(\.activities).map(\.text)
        let begin = "waits for Python's lock (the GIL) that thread "
        let end = " holds in \(function), which sleeps for 1500 ms"
        #expect(activities.contains { $0.hasPrefix(begin) && $0.hasSuffix(end) }, "\(activities)")
        #expect(activities.allSatisfy { !$0.contains("which no thread holds") }, "\(activities)")
    }
}
