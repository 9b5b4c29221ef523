// SPDX-License-Identifier: MIT
// `rerenderctl top`: the live screen.

import ArgumentParser
import Glibc
import RerenderModel
import RerenderPresentation
import RerenderToolBase
import RerenderTop

/// Shows the views of all processes, live.
struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch all views live: ranked, with rates, waste, causes and hangs.",
        usage: """
            rerenderctl top [--sort <sort>] [--process <pid or name>]
                            [--interval <seconds>]
            """,
        discussion: """
            Rows that are fine are dim; ! stands before those that need attention.
            Enter opens a row and says why the view was evaluated, who writes what it
            reads, what was wasted, and what helps. The keys:
              Up Down PgUp PgDn Home End   select a row; so do the wheel and a click
              Enter   open the row, or close it     Esc  close it; end the filter
              s       sort by something else        /    show only some keys
              p       pulse the view in its app     r    reset all counts
              c C     copy the row, everything      x    export to a file here
              Space   pause                         -    only the title line
              ?       help                          q    quit

            The daemon is asked for what the screen shows; apps are not asked at all.
            A daemon that is not there is waited for.

            Examples:
              rerenderctl top
              rerenderctl top --sort time --process shop
              rerenderctl top --interval 0.5
            """)

    @Option(name: .shortAndLong, help: "Rank by wasted time, evaluations, body time, hangs, or by name.")
    var sort: StatsOrder = .wasted

    @OptionGroup var selection: ProcessOption

    @Option(name: .shortAndLong, help: ArgumentHelp("Seconds between two samples, 0.1 to 3600.", valueName: "seconds"))
    var interval: Double = 1

    func validate() throws {
        guard (0.1...3_600).contains(interval) else {
            throw ValidationError("--interval takes seconds, from 0.1 to 3600")
        }
    }

    func run() async throws {
        let session = try Session.current()
        guard isatty(STDIN_FILENO) == 1, Console.output.isTerminal else {
            throw ToolFailure.usage(
                "top needs a terminal to show its screen on and to read keys from.\n"
                    + "For a pipe or a file: rerenderctl stats --watch, or rerenderctl stats --json")
        }
        // Before the terminal is taken over, so that there is no moment in which a signal would leave it so.
        let pipe = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        try await TopLoop(session: session, order: sort, process: selection.process, seconds: interval).run(pipe)
    }
}
