// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import TestSupport
import Testing
@testable import ToolSupport

/// A daemon and `rerenderctl top` in a real terminal.
final class TopScene {
    let bench: Bench
    let pane: TerminalPane

    /// Starts `top` from a script, which unlike an interactive shell leaves the terminal as it finds it.
    private static let script = """
        stty -g > before
        sh -c 'echo $$ > pid; exec "$@"' sh \(Program.rerenderctl) top "$@"
        status=$?
        stty -g > after
        echo status=$status
        """

    init(columns: Int = 110, lines: Int = 30, environment: [String: String] = [:]) async throws {
        bench = try await Bench(withDaemon: ())
        pane = try await TerminalPane(
            columns: columns, lines: lines, environment: bench.environment(environment))
        try Self.script.write(toFile: pane.path + "/script", atomically: true, encoding: .utf8)
        try await pane.shell("cd \(pane.path); clear")
    }

    /// Starts `top`, and waits until its screen is there.
    @discardableResult
    func start(_ arguments: String = "", variables: String = "", expecting text: String = "connected") async throws
        -> String
    {
        try await pane.shell("\(variables) sh script \(arguments)")
        return try await pane.expect(text)
    }

    var pid: pid_t {
        get throws {
            try #require(
                pid_t(
                    try String(contentsOfFile: pane.path + "/pid", encoding: .utf8).trimmingCharacters(in: .newlines)))
        }
    }

    private func modes(_ file: String) throws -> String {
        try String(contentsOfFile: "\(pane.path)/\(file)", encoding: .utf8)
    }

    /// Waits for the end with that status, and checks that the terminal is as it was.
    func expectRestored(status: Int32) async throws {
        try await pane.expect("status=\(status)")
        for (name, value) in [
            ("alternate_on", "0"), ("mouse_any_flag", "0"), ("cursor_flag", "1"), ("keypad_flag", "0"),
            ("keypad_cursor_flag", "0"),
        ] { #expect(try await pane.state(name) == value, "\(name)") }
        #expect(try modes("before") == modes("after"))
        // And it shows what is typed.
        try await pane.expectPrompt()
        try await pane.shell("echo sh''own")
        try await pane.expect("echo sh''own", "\nshown")
    }
}
