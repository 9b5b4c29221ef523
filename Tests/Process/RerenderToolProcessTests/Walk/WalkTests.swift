// SPDX-License-Identifier: MIT
// A stranger's walk through all tools, whose findings were numbered. Each number is walked again by its commands.
//
// What other tests show has its number elsewhere: 2 in ExpectationTests, 3, 4, 5, 8 and 9 in Page…Tests, 6 in FoundDaemonTests, 10 in HelpTests,
// 14 in HelpTests and TopTabTerminalTests, 16 in TopTabTerminalTests, 20 in ConsoleTests, and 21 in ReportFormTests. 11 and 12
// need LTTng: WalkRecordingTests.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("The walk of a stranger", .timeLimit(.minutes(15)))
struct WalkTests {
    static let demo = ChildProcess.product("rerender-demo")

    /// A home of a new user, in which something was run.
    final class Home: Sendable {
        let bench: Bench

        init() throws { bench = try Bench() }

        /// Without a runtime directory of its own: where nothing was set.
        var environment: [String: String] {
            ["HOME": bench.path, "XDG_STATE_HOME": bench.path + "/state", "RERENDER_HISTORY": "1"]
        }

        func start(
            _ arguments: [String], _ more: [String: String] = [:], terminal: Spawned.Size? = nil
        ) throws -> Spawned {
            try bench.start(arguments, environment: environment.merging(more) { $1 }, terminal: terminal)
        }

        @discardableResult
        func ctl(_ arguments: [String], _ more: [String: String] = [:]) async throws -> Outcome {
            let process = try start(arguments, more)
            process.closeInput()
            let ending = try await process.wait()
            return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
        }
    }

    /// A home in which the demo was run, and what that said.
    struct Run: Sendable {
        let home: Home
        let outcome: Outcome

        init(_ options: String...) async throws {
            home = try Home()
            outcome = try await home.ctl(["run", "--", WalkTests.demo] + options)
        }

        func ctl(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
            try await home.ctl(arguments, environment)
        }
    }

    /// Each kind of hang once, and the shop whose every view reads the ticker.
    private static let hanging = Task { try await Run("--scenario", "hang", "--ticks", "45", "--rate", "10") }
    private static let wasteful = Task { try await Run("--scenario", "wasteful", "--ticks", "120") }

    // MARK: Breaks the promise

    @Test("1. hangs of views and of what the main loop calls are above the table, in it, and in stats")
    func hangsAboveTheTable() async throws {
        let run = try await Self.hanging.value
        let stats = try await run.ctl("stats")
        for output in [run.outcome.errors, stats.output] {
            // The timer that waits, in a sleep or for a lock, and the block that computes.
            let timer = #/! closure #1 in ShopDemo.runLoop\(\) \S+:\d+ blocked the main loop /#
            #expect(output.contains(timer), "\(output)")
            #expect(output.contains("! closure #2 in Stalls.next() rerender_demo/Stalls.swift:"), "\(output)")
            // At least as long as its body, 400 ms.
            let blocked = #/! ReportView blocked the main loop once, for (?:[4-9]\d\d(?:\.\d+)?ms|\d+(?:\.\d+)?s)/#
            #expect(output.contains(blocked), "\(output)")
            #expect(
                output.split(separator: "\n").contains { $0.hasPrefix("KEY") && $0.contains(" HANGS ") }, "\(output)")
        }
    }

    @Test(
        "5. a view that hangs stands before one that wasted some microseconds, and only what costs something is marked")
    func ranking() async throws {
        let run = try await Self.hanging.value
        let marked = run.outcome.errors.split(separator: "\n").filter { $0.hasPrefix("! ") }
        let others = marked.filter { !$0.contains(" blocked ") }
        #expect(!marked.isEmpty && others.isEmpty, "\(run.outcome.errors)")
        let json = try await run.ctl("stats", "last", "--json")
        let views = try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8)).processes.flatMap(\.views)
        let hung = views.filter { $0.hangs.count > 0 }.map(\.key.rawValue)
        let explained = try await run.ctl("explain").output.split(separator: "\n").first.map(String.init)
        #expect(hung.contains(explained ?? ""), "\(hung) \(explained ?? "")")
    }

    // MARK: Daily friction

    @Test("7. after run, Next names a command, and each command shows the last run and says so")
    func afterwards() async throws {
        let run = try await Self.hanging.value
        #expect((run.outcome.output + run.outcome.errors).contains("\nNext: rerenderctl hangs"), "\(run.outcome)")
        for command in [["stats"], ["explain", "ItemRow"], ["hangs"], ["report"]] {
            let shown = try await run.home.ctl(command)
            #expect(shown.ending == .exited(0) && !shown.output.isEmpty, "\(command): \(shown)")
            #expect(shown.errors.contains("this is the last run"), "\(command): \(shown.errors)")
        }
        let compared = try await run.ctl("diff", "last", "last")
        #expect(compared.ending == .exited(0), "\(compared)")
    }

    @Test("13. off a terminal nothing is cut, and WASTED stays where times go")
    func narrow() async throws {
        let run = try await Self.wasteful.value
        let narrow = try await run.ctl("stats", environment: ["COLUMNS": "80"])
        let title = try #require(narrow.output.split(separator: "\n").first { $0.hasPrefix("KEY") })
        #expect(title.contains(" WASTED") && !title.contains(" P99"), "\(title)")
        let piped = try await run.ctl("stats", "--all")
        #expect(piped.output.contains("← ~Ticker.advance() rerender_demo/ShopModel.swift:"), "\(piped.output)")
        #expect(!piped.output.contains("…"), "\(piped.output)")
    }

    @Test("15. top ranks by rate, and its r asks first and can be undone")
    func top() async throws {
        let home = try Home()
        let run = try home.start(["run", "--", Self.demo, "--seconds", "0"])
        try await run.expect("wasteful, 60 ticks/s")
        let top = try home.start(
            ["top", "--sort", "rate"], ["TERM": "xterm-256color"], terminal: Spawned.Size(columns: 120, lines: 40))
        try await top.expect("ItemRow")
        top.type("r")
        try await top.expect("from now on")
        top.type("nq")
        _ = try await top.wait()
        kill(run.pid, SIGTERM)
        _ = try await run.wait()
    }

    @Test("17. a parent's self time is without its children's, and their sum is no more than what ran")
    func selfTime() async throws {
        let run = try await Self.hanging.value
        let json = try await run.ctl("stats", "last", "--json")
        let views = try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8)).processes.flatMap(\.views)
        let (report, shop) = (views.first { $0.key == "ReportView" }, views.first { $0.key == "Shop" })
        #expect((report?.selfNanoseconds ?? 0) > 400_000_000)
        #expect((shop?.selfNanoseconds ?? .max) < (report?.selfNanoseconds ?? 0))
    }

    @Test("18, 19. report takes the newest by itself, -o - is standard output, and --json is a flag everywhere")
    func options() async throws {
        let run = try await Self.wasteful.value
        let report = try await run.ctl("report", "last", "-o", "-", "--format", "csv")
        #expect(report.output.hasPrefix("process,pid,store,"), "\(report)")
        for command in [["stats"], ["hangs"], ["explain", "ItemRow"], ["report"]] {
            let json = try await run.home.ctl(command + ["last", "--json"])
            let isJSON = json.output.hasPrefix("{") || json.output.hasPrefix("[")
            #expect(json.ending == .exited(0) && isJSON, "\(command) \(json)")
        }
        // A run of its own changes what is the last one.
        let home = try Home()
        let page = try await home.ctl(["run", "--html", "page.html", "--", Self.demo])
        #expect(page.ending == .exited(64) && page.errors.contains("record --html"), "\(page)")
        let selected = try await home.ctl(["run", "--process", "nobody", "--", Self.demo, "--ticks", "2"])
        #expect(selected.errors.contains("there is no process \"nobody\""), "\(selected)")
    }

    @Test("22. a pulse that nobody shows fails, and the demo shows its pulse")
    func pulse() async throws {
        let home = try Home()
        let run = try home.start(["run", "--", Self.demo, "--seconds", "0"])
        try await run.expect("wasteful, 60 ticks/s")
        try await UnixHTTP.ofCommand(beside: home.bench.path).eventually("the view") {
            try await home.ctl(["stats"]).output.contains("ItemRow") ? () : nil
        }
        let pulsed = try await home.ctl(["pulse", "ItemRow"])
        #expect(pulsed.ending == .exited(0) && pulsed.output.contains("24 instances"), "\(pulsed)")
        try await run.expect("a pulse of ItemRow:")
        let unknown = try await home.ctl(["pulse", "Nobody"])
        #expect(unknown.ending != .exited(0))
        kill(run.pid, SIGTERM)
        _ = try await run.wait()
        let later = try await home.ctl(["pulse", "ItemRow"])
        #expect(later.ending == .exited(69))
    }

    @Test("23. the demo prints no table beside that of run, and a screen leaves out views that nobody counts")
    func tables() async throws {
        let run = try await Self.wasteful.value
        #expect(run.outcome.output.components(separatedBy: "TickerLabel").count <= 3, "\(run.outcome.output)")
        #expect(!run.outcome.output.contains("per tick"))
        let home = try Home()
        let screen = try await home.ctl(
            ["run", "--", Self.demo, "--scenario", "form-wasteful", "--script", "tap:save", "--virtual-clock"])
        #expect(screen.output.contains("appears   Form, Heading, NameRow, SaveRow, VolumeRow"), "\(screen.output)")
        #expect(screen.errors.contains("7 evaluations"), "\(screen.errors)")
    }

    @Test("25. help fits 80 columns, there is a version, and errors begin with the program's name", .promise)
    func demoCommand() async throws {
        for program in [Self.demo, Program.rerenderctl, Program.rerenderd] {
            let name = (program as NSString).lastPathComponent
            for (arguments, status) in [(["--help"], 0), (["--version"], 0), (["--no-such-option"], 64)]
                as [([String], Int32)]
            {
                let process = try Spawned([program] + arguments, environment: ["COLUMNS": "80"])
                process.closeInput()
                #expect(try await process.wait() == .exited(status), "\(name) \(arguments)")
                let text = process.standardOutput + process.standardError
                if status != 0 { #expect(process.standardError.hasPrefix("\(name): "), "\(process.standardError)") }
                if arguments == ["--version"] { #expect(text == RerenderVersion.current + "\n") }
                let long = text.split(separator: "\n").filter { $0.count > 80 }
                #expect(arguments != ["--help"] || long.isEmpty, "\(name): \(long)")
            }
        }
    }

    @Test("26. explain without a key explains the worst view, and settings have a file")
    func settings() async throws {
        let run = try await Self.wasteful.value
        let explained = try await run.ctl("explain"), json = try await run.ctl("stats", "last", "--json")
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8))
        let worst = export.verdict?.findings.lazy.compactMap(\.view).first?.rawValue ?? ""
        #expect(!explained.output.isEmpty && explained.output.hasPrefix(worst), "\(explained)")
        let file = try await run.ctl("config", "file")
        #expect(file.output == run.home.bench.path + "/.config/rerender/config.toml\n")
    }

    @Test("27. a body that ran for the length of a hang is named, also where the machine was busy")
    func starved() async throws {
        let hangs = try await Self.hanging.value.ctl("hangs")
        let named = hangs.output.split(separator: "\n").filter { $0.contains(" ReportView") }
        #expect(!named.isEmpty, "\(hangs.output)")
    }
}
