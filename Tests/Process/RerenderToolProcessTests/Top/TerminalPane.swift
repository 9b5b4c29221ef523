// SPDX-License-Identifier: MIT
// A real terminal to test a screen in: a shell in a tmux server of its own.

import Foundation
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

/// One pane; keys go in and the screen comes out.
final class TerminalPane: Sendable {
    static let isAvailable = ChildProcess.path(of: "tmux") != nil

    private let scratch: TemporaryDirectory
    private let tmux: String
    /// What the shell's prompt ends with.
    static let prompt = "PROMPT>"

    var path: String { scratch.path }
    private var socket: String { scratch.path + "/tmux" }
    /// What came out of the pane, so that the kernel tells when something did.
    private var said: String { scratch.path + "/said" }

    /// Starts a shell of the C.UTF-8 locale on a terminal of that size; `environment` is for what it starts.
    init(columns: Int, lines: Int, environment: [String: String]) async throws {
        scratch = try TemporaryDirectory()
        tmux = try #require(ChildProcess.path(of: "tmux"))
        // A lone Escape is one at once.
        let settings =
            "set -g default-terminal tmux-256color\nset -sg escape-time 0\nset -g history-limit 0\n"
        try settings.write(toFile: scratch.path + "/conf", atomically: true, encoding: .utf8)
        // Swift's own report of a crash waits for a key, or half a minute.
        let variables = [
            "SWIFT_BACKTRACE": "enable=no", "PS1": "\(Self.prompt) ", "LANG": "C.UTF-8", "LC_ALL": "", "HISTFILE": "",
            "NO_COLOR": "",
        ]
        .merging(environment) { $1 }
        let options = variables.flatMap { ["-e", "\($0)=\($1)"] }
        // Not as the later ones: what runs in the pane would inherit the signals that threads of tests block.
        let server = try Spawned(
            [
                tmux, "-u", "-S", socket, "-f", scratch.path + "/conf", "new-session", "-d", "-x", "\(columns)", "-y",
                "\(lines)",
            ] + options + ["/bin/bash", "--norc", "--noprofile"])
        server.closeInput()
        guard try await server.wait() == .exited(0) else { throw NotSeen(description: "tmux: \(server.standardError)") }
        try TestFile.write([], to: said)
        try await run(["pipe-pane", "cat > '\(said)'"])
        try await expect(Self.prompt)
    }

    /// The server ends with its last pane, and whatever still runs there is told so by SIGHUP.
    deinit {
        _ = try? StartedChild.run([tmux, "-S", socket, "kill-server"])
    }

    /// Asks the server.
    @discardableResult
    private func run(_ arguments: [String]) async throws -> String {
        let command = [tmux, "-u", "-S", socket] + arguments
        let (exit, text) = try await offThePool { try StartedChild.run(command) }
        guard exit == .status(0) else { throw NotSeen(description: "\(command): \(text)") }
        return text
    }

    /// Presses keys by tmux's names for them: `Down`, `Enter`, `q`.
    func press(_ keys: String...) async throws {
        try await run(["send-keys", "--"] + keys)
    }

    /// Sends text as it is, without giving any of it a meaning.
    func type(_ text: String) async throws {
        try await run(["send-keys", "-l", "--", text])
    }

    /// Has the shell run a command.
    func shell(_ command: String) async throws {
        try await type(command)
        try await press("Enter")
    }

    func resize(columns: Int, lines: Int) async throws {
        try await run(["resize-window", "-x", "\(columns)", "-y", "\(lines)"])
    }

    /// The screen's lines, without the blanks at their ends.
    func lines() async throws -> [String] {
        try await run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { line in
                var line = String(line)
                while line.last == " " { line.removeLast() }
                return line
            }
    }

    func screen() async throws -> String { try await lines().joined(separator: "\n") }

    /// The screen with the sequences that colour it.
    func colouredScreen() async throws -> String { try await run(["capture-pane", "-p", "-e"]) }

    /// One of tmux's own variables of the pane.
    func state(_ name: String) async throws -> String {
        try await run(["display-message", "-p", "#{\(name)}"]).trimmingCharacters(in: .newlines)
    }

    /// Waits until the screen holds all of the texts, and returns it.
    @discardableResult
    func expect(_ texts: String...) async throws -> String {
        try await until("\(texts)") { screen in texts.allSatisfy(screen.contains) }
    }

    /// Waits until the shell waits for a command.
    func expectPrompt() async throws {
        try await until("the prompt") { $0.split(separator: "\n").last.map(String.init) == Self.prompt }
    }

    /// Waits until the screen is as wanted, and returns it.
    @discardableResult
    func until(_ what: String, _ isMet: (String) -> Bool) async throws -> String {
        var last = ""
        do {
            return try await eventually(what, in: said) {
                last = try await screen()
                return isMet(last) ? last : nil
            }
        } catch let error as NeverHappened {
            throw NeverHappened(description: "\(error.description) on this screen:\n\(last)")
        }
    }
}
