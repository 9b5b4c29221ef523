// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("rerenderctl explains itself")
struct HelpTests {
    @Test("the completions for bash are a script that bash understands, and know the commands")
    func bash() async throws {
        let script = try await run(["--generate-completion-script", "bash"])
        #expect(script.ending == .exited(0) && script.output.contains("--sources"))
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
        #expect(
            check.standardOutput
                == "complete -o bashdefault -o default -o filenames -F __rerenderctl_complete rerenderctl\n")
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

    private func run(_ arguments: [String]) async throws -> Outcome {
        let process = try Spawned([Program.rerenderctl] + arguments)
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }
}
