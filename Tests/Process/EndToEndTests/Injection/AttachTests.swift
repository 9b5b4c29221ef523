// SPDX-License-Identifier: MIT
// A program that runs is counted from some moment on, and goes on as it would have.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite(
    "rerenderctl attach", .serialized,
    .enabled(if: WidgetFixture.obstacle == nil, "\(WidgetFixture.obstacle ?? "")"),
    .enabled(if: AttachMachine.isPossible, "\(AttachMachine.needs)")
)
struct AttachTests {
    private let directory: TemporaryDirectory

    init() async throws {
        try await Fixture.preload()
        directory = try TemporaryDirectory()
    }

    private func attach(_ arguments: String...) async throws -> ChildProcess.Output {
        try await Self.attach(arguments, directory.url.path)
    }

    private static func attach(_ arguments: [String], _ directory: String) async throws -> ChildProcess.Output {
        try await run(["attach"] + arguments, directory)
    }

    private static func run(
        _ arguments: [String], _ directory: String, _ variables: [String: String] = [:]
    ) async throws -> ChildProcess.Output {
        try await ChildProcess.run(
            [ChildProcess.product("rerenderctl")] + arguments,
            environment: ProcessInfo.processInfo.environment
                .merging(environment(directory)) { $1 }.merging(variables) { $1 })
    }

    private static func environment(_ directory: String) -> [String: String] {
        ["RERENDER_RUNTIME_DIR": directory, "RERENDER_HISTORY": "1", "XDG_STATE_HOME": directory + "/state"]
    }

    /// Begins an attach that lasts until a signal ends it.
    private func count(_ program: PlainChild) async throws -> PlainChild { try await count(program.pid) }

    private func count(_ process: Int32) async throws -> PlainChild {
        let path = directory.url.path
        let counting = try PlainChild(
            [ChildProcess.product("rerenderctl"), "attach", "\(process)"],
            environment: Self.environment(path), output: path + "/output\(UUID().uuidString)")
        try await counting.waitFor("What it did before is unknown")
        return counting
    }

    /// How often the timer and the source of its own were called in a program since its attach began, and the timer's longest call.
    private func calls(in program: PlainChild) async throws -> (ticks: UInt64, own: UInt64, longest: UInt64) {
        let told = try await Self.run(["export", "--process", "\(program.pid)"], directory.url.path)
        try #require(told.succeeded, "\(told)")
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(told.standardOutput.utf8))
        let rows = export.processes.compactMap(\.loop).flatMap(\.rows)
        func count(_ name: String) -> UInt64 { rows.first { $0.name.contains(name) }?.numbers.count ?? 0 }
        let longest = rows.first { $0.name.contains("on_tick") }?.numbers.longest
        return (count("on_tick"), count("on_own"), longest ?? 0)
    }

    /// What is kept of the last attach.
    private func kept() async throws -> StatsExport {
        let told = try await Self.run(["stats", "last"], directory.url.path)
        #expect(told.exit == .status(0) && told.standardOutput.contains("on_tick()"), "\(told)")
        #expect(told.standardOutput.contains("/loop: connected, "), "the program goes on: \(told)")
        let folder = directory.url.appending(path: "state/rerender")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("run-") }
        let data = try Data(contentsOf: folder.appending(path: try #require(names.max())))
        return try JSONDecoder().decode(StatsExport.self, from: data)
    }

    private func start(_ way: String) async throws -> PlainChild {
        let program = try PlainChild(try await Fixture.made("loops/attached"), [way])
        try await program.waitFor("begun")
        return program
    }

    /// Ends a program, and returns what it counted.
    private func end(_ program: PlainChild) async throws -> [String: Int] {
        program.closeInput()
        #expect(try await program.wait() == 7)
        let counts = program.output.split(separator: "\n").last { $0.hasPrefix("ticks ") }
        let words = try #require(counts).split(separator: " ")
        return Dictionary(
            stride(from: 0, to: words.count - 1, by: 2).map { (String(words[$0]), Int(words[$0 + 1]) ?? -1) }
        ) { first, _ in first }
    }

    /// The signals that a process's main thread blocks, as the kernel shows them.
    private static func blocked(by process: Int32) throws -> Substring? {
        try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).split(separator: "\n")
            .first { $0.hasPrefix("SigBlk:") }
    }

    @Test(
        "counts a program that runs, twice, and the program sees no call interrupted, no wait cut short and each signal",
        .promise, arguments: [("timer", true), ("spin", false), ("signals", true), ("gtk", true)])
    func twice(way: String, isEachTimed: Bool) async throws {
        let program = try await start(way)
        for _ in 0..<2 {
            let counting = try await count(program)
            let stopped = try #require(AttachMachine.stopped(in: counting.output), "\(counting.output)")
            #expect(stopped <= AttachMachine.mostMilliseconds)
            // It has taken the counts from which it shows a difference.
            try await counting.waitFor("until Ctrl-C")
            let before = try await calls(in: program)
            try await eventually("calls of its timer and its own source") {
                let now = try await calls(in: program)
                // Each of its calls lasts longer than the last one. In a loop that spins, each hundredth turn is timed.
                let isLonger = now.longest > before.longest || !isEachTimed
                return now.ticks >= before.ticks + 10 && now.own > before.own && isLonger ? () : nil
            }
            counting.send(SIGINT)
            #expect(try await counting.wait() == 0, "\(counting.output)")
            #expect(counting.output.contains("What happened in "), "\(counting.output)")
            #expect(counting.output.contains("on_tick()"), "\(counting.output)")
            let kept = try await kept()
            #expect(kept.run?.program == "attached" && kept.processes.allSatisfy(\.connected), "\(kept)")
            #expect(kept.processes.allSatisfy { $0.isAttached }, "\(kept)")
            let rows = kept.processes.compactMap(\.loop).flatMap(\.rows)
            let ticks = rows.filter { $0.name.contains("on_tick") }
            #expect(
                rows.contains { $0.name.contains("on_own") }, "a source with a table of its own, made before: \(rows)")
            #expect(ticks.contains { $0.numbers.longest > 0 } || !isEachTimed, "\(ticks)")
        }
        let counts = try await end(program)
        #expect(counts["refused"] == 0 && counts["early"] == 0, "\(counts)")
        let (interrupted, signals) = (counts["interrupted"] ?? -1, counts["signals"] ?? -1)
        // A signal that comes while the loop does not wait interrupts nothing.
        #expect(interrupted <= signals && (signals == 0) == (way != "signals"), "\(counts)")
        #expect((counts["ticks"] ?? 0) >= 20, "as many as were counted: \(counts)")
    }

    /// A Swift program that has evaluated 40 views, and waits for orders.
    private func startViews() async throws -> ChildProcess {
        let program = try ChildProcess([ChildProcess.product("plain-views"), "polled"])
        try await program.ask("40")
        return program
    }

    @Test("the views that a Swift program evaluates from then on are counted, each of them")
    func views() async throws {
        let program = try await startViews()
        let counting = try await count(program.processID)
        // It has taken the counts from which it shows a difference.
        try await counting.waitFor("until Ctrl-C")
        try await program.ask("500")
        counting.send(SIGINT)
        #expect(try await counting.wait() == 0, "\(counting.output)")
        #expect(counting.output.contains("/injected: connected, "), "\(counting.output)")
        #expect(counting.output.contains(#/\bLabel +\S+ +500\b/#), "\(counting.output)")
        // It goes on, and is not counted.
        try await program.ask("7")
        #expect(await program.finish().exit == .status(0))
    }

    @Test("with --sudo, one command is run by sudo, once: the program that loads")
    func sudo() async throws {
        let (path, program) = (directory.url.path, try await start("timer"))
        // In the place of the real one, which a test cannot ask: it notes what it is asked for, and runs it as the same user.
        try FileManager.default.createDirectory(atPath: path + "/bin", withIntermediateDirectories: false)
        let script = "#!/bin/sh\nprintf '%s\\n' \"$*\" >> '\(path)/asked'\nshift 2\nexec \"$@\"\n"
        try await ChildProcess.makeScript(script, at: path + "/bin/sudo")
        let places = path + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let ended = try await Self.run(
            ["attach", "\(program.pid)", "--sudo", "--for", "1s"], path, ["PATH": places])
        #expect(ended.exit == .status(0) && ended.standardOutput.contains("on_tick()"), "\(ended)")
        let asked = try String(contentsOfFile: path + "/asked", encoding: .utf8).split(separator: "\n")
        let words = try #require(asked.first).split(separator: " ").map(String.init)
        #expect(asked.count == 1 && words.prefix(2) == ["-n", "--"], "\(asked)")
        try #require(words.count == 6, "\(asked)")
        #expect(words[2].hasSuffix("/rerender-attach") && words[3] == "\(program.pid)", "\(asked)")
        #expect(words[4].hasSuffix("/librerender-preload.so") && words[5].hasSuffix("\(program.pid)"), "\(asked)")
        _ = try await end(program)
    }

    @Test("look attaches to a program that is not counted")
    func look() async throws {
        let program = try await start("timer")
        let ended = try await Self.run(["look", "\(program.pid)", "--for", "1s"], directory.url.path)
        #expect(ended.exit == .status(0) && ended.standardError.contains("What it did before is unknown"), "\(ended)")
        #expect(ended.standardOutput.contains("What happened in "), "\(ended)")
        #expect(ended.standardOutput.contains("on_tick()"), "\(ended)")
        let counts = try await end(program)
        #expect(["interrupted", "refused", "early"].map { counts[$0] } == [0, 0, 0], "\(counts)")
    }

    @Test(
        "top attaches to a program that is not counted, for as long as its screen is shown",
        .enabled(if: ChildProcess.path(of: "script") != nil, "script (util-linux) is not installed"))
    func top() async throws {
        let program = try await startViews()
        let path = directory.url.path
        let tool = ChildProcess.product("rerenderctl")
        let command = "stty rows 40 columns 160; exec '\(tool)' top --process \(program.processID)"
        let top = try PlainChild(
            [try ChildProcess.installed("script"), "-qec", command, "/dev/null"],
            environment: Self.environment(path).merging(["TERM": "xterm", "LANG": "C.UTF-8"]) { $1 },
            output: path + "/screen")
        try await top.waitFor("rerender top")
        try await program.ask("500")
        try await top.waitFor("Label")
        top.send("q")
        #expect(try await top.wait() == 0, "\(top.output)")
        try await program.ask("7")
        #expect(await program.finish().exit == .status(0))
        let left = try await Self.run(["export", "--process", "\(program.processID)"], path)
        #expect(!left.succeeded, "its daemon has ended: \(left)")
    }

    @Test("the widgets that a program has are counted, and its end is its own", arguments: ["clear", "closed"])
    func window(way: String) async throws {
        let server = try await XServer()
        let program = try PlainChild(
            [try await Fixture.made("c/sight"), way], environment: server.environment,
            output: directory.url.path + "/sight")
        try await program.waitFor("shown")
        let ended = try await attach("\(program.pid)", "--for", "2s")
        #expect(ended.exit == .status(0) && ended.standardError.contains("What it did before is unknown"), "\(ended)")
        #expect(ended.standardOutput.contains("/widgets: connected, "), "\(ended)")
        #expect(!ended.standardOutput.contains(", 0 drawings"), "\(ended)")
        program.closeInput()
        #expect(try await program.wait() == 0, "\(program.output)")
    }

    @Test(
        "the widgets of a script are counted, in Python and in JavaScript, and it is called by its file",
        .enabled(
            if: WidgetTests.pythonObstacle == nil && ChildProcess.path(of: "gjs") != nil,
            "python3-gi, gjs or gir1.2-gtk-4.0 is not installed"),
        arguments: ["ticking.py", "ticking.js"])
    func script(file: String) async throws {
        let server = try await XServer()
        let interpreter = file.hasSuffix(".py") ? WidgetTests.interpreter : try ChildProcess.installed("gjs")
        let program = try PlainChild(
            [interpreter, Fixture.source("Widgets/\(file)")], environment: server.environment,
            output: directory.url.path + "/script")
        try await program.waitFor("shown")
        let ended = try await attach("\(program.pid)", "--for", "2s")
        #expect(ended.exit == .status(0) && ended.standardError.contains("What it did before is unknown"), "\(ended)")
        #expect(ended.standardOutput.contains("\(file)[\(program.pid)]/widgets: connected, "), "\(ended)")
        #expect(ended.standardOutput.contains("GtkLabel#number"), "\(ended)")
        program.send(SIGTERM)
        #expect(try await program.wait() == -SIGTERM, "\(program.output)")
    }

    @Test("the HUD is shown at once in a window in which nothing changes")
    func hud() async throws {
        let server = try await XServer()
        let program = try PlainChild(
            [try await Fixture.made("c/sight"), "slow"], environment: server.environment,
            output: directory.url.path + "/sight")
        try await program.waitFor("shown")
        let ended = try await attach("\(program.pid)", "--hud", "--for", "1s")
        #expect(ended.exit == .status(0) && ended.standardError.contains("the HUD is on in 1 process\n"), "\(ended)")
        program.closeInput()
        #expect(try await program.wait() == 0, "\(program.output)")
    }

    @Test("the program that loads may be killed at any moment: no call is refused, and no signal waits for ever")
    func killed() async throws {
        let library = try await Fixture.preload()
        let program = try await start("signals")
        let blocked = try Self.blocked(by: program.pid)
        let loading = [ChildProcess.product("rerender-attach"), "\(program.pid)", library, directory.url.path]
        for step in 1...60 {
            // Up to 12 ms: it has ended by itself then.
            _ = try await ChildProcess.run(["/usr/bin/timeout", "-s", "KILL", "\(Double(step) / 5_000)"] + loading)
        }
        let loaded = try await ChildProcess.run(loading)
        #expect(loaded.exit == .status(0) && loaded.standardOutput.hasPrefix("done "), "\(loaded)")
        let other = try await attach("\(program.pid)")
        #expect(other.exit == .status(71), "\(other)")
        #expect(other.standardError.contains("looks for its daemon in \(directory.url.path)"), "\(other)")
        #expect(try blocked == Self.blocked(by: program.pid))
        let counts = try await end(program)
        #expect(counts["refused"] == 0 && counts["early"] == 0, "\(counts)")
        #expect(counts["interrupted", default: -1] <= counts["signals", default: -1], "\(counts)")
    }

    @Test("a call with a time-out, which would begin anew if it was interrupted, lasts no longer")
    func timed() async throws {
        let library = try await Fixture.preload()
        let program = try await start("epoll")
        let loading = [ChildProcess.product("rerender-attach"), "\(program.pid)", library, directory.url.path]
        for step in 1...5 {
            // At other moments of a wait, which lasts for one second. Each loading ends when a wait does.
            let told = program.output.components(separatedBy: "moment").count - 1
            try await program.waitFor("moment \(told + step)\n")
            let loaded = try await ChildProcess.run(loading)
            #expect(loaded.exit == .status(0), "\(loaded)")
        }
        let counts = try await end(program)
        #expect(["interrupted", "refused", "early"].map { counts[$0] } == [0, 0, 0], "\(counts)")
        #expect(counts["late", default: .max] < 500, "\(counts)")
    }

    /// Where the descriptors lead that our threads have in a process.
    private static func links(in process: Int32) throws -> Set<String> {
        let places = try tasks(of: process, called: ["rerender-files", "rerender-watch"]).flatMap { task in
            // A descriptor, and a thread, may go meanwhile.
            ((try? FileManager.default.contentsOfDirectory(atPath: task + "/fd")) ?? []).map { "\(task)/fd/\($0)" }
        }
        return Set(places.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: $0) })
    }

    private static func tasks(of process: Int32, called names: [String]) throws -> [String] {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).map { "\(tasks)/\($0)" }.filter { task in
            let name = (try? String(contentsOfFile: task + "/comm", encoding: .utf8)) ?? ""
            return names.contains { name.hasPrefix($0) }
        }
    }

    /// Whether the thread that talks to the daemon waits at a word in memory, and for no time.
    private static func sleeps(in process: Int32) throws -> Bool {
        let task = try #require(try tasks(of: process, called: ["rerender-uplink"]).first)
        let wait = try KernelWait(of: task)
        return wait.isAtWord && wait.isEndless
    }

    @Test("our threads sleep after an attach until the next one; a program that was switched off stays so")
    func asleep() async throws {
        let program = try await start("timer")
        let (path, pid) = (directory.url.path, program.pid)
        func finish(_ counting: PlainChild) async throws {
            counting.send(SIGINT)
            _ = try await counting.wait()
        }
        let first = try await count(program)
        let sockets = try Self.links(in: pid).filter { $0.hasPrefix("socket:") }
        #expect(!sockets.isEmpty)
        try await finish(first)
        // It looks once more for the daemon, which has ended, when it has closed the connection.
        try await eventually("the thread asleep", seen: { try Self.links(in: pid) }) { () -> ()? in
            guard try !sockets.isSubset(of: Self.links(in: pid)) else { return nil }
            return try Self.sleeps(in: pid) ? () : nil
        }
        let links = try Self.links(in: pid)
        #expect(!links.contains { $0.contains("inotify") }, "nothing is watched: \(links)")
        for word in ["off", "on"] { #expect(try await Self.run([word], path).exit == .status(0)) }
        let second = try await count(program)
        #expect(try await Self.run(["off"], path).exit == .status(0))
        try await finish(second)
        #expect(try await Self.run(["on"], path).exit == .status(0))
        let refused = try await attach("\(pid)")
        #expect(refused.exit == .status(71) && refused.standardError.contains("it was switched off"), "\(refused)")
        _ = try await end(program)
    }

    @Test("refuses what cannot be counted, and says what to do; it is let go as it was")
    func refused() async throws {
        let none = try await attach("no-such-program")
        #expect(none.exit == .status(64) && none.standardError.contains("no process of yours is called"), "\(none)")
        let (stuck, away, held) = (try await start("stuck"), try await start("away"), try await start("held"))
        try await held.waitFor("held")
        let (path, processes) = (directory.url.path, (away: "\(away.pid)", held: "\(held.pid)"))
        async let busy = Self.attach([processes.away, "--for", "1s"], path)
        async let slow = Self.attach([processes.held, "--for", "1s"], path)
        let hanging = try await attach("\(stuck.pid)")
        #expect(hanging.exit == .status(71), "\(hanging)")
        #expect(hanging.standardError.contains("did not come to its loop within 10 s"), "\(hanging)")
        for (ended, text) in [(try await busy, "in no place in which"), (try await slow, "at work on another thread")] {
            #expect(ended.exit == .status(71) && ended.standardError.contains(text), "\(ended)")
        }
        #expect(try await stuck.wait() == 7, "its sleep ends by itself")
        let left = try PlainChild(
            [ChildProcess.product("rerenderctl"), "attach", "\(away.pid)"], environment: ["RERENDER_RUNTIME_DIR": path],
            output: path + "/output")
        try await left.waitFor("waiting for the main loop")
        left.send(SIGINT)
        #expect(try await left.wait() == -SIGINT, "nothing is waited for after Ctrl-C: \(left.output)")
        let again = try await attach("\(held.pid)", "--for", "1s")
        #expect(again.exit == .status(0) && again.standardOutput.contains("on_tick()"), "\(again)")
        for program in [away, held] {
            let counts = try await end(program)
            let hurt = ["interrupted", "refused", "early"].map { counts[$0] }
            #expect(hurt == [0, 0, 0], "a signal that is ignored interrupts nothing: \(counts)")
        }
    }
}
