// SPDX-License-Identifier: MIT
// Suggests the right name for an unknown command.

import ArgumentParser
import RerenderShow

/// Finds a mistyped command before the parser takes it for an argument too many.
enum UnknownCommand {
    /// The error text for the first unknown command; nil if all are known.
    ///
    /// - Parameter arguments: The process's arguments without its own name.
    static func fault(in arguments: [String]) -> String? {
        var commands = RerenderCommand.configuration.subcommands
        var words = arguments[...]
        // `help` takes the names of commands as its arguments.
        if words.first == "help" { words = words.dropFirst() }
        for word in words {
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            guard let command = commands.first(where: { name($0) == word }) else {
                return text(word, among: commands.map(name))
            }
            commands = command.configuration.subcommands
        }
        return nil
    }

    private static func text(_ word: String, among names: [String]) -> String {
        let start = "Unknown command '\(Printable.text(word))'."
        guard let near = NearName.find(word, among: names, limit: 1).first else {
            return "\(start) There are: \(Counted.list(names))"
        }
        return "\(start) Did you mean '\(near)'?"
    }

    private static func name(_ command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
