// SPDX-License-Identifier: MIT
// The output of `rerenderctl report`: verdict, summary, table, hangs, double evaluations, causes.

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

    package init(report: TraceReport, path: String, order: StatsOrder, limit: Int?) {
        (self.report, self.path, self.order, self.limit) = (report, path, order, limit)
    }

    /// Hangs and turns that are shown; the JSON of `hangs` and the HTML page have more.
    private static let shownHangs = 10
    private static let shownTurns = 10

    package func lines(width: Int, colours: Bool) -> [String] {
        let summary = (report.export.verdict?.lines ?? []) + ReportSummary(report: report, path: path).lines
        let sections = [hangs, doubles, CauseTree(report: report).lines].filter { !$0.isEmpty }
        var lines = HangsScreen.fit(summary, width: width, colours: colours) + [""] + table(width, colours)
        for section in sections { lines += [""] + HangsScreen.fit(section, width: width, colours: colours) }
        return lines
    }

    private func table(_ width: Int, _ colours: Bool) -> [String] {
        let ranked = order.ranked(report.export.processes)
        guard !ranked.isEmpty else { return ["No evaluation was recorded."] }
        let rows = Array(ranked.prefix(limit ?? ranked.count))
        let table = ViewTable(
            order: order, stores: report.export.processes, rows: rows, now: report.export.generatedAt,
            columns: columns)
        let lines = table.lines(width: width, colours: colours)
        guard rows.count < ranked.count else { return lines }
        return lines + Wrap.lines(StatsScreen.more(rows.count, of: ranked.count), width: width)
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
        return lines + StyledLine.rest(all - Self.shownHangs, "older hang", indent: 2)
    }

    private var doubles: [StyledLine] {
        guard report.doubleTurns > 0 else { return [] }
        let title =
            "\(Counted.text(report.doubleTurns, "turn")) with double evaluations "
            + "(\(Counted.text(report.doubleEvaluations, "evaluation")) of an instance already evaluated in it)"
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
            + StyledLine.rest(Int(clamping: report.doubleTurns) - shown.count, "turn", indent: 2, " with fewer")
    }
}
