// SPDX-License-Identifier: MIT
// A demo's screen in a real terminal: keys, and the terminal as it was before on every way out.

import Foundation
import TestSupport
import TestTraits
import Testing

@Suite(
    "rerender-demo in a terminal",
    .enabled(if: ChildProcess.path(of: "script") != nil, "script (util-linux) is not installed"))
struct ScreenTerminalTests {
    /// A shell in a terminal of its own, which says how the terminal is set before and after the demo.
    private final class Terminal: Sendable {
        let shell: ChildProcess
        let before: String
        let demo: Int32
        private let device: String
        private let directory: TemporaryDirectory

        init(_ scenario: String) async throws {
            directory = try TemporaryDirectory()
            var environment = ProcessInfo.processInfo.environment
            environment["RERENDER_RUNTIME_DIR"] = directory.url.path
            environment["TERM"] = "xterm"
            // Which would ask the user, at a terminal, what to do next.
            environment["SWIFT_BACKTRACE"] = "enable=no"
            let program = try #require(ChildProcess.path(of: "script"))
            let demo = ChildProcess.product("rerender-demo")
            // The program becomes the demo, so that its number is known.
            let command = """
                ulimit -c 0; tty; stty -g
                sh -c 'echo $$; exec "$0" --scenario "$1"' '\(demo)' '\(scenario)'
                echo "ended $?"; stty -g
                """
            shell = try ChildProcess([program, "-qec", command, "/dev/null"], environment: environment)
            device = try await Self.line(of: shell)
            before = try await Self.line(of: shell)
            self.demo = try #require(Int32(try await Self.line(of: shell)))
        }

        /// The next line of the screen that has a text.
        @discardableResult
        func line(with text: String) async throws -> String {
            while true {
                let line = try await Self.line(of: shell)
                if line.contains(text) { return line }
            }
        }

        /// Gives the terminal another size, which the kernel tells the demo.
        func resize(columns: Int, lines: Int) async throws {
            let stty = try #require(ChildProcess.path(of: "stty"))
            let output = try await ChildProcess.run(
                [stty, "-F", device, "rows", "\(lines)", "columns", "\(columns)"])
            try #require(output.exit == .status(0), "\(output.standardError)")
        }

        /// The shell's last words: how the demo ended, and the terminal's settings.
        func end() async throws -> (status: String, settings: String) {
            let status = try await line(with: "ended ")
            return (status, try await Self.line(of: shell))
        }

        private static func line(of shell: ChildProcess) async throws -> String {
            try await shell.nextLine().trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test("Keys move the focus and tap, and each step says what it evaluated; q ends")
    func keys() async throws {
        let terminal = try await Terminal("showmax-2")
        try await terminal.line(with: "appears ")
        // Each line ends with the enter key.
        try terminal.shell.send("")
        #expect(try await terminal.line(with: "tap:heart ").contains("tap:heart HeartButton\u{1B}"))
        try terminal.shell.send("\t")
        #expect(try await terminal.line(with: "2.1").contains("Snow"))
        #expect(try await terminal.line(with: "tap:season ").contains("EpisodeRow 4×, EpisodesView\u{1B}"))
        try terminal.shell.send("q")
        try await terminal.line(with: "\u{1B}[?1049l")
        let end = try await terminal.end()
        #expect(end.status == "ended 0")
        #expect(end.settings == terminal.before)
    }

    @Test("Characters go into a field, where q is one of them")
    func typing() async throws {
        let terminal = try await Terminal("form-isolated")
        try await terminal.line(with: "appears ")
        try terminal.shell.send("aq\u{7F}b")
        try await terminal.line(with: "Ctrl-C: quit")
        try await terminal.line(with: "[ab_]")
        try terminal.shell.send("\t\u{1B}[C\u{1B}[C\t")
        try await terminal.line(with: "ab at 70 %")
        try await terminal.line(with: "tap:save SaveRow")
        try terminal.shell.send("q")
        try await terminal.line(with: "q: quit")
        #expect(try await terminal.end().status == "ended 0")
    }

    @Test("Another size of the terminal is drawn at once, without a key")
    func resizing() async throws {
        let terminal = try await Terminal("form-wasteful")
        try await terminal.line(with: "appears ")
        try await terminal.resize(columns: 12, lines: 5)
        try await terminal.line(with: "\u{1B}[Hform-wastef\u{1B}[K")
        try await terminal.resize(columns: 100, lines: 30)
        try await terminal.line(
            with: "\u{1B}[Hform-wasteful: a form whose top view keeps and reads all values\u{1B}[K")
        try await terminal.line(with: "PROFILE")
        try await terminal.line(with: "appears ")
        kill(terminal.demo, SIGTERM)
        #expect(try await terminal.end().settings == terminal.before)
    }

    @Test("A clock of the scenario's own goes on by itself")
    func ticking() async throws {
        let terminal = try await Terminal("dashboard-optimised")
        try await terminal.line(with: "tick 2")
        try terminal.shell.send("q")
        #expect(try await terminal.end().settings == terminal.before)
    }

    @Test(
        "However it ends, the terminal is as it was", .promise,
        arguments: [
            (SIGINT, 0), (SIGTERM, 0), (SIGHUP, 0), (SIGQUIT, 131), (SIGSEGV, 139), (SIGABRT, 134), (SIGILL, 132),
        ])
    func endsCleanly(signal: Int32, status: Int) async throws {
        let terminal = try await Terminal("showmax-1")
        try await terminal.line(with: "appears ")
        kill(terminal.demo, signal)
        let end = try await terminal.end()
        #expect(end.status == "ended \(status)")
        #expect(end.settings == terminal.before)
    }

    @Test("The end of the input is the end")
    func endOfInput() async throws {
        let terminal = try await Terminal("showmax-1")
        try await terminal.line(with: "appears ")
        try terminal.shell.send("\u{4}")
        #expect(try await terminal.end().status == "ended 0")
    }
}
