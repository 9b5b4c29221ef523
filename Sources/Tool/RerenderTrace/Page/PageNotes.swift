// SPDX-License-Identifier: MIT
// Sentences on the page: what is missing, and where the timeline and the tables differ.

/// Says what the figures do not include.
enum PageNotes {
    /// What should be on the page and is not; empty where the trace is whole.
    static func missing(_ report: TraceReport, _ timeline: PageBuilder) -> [String] {
        let before = report.missing.reduce(0) { $0 &+ $1.before }
        let between = report.missing.reduce(0) { $0 &+ $1.between }
        let notes: [(UInt64, String)] = [
            (before, "\(evaluations(before)) came before the trace: \(byCounts)"),
            (between, "\(evaluations(between)) are missing in between: \(byCounts)"),
            (
                report.discarded.count,
                "\(text(report.discarded.count)) event\(report.discarded.count == 1 ? "" : "s") were discarded: the tracer had no room."
            ),
            (
                report.discarded.uncounted,
                "The tracer discarded events without counting them \(times(report.discarded.uncounted))."
            ),
            (
                report.beforeReset,
                "\(evaluations(report.beforeReset)) came before a reset of the counts: the timeline, the body times and "
                    + "the causes include them, no other figure does."
            ),
            (
                report.unended,
                "\(evaluations(report.unended)) began and have no end in the trace: no figure includes them."
            ),
            (
                report.unbegun,
                "\(evaluations(report.unbegun)) have no beginning in the trace: the timeline draws them from the "
                    + "duration that the app measured."
            ),
            (report.hangsForgotten, "\(text(report.hangsForgotten)) older hangs are not listed."),
            (timeline.evaluations.grouped, grouped(timeline.evaluations, "evaluations")),
            (timeline.turns.grouped, grouped(timeline.turns, "turns")),
            (
                timeline.withoutLane,
                "\(evaluations(timeline.withoutLane)) are not in the timeline: it has no rows for more views."
            ),
            (
                report.overflowed,
                "There was no room \(times(report.overflowed)) for another view, process, cause, instance or text."
            ),
        ]
        return notes.filter { $0.0 > 0 }.map(\.1)
    }

    private static let byCounts = "the views' own counts show this. No figure includes them."

    /// Where hangs come from.
    static func hangs(_ report: TraceReport) -> String {
        report.hasDaemon
            ? ""
            : "The recording has no hang from rerenderd: the hangs are turns of the main loop of 250 ms or more, "
                + "and what the main thread did is unknown."
    }

    /// Where the timeline's marks and the tables differ.
    static func timeline(_ page: ReportPage) -> String {
        let marked = page.evaluations.reduce(0) { $0 &+ $1.wasted }
        guard marked != page.totals.wasted else { return "" }
        return
            "The timeline marks \(evaluations(marked)) as wasted, the tables have \(text(page.totals.wasted)): where "
            + "events are missing or the counts were reset, it is unknown to which evaluation a commit refers."
    }

    private static func grouped(_ intervals: PageIntervals, _ what: String) -> String {
        "The timeline draws \(text(intervals.grouped)) of \(text(intervals.added)) \(what) in "
            + "\(text(UInt64(intervals.groups))) groups: short ones of a row within "
            + "\(text(intervals.groupWidth / 1_000)) µs are drawn as one. The figures are exact."
    }

    private static func evaluations(_ count: UInt64) -> String { "\(text(count)) evaluation\(count == 1 ? "" : "s")" }
    private static func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(text(count)) times" }

    /// A number with a comma before each three digits.
    private static func text(_ number: UInt64) -> String {
        let digits = Array(String(number))
        return String(
            digits.enumerated().flatMap { index, digit in
                index > 0 && (digits.count - index).isMultiple(of: 3) ? [",", digit] : [digit]
            })
    }
}
