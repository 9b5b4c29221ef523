// SPDX-License-Identifier: MIT
// A command line that is read and not run.

import ArgumentParser
@testable import RerenderTool

/// What `rerenderctl` makes of a command line, up to the moment at which the command would run.
struct ParsedLine {
    /// The command that would run; nil where an error or a help comes first.
    let command: (any ParsableCommand)?
    /// The exit status of an error or a help; 0 for a command that would run.
    let status: Int32
    /// The error or the help, as wide as the tool makes it without a terminal.
    let text: String

    init(_ arguments: [String]) {
        do {
            if let fault = UnknownCommand.fault(in: arguments) { throw ValidationError(fault) }
            var command = try RerenderCommand.parseAsRoot(arguments)
            // The root has subcommands alone and shows its help, and `help` is a command of the parser's own.
            let isHelp = String(reflecting: type(of: command)).hasPrefix("ArgumentParser.")
            if isHelp || command is RerenderCommand { try command.run() }
            (self.command, status, text) = (command, 0, "")
        } catch {
            command = nil
            status = RerenderCommand.exitCode(for: error).rawValue
            text = RerenderCommand.fullMessage(for: error, columns: 80)
        }
    }
}
