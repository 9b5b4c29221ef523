// SPDX-License-Identifier: MIT
// Texts of the page: notes on missing data, and the escaping of text of unknown origin.

internal import RerenderModel

/// Says what the figures do not include.
enum PageNotes {
    /// What should be on the page and is not; empty where the trace is whole.
    static func missing(_ report: TraceReport, _ timeline: PageBuilder) -> [String] {
        let before = report.missing.reduce(0) { $0 &+ $1.before }
        let between = report.missing.reduce(0) { $0 &+ $1.between }
        let words = StoreWords(report.export.processes)
        let (event, byCounts) = (words.event, "the \(words.noun)s' own counts show this. No figure includes them.")
        let notes = [
            report.mergesProcesses
                ? "The recording does not tell processes apart. Record with: lttng add-context -u -t vpid -t vtid -t procname"
                : nil,
            note(before, of: event, "came before the trace: \(byCounts)"),
            note(between, of: event, "are missing in between: \(byCounts)"),
            note(report.discarded.count, of: "event", "were discarded: the tracer had no room."),
            times(report.discarded.uncounted).map { "The tracer discarded events without counting them \($0)." },
            note(
                report.beforeReset, of: event,
                "came before a reset of the counts: the timeline, the times and the causes include them, no other "
                    + "figure does."),
            note(report.unended, of: event, "began and have no end in the trace: no figure includes them."),
            note(
                report.unbegun, of: event,
                "have no beginning in the trace: the timeline draws them from the duration that the app measured."),
            report.hangsForgotten > 0 ? "\(text(report.hangsForgotten)) older hangs are not listed." : nil,
            grouped(timeline.evaluations, event + "s"), grouped(timeline.turns, "turns"),
            grouped(timeline.writes, "writes"),
            note(timeline.withoutLane, of: event, "are not in the timeline: it has no rows for more \(words.noun)s."),
            times(report.overflowed).map {
                "There was no room \($0) for another view, process, cause, instance or text."
            },
        ]
        return notes.compactMap { $0 }
    }

    /// So many evaluations, and what is with them; nil for none.
    private static func note(_ count: UInt64, of noun: String, _ rest: String) -> String? {
        count > 0 ? "\(text(count)) \(noun)\(count == 1 ? "" : "s") \(rest)" : nil
    }

    /// Where hangs come from.
    static func hangs(_ report: TraceReport) -> String {
        report.hasDaemon
            ? ""
            : "The recording has no hang from rerenderd: the hangs are turns of the main loop of "
                + "\(HangThreshold.hangMilliseconds) ms or more, and what the main thread did is unknown."
    }

    /// Where the timeline's marks and the tables differ.
    static func timeline(_ page: ReportPage) -> String {
        let marked = page.evaluations.reduce(0) { $0 &+ $1.wasted }
        guard marked != page.totals.wasted else { return "" }
        let event = StoreWords(areWidgets: page.areWidgets).event
        return
            "The timeline marks \(text(marked)) \(event)\(marked == 1 ? "" : "s") as wasted, the tables have "
            + "\(text(page.totals.wasted)): where events are missing or the counts were reset, it is unknown to which "
            + "\(event) a commit refers."
    }

    private static func grouped(_ intervals: PageIntervals, _ what: String) -> String? {
        let groups = intervals.groups
        guard groups.count > 0 else { return nil }
        return "The timeline draws \(text(groups.members)) of \(text(intervals.added)) \(what) in "
            + "\(text(groups.count)) groups: short ones of a row within "
            + "\(text(intervals.groupWidth / 1_000)) µs are drawn as one. The figures are exact."
    }

    private static func times(_ count: UInt64) -> String? {
        count > 1 ? "\(text(count)) times" : count == 1 ? "once" : nil
    }

    /// A number with a comma before each three digits.
    private static func text(_ number: UInt64) -> String {
        String(number).replacing(/\B(?=(?:[0-9]{3})+$)/, with: ",")
    }
}

/// Escapes data for a page; ``Markup`` escapes what is shown.
package enum PageText: Sendable {
    /// JSON that cannot end the element it stands in, whatever strings it holds.
    ///
    /// Only strings can hold these characters, and in strings they may be written as escapes.
    package static func script(json: some Sequence<UInt8>) -> [UInt8] {
        var safe: [UInt8] = []
        for byte in json {
            if "<>&".utf8.contains(byte) {
                safe += "\\u00\(String(byte, radix: 16))".utf8
            } else {
                safe.append(byte)
            }
        }
        return safe
    }
}

// What main loops did and called, for the page: the sentences, the order and the figures of `stats`, and the slowest interactions.

extension ReportPage {
    /// Takes over what stores told of their main loops, with so many sources and handlers at most.
    mutating func takeLoops(_ stores: [ProcessStats], limit: Int, _ places: inout PageViews) {
        mainLoops = LoopNotes.lines(stores) + InteractionText.lines(stores).map { MangledNames.readable($0) }
        let all = SourceRow.all(stores)
        sources = all.prefix(limit).map { Source($0, process: places.place(ofProcess: $0.store.pid)) }
        moreSources = all.count - sources.count
    }
}

extension ReportPage.Source {
    fileprivate init(_ source: SourceRow, process: Int) {
        let (row, numbers) = (source.row, source.row.numbers)
        self.init(process: process, kind: row.kind.rawValue, name: source.name)
        (calls, longest) = (row.calls, numbers.longest)
        (processor, isShared) = (numbers.processor, numbers.isShared != 0)
        rate = source.rate.map { ReportPage.Figure(value: $0, text: RateText.cell($0)) }
        core = source.share.map { ReportPage.Figure(value: $0.percent, text: $0.text) }
        thread = row.thread.map { Printable.text($0) }
    }
}
