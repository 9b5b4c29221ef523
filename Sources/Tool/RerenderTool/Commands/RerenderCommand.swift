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
            rerenderctl shows what instrumented apps report to rerenderd, the daemon of
            your user.

            First steps:
              rerenderctl run -- ./my-app    run a command and show its views
              rerenderctl look PROGRAM       measure a program for ten seconds
              rerenderctl attach PROGRAM     count a program that runs already
              rerenderctl stats              show the views of all running apps
              rerenderctl top                show them live, with keys to ask why
              rerenderctl explain KEY        explain one view: why, its cost, what helps
              rerenderctl issue              write it down for a bug tracker
              rerenderctl history            list the last runs, which all of these read
              rerenderctl record -- ./my-app record a trace of a command
              rerenderctl report TRACE       summarize a recording, without a daemon
              rerenderctl check, diff        check a budget in CI; compare two runs
              rerenderctl mark NAME          see later what happened since, by --since NAME
              rerenderctl hangs              show hangs of the main loop
              rerenderctl doctor             check the set-up
              rerenderctl off, on            switch Rerender off in all programs; and on
              rerenderctl help agents        one page for scripts and agents
              rerenderctl mcp                the same by the Model Context Protocol

            Exit status: 0 success, 1 a check failed or the time of `wait` was over,
            64 wrong usage, 65 unreadable input, 69 no daemon, 70 a fault of Rerender,
            71 refused by the system, 73 or 74 no output, 75 an incomplete recording,
            78 no settings. `run`, `record` and `check` exit as their command does, or
            with 126 or 127 without it: see rerenderctl(1).

            The sockets are in the first of these: $RERENDER_RUNTIME_DIR if it is set,
            else $XDG_RUNTIME_DIR/rerender, /run/user/UID/rerender or /tmp/rerender-UID.
            """,
        version: RerenderVersion.current,
        subcommands: [
            StatsCommand.self, TopCommand.self, ExplainCommand.self, IssueCommand.self, HangsCommand.self,
            ExportCommand.self,
            ResetCommand.self, ConfigCommand.self, OffCommand.self, OnCommand.self, PulseCommand.self, HUDCommand.self,
            HighlightCommand.self,
            RunCommand.self, LookCommand.self, AttachCommand.self, WaitCommand.self, MarkCommand.self,
            HistoryCommand.self,
            RecordCommand.self, ReportCommand.self, AnalysesCommand.self,
            CheckCommand.self, DiffCommand.self, DoctorCommand.self, MCPCommand.self, CountEventsCommand.self,
        ])
}
