// SPDX-License-Identifier: MIT
// Runs a command line, from its arguments to the exit status; suggests the right name for an unknown command.

import ArgumentParser
import Glibc
import RerenderModel
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

// The root of the commands.

/// `rerenderctl` itself.
struct RerenderCommand: AsyncParsableCommand {
    /// What errors begin with.
    static var _errorLabel: String { "rerenderctl" }

    static let configuration = CommandConfiguration(
        commandName: "rerenderctl",
        abstract: "See which views re-render, how often, why, and at what cost.",
        discussion: """
            Begin with one of these:
              rerenderctl run -- ./my-app    run a command, and show what costs most
              rerenderctl attach PROGRAM     count a program that runs already
              rerenderctl help agents        one page for scripts and agents

            Exit statuses, sockets and files are in rerenderctl(1).
            """,
        version: RerenderVersion.current,
        subcommands: [
            RunCommand.self, LookCommand.self, AttachCommand.self, StatsCommand.self, TopCommand.self,
            ExplainCommand.self, HangsCommand.self, IssueCommand.self, HistoryCommand.self, MarkCommand.self,
            WaitCommand.self, RecordCommand.self, ReportCommand.self, AnalysesCommand.self, CheckCommand.self,
            DiffCommand.self, ExportCommand.self, HUDCommand.self, HighlightCommand.self, PulseCommand.self,
            ConfigCommand.self, ResetCommand.self, OffCommand.self, OnCommand.self, DoctorCommand.self,
            MCPCommand.self, CountEventsCommand.self,
        ])
}
