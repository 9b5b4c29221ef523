// SPDX-License-Identifier: MIT
// The root of the commands.

import ArgumentParser
import RerenderModel

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
