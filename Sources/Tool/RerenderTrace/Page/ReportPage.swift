// SPDX-License-Identifier: MIT
// The contents of a report's page: short lists as JSON, and the intervals. Every sum is the report's own.

package import RerenderModel

/// The contents of a report's page.
///
/// Texts are safe to show; durations are in nanoseconds, times in nanoseconds since the trace began. Numbers beyond 2⁵³
/// are not exact in a browser. Views, processes and threads are named by their places in these arrays.
package struct ReportPage: Encodable, Sendable {
    /// What was read: the recording's path.
    package var title: String
    /// When the trace began, for people.
    package var recordedAt: String
    /// The program that made the page.
    package var tool: String
    /// From the first event to the last.
    package var durationNanoseconds: UInt64
    /// Whether its views are widgets, which are drawn and not evaluated.
    package var areWidgets = false
    /// What costs most: the findings of the report's verdict, and how many there are besides.
    package var findings: [Finding] = []
    package var moreFindings: UInt64 = 0
    /// What is not on the page and should be; a sentence each.
    package var missing: [String] = []
    /// Sentences about the hangs and about the timeline's marks of waste; empty where there is nothing to say.
    package var hangsNote = ""
    package var timelineNote = ""
    package var totals = Totals()
    package var processes: [Process] = []
    /// Threads by their numbers of the kernel.
    package var threads: [Int32] = []
    /// The most expensive first, as the findings are ranked: time in hangs, then time wasted in each second.
    package var views: [View] = []
    /// The places of those that the table of views folds, as `report` does, and a text with their kinds; empty for none.
    package var folded: [Int] = []
    package var foldedText = ""
    /// Reasons of single evaluations, with a `~` before a guess, and what was written and by whom; 0 stands for no text.
    package var reasons: [String] = [""]
    package var causes: [Cause] = []
    package var parents: [Parent] = []
    package var hangs: [HangRow] = []
    /// What main loops did, as lines above a table; empty where the trace does not say. At most two for each of
    /// ``TraceLimits/toldStores``.
    package var mainLoops: [String] = []
    /// What main loops called, most processor time first, and how many rows there are besides.
    package var sources: [Source] = []
    package var moreSources = 0
    /// Turns in which an instance was evaluated more than once: the worst.
    package var doubles: [DoubleRow] = []
    /// Evaluations and turns in the order of their beginnings.
    package var evaluations = PackedIntervals()
    package var turns = PackedIntervals()
    /// Writes that invalidated views, at one moment each.
    package var writes = PackedIntervals()
    /// An older recording beside this one; nil without one.
    package var compared: PageComparison?
    /// Where each bucket of a histogram begins.
    package let buckets = PageHistogram.bounds
    /// The time from which ``evaluations`` and ``turns`` count.
    package var origin: Int64

    /// Gives, for all stores of a report, what helps against the costs of one of their views: a sentence each.
    package typealias Advice = ([ProcessStats]) -> (ProcessStats, Stats) -> [String]

    /// No advice at all.
    package static let noAdvice: @Sendable ([ProcessStats]) -> (ProcessStats, Stats) -> [String] = { _ in { _, _ in [] }
    }

    /// A finding of the verdict.
    package struct Finding: Encodable, Sendable {
        package var kind: Verdict.Kind
        package var text: String
        /// Its view; nil for none.
        package var view: Int?
    }

    /// Sums over everything in the trace.
    package struct Totals: Encodable, Sendable {
        package var evaluations: UInt64 = 0
        package var wasted: UInt64 = 0
        package var wastedNanoseconds: UInt64 = 0
        /// The part of ``wasted`` that is inferred from inputs, and not measured.
        package var inferred: UInt64 = 0
        package var inferredNanoseconds: UInt64 = 0
        /// The sum of the self times of all views.
        package var bodyNanoseconds: UInt64 = 0
        package var turns: UInt64 = 0
        /// Turns in which an instance was evaluated more than once, and all such evaluations beyond the first.
        package var doubleTurns: UInt64 = 0
        package var doubleEvaluations: UInt64 = 0
    }

    package struct Process: Encodable, Sendable {
        package var pid: Int32
        package var name: String
    }

    /// One view of one store.
    package struct View: Encodable, Sendable {
        package var key: String
        package var process: Int
        package var file = ""
        package var line: UInt32 = 0
        package var count: UInt64 = 0
        /// Further evaluations of one update.
        package var passes: UInt64 = 0
        package var wasted: UInt64 = 0
        package var wastedNanoseconds: UInt64 = 0
        /// The part of ``wasted`` that is inferred from inputs, and not measured.
        package var inferred: UInt64 = 0
        package var inferredNanoseconds: UInt64 = 0
        package var body = Timing()
        /// The sum of the self times.
        package var selfNanoseconds: UInt64 = 0
        package var hangs: UInt64 = 0
        /// The time in these, and how many of them the machine did not run the app for most of the time.
        package var hangNanoseconds: UInt64 = 0
        package var starvedHangs: UInt64 = 0
        /// Evaluations that were not recorded, or lost.
        package var missing: UInt64 = 0
        package var reasons: [ReasonCount] = []
        /// Why it was evaluated most often; nil where no reason is known.
        package var mainReason: Why?
        /// ` (+12 parents)`: what is folded under it; empty for nothing.
        package var note = ""
        /// Where it is counted in such a note; nil for a view that is not.
        package var under: Under?
        /// What `explain` says under "What helps"; none for views beyond ``PageLimits/advice``.
        package var advice: [String] = []
        package var histogram = PageHistogram()
    }

    /// A view under which another one is folded.
    package struct Under: Encodable, Sendable {
        package var view: Int
        /// Its note without that one.
        package var note: String
    }

    /// The main reason of a view, and the evaluations for it.
    package struct Why: Encodable, Sendable {
        package var reason: String
        package var count: UInt64
        package var isGuess = false
    }

    /// What was written, or else is the first cause, with the views evaluated for it.
    package struct Cause: Encodable, Sendable {
        package var name: String
        package var process = 0
        /// All that it led to, views inside others included.
        package var evaluations: UInt64 = 0
        package var writers: [WriterCount] = []
        package var views: [Effect] = []
    }

    package struct Effect: Encodable, Sendable {
        package var view: Int
        package var count: UInt64
    }

    /// Evaluations of a view that only another view's evaluation caused.
    package struct Parent: Encodable, Sendable {
        package var parent: Int
        package var child: Int
        package var count: UInt64
    }

    package struct HangRow: Encodable, Sendable {
        package var process: Int
        package var start: UInt64
        package var duration: UInt64
        package var isOpen = false
        package var view: String
        package var attribution: String
        package var verdict: String
        /// Who ran when the threshold was crossed; empty for none, or where it is not known.
        package var atThreshold = ""
        package var starved: UInt64 = 0
        package var isGuess = false
        /// Time in views' own bodies, and what none explains; nil if that is not known.
        package var inside: [Part] = []
        package var unattributed: UInt64? = 0
    }

    /// A view's part of a hang, in nanoseconds, or of a turn's evaluations beyond the first of each instance.
    package struct Part: Encodable, Sendable {
        package var view: String
        package var amount: UInt64
        /// What was done for the view in that time; nil where the trace does not say.
        package var phase: HangPhase?
    }

    /// A source or handler of a main loop.
    package struct Source: Encodable, Sendable {
        package var process: Int
        /// A timer, an idle function, a handler, …
        package var kind: String
        /// The function with its place; of a handler behind its widget and signal.
        package var name: String
        /// Nil where samples tell of it.
        package var calls: UInt64?
        /// Calls in a second, and the part of a core in percents; nil where it is not known for how long they were counted.
        package var rate: Figure?
        package var core: Figure?
        /// Processor time, and whether it was shared out by the clock.
        package var processor: UInt64 = 0
        package var isShared = false
        package var longest: UInt64 = 0
        /// The thread whose context it is of; nil for the main loop.
        package var thread: String?
    }

    /// A number with its text on the command line.
    package struct Figure: Encodable, Sendable {
        package var value: Double
        package var text: String
    }

    /// A turn in which instances were evaluated again.
    package struct DoubleRow: Encodable, Sendable {
        package var process: Int
        package var turn: UInt64
        package var start: UInt64
        package var again: UInt64
        package var views: [Part]
    }
}

extension ReportPage {
    /// Makes a page of a report and the timeline of the same trace.
    init(
        _ summary: (report: TraceReport, places: [[Int]]), _ timeline: PageBuilder, _ state: TraceState, title: String,
        tool: String, advice: Advice
    ) {
        let (report, range, known) = (summary.report, timeline.range, state.known)
        self.init(
            title: Printable.text(title), recordedAt: report.began.iso8601, tool: tool,
            durationNanoseconds: range.upperBound.nanoseconds(since: range.lowerBound), origin: range.lowerBound)
        var places = PageViews(report, summary.places, known, advice(report.export.processes), timeline.limits.advice)
        let lanes = places.places(of: timeline.histograms, known, state.texts)
        evaluations = timeline.evaluations.all
        evaluations.lanes = lanes
        turns = Self.named(timeline.turns.all, known.processes.map(\.pid), &places)
        writes = Self.named(timeline.writes.all, timeline.writers, &places)
        threads = state.open.threads.map(\.tid)
        reasons = timeline.reasons.map { Printable.text(state.texts[$0]) }
        let graph = PageCauses(report, &places)
        (causes, parents) = (graph.causes, graph.parents)
        hangs = report.hangs.reversed().map { hang($0, &places) }
        doubles = report.worstDoubleTurns.map { double($0, report, &places) }
        takeLoops(report.export.processes, limit: timeline.limits.sources, &places)
        judge(report.export.verdict, places)
        (views, self.processes) = (places.views, places.processes)
        (folded, foldedText) = (places.folded, places.foldedText)
        sumUp(report, timeline)
        missing = PageNotes.missing(report, timeline)
        hangsNote = PageNotes.hangs(report)
        areWidgets = StoreWords(report.export.processes).areWidgets
        timelineNote = PageNotes.timeline(self)
    }

    /// Intervals whose lanes are processes, with the places of these on the page.
    private static func named(
        _ intervals: PackedIntervals, _ pids: [Int32], _ places: inout PageViews
    ) -> PackedIntervals {
        var named = intervals
        named.lanes = [UInt32](repeating: 0, count: pids.count)
        for interval in intervals {
            named.lanes[Int(interval.lane)] = UInt32(places.place(ofProcess: pids[Int(interval.lane)]))
        }
        return named
    }

    /// Takes the verdict over; a view of a finding is one of the page's.
    private mutating func judge(_ verdict: Verdict?, _ places: PageViews) {
        findings = (verdict?.findings ?? []).map { finding in
            let view = finding.view.flatMap { key in
                finding.pid.flatMap { places.knownPlace(of: key.rawValue, pid: $0) }
            }
            return Finding(kind: finding.kind, text: finding.kind.mark + finding.text, view: view)
        }
        moreFindings = verdict?.more ?? 0
    }

    private mutating func sumUp(_ report: TraceReport, _ timeline: PageBuilder) {
        for view in report.export.processes.flatMap(\.views) {
            totals.evaluations &+= view.count
            totals.wasted &+= view.wasted.count
            totals.wastedNanoseconds &+= view.wasted.nanoseconds
            totals.inferred &+= view.wasted.inferred
            totals.inferredNanoseconds &+= view.wasted.inferredNanoseconds
            totals.bodyNanoseconds &+= view.ownNanoseconds
        }
        totals.turns = timeline.turns.added
        totals.doubleTurns = report.doubleTurns
        totals.doubleEvaluations = report.doubleEvaluations
    }

    private func sinceOrigin(_ nanoseconds: Int64) -> UInt64 { nanoseconds.nanoseconds(since: origin) }

    private func hang(_ hang: Hang, _ places: inout PageViews) -> HangRow {
        HangRow(
            process: places.place(ofProcess: hang.pid), start: sinceOrigin(hang.startedAt.nanosecondsSince1970),
            duration: hang.durationNanoseconds, isOpen: hang.open,
            view: hang.blamedName ?? hang.source.map(Printable.text) ?? "",
            attribution: hang.attribution.rawValue, verdict: hang.verdict.rawValue,
            atThreshold: hang.viewAtThreshold?.displayName ?? "", starved: hang.starvedNanoseconds, isGuess: hang.guess,
            inside: hang.shares.map {
                Part(view: Hang.name(of: $0.namedView, $0.handler) ?? "", amount: $0.nanoseconds, phase: $0.phase)
            },
            unattributed: hang.unattributedNanoseconds)
    }

    private func double(_ turn: DoubleTurn, _ report: TraceReport, _ places: inout PageViews) -> DoubleRow {
        DoubleRow(
            process: places.place(ofProcess: turn.pid), turn: turn.turn, start: sinceOrigin(turn.nanoseconds),
            again: turn.again,
            views: turn.views.map { Part(view: report.doubleKeys[$0.key]?.displayName ?? "", amount: $0.again) })
    }
}
