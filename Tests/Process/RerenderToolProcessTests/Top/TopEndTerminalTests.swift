// SPDX-License-Identifier: MIT
import Glibc
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite(
    "Ends of rerenderctl top and of its daemon",
    .enabled(if: TerminalPane.isAvailable, "tmux is not installed"), .serialized)
struct TopEndTerminalTests {
    @Test("a daemon that goes away is waited for, and the rows come back with it")
    func daemonAway() async throws {
        let scene = try await TopScene()
        let app = try await scene.bench.app(evaluating: 1_200)
        try await scene.start("--interval 0.2 --sort key", expecting: "view 0")
        scene.bench.daemon?.send(SIGKILL)
        try await scene.pane.expect("NO DAEMON for", "outdated rows: no daemon answers at", "view 0")
        let next = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", scene.bench.path])
        try await scene.pane.until("connected again") { screen in
            [" connected  ", "1 process", "120 views"].allSatisfy { screen.contains($0) }
        }
        app.type("run 1200\n")
        try await scene.bench.seen("all evaluations") { $0.evaluations(of: app.pid) == 2_400 }
        try await scene.pane.press("q")
        try await scene.expectRestored(status: 0)
        next.send(SIGTERM)
    }

    @Test("without a daemon it says so and what to do, and begins when there is one")
    func noDaemon() async throws {
        let scene = try await TopScene()
        scene.bench.daemon?.send(SIGTERM)
        try await scene.bench.daemon?.wait()
        try await scene.start("--interval 0.2", expecting: "NO DAEMON")
        try await scene.pane.expect("rerenderd --foreground", "no daemon answers at \(scene.bench.querySocket)")
        let next = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", scene.bench.path])
        try await scene.pane.expect("connected", "To instrument an app")
        next.send(SIGTERM)
    }

    @Test(
        "gives the terminal back when a signal ends it, and ends by that signal", .promise,
        arguments: [
            (SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129), (SIGQUIT, 131), (SIGSEGV, 139), (SIGABRT, 134),
            (SIGUSR1, 138), (SIGXCPU, 152),
        ]
            as [(Int32, Int32)])
    func signals(signal: Int32, status: Int32) async throws {
        let scene = try await TopScene()
        try await scene.start(expecting: "To instrument an app")
        kill(try scene.pid, signal)
        try await scene.expectRestored(status: status)
    }

    @Test("Ctrl-C ends it; Ctrl-Z gives the terminal back, and fg takes it again")
    func jobControl() async throws {
        let scene = try await TopScene()
        try await scene.pane.shell("\(Program.rerenderctl) top")
        try await scene.pane.expect("To instrument an app")
        #expect(try await scene.pane.state("alternate_on") == "1")
        try await scene.pane.press("C-z")
        try await scene.pane.expect("Stopped")
        #expect(try await scene.pane.state("alternate_on") == "0")
        // Before its prompt bash throws away what was typed.
        try await scene.pane.expectPrompt()
        try await scene.pane.shell("fg")
        try await scene.pane.expect("connected", "To instrument an app")
        #expect(try await scene.pane.state("alternate_on") == "1")
        try await scene.pane.press("C-c")
        try await scene.pane.until("the shell") { !$0.contains("connected") }
        #expect(try await scene.pane.state("alternate_on") == "0")
    }
}
