// SPDX-License-Identifier: MIT
// `rerenderctl top`: shows all views live.

import ArgumentParser
import Glibc
import RerenderToolBase
import RerenderTop

/// Shows the views of all processes, live.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show all views live: sorted, with rates, waste, causes and hangs.",
        usage: """
            rerenderctl top [--sort <sort>] [--process <pid or name>]
                            [--interval <seconds>]
            """,
        discussion: """
            Rows that need attention start with !; all others are dim. Enter opens a row
            and shows why the view was evaluated, what writes the values that it reads,
            what was wasted, and what helps. Keys:
              Up Down PgUp PgDn Home End   select a row; or use the wheel or click
              Enter   open or close the row         Esc  close it; clear the filter
              s       change the sort order         /    filter by key
              p       pulse the view in its app     r    reset all counts
              c C     copy the row, everything      x    export to a file here
              f       flash what is drawn again     -    show only the title line
              Space   pause                         ?    help
              q       quit

            top asks the daemon only, never the apps, and waits for a daemon that is not
            running.

            Examples:
              rerenderctl top
              rerenderctl top --sort time --process shop
              rerenderctl top --interval 0.5
            """)

    @Option(name: .shortAndLong, help: "Sort by wasted time, evaluations, self time, hangs, or name.")
    var sort: StatsOrder = .wasted

    @OptionGroup var selection: ProcessOption

    @Option(name: .shortAndLong, help: ArgumentHelp("Update every so many seconds, 0.1 to 3600.", valueName: "seconds"))
    var interval: Double = 1

    func validate() throws {
        guard (0.1...3_600).contains(interval) else {
            throw ValidationError("--interval takes 0.1 to 3600 seconds.")
        }
    }

    func run() async throws {
        let session = try Session.current()
        guard isatty(STDIN_FILENO) == 1, Console.output.isTerminal else {
            throw ToolFailure.usage(
                "top needs a terminal for its screen and keys.\n"
                    + "For a pipe or a file, use: rerenderctl stats --watch, or rerenderctl stats --json")
        }
        // Before the terminal changes, so that no signal can leave it changed.
        let pipe = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        try await TopLoop(session: session, order: sort, process: selection.process, seconds: interval).run(pipe)
    }
}
