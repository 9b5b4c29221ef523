// SPDX-License-Identifier: MIT
// `rerenderctl stats`: shows the table of views.

import RerenderTrace
import ArgumentParser
import RerenderShow

/// Prints the totals of all views.
struct StatsCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show how often each view was evaluated, and why.",
        usage: """
            rerenderctl stats [<file>] [--sort <sort>] [--process <pid or name>]
                              [--limit <number>] [--all] [--sources]
                              [--json | --csv [--output <file>]]
            rerenderctl stats [<file>] --since <mark> ...
            rerenderctl stats [<file>] --from <mark> --to <mark> ...
            """,
        discussion: """
            First it says what costs most: hangs, then processor time and waste; at most
            three, with ! before a fault, · before what keeps a program busy without a
            known fault, and the command that tells more. A part of a core is processor
            time; ~ if it was shared out by the clock.

            Columns, as many as fit; a pipe gets those of 120 columns:
              PROCESS  if there are several
              KEY      the view: its label, or FILE:LINE of the probe
              RATE     evaluations in a second, since it counts
              COUNT    evaluations of its body
              WASTED   unnecessary evaluations and their share; ~ if inferred,
                       - if none are known
              SELF     total time in its bodies, without those inside of them
              HANGS    hangs of the main loop attributed to it, if any
              WHY      the most frequent reason, its share, and
                       ← the most frequent writer; ~ if found by comparing values
            and, where --columns has them, as in --columns count,avg,why:
              ID       what names the view, as a key, while the daemon runs
              PASSES   those of COUNT that were further passes of one update
              INST     live instances
              COMMITS  updates that the framework committed
              WTIME    self time that the wasted ones took
              AVG P95 P99 MAX
                       time in the body (P95 and P99 up to 7 % too long);
                       yellow from 500 µs, red from 1 ms, if P95 is as long
              TOTAL    as SELF, with the bodies inside of them
              AGO      time since the latest evaluation
              PLACE    file and line of the probe

            Rows that only pass on what another row caused (child X, parent: X) are folded
            under that one: "layout (+12 parents)". Widgets that GTK drew a few times by
            itself stand under their window or class: "(+5 parts)". Those that were
            evaluated once are one line. --all shows all of these, as --json and --csv do.

            Below the views are the sources and handlers of main loops that took most:
              SOURCE   what is called: its function and place, or its name
              CALLS RATE
                       how often, and how often in a second
              CORE     the part of a core that it takes
              CPU MAX  its processor time, and its longest call by the clock

            FILE is an export, the directory of a recording, or `last`, the last run (see
            `history`). Without it the daemon is asked. Where none answers, the table shows
            the last run and says so; --json and --csv never do.

            To explain one view: rerenderctl explain KEY

            Examples:
              rerenderctl stats --sort wasted --limit 10
              rerenderctl stats --process shop
              rerenderctl stats --since "tap Add"
              rerenderctl stats trace --from 2s --to "tap Add"
              rerenderctl stats --json | jq '.processes[].views[0].key'
              rerenderctl stats --csv > views.csv
              rerenderctl stats last --sort time
            """)

    @OptionGroup var file: FileArgument

    @OptionGroup var options: StatsOptions

    @OptionGroup var since: MarkOption

    @Flag(help: "Show all sources and handlers of main loops instead of views.")
    var sources = false

    @Flag(help: "Print the export as JSON, unfolded: the answer of GET /v1/stats.")
    var json = false

    @Flag(help: "Print comma-separated values (RFC 4180), unfolded, with times in nanoseconds.")
    var csv = false

    @OptionGroup var output: OutputOption

    func validate() throws {
        if output.output != nil, !json, !csv { throw ValidationError("--output needs --json or --csv.") }
        if json, csv { throw ValidationError("Choose either --json or --csv.") }
        if sources, csv { throw ValidationError("--sources is a table: --json has the same in loop.rows.") }
    }

    func run() async throws {
        let example: ShellCommand = csv ? "rerenderctl stats last --csv" : "rerenderctl stats last --json"
        let source = try await source(example)
        if !sources { since.noteTimes(shown: json || csv ? ViewTable.columnNames : options.columns.names ?? []) }
        if json { return try await output.write(query, from: source.session.client) }
        if csv { return try await printCSV(source) }
        let table = TableSource(source: source, options: options, showsSources: sources, time: since.time)
        try Console.output.show(
            try await table.screen(limit: options.limitation.table).lines(
                width: Console.output.tableWidth, colours: Console.output.colours))
    }

    var inputs: [String] { file.inputs }

    private func source(_ example: ShellCommand) async throws -> StatsSource {
        if let marked = try await since.source(file: file.name, process: options.selection.process) { return marked }
        return try await StatsSource.find(
            file.name, for: json || csv ? .program(named: example) : .person, process: options.selection.process)
    }

    private var query: StatsQuery { options.query(limit: options.limitation.limit?.count) }

    private func printCSV(_ source: StatsSource) async throws {
        let export = try await source.session.client.export(query)
        _ = await SymbolHelp.prepare(export.processes)
        let text = StatsCSV.text(options.order.ranked(export.processes, export.verdict))
        try output.write(Array(text.text.utf8))
        if export.processes.isEmpty, source.saved == nil {
            try Console.error.show(Guidance.noProcess(off: SwitchState.place))
        }
    }
}
