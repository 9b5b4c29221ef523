// SPDX-License-Identifier: MIT
// Runs a command line, from its arguments to the exit status; suggests the right name for an unknown command.

import ArgumentParser
import Glibc
import RerenderShow

/// The command line tool as a library: everything of `rerenderctl` but its `main`.
public enum RerenderTool: Sendable {
    /// Runs the command that the process's arguments ask for, and ends the process with its exit status.
    ///
    /// Call it first in `main`, once: it reads what the process was started with.
    @MainActor public static func main() async -> Never {
        let couldDieByPipe = !LaunchState.current.ignoresPipe
        Disposition.ignore(SIGPIPE)
        do {
            if AgentsHelp.isAsked(Array(CommandLine.arguments.dropFirst())) {
                try Console.output.show(AgentsHelp.text)
                exit(0)
            }
            if let fault = UnknownCommand.fault(in: Array(CommandLine.arguments.dropFirst())) {
                throw ValidationError(fault)
            }
            if let shell = CompletionScript.shell(Array(CommandLine.arguments.dropFirst())) {
                try Console.output.show(CompletionScript.text(for: shell))
                exit(0)
            }
            var command = try await RerenderCommand.asyncParseAsRoot()
            if !(type(of: command) is any RunsWithoutSettings.Type) { try ToolSettings.mustBeUsable() }
            try await TraceProcess.runApart(reading: TraceProcess.inputs(of: command))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            exit(0)
        } catch is OutputStream.ReaderGone {
            if couldDieByPipe { Disposition.die(by: SIGPIPE) }
            exit(ExitStatus.inputOutput)
        } catch let failure as ToolFailure {
            FailureText.show(failure.besideLastRun)
            exit(failure.status)
        } catch let error where RerenderCommand.exitCode(for: error) == .failure && !(error is ExitCode) {
            FailureText.show(ToolFailure(ExitStatus.software, "\(error)"))
            exit(ExitStatus.software)
        } catch {
            RerenderCommand.exit(withError: error)
        }
    }
}

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
