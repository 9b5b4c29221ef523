// SPDX-License-Identifier: MIT
// The root of the commands.

import ArgumentParser
import RerenderDaemon
import RerenderRecording

/// `rerenderctl` itself.
struct RerenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerenderctl",
        abstract: "See which views re-render, how often, why, and at what cost.",
        discussion: """
            rerenderctl reads what instrumented apps report to rerenderd, the daemon
            of your user.

            First steps:
              rerenderctl run -- ./my-app    run a command under its own daemon
              rerenderctl stats              the table of everything that runs
              rerenderctl top                the same, live, with keys to ask why
              rerenderctl explain KEY        one view: why, what it costs, what helps
              rerenderctl record -- ./my-app record a trace of a command
              rerenderctl report TRACE       what a recording says, without a daemon
              rerenderctl check, diff        a budget for CI; two runs compared
              rerenderctl hangs              when the main loop stood still, and for whom
              rerenderctl doctor             what is missing, and what to do

            Exit status: 0 fine, 1 a check did not hold, 64 wrong usage, 65 input
            that cannot be read, 69 no daemon to talk to or a program that is
            missing, 70 a fault of rerenderctl or rerenderd, 71 what the system or
            LTTng refused, 73 and 74 output that cannot be made or written. `run`,
            `record` and `check` end as their command does (`check` has its own
            status where that is 0), with 126 where it cannot be run and 127 where
            it is not found.

            The sockets are looked for in $RERENDER_RUNTIME_DIR,
            $XDG_RUNTIME_DIR/rerender, /run/user/UID/rerender and /tmp/rerender-UID,
            in this order.
            """,
        version: ToolVersion.text,
        subcommands: [
            StatsCommand.self, TopCommand.self, ExplainCommand.self, HangsCommand.self, ExportCommand.self,
            ResetCommand.self,
            ConfigCommand.self,
            PulseCommand.self, RunCommand.self, RecordCommand.self, ReportCommand.self, AnalysesCommand.self,
            CheckCommand.self, DiffCommand.self, DoctorCommand.self,
        ])
}

/// The version of the package.
enum ToolVersion {
    static let text = RerenderVersion.current
}
