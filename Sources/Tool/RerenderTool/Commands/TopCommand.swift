// SPDX-License-Identifier: MIT
// `rerenderctl top`: shows all views live, or what was saved in the same screen.

import ArgumentParser
import Glibc
import RerenderDaemon
import RerenderShow

/// Shows the views of all processes, live.
struct TopCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Show all views live, with keys to ask why.",
        usage: """
            rerenderctl top [<file>] [--sort <sort>] [--process <pid or name>]
                            [--interval <seconds>]
            """,
        discussion: """
            Tabs show views or widgets, hangs, processes, writers, what goes on without
            input with cycles, and sources and handlers. Rows that need attention start
            with !; all others are dim. On a tall screen the selected row is open.
            Enter opens a row: why the view was evaluated, what writes the values that it
            reads, what was wasted, and what helps. Keys:
              1 to 6, Tab, Shift-Tab       go to a tab
              Up Down PgUp PgDn Home End   select a row
              Enter   open or close the row         Esc  close it; clear the filter
              Left Right                   sort by the column before or after
              s       sort the other way round
              /       filter                        e    open the place in $EDITOR
              p       pulse the view in its app     f    flash what is drawn again
              x       export to a file here
              m       mark this moment; then: rerenderctl stats --since top
              r       count from now on, in this top alone; asks first
              u       undo r: show all counts again
              a       show all rows, or fold those that say nothing of their own
              -       show only the title line      Space  pause
              ?       help                          q    quit

            top asks the daemon only, never the apps, and waits for a daemon that is not
            running. When a command of `run` ends, top keeps its last numbers. To set the
            counts of the apps themselves to zero, use: rerenderctl reset

            With --process NAME, top attaches to a program that runs and is not counted,
            as `attach` does, and has it count no more when you quit.

            FILE is an export, the directory of a recording, or `last`, the last run (see
            `history`). Then the screen shows that, says so, and does not change.

            Examples:
              rerenderctl top
              rerenderctl top --sort rate --process shop
              rerenderctl top last
            """)

    @OptionGroup var file: FileArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Sort by cost, wasted time or its share, evaluations or their rate, self or average time, hangs, or a text. "
                + "(default: cost)"))
    var sort: LiveOrder?

    @OptionGroup var selection: ProcessOption

    @Option(name: .shortAndLong, help: ArgumentHelp("Update every so many seconds, 0.1 to 3600.", valueName: "seconds"))
    var interval: Double = 1

    var inputs: [String] { file.inputs }

    func validate() throws {
        guard (0.1...3_600).contains(interval) else {
            throw ValidationError("--interval takes 0.1 to 3600 seconds.")
        }
        if file.name != nil, sort?.order == .rate {
            throw ValidationError("--sort rate is of what runs: choose another column for a file.")
        }
    }

    func run() async throws {
        guard isatty(STDIN_FILENO) == 1, Console.output.isTerminal else {
            throw ToolFailure.usage(
                "top needs a terminal for its screen and keys.\n"
                    + "For a pipe or a file, use: rerenderctl stats, or rerenderctl stats --json")
        }
        if file.name == nil, let process = selection.process, let target = await LookCommand.uncounted(process) {
            return try await attach(to: target)
        }
        let source = try file.name.map { StatsSource(try SavedStats.load($0)) } ?? .daemon(process: selection.process)
        // Before the terminal changes, so that no signal can leave it changed.
        let pipe = try SignalPipe.open(Self.signals)
        let saved = source.saved.map { "\(Printable.text($0.name ?? "")): \($0.title)" }
        try await TopLoop(
            session: source.session, order: sort?.order ?? ToolSettings.current.sort ?? .cost,
            process: selection.process, seconds: interval,
            saved: saved, gaps: source.saved?.gaps ?? [],
            names: { await SymbolHelp.prepare($0, $1) }, edit: EditorCommand.open
        ).run(pipe).repeatIt()
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]

    /// Counts a program that runs for as long as the screen is shown.
    private func attach(to target: AttachTarget) async throws {
        let loading = try SignalPipe.open([SIGINT, SIGTERM, SIGHUP])
        let span = AttachSpan(target: target, duration: nil)
        var ending = TopLoop.Ending.quit
        try await span.run(loading) { attached, session in
            let pipe = try SignalPipe.open(Self.signals)
            ending = try await TopLoop(
                session: session, order: sort?.order ?? ToolSettings.current.sort ?? .cost,
                process: String(target.pid), seconds: interval, saved: nil, gaps: [],
                names: { await SymbolHelp.prepare($0, $1) }, edit: EditorCommand.open
            ).run(pipe)
            await span.leave(attached)
        }
        ending.repeatIt()
    }
}
