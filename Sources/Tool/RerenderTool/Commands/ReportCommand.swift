// SPDX-License-Identifier: MIT
// `rerenderctl report`: summarizes a recording, without a daemon.

import RerenderModel
import ArgumentParser
import RerenderShow
import RerenderDaemon
import RerenderTrace

/// Reports on a recording.
struct ReportCommand: AsyncParsableCommand, TraceCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Summarize a recording: views, hangs and causes.",
        usage: """
            rerenderctl report [<file>] [--process <pid or name> | --all]
                               [--sort <sort>] [--limit <number>]
                               [--since <mark> | --from <time> --to <time>]
                               [--json | --format <format>] [--output <file>]
            rerenderctl report [<trace>] [--process <pid or name> | --all]
                               --html <file> [--compare <old>]
            """,
        discussion: """
            TRACE is the directory of an LTTng trace. Several traces below it are read
            together, in order of time. Without it, the newest one is read that `record`
            put into ~/lttng-traces, or else the last run (see `history`). FILE may also
            be an export or `last`, which have no events. With --json or --format, name
            one. No daemon is needed.

            The table is that of `stats`, computed from the trace. If the cumulative
            counts in the trace show evaluations that it does not contain, because they
            came before it or were discarded, the report shows their number.

            A recording contains every instrumented app of the user. Of a command's, only
            the command's processes are shown; --all shows the rest, and --process one.

            Formats:
              chrome   events for ui.perfetto.dev and profiler.firefox.com
              folded   stacks of views with their own nanoseconds, for flame graphs
              sysprof  marks and counters for Sysprof, beside those of GTK
              csv      the columns of stats --csv

            With --since, --from or --to, all but the page have what happened in that
            time: from a mark (see `mark`), from seconds after the recording's beginning,
            such as 2.5s, or from a time in ISO 8601.

            --html writes a page with a timeline, views by cost, causes, times and hangs,
            and says how to open it. It is a single file and needs no network.

            Examples:
              rerenderctl report ~/lttng-traces/rerender-20261121-101500
              rerenderctl report trace --html shop.html
              rerenderctl report trace --from "tap Add" --to 12s
              rerenderctl report trace --json | jq '.processes[].views[0].key'
              rerenderctl report trace --format chrome -o shop.json
              rerenderctl report trace --format folded | flamegraph.pl > shop.svg
              rerenderctl report trace --format sysprof -o shop.syscap
            """)

    /// Reads a recording of these processes with these names, in a time, and writes it.
    typealias TraceWriter = (
        String, TraceProcesses?, TraceWindow?, [Int32: String], TraceOutput, ((TraceProgress) -> Void)?
    ) throws -> Void

    /// What `--format` takes.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case chrome, folded, sysprof, csv

        /// What writes a recording's events; nil for a table of its counts.
        var write: TraceWriter? {
            switch self {
            case .chrome: ChromeFormat.write
            case .folded: FoldedFormat.write
            case .sysprof: SysprofFormat.write
            case .csv: nil
            }
        }
    }

    @Argument(
        help: ArgumentHelp("The directory of the recording, an export, or last or last~N.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        name: .shortAndLong,
        help: "Sort views by cost, evaluations, wasted time, self time, hangs, or name. (default: cost)")
    var sort: StatsOrder?

    @OptionGroup var limitation: LimitOption

    @OptionGroup var columns: ColumnsOption

    @OptionGroup var selection: ProcessOption

    @OptionGroup var since: MarkOption

    @Flag(help: "Show every process of the recording, and not only its command's, and every row of the table.")
    var all = false

    @Flag(help: "Print the views as JSON, in the format of the export.")
    var json = false

    @Option(help: "Write the recording in another format: chrome, folded, sysprof or csv.")
    var format: Format?

    @Option(help: ArgumentHelp("Write a page for a browser to this file.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("Put this older recording beside it on the page.", valueName: "old"))
    var compare: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file.", valueName: "file"), completion: .file())
    var output: String?

    func validate() throws {
        if all, selection.process != nil { throw ValidationError("Choose either --all or --process.") }
        if json, format != nil { throw ValidationError("Choose either --json or --format.") }
        if html != nil, json || format != nil || output != nil || limitation.limit != nil || sort != nil {
            throw ValidationError("--html allows no other options than --process, --all and --compare.")
        }
        if since.isGiven, html != nil {
            throw ValidationError("--since, --from and --to are not for a page: choose the time on its timeline.")
        }
        if html == nil, compare != nil { throw ValidationError("--compare needs --html.") }
        if format == .sysprof, output == nil {
            throw ValidationError("--format sysprof is no text: name a file with --output, or - for standard output.")
        }
        if json || format?.write != nil, sort != nil || limitation.limit != nil {
            let form = json ? "--json" : "--format \(format?.rawValue ?? "")"
            throw ValidationError("\(form) contains everything: use --sort and --limit with the table or --format csv.")
        }
    }

    func run() async throws {
        let place = try ReportPlace.find(file, isForPeople: !json && format == nil)
        let output = try ReportOutput(path: html ?? output)
        if let note = place.note { FailureText.note("rerenderctl: \(note)") }
        var page: WrittenPage?
        if since.isGiven, format?.write == nil {
            since.noteTimes(shown: json || format == .csv ? ViewTable.columnNames : columns.names ?? [])
            let isOfAll = all || selection.process != nil
            try await write(try SavedStats.load(place.path, in: since, all: isOfAll), to: output)
        } else if place.isTrace, html != nil {
            page = try await writePage(place.path, to: output)
        } else if place.isTrace {
            try await write(place.path, to: output)
        } else {
            try await write(SavedStats(try ExportFile(path: place.path).read(), name: file), to: output)
        }
        try output.finish()
        if let page, let html { try page.say(path: html) }
    }

    var inputs: [String] {
        [(try? ReportPlace.find(file, isForPeople: true))?.path, compare].compactMap(\.self)
    }

    private var order: StatsOrder { sort ?? ToolSettings.current.sort ?? .cost }

    // MARK: Recordings

    /// Which processes are shown: the one that was asked for, or else those of the recorded command.
    private func processes(_ trace: String) -> (wanted: TraceProcesses?, command: RecordedCommand?) {
        if let process = selection.process { return (.named(process), nil) }
        guard !all, let command = RecordedCommand.read(in: trace) else { return (nil, nil) }
        return (.numbered(command.pids), command)
    }

    private func write(_ trace: String, to output: ReportOutput) async throws {
        if let write = format?.write {
            let names = RecordedCommand.read(in: trace)?.names ?? [:]
            let (wanted, command) = processes(trace)
            // Its signposts are events, and nothing tells which processes were its.
            let uncounted = command.flatMap { $0.isUncounted ? $0.uncounted(others: 0) : nil }
            if let uncounted { FailureText.note("\(uncounted) Events of all processes are written.") }
            let window =
                since.isGiven ? try RecordedSpan.window(of: trace, from: since.from, to: since.span.to) : nil
            try ProgressLine.reading(trace) {
                try write(trace, uncounted == nil ? wanted : nil, window, names, output.trace, $0)
            }
            return
        }
        switch format {
        case .csv: try output.write(csv(try await export(trace)))
        case _ where json: try await writeJSON(try await export(trace), to: output)
        default: try await show(trace, on: output)
        }
    }

    private func writePage(_ trace: String, to output: ReportOutput) async throws -> WrittenPage {
        var page = try await readPage(trace)
        if let compare { page.compare(with: try await readPage(compare)) }
        var written = WrittenPage(evaluations: page.totals.evaluations)
        try ProgressLine.during("writing the page") { line in
            try PageHTML.write(page) {
                try output.write($0)
                written.bytes += UInt64($0.count)
                line.show("writing the page: \(ByteText.short(written.bytes))")
            }
        }
        return written
    }

    private func readPage(_ trace: String) async throws -> ReportPage {
        let (wanted, command) = processes(trace)
        let recording = try ProgressLine.reading(trace) {
            try PageBuilder.read(path: trace, process: wanted, progress: $0)
        }
        // The page's texts are made readable once, where they are put into it.
        await SymbolHelp.learn(names(in: recording.report))
        var page = recording.page(tool: "rerenderctl \(RerenderVersion.current)", advice: AdviceText.ofViews)
        if let command, command.isUncounted {
            let all = try ProgressLine.reading(trace) { try TraceReport.read(path: trace, progress: $0) }
            // Without an event, the page knows no time.
            page.recordedAt = all.began.iso8601
            page.durationNanoseconds = all.ended.nanosecondsSince1970.nanoseconds(
                since: all.began.nanosecondsSince1970)
            page.missing.insert(command.uncounted(others: all.counted), at: 0)
        }
        return page
    }

    private func names(in report: TraceReport) -> [String] {
        NameTexts.all(report.export.processes, report.hangs)
            + report.causes.flatMap(\.causes).flatMap(\.writers).map(\.writer)
    }

    /// The report of the wanted processes, or of none with the sentence that says so.
    private func report(_ trace: String) async throws -> (report: TraceReport, nothing: String?) {
        let (wanted, command) = processes(trace)
        let uncounted = command.flatMap { $0.isUncounted ? $0 : nil }
        var report = try ProgressLine.reading(trace) {
            try TraceReport.read(path: trace, process: uncounted == nil ? wanted : nil, progress: $0)
        }
        let nothing = uncounted?.uncounted(others: report.counted)
        if nothing != nil { report.leaveNone() }
        await SymbolHelp.learn(names(in: report))
        return (report, nothing)
    }

    /// The export for a file; what is missing goes beside it.
    private func export(_ trace: String) async throws -> StatsExport {
        let (report, nothing) = try await report(trace)
        if let nothing { FailureText.note(nothing) }
        return report.export
    }

    private func writeJSON(_ export: StatsExport, to output: ReportOutput) async throws {
        try output.write(await SymbolHelp.named(Array(try export.json())) + [UInt8(ascii: "\n")])
    }

    private func csv(_ export: StatsExport) -> [UInt8] {
        let rows = order.ranked(export.processes)
        let shown = rows.prefix(limitation.file ?? rows.count)
        return Array(StatsCSV.text(shown).text.utf8)
    }

    private func show(_ trace: String, on output: ReportOutput) async throws {
        let limit = output.isFile ? limitation.file : limitation.table
        let (report, nothing) = try await report(trace)
        if let nothing { return try write(Wrap.lines(nothing, width: output.width), to: output) }
        var screen = ReportScreen(report: report, path: trace, order: order, limit: limit)
        (screen.columns, screen.showsAll) = (columns.names, all)
        try write(screen.lines(width: output.width, colours: output.colours), to: output)
        guard let command = processes(trace).command else { return }
        FailureText.note("Only processes of \(command.title) are shown; --all shows every process of the recording.")
    }

    // MARK: Exports

    private func write(_ saved: SavedStats, to output: ReportOutput) async throws {
        if html != nil || format?.write != nil {
            throw ToolFailure(
                ExitStatus.unreadable, "an export has counts and no events.\nRecord them: rerenderctl record -- CMD")
        }
        var shown = saved.export
        shown.processes.removeAll { !selection.choice.fits($0) }
        guard !shown.processes.isEmpty || selection.process == nil else {
            throw selection.choice.fitsNone(of: saved.export.processes, list: "rerenderctl stats FILE --json")
        }
        shown.verdict = saved.verdict(of: shown.processes)
        let pids = Set(shown.processes.map(\.pid))
        let hangs = (saved.hangs ?? []).filter { pids.contains($0.pid) }
        if json { return try await writeJSON(shown, to: output) }
        let names = await SymbolHelp.prepare(shown.processes, hangs)
        if format == .csv { return try output.write(csv(shown)) }
        var screen = StatsScreen(
            export: shown, health: nil, order: order, limit: output.isFile ? limitation.file : limitation.table)
        screen.shortfalls = saved.gaps
        (screen.columns, screen.names, screen.showsAll) = (columns.names, names, all)
        try write(screen.lines(width: output.width, colours: output.colours), to: output)
        guard !hangs.isEmpty else { return }
        let list = HangsScreen(hangs: hangs, stores: [], health: HealthReport())
        try write([""] + list.lines(width: output.width, colours: output.colours), to: output)
    }

    private func write(_ lines: [String], to output: ReportOutput) throws {
        try output.write(Array(lines.map { $0 + "\n" }.joined().utf8))
    }
}
