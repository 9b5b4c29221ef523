// SPDX-License-Identifier: MIT
// The commands that change something in running apps, as a user calls them.

import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("Commands that reach into apps")
struct ControlCommandTests {
    @Test("settings are read, changed and checked", .promise)
    func config() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 10)
        let set = try await bench.ctl("config", "set", "hangThreshold=300", "enabled=no", "--store", "sidebar")
        #expect(set.ending == .exited(0) && set.output == "set hangThreshold=300 enabled=no for 1 store in 1 process\n")
        try await bench.seen("the change") { $0.processes.contains { $0["hangThresholdMilliseconds"] as? Int == 300 } }
        let get = try await bench.ctl("config", "get")
        let rows = Set(get.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") })
        #expect(rows.contains("counting[\(app.pid)]/sidebar false 300 100 false"))
        #expect(rows.contains("counting[\(app.pid)]/main true 250 100 false"))
        #expect(try await bench.ctl("config", "get", "--store", "nosuch").ending == .exited(64))
        #expect(try await bench.ctl("config", "set", "colour=red").ending == .exited(64))
        #expect(try await bench.ctl("config", "set").ending == .exited(64))
        let stats = try await bench.ctl("stats", "--all", environment: ["COLUMNS": "200"])
        #expect(stats.output.contains(", DISABLED"))
    }

    @Test("without apps settings are said to be none")
    func configWithoutApps() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 10)
        app.send(SIGKILL)
        try await app.wait()
        try await bench.seen("its end") { $0.processes.allSatisfy { $0["connected"] as? Bool == false } }
        let none = "No process is connected: no settings to show.\n"
        #expect(try await bench.ctl("config", "get").output == none)
        let nothing = "No process is connected: nothing to set.\n"
        #expect(try await bench.ctl("config", "set", "hangStacks=true").output == nothing)
    }

    @Test("a reset starts the counting again", .promise)
    func reset() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 1_000)
        let outcome = try await bench.ctl("reset", "--store", "main")
        #expect(outcome.ending == .exited(0) && outcome.output == "reset 1 store in 1 process\n")
        try await bench.seen("the reset") { list in
            list.processes.contains { $0["store"] as? String == "main" && $0["evaluations"] as? Int == 0 }
        }
        let all = try await bench.ctl("reset")
        #expect(all.output == "reset 3 stores in 1 process\n")
        try await bench.seen("the reset") { $0.evaluations(of: app.pid) == 0 }
        #expect(try await bench.ctl("reset", "--process", "nosuch").ending == .exited(64))
    }

    @Test("a pulse reaches the one view that is meant, and asks where there are several", .promise)
    func pulse() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 1_000)
        let several = try await bench.ctl("pulse", "view 7")
        #expect(several.ending == .exited(64) && several.output.isEmpty)
        #expect(several.errors.contains("matches 3 views"))
        #expect(several.errors.contains("in counting[\(app.pid)]/sidebar"))
        #expect(!app.standardOutput.contains("pulsed"))
        let one = try await bench.ctl("pulse", "view 7", "--store", "sidebar")
        #expect(one.output == "pulsed view 7 in counting[\(app.pid)]/sidebar: 1 handler ran\n")
        try await app.expect("pulsed view 7")
        let unknown = try await bench.ctl("pulse", "vieww 7")
        #expect(unknown.ending == .exited(64) && unknown.errors.contains("Similar: view 7"))
    }

    @Test("wait ends once a program is connected, a view was evaluated or nothing goes on, and else says why")
    func wait() async throws {
        let bench = try await Bench(withDaemon: ())
        let early = try await bench.ctl("wait", "--program", "counting", "--timeout", "0.5")
        #expect(early.ending == .exited(1) && early.output.isEmpty)
        #expect(early.errors.contains("no process \"counting\" is connected"))
        let app = try await bench.app(evaluating: 1_000)
        let program = try await bench.ctl("wait", "--program", "counting")
        #expect(program.ending == .exited(0) && program.output == "counting[\(app.pid)] is connected.\n")
        let view = try await bench.ctl("wait", "--view", "view 7", "--program", String(app.pid))
        #expect(view.ending == .exited(0) && view.output.hasPrefix("view 7"), "\(view)")
        let idle = try await bench.ctl("wait", "--idle")
        #expect(idle.ending == .exited(0) && idle.output == "Nothing was evaluated or drawn for 1 s.\n", "\(idle)")
        let unknown = try await bench.ctl("wait", "--view", "vieww 7", "--timeout", "2")
        #expect(unknown.ending == .exited(1) && unknown.errors.contains("Similar: view 7"), "\(unknown)")
        app.send(SIGKILL)
        try await app.wait()
        let page = try await bench.ctl("help", "agents")
        #expect(page.ending == .exited(0) && page.output.hasPrefix("---\nname: rerender\n"))
    }

    @Test("a mark says what was marked, and what comes after it is shown alone")
    func mark() async throws {
        let bench = try await Bench(withDaemon: ())
        let none = try await bench.ctl("mark", "early")
        #expect(none.ending == .exited(1) && none.errors.contains("no process is connected"))
        let app = try await bench.app(evaluating: 1_000)
        let marked = try await bench.ctl("mark", "after start")
        #expect(marked.ending == .exited(0), "\(marked)")
        #expect(marked.output.hasPrefix("marked \"after start\" in counting[\(app.pid)]\n"), "\(marked)")
        let stats = try await bench.ctl("stats", "--since", "after start")
        #expect(
            stats.ending == .exited(0) && stats.output.contains("No view was evaluated since the mark."), "\(stats)")
        #expect(stats.errors.contains("since the mark \"after start\""))
        let hangs = try await bench.ctl("hangs", "--since", "after start")
        #expect(hangs.ending == .exited(0) && hangs.output.contains("No hang"), "\(hangs)")
        #expect(hangs.errors.contains("since the mark \"after start\""), "\(hangs)")
        app.type("mark 1\n")
        try await app.expect("done")
        let own = try await UnixHTTP(bench.querySocket).eventually("the app's own mark") {
            let shown = try await bench.ctl("stats", "--since", "moment 1")
            return shown.ending == .exited(0) ? shown : nil
        }
        #expect(own.errors.contains("since the mark \"moment 1\""), "\(own)")
        // Ten times each view of each store.
        app.type("here 1200\n")
        try await bench.seen("what came after it", in: "/v1/stats") {
            $0.evaluations(of: app.pid) == 2_200 && $0.viewEvaluations(of: app.pid) == 2_200
        }
        let explained = try await bench.ctl("explain", "view 7", "--store", "sidebar", "--since", "moment 1")
        #expect(explained.output.contains("Its body was evaluated 10 times"), "\(explained)")
        let exported = try await bench.ctl("export", "--since", "moment 1")
        let since = try JSONDecoder().decode(StatsExport.self, from: Data(exported.output.utf8))
        #expect(since.processes.flatMap(\.views).reduce(UInt64(0)) { $0 + $1.count } == 1_200)
        let saved = bench.path + "/saved.json"
        #expect(try await bench.ctl("export", "--output", saved).ending == .exited(0))
        let compared = try await bench.ctl("diff", saved, "--since", "moment 1", "--json")
        let totals = try JSONDecoder().decode(ComparedTotals.self, from: Data(compared.output.utf8))
        #expect(totals.old.evaluations == 2_200 && totals.new.evaluations == 1_200, "\(compared)")
        try await between("moment 1", app, bench, saved: saved)
        let unknown = try await bench.ctl("stats", "--since", "before")
        #expect(unknown.ending == .exited(64) && unknown.errors.contains("after start"), "\(unknown)")
    }

    /// A mark after 1,200 evaluations since one, and 240 more, which are not between the two.
    private func between(_ mark: String, _ app: Spawned, _ bench: Bench, saved: String) async throws {
        func shown(_ arguments: [String]) async throws -> String {
            let process = try bench.start(arguments + ["--from", mark, "--to", "end"])
            process.closeInput()
            #expect(try await process.wait() == .exited(0), "\(process.standardError)")
            #expect(process.standardError.contains("between the marks \"\(mark)\""), "\(process.standardError)")
            return process.standardOutput
        }
        #expect(try await bench.ctl("mark", "end").ending == .exited(0))
        app.type("here 240\n")
        try await bench.seen("what came after the second mark", in: "/v1/stats") {
            $0.evaluations(of: app.pid) == 2_440 && $0.viewEvaluations(of: app.pid) == 2_440
        }
        for command in ["stats", "export"] {
            let text = try await shown(command == "stats" ? ["stats", "--json"] : ["export"])
            let export = try JSONDecoder().decode(StatsExport.self, from: Data(text.utf8))
            #expect(export.processes.flatMap(\.views).reduce(UInt64(0)) { $0 + $1.count } == 1_200, "\(command)")
        }
        let explained = try await shown(["explain", "view 7", "--store", "sidebar"])
        #expect(explained.contains("Its body was evaluated 10 times"), "\(explained)")
        #expect(try await shown(["hangs"]).contains("No hang"))
        let compared = try await shown(["diff", saved, "--json"])
        let totals = try JSONDecoder().decode(ComparedTotals.self, from: Data(compared.utf8))
        #expect(totals.new.evaluations == 1_200, "\(compared)")
    }

    /// What `diff --json` says of both sides.
    private struct ComparedTotals: Decodable {
        struct Counts: Decodable { let evaluations: UInt64 }

        let old: Counts
        let new: Counts
    }

    @Test("where no program has a window that can be drawn in, that is said with what to do, and the status is 1")
    func overlays() async throws {
        let bench = try await Bench(withDaemon: ())
        let none = try await bench.ctl("hud", "on")
        #expect(none.ending == .exited(1) && none.errors.hasPrefix("rerenderctl: No process is connected.\n"))
        let app = try await bench.app(evaluating: 10)
        for command in ["hud", "highlight"] {
            let outcome = try await bench.ctl(command, "on")
            #expect(outcome.ending == .exited(1) && outcome.output.isEmpty)
            #expect(
                outcome.errors.hasPrefix("rerenderctl: No process has a window of GTK 4 that Rerender can draw in.\n"))
            #expect(try await bench.ctl(command, "maybe").ending == .exited(64))
        }
        withExtendedLifetime(app) {}
    }

    @Test("a pulse after a reset says that no view is known until one is used")
    func pulseAfterReset() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 1_000)
        #expect(try await bench.ctl("reset").ending == .exited(0))
        try await bench.seen("the reset") { $0.evaluations(of: app.pid) == 0 }
        let outcome = try await bench.ctl("pulse", "view 7", "--store", "sidebar")
        #expect(outcome.ending == .exited(64) && outcome.output.isEmpty)
        #expect(
            outcome.errors
                == "rerenderctl: no view is known because nothing was evaluated since the start or the last reset; "
                + "use the view and try again\n")
    }

    @Test("an app that does not answer in time is said, with 1")
    func stoppedApp() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 10)
        app.send(SIGSTOP)
        let outcome = try await bench.ctl("reset")
        app.send(SIGCONT)
        #expect(outcome.ending == .exited(1))
        #expect(outcome.errors.contains("1 of 1 process did not confirm in time"))
    }
}
