// SPDX-License-Identifier: MIT
// What a program says of its own commands, without any of our generators: the list that pages and completions are held to.

import Foundation

/// One command of a program with its options.
package struct DumpedCommand: Sendable {
    /// The program and the names of its commands.
    package let path: [String]
    /// As they are typed: `--budget`, `-o`.
    package let options: Set<String>
    /// Their places in the usage: `file`.
    package let positionals: Set<String>
    package let subcommands: [String]

    /// All commands of a program in what it prints with `--experimental-dump-help`, the program itself first.
    package static func all(in dump: String) throws -> [DumpedCommand] {
        try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.flattened([])
    }

    private struct Dump: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let kind: String
            let names: [Name]?
            let valueName: String?
            let shouldDisplay: Bool
        }
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?
        /// Missing where the command is shown.
        let shouldDisplay: Bool?

        func flattened(_ above: [String]) -> [DumpedCommand] {
            let shown = (arguments ?? []).filter(\.shouldDisplay)
            let names = shown.flatMap { $0.names ?? [] }.map { ($0.kind == "long" ? "--" : "-") + $0.name }
            let path = above + [commandName]
            // The parser makes `help`, and says of it what it is. A hidden command is for the program itself.
            let below = (subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay != false }
            let command = DumpedCommand(
                path: path, options: Set(names),
                positionals: Set(shown.filter { $0.kind == "positional" }.compactMap(\.valueName)),
                subcommands: below.map(\.commandName))
            return [command] + below.flatMap { $0.flattened(path) }
        }
    }
}
