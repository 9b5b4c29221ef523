// SPDX-License-Identifier: MIT
// The output of `rerenderctl report`: verdict, summary, table, hangs, double evaluations, and the tree of causes.

package import RerenderShow
package import RerenderTrace

/// Everything that `report` shows, as lines that fit a width.
package struct ReportScreen: Sendable {
    package let report: TraceReport
    package let path: String
    package let order: StatsOrder
    /// How many views to show; nil for all.
    package let limit: Int?
    /// The columns of the table; nil for those that fit.
    package var columns: [String]?
    /// Whether rows are shown that only pass on, or were evaluated once.
    package var showsAll = false

    package init(report: TraceReport, path: String, order: StatsOrder, limit: Int?) {
        (self.report, self.path, self.order, self.limit) = (report, path, order, limit)
    }

    /// Hangs and turns that are shown; the JSON of `hangs` and the HTML page have more.
    private static let shownHangs = 10
    private static let shownTurns = 10

    package func lines(width: Int, colours: Bool) -> [String] {
        let loops = LoopNotes.lines(report.export.processes).map { TableNote(.loops, StyledLine(text: $0)) }
        let summary = TableNote.verdict(report.export.verdict) + ReportSummary(report: report, path: path).notes + loops
        let above = TableNote.lines(summary, all: showsAll, width: width)
        let sources = LoopRowTable.lines(
            report.export.processes, limit: LoopRowTable.few, width: width, colours: colours)
        let sections = [hangs, doubles, CauseTree(report: report).lines].filter { !$0.isEmpty }
        var lines = above.map { $0.style.apply($0.text, colours: colours) } + [""] + table(width, colours)
        if !sources.isEmpty { lines += [""] + sources }
        for section in sections { lines += [""] + HangsScreen.fit(section, width: width, colours: colours) }
        return lines
    }

    private func table(_ width: Int, _ colours: Bool) -> [String] {
        let ranked = order.ranked(report.export.processes, report.export.verdict)
        guard !ranked.isEmpty else { return empty.flatMap { Wrap.lines($0, width: width) } }
        let folded = FoldedRows(ranked, isOn: !showsAll)
        let rows = Array(folded.rows.prefix(limit ?? folded.rows.count))
        let table = ViewTable(
            order: order, stores: report.export.processes, rows: rows, now: report.export.generatedAt,
            columns: columns)
        let isCut = rows.count < folded.rows.count
        let below = [
            isCut ? StatsScreen.more(rows.count, of: folded.rows.count, report.words.noun) : nil,
            folded.line(isWhole: true, how: "--all"),
        ].compactMap(\.self)
        return table.lines(width: width, colours: colours)
            + below.flatMap { Wrap.lines($0, width: width, indent: 2) }
    }

    /// That nothing was evaluated, and why, as far as the recording says it.
    private var empty: [String] {
        let stores = report.export.processes
        let others = report.events - min(report.events, report.otherEvents)
        let why =
            if report.discarded.count > 0 || report.discarded.uncounted > 0 {
                "The tracer discarded events, which may be those of evaluations."
            } else if report.events == 0 {
                "It has no event of these processes; --all shows those of all processes."
            } else if others == 0 {
                "All its events are of other providers; see --format chrome."
            } else if !stores.isEmpty, stores.allSatisfy({ $0.kind == .loop }) {
                "Its processes have main loops and no views."
            } else {
                "Nothing was evaluated, or the session has no events com.rerender.BodyEval, or a filter left them out."
            }
        return ["No \(report.words.event) was recorded.", why]
    }

    private var hangs: [StyledLine] {
        guard !report.hangs.isEmpty else { return [] }
        let all = report.hangs.count + Int(clamping: report.hangsForgotten)
        let least = HangThreshold.hangMilliseconds
        let source = report.hasDaemon ? "" : " (turns of \(least) ms or more; rerenderd's hangs were not recorded)"
        var lines = [StyledLine(text: "\(Counted.text(all, "hang"))\(source)", style: .bold)]
        for hang in report.hangs.prefix(Self.shownHangs) {
            lines += HangText(hang: hang, now: report.ended).lines(indent: 2, rest: 6)
        }
        let list = "; listed by: rerenderctl hangs \(ShellCommand.path(path)) --limit \(report.hangs.count)"
        return lines + StyledLine.rest(all - Self.shownHangs, "older hang", indent: 2, list)
    }

    private var doubles: [StyledLine] {
        guard report.doubleTurns > 0 else { return [] }
        let title =
            "\(Counted.text(report.doubleTurns, "turn")) with double \(report.words.event)s "
            + "(\(report.words.events(report.doubleEvaluations)) of an instance already \(report.words.participle) in it)"
        let shown = report.worstDoubleTurns.prefix(Self.shownTurns).map { turn in
            let views = turn.views.map { view in
                "\(report.key(of: view)?.displayName ?? "?") +\(Counted.grouped(view.again))"
            }
            let offset = turn.nanoseconds.nanoseconds(since: report.began.nanosecondsSince1970)
            let time = DurationText.short(offset)
            return StyledLine(
                text: "  turn \(turn.turn) of pid \(turn.pid) at \(time): \(views.joined(separator: ", "))")
        }
        return [StyledLine(text: title, style: .bold)] + shown
            + StyledLine.rest(
                Int(clamping: report.doubleTurns) - shown.count, "turn", indent: 2, " with fewer; see --html")
    }
}

/// The lines above a report's table.
struct ReportSummary: Sendable {
    let report: TraceReport
    let path: String

    /// Views with missing evaluations that are listed by themselves.
    private static let listed = 8

    var notes: [TableNote] {
        let parts: [(TableNote.Rank, [StyledLine])] = [
            (.subject, [recording] + processes), (.others, remarks), (.missing, warnings),
        ]
        return parts.flatMap { rank, lines in lines.map { TableNote(rank, $0) } }
    }

    private var recording: StyledLine {
        let duration = report.ended.nanosecondsSince1970.nanoseconds(since: report.began.nanosecondsSince1970)
        let traces = report.traces > 1 ? " in \(report.traces) traces" : ""
        let evaluations = report.export.processes.reduce(UInt64(0)) { sum, store in
            store.views.reduce(sum) { $0 &+ $1.count }
        }
        let text =
            "\(Printable.text(path)): \(DurationText.short(duration)) "
            + "from \(LocalTime.text(report.began)), "
            + "\(Counted.text(report.processes, "process", "processes")), \(Counted.text(report.events, "event"))\(traces); "
            + report.words.events(evaluations)
        return StyledLine(text: text)
    }

    private var processes: [StyledLine] {
        // A store of a main loop alone has no views.
        let stores = report.export.processes.filter { $0.kind != .loop }
        let labels = StoreLabels(stores)
        let listed = stores.sorted { $0.evaluations > $1.evaluations }.prefix(Self.listed).map { store in
            let seen = store.views.reduce(UInt64(0)) { $0 &+ $1.count }
            let words = StoreWords(store.kind)
            return StyledLine(
                text: "\(labels.full(store)): \(words.events(seen)) of \(Counted.text(store.views.count, words.noun))")
        }
        guard stores.count > listed.count else { return Array(listed) }
        return listed + [
            StyledLine(
                text: Counted.rest(stores.count - listed.count, "store", see: "--process NAME"),
                style: .dim)
        ]
    }

    private var remarks: [StyledLine] {
        let notes = [
            count(report.otherEvents, "event", "of other providers; see --format chrome"),
            count(report.beforeReset, report.words.event, "before a reset, not in the table"),
            have(report.unended, "no end in the trace: no figure includes them"),
            have(report.unbegun, "no beginning in the trace: places in the source are only known from beginnings"),
        ]
        return notes.compactMap { $0 }.map { StyledLine(text: $0, style: .dim) }
    }

    private var warnings: [StyledLine] {
        let warnings = [
            report.mergesProcesses
                ? "this recording does not tell processes apart: lttng add-context -u -t vpid -t vtid -t procname"
                : nil,
            count(
                report.discarded.count, "event",
                "DISCARDED by the tracer because its buffers were full: "
                    + "record with larger or more sub-buffers (lttng enable-channel --subbuf-size, --num-subbuf)"),
            count(report.discarded.uncounted, "range", "the tracer discarded an unknown number of events").map {
                "in " + $0
            },
            missing,
            count(
                report.overflowed, "time", "a limit on views, processes, causes, instances or texts was reached"),
        ]
        return warnings.compactMap { $0 }.map { StyledLine(text: "! " + $0, style: .bad) }
    }

    /// A number with what it is of; nil for none.
    private func count(_ number: UInt64, _ noun: String, _ rest: String) -> String? {
        number > 0 ? "\(Counted.text(number, noun)) \(rest)" : nil
    }

    private func have(_ number: UInt64, _ rest: String) -> String? {
        count(number, report.words.event, (number == 1 ? "has " : "have ") + rest)
    }

    private var missing: String? {
        guard !report.missing.isEmpty else { return nil }
        let before = report.missing.reduce(UInt64(0)) { $0 &+ $1.before }
        let between = report.missing.reduce(UInt64(0)) { $0 &+ $1.between }
        let parts = [
            before > 0 ? "\(Counted.grouped(before)) before the first event of their \(report.words.noun)" : nil,
            between > 0 ? "\(Counted.grouped(between)) between" : nil,
        ].compactMap { $0 }
        let views = report.missing.prefix(Self.listed).map { view in
            "\(view.key.displayName) \(Counted.grouped(view.before &+ view.between))"
        }
        let more = report.missing.count - views.count
        let rest = more > 0 ? ", \(Counted.text(more, "more \(report.words.noun)"))" : ""
        let hasAll = report.discarded.count == 0 && report.discarded.uncounted == 0
        let why =
            between > 0 && hasAll
            ? "; the tracer discarded none: a filter left them out, or the session was stopped meanwhile" : ""
        return
            "\(report.words.events(before &+ between)) MISSING FROM THE TRACE according to the \(report.words.noun)s' own counts "
            + "(\(parts.joined(separator: ", "))); they are not in the table: \(views.joined(separator: ", "))\(rest)\(why)"
    }
}

/// Draws causes with the views that they reached.
struct CauseTree: Sendable {
    let report: TraceReport

    private static let shownCauses = 12
    private static let shownViews = 8
    private static let shownWriters = 3
    private static let depth = 6

    var lines: [StyledLine] {
        let several = report.causes.count > 1
        let trees = report.causes.flatMap { process in
            (several ? [StyledLine(text: "  \(Printable.text(process.process))[\(process.pid)]")] : [])
                + process.causes.prefix(Self.shownCauses).flatMap { cause($0) }
                + StyledLine.rest(process.causes.count - Self.shownCauses, "more cause", indent: 2, "; see --html")
        }
        guard !trees.isEmpty else { return [] }
        let writes =
            report.writeCount > 0 ? " (\(Counted.text(report.writeCount, "write")) that invalidated views)" : ""
        return [StyledLine(text: "Causes\(writes)", style: .bold)] + trees
    }

    private func cause(_ cause: CauseNode) -> [StyledLine] {
        let writers = cause.writers.prefix(Self.shownWriters).map { writer in
            StyledLine(
                text: "      ← \(Printable.text(writer.writer)), \(Counted.text(writer.count, "write"))", style: .dim)
        }
        return [StyledLine(text: "  \(Printable.text(cause.text)): \(report.words.events(cause.evaluations))")]
            + writers
            + StyledLine.rest(cause.writers.count - Self.shownWriters, "more writer", indent: 6, "; see --html")
            + views(cause.views, level: 1)
    }

    private func views(_ views: [CauseNode], level: Int) -> [StyledLine] {
        let indent = String(repeating: " ", count: 2 + 2 * level)
        guard level <= Self.depth else {
            return StyledLine.rest(views.count, "more view", indent: indent.count, " in it; see --html")
        }
        return views.prefix(Self.shownViews).flatMap { view in
            [StyledLine(text: "\(indent)→ \(Printable.text(view.text)) \(Counted.grouped(view.evaluations))")]
                + self.views(view.views, level: level + 1)
        }
            + StyledLine.rest(
                views.count - Self.shownViews, "more \(report.words.noun)", indent: indent.count, "; see --html")
    }
}

extension TraceReport {
    /// The words for what was recorded.
    fileprivate var words: StoreWords { StoreWords(export.processes) }
}

extension StyledLine {
    /// Says how many of a list are not shown; nothing for none.
    static func rest(_ number: Int, _ noun: String, indent: Int, _ end: String = "") -> [StyledLine] {
        guard number > 0 else { return [] }
        let blanks = String(repeating: " ", count: indent)
        return [StyledLine(text: "\(blanks)… and \(Counted.text(number, noun))\(end)", style: .dim)]
    }
}

// Writes a report to standard output or to a file, and shows how far the reading of the recording is.

/// Standard output or a file.
package struct ReportOutput: Sendable {
    private let file: AtomicFile?

    /// Throws ``ToolFailure`` where the file cannot be made. `-` is standard output.
    package init(path: String?) throws {
        file = try (path == "-" ? nil : path).map { path throws(ToolFailure) in try AtomicFile(path: path) }
    }

    package var isFile: Bool { file != nil }
    package var colours: Bool { file == nil && Console.output.colours }
    /// A file has no width: long names are not cut there.
    package var width: Int { file == nil ? Console.output.tableWidth : TerminalSize.unlimitedColumns }

    /// The same for a format that is written while the trace is read.
    package var trace: TraceOutput { TraceOutput { try write($0) } }

    package func write(_ bytes: [UInt8]) throws {
        if let file { try file.write(bytes) } else { try OutputStream.standardOutput.write(bytes) }
    }

    package func finish() throws { try file?.commit() }
}

extension ProgressLine {
    /// Reads the recording at `path`; the work reports how far it is. Throws a ``ToolFailure`` where it cannot be read.
    package static func reading<Result>(
        _ path: String, _ work: (@escaping (TraceProgress) -> Void) throws -> Result
    ) throws -> Result {
        do {
            return try during("reading \(Printable.text(path))") { line in
                var began: Int64?
                return try work { progress in
                    let begin = began ?? progress.nanoseconds
                    began = begin
                    let (events, span) = (progress.events, UInt64(max(0, progress.nanoseconds - begin)))
                    line.show(
                        "reading: \(Counted.text(events, "event")), \(DurationText.short(span)) of the recording")
                }
            }
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
    }
}
