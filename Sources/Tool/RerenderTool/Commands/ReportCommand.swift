// SPDX-License-Identifier: MIT
// `rerenderctl report`: summarizes a recording, without a daemon.

import RerenderBudgets
import RerenderDaemon
import ArgumentParser
import RerenderPresentation
import RerenderRecording
import RerenderToolBase
import RerenderTrace

/// Reports on a recording.
struct ReportCommand: ParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Summarize a recording: views, hangs, double evaluations, causes.",
        usage: """
            rerenderctl report <trace> [--process <pid or name>]
                               [--sort <sort>] [--limit <number>]
                               [--json | --format <format>] [--output <file>]
            rerenderctl report <trace> [--process <pid or name>] --html <file>
            """,
        discussion: """
            TRACE is the directory of an LTTng trace. Several traces below it are read
            together, in order of time. No daemon is needed. The table is that of
            `stats`, computed from the trace. If the cumulative counts in the trace show
            evaluations that it does not contain, because they came before it or were
            discarded, the report shows their number.

            A recording contains every instrumented app of the user; --process selects
            one.

            Formats:
              chrome  events for ui.perfetto.dev and profiler.firefox.com
              folded  stacks of views with their own nanoseconds, for flame graphs
              csv     the columns of stats --csv

            --html writes a page with a timeline, views by wasted time, causes, times
            and hangs. It is a single file and needs no network.

            Examples:
              rerenderctl report ~/lttng-traces/shop-20261121-101500
              rerenderctl report trace --html shop.html
              rerenderctl report trace --json | jq '.processes[].views[0].key'
              rerenderctl report trace --format chrome -o shop.json
              rerenderctl report trace --format folded | flamegraph.pl > shop.svg
            """)

    /// What `--format` takes.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case chrome, folded, csv
    }

    @Argument(help: ArgumentHelp("The directory of the recording.", valueName: "trace"))
    var trace: String

    @Option(
        name: .shortAndLong,
        help: "Sort views by evaluations, wasted time, self time, hangs, or name. (default: count)")
    var sort: StatsOrder?

    @OptionGroup var limitation: LimitOption

    @OptionGroup var selection: ProcessOption

    @Flag(help: "Print the views as JSON, in the format of the export.")
    var json = false

    @Option(help: "Write the recording in another format: chrome, folded or csv.")
    var format: Format?

    @Option(help: ArgumentHelp("Write a page for a browser to this file.", valueName: "file"))
    var html: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to this file.", valueName: "file"))
    var output: String?

    func validate() throws {
        if json, format != nil { throw ValidationError("Choose either --json or --format.") }
        if html != nil, json || format != nil || output != nil || limitation.limit != nil || sort != nil {
            throw ValidationError("--html allows no other option than --process.")
        }
        if json || format == .chrome || format == .folded, sort != nil || limitation.limit != nil {
            let form = json ? "--json" : "--format \(format?.rawValue ?? "")"
            throw ValidationError("\(form) contains everything: use --sort and --limit with the table or --format csv.")
        }
    }

    func run() throws {
        let output = try ReportOutput(path: html ?? output)
        do {
            try write(to: output)
            try output.finish()
        } catch {
            throw (error as? TraceError).map(ToolFailure.init) ?? error
        }
    }

    var inputs: [String] { [trace] }

    private var order: StatsOrder { sort ?? .count }

    private func write(to output: ReportOutput) throws {
        if html != nil { return try writePage(to: output) }
        switch format {
        case .chrome, .folded:
            let write = format == .chrome ? ChromeFormat.write : FoldedFormat.write
            try ProgressLine.during { try write(trace, selection.process, output.trace, $0) }
        case .csv: try output.write(csv(try report()))
        case nil where json: try output.write(Array(try report().export.json()) + [UInt8(ascii: "\n")])
        case nil: try show(try report(), on: output)
        }
    }

    private func writePage(to output: ReportOutput) throws {
        let tool = "rerenderctl \(RerenderVersion.current)"
        let read = try ProgressLine.during {
            try PageBuilder.read(path: trace, process: selection.process, tool: tool, progress: $0)
        }
        try PageHTML.write(read.page) { try output.write($0) }
    }

    private func report() throws -> TraceReport {
        try ProgressLine.during { try TraceReport.read(path: trace, process: selection.process, progress: $0) }
    }

    private func csv(_ report: TraceReport) -> [UInt8] {
        let rows = order.ranked(report.export.processes)
        let shown = rows.prefix(limitation.count(isTerminal: false) ?? rows.count)
        return Array(StatsCSV.text(shown).utf8)
    }

    private func show(_ report: TraceReport, on output: ReportOutput) throws {
        let limit = limitation.count(isTerminal: output.isTerminal)
        let screen = ReportScreen(report: report, path: trace, order: order, limit: limit)
        let lines = screen.lines(width: output.width, colours: output.colours)
        try output.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
