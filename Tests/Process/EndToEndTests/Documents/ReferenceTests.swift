// SPDX-License-Identifier: MIT
// What documents name must be there: files, commands, options, and the help.

import Foundation
import RerenderModel
import RerenderWire
import TestSupport
import Testing
@testable import DocumentSupport

@Suite("Names in the documents")
struct ReferenceTests {
    private static let rerenderctl = ChildProcess.product("rerenderctl")

    @Test("commands and options of rerenderctl are in its help")
    func commands() async throws {
        var helps: [String: String] = [:]
        for (name, help) in try await CommandHelp.all(Self.rerenderctl) { helps[name] = help }
        var unknown: [String] = []
        for document in Document.all where document.path != "docs/reference/commands.md" {
            let commands = document.codeSpans.filter { $0.text.hasPrefix("rerenderctl ") }
            for (line, text) in commands {
                let words = text.prefix(upTo: text.range(of: " -- ")?.lowerBound ?? text.endIndex).split(separator: " ")
                guard let name = words.dropFirst().first.map(String.init), name.wholeMatch(of: /[a-z]+/) != nil,
                    name != "help"
                else { continue }
                let options = words.filter { $0.hasPrefix("--") && $0.count > 2 }.map {
                    String($0.prefix { $0 != "=" })
                }
                if helps[name] == nil { unknown.append("\(document.path):\(line): \(text)") }
                let missing = options.filter { helps[name]?.contains($0) == false }
                unknown += missing.map { "\(document.path):\(line): \(name) has no \($0)" }
            }
        }
        #expect(unknown == [])
    }

    @Test("the page of commands is the help as the tool prints it")
    func help() async throws {
        let page = try await CommandHelp.page(Self.rerenderctl)
        try Recording.replace("docs/reference/commands.md", with: page)
        #expect(try Document.named("docs/reference/commands.md").lines.joined(separator: "\n") == page)
    }
}

/// The help of every command.
enum CommandHelp {
    private static func text(_ program: String, _ arguments: [String]) async throws -> String {
        let variables = ProcessInfo.processInfo.environment.merging(["COLUMNS": "80", "NO_COLOR": "1"]) { $1 }
        return try await ChildProcess.run([program] + arguments, environment: variables).standardOutput
            .trimmingCharacters(in: .newlines)
    }

    /// Commands in the order of the help, subcommands as `config set`.
    static func all(_ program: String, _ path: [String] = []) async throws -> [(name: String, help: String)] {
        let help = try await text(program, ["help"] + path)
        var found = path.isEmpty ? [] : [(path.joined(separator: " "), help)]
        let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
        for line in list.split(separator: "\n", omittingEmptySubsequences: false).prefix(while: { !$0.isEmpty }) {
            guard let name = line.prefixMatch(of: #/  ([a-z]+)(?: |$)/#)?.1, name != "help" else { continue }
            found += try await all(program, path + [String(name)])
        }
        return found
    }

    /// The reference of commands.
    static func page(_ program: String) async throws -> String {
        var page = """
            # Commands

            `Scripts/samples` writes this page from `rerenderctl help`. The manual pages that `Scripts/install` adds say the same.
            [Exit statuses](exit-statuses.md) and [environment](environment.md) are pages of their own.

            ```text
            \(try await text(program, ["help"]))
            ```

            """
        for (name, help) in try await all(program) {
            page += "\n## rerenderctl \(name)\n\n```text\n\(help)\n```\n"
        }
        return page
    }
}
