// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
@testable import RerenderToolBase
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl explains itself")
struct HelpTests {
    private static let commands = [
        "stats", "top", "explain", "hangs", "export", "reset", "config", "pulse", "run", "record", "report", "analyses",
        "check", "diff", "doctor", "off", "on", "history",
    ]

    @Test(
        "the help of each command names its options and has an example",
        arguments: [
            (["stats"], ["--json", "--csv", "--sort", "--process", "--limit", "--watch"]), (["export"], ["--output"]),
            (["explain"], ["--process", "--store", "--json", "key"]),
            (["top"], ["--sort", "--process", "--interval", "Space"]),
            (["hangs"], ["--process", "--since", "--limit", "--json", "--follow"]),
            (["reset"], ["--process", "--store"]), (["config", "get"], ["--process", "--store", "--json"]),
            (["config", "set"], ["--process", "--store", "hangThreshold", "microHangThreshold", "enabled"]),
            (["off"], ["RERENDER=0", "$RERENDER_RUNTIME_DIR"]), (["on"], ["started"]),
            (["pulse"], ["--process", "--store", "key"]), (["doctor"], ["--json"]),
            (["run"], ["--json", "--csv", "--output", "--sort", "--limit", "127"]),
            (["history"], ["--json", "RERENDER_HISTORY"]),
            (["record"], ["--output", "--duration", "--snapshot", "--all-signposts", "--to", "net://"]),
            (["analyses"], ["--install", "--print"]),
            (
                ["check"],
                ["--budget", "--update", "--strict", "--export", "--json", "--markdown", "--output", "--junit"]
            ),
            (["diff"], ["--fail-on-increase", "--json", "--markdown", "--output", "--junit"]),
        ])
    func help(command: [String], mentions: [String]) async throws {
        let outcome = try await run(command + ["--help"])
        #expect(outcome.ending == .exited(0))
        for mention in mentions { #expect(outcome.output.contains(mention), "\(command) \(mention)") }
        #expect(
            outcome.output.contains("Example")
                && outcome.output.contains("  rerenderctl \(command.joined(separator: " "))"))
    }

    @Test(
        "no line of a help is broken by the usual width",
        arguments: [""] + Self.commands)
    func widths(command: String) async throws {
        let output = try await run([command, "--help"].filter { !$0.isEmpty }).output
        // What is written as one line comes out as one: a wrapped example or table would not be one.
        for line in output.split(separator: "\n") where line.hasPrefix("  rerenderctl ") {
            #expect(line.utf8.count < 80)
        }
        let discussion = output.components(separatedBy: "USAGE:")[0].split(separator: "\n")
        #expect(!discussion.contains { DisplayWidth.of(String($0)) > 80 })
        #expect(
            !discussion.contains {
                $0.split(separator: " ").count == 1 && !$0.hasPrefix(" ") && !$0.hasSuffix(":") && !$0.hasSuffix(".")
            })
    }

    @Test(
        "no help or usage is wider than 80 columns, or shows how a default is spelled in the source",
        arguments: ["", "config get", "config set"] + Self.commands)
    func leaks(command: String) async throws {
        let words = command.split(separator: " ").map { String($0) }
        let help = try await run(words + ["--help"]).output
        let error = try await run(words + ["--no-such-option"]).errors
        #expect(help.contains("USAGE: rerenderctl") && error.contains("Usage: rerenderctl \(command)"))
        for line in (help + error).split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= 80, "\(line)") }
        #expect(!(help + error).contains("as flag"))
        for value in help.matches(of: /default: ([^)]*)\)/) {
            #expect(!value.1.contains("(") && !value.1.contains(".0"), "\(value.1)")
        }
    }

    @Test("the defaults are said as one would type them")
    func defaults() async throws {
        #expect(try await run(["run", "--help"]).output.contains("(default: 50)"))
        #expect(try await oneLine(["stats", "--help"]).contains("in place on a terminal. (default: every 2 s)"))
    }

    @Test("the usage of run has the -- before the command", arguments: [["run", "--help"], ["run"]])
    func runUsage(arguments: [String]) async throws {
        let outcome = try await run(arguments)
        #expect((outcome.output + outcome.errors).contains(" -- <command> ...\n"))
    }

    /// The help of a command with every run of blanks and line ends as one blank.
    private func oneLine(_ arguments: [String]) async throws -> String {
        try await run(arguments).output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    @Test("the root lists every command, and the version is the package's")
    func root() async throws {
        let help = try await run([]).output
        for command in Self.commands {
            #expect(help.contains("\n  \(command) "))
        }
        #expect(try await run(["--version"]).output == RerenderVersion.current + "\n")
    }

    @Test("the completions for bash are a script that bash understands, and know the commands")
    func bash() async throws {
        let script = try await run(["--generate-completion-script", "bash"])
        #expect(script.ending == .exited(0) && script.output.contains("--watch"))
        let file = try TemporaryDirectory()
        let check = try Spawned(["/bin/bash", "-n", "/dev/stdin"])
        check.type(script.output)
        check.closeInput()
        #expect(try await check.wait() == .exited(0))
        #expect(check.standardError.isEmpty && !file.path.isEmpty)
    }

    @Test("bash completes files where the tool offers nothing")
    func files() async throws {
        let directory = try TemporaryDirectory()
        let script = directory.path + "/script"
        try await run(["--generate-completion-script", "bash"]).output.write(
            toFile: script, atomically: true, encoding: .utf8)
        let check = try Spawned(["/bin/bash", "-c", ". '\(script)'; complete -p rerenderctl"])
        check.closeInput()
        #expect(try await check.wait() == .exited(0))
        #expect(check.standardOutput == "complete -o bashdefault -o default -o filenames -F _rerenderctl rerenderctl\n")
    }

    @Test("bash completes keys from the daemon, and without one it offers none and says nothing")
    func fromDaemon() async throws {
        let bench = try Bench()
        #expect(try await completions("explain", bench).isEmpty)
        let body = Array(try Sample.export([Sample.shop]).json())
        let server = try CannedServer(bench.querySocket) { _ in CannedServer.answer(body) }
        defer { server.stop() }
        let keys = Set(Sample.shop.views.map(\.key.rawValue))
        #expect(try await completions("explain", bench) == keys)
        #expect(try await completions("config set", bench) == Set(SettingParser.keys.map { $0 + "=" }))
    }

    /// What bash offers for the next word.
    private func completions(_ words: String, _ bench: Bench) async throws -> Set<String> {
        let script = bench.path + "/script"
        try await run(["--generate-completion-script", "bash"]).output.write(
            toFile: script, atomically: true, encoding: .utf8)
        let line = "rerenderctl \(words) "
        let command = """
            . '\(script)'
            COMP_WORDS=(\(line) '') COMP_CWORD=\(words.split(separator: " ").count + 1)
            COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
            _rerenderctl rerenderctl '' '\(words.split(separator: " ").last ?? "")'
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let folder = URL(fileURLWithPath: Program.rerenderctl).deletingLastPathComponent().path
        let bash = try Spawned(
            ["/bin/bash", "-c", command], environment: bench.environment(["PATH": "\(folder):/usr/bin:/bin"]))
        bash.closeInput()
        #expect(try await bash.wait() == .exited(0) && bash.standardError.isEmpty)
        return Set(bash.standardOutput.split(separator: "\n").map(String.init))
    }

    @Test("there are completions for zsh and fish too", arguments: ["zsh", "fish"])
    func otherShells(shell: String) async throws {
        let script = try await run(["--generate-completion-script", shell])
        #expect(script.ending == .exited(0) && script.output.contains("doctor"))
    }

    private func run(_ arguments: [String]) async throws -> Outcome {
        let process = try Spawned([Program.rerenderctl] + arguments)
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }
}
