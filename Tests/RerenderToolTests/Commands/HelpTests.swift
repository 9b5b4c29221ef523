// SPDX-License-Identifier: MIT
import Foundation
import RerenderDaemon
import Testing

@testable import RerenderTool

@Suite("rerenderctl explains itself")
struct HelpTests {
    @Test(
        "the help of each command names its options and has an example",
        arguments: [
            (["stats"], ["--json", "--csv", "--sort", "--process", "--limit", "--watch"]), (["export"], ["--output"]),
            (["reset"], ["--process", "--store"]), (["config", "get"], ["--process", "--store", "--json"]),
            (["config", "set"], ["--process", "--store", "hangThreshold", "microHangThreshold", "enabled"]),
            (["pulse"], ["--process", "--store", "key"]), (["doctor"], ["--json"]),
            (["run"], ["--json", "--sort", "--limit", "127"]),
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
        arguments: ["", "stats", "export", "reset", "config", "pulse", "run", "doctor"])
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

    @Test("the root lists every command, and the version is the package's")
    func root() async throws {
        let help = try await run([]).output
        for command in ["stats", "export", "reset", "config", "pulse", "run", "doctor"] {
            #expect(help.contains("\n  \(command) "))
        }
        #expect(try await run(["--version"]).output == RerenderVersion.current + "\n")
    }

    @Test("the completions for bash are a script that bash understands, and know the commands")
    func bash() async throws {
        let script = try await run(["--generate-completion-script", "bash"])
        #expect(script.ending == .exited(0) && script.output.contains("--watch"))
        let file = try Scratch()
        let check = try Spawned(["/bin/bash", "-n", "/dev/stdin"])
        check.type(script.output)
        check.closeInput()
        #expect(try await check.wait() == .exited(0))
        #expect(check.standardError.isEmpty && !file.path.isEmpty)
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
