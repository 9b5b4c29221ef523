// SPDX-License-Identifier: MIT
import Foundation
import FuzzTargets
import FuzzWire
import RerenderModel
@testable import RerenderShow
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("Text of others has no meaning in the syntax that it is written in")
struct EscapedTextTests {
    static let shells = ["/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/fish"]

    /// A shell that is there.
    struct Shell: CustomTestStringConvertible {
        let path: String
        var testDescription: String { path }
        static var all: [Shell] { EscapedTextTests.shells.filter { access($0, X_OK) == 0 }.map { Shell(path: $0) } }
    }

    @Test("a shell reads each word of a command as it was", .promise, arguments: Shell.all)
    func words(shell: Shell) async throws {
        let words = HostileTexts.all + ["", "Größe", "x\u{301}", "a\u{600}'b"]
        #expect(try await read(ShellCommand.line(words).text, by: shell) == words.map { Array($0.utf8) })
    }

    @Test(
        "bash, readers of XML, CSV, metrics and Markdown, and GLib read what fuzzing kept as it was",
        .enabled(if: TextReaders.areThere, "needs \(TextReaders.modules)"))
    func kept() throws {
        let targets = FuzzTarget.all.filter(\.startsPrograms)
        #expect(targets.map(\.name) == ["text"])
        for target in targets {
            for (number, input) in try KeptInputs(of: target.name).inputs.enumerated() {
                let bytes = try #require(input, "line \(number + 1) is no Base64")
                #expect(throws: Never.self, "line \(number + 1)") { _ = try target.read(bytes) }
            }
        }
    }

    /// The words of a command line, as a shell gives them to a program; nothing else may happen.
    private func read(_ line: String, by shell: Shell) async throws -> [[UInt8]] {
        let directory = try TemporaryDirectory()
        let script = directory.path + "/script"
        try Data("cd '\(directory.path)'\nprintf '%s\\0' \(line)\n".utf8).write(to: URL(fileURLWithPath: script))
        let process = try Spawned([shell.path, script], environment: ["HOME": directory.path])
        process.closeInput()
        #expect(try await process.wait() == .exited(0))
        #expect(process.standardError.isEmpty)
        #expect(access("\(directory.path)/\(HostileTexts.canary)", F_OK) != 0, "a name was run")
        return process.standardOutput.utf8.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            Array($0)
        }
    }
}
