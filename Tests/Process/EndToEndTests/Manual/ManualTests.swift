// SPDX-License-Identifier: MIT
// Manual pages and completions mention every option of every command, whoever adds one.

import DocumentSupport
import Foundation
import TestSupport
import Testing

@Suite("Manual pages and completions")
struct ManualTests {
    private static let programs = ["rerenderctl", "rerenderd", "rerender-demo"]
    private static let canRender = ["python3", "mandoc"].allSatisfy { ChildProcess.path(of: $0) != nil }

    /// All commands of a program, as it says itself.
    private static func commands(of program: String) async throws -> [DumpedCommand] {
        let dump = try await ChildProcess.run([ChildProcess.product(program), "--experimental-dump-help"])
        try #require(dump.exit == .status(0), "\(dump.standardError)")
        return try DumpedCommand.all(in: dump.standardOutput)
    }

    private static let scripts = Checkout.path("Scripts")

    @Test(
        "the page has every command with all of its options and arguments, and is well made",
        .enabled(if: canRender, "needs python3 and mandoc"), arguments: programs)
    func pages(program: String) async throws {
        let directory = try TemporaryDirectory()
        let section = program == "rerenderd" ? "8" : "1"
        let page = try await ChildProcess.run(
            [Self.scripts + "/lib/manual.py", ChildProcess.product(program), section])
        try #require(page.exit == .status(0), "\(page.standardError)")
        let file = directory.url.appendingPathComponent("\(program).\(section)").path
        try page.standardOutput.write(toFile: file, atomically: true, encoding: .utf8)
        let mandoc = try #require(ChildProcess.path(of: "mandoc"))
        let lint = try await ChildProcess.run([mandoc, "-Tlint", "-Wwarning", file])
        #expect(lint.exit == .status(0), "\(lint.standardOutput)")
        let shown = ManualPage.plain(
            try await ChildProcess.run([mandoc, "-Tutf8", "-Owidth=120", file]).standardOutput)
        let rendered = ManualPage(shown)
        for command in try await Self.commands(of: program) {
            let entries = try #require(rendered.entries[command.path], "\(command.path) has no section")
            // In the root's section alone: they mean the same everywhere.
            let expected = command.path.count == 1 ? command.options : command.options.subtracting(Self.everywhere)
            #expect(expected.subtracting(entries).isEmpty, "\(command.path): \(entries)")
            #expect(command.positionals.subtracting(entries).isEmpty, "\(command.path): \(entries)")
        }
        for title in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "SEE ALSO"] {
            let isThere = shown.contains("\n\(title)\n")
            #expect(isThere, "\(title)")
        }
    }

    private static let everywhere: Set = ["--help", "-h", "--version"]

    @Test("bash completes every command and every option of it", arguments: programs)
    func bash(program: String) async throws {
        let directory = try TemporaryDirectory()
        let script = directory.url.appendingPathComponent("completions").path
        try await completions(program, "bash").write(toFile: script, atomically: true, encoding: .utf8)
        let function = "_" + program
        for command in try await Self.commands(of: program) {
            let options = try await complete(command.path, "-", function, script)
            #expect(command.options.subtracting(options).isEmpty, "\(command.path): \(options)")
            guard !command.subcommands.isEmpty else { continue }
            let names = try await complete(command.path, "", function, script)
            #expect(Set(command.subcommands).subtracting(names).isEmpty, "\(command.path): \(names)")
        }
    }

    /// What bash itself offers after `words` for a word that begins with `start`.
    private func complete(
        _ words: [String], _ start: String, _ function: String, _ script: String
    ) async throws -> Set<String> {
        let line = (words + [start]).joined(separator: " ")
        let command = """
            . '\(script)'
            COMP_WORDS=(\(words.joined(separator: " ")) '\(start)') COMP_CWORD=\(words.count)
            COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
            \(function) '\(words[0])' '\(start)' '\(words[words.count - 1])'
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let output = try await ChildProcess.run(["/bin/bash", "-c", command])
        #expect(output.exit == .status(0) && output.standardError.isEmpty, "\(output.standardError)")
        return Set(output.standardOutput.split(separator: "\n").map(String.init))
    }

    private func completions(_ program: String, _ shell: String) async throws -> String {
        let output = try await ChildProcess.run(
            [ChildProcess.product(program), "--generate-completion-script", shell])
        try #require(output.exit == .status(0) && !output.standardOutput.isEmpty, "\(output.standardError)")
        return output.standardOutput
    }
}

/// A rendered page: what has an entry of its own in the section of each command.
private struct ManualPage {
    private(set) var entries: [[String]: Set<String>] = [:]

    /// - Parameter rendered: A page without what overstrikes.
    init(_ rendered: String) {
        var path: [String] = []
        for line in rendered.split(separator: "\n") {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            if path.isEmpty, indent == 0 {
                // The head of the page names the program, in capitals.
                path = [text.prefix { $0 != "(" }.lowercased()]
                entries[path] = []
            } else if indent == 3 {
                path = text.split(separator: " ").map(String.init)
                entries[path] = []
            } else if indent == 5 {
                // An entry of a list: names, then the value, and perhaps the description behind a gap.
                let head = text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
                entries[path, default: []].formUnion(head.split { " ,".contains($0) }.map(String.init))
                entries[path, default: []].insert(String(head))
            }
        }
    }

    /// Without what overstrikes: bold letters come twice, underlined ones with a line.
    static func plain(_ text: String) -> String {
        var plain: [Character] = []
        var characters = text.makeIterator()
        while let character = characters.next() {
            if character == "\u{8}" {
                plain.removeLast()
            } else {
                plain.append(character)
            }
        }
        return String(plain)
    }
}
