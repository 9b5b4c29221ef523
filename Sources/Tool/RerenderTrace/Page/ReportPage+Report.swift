// SPDX-License-Identifier: MIT
// The page of a report: every sum is the report's own; the timeline has the intervals, and their histograms.

internal import RerenderModel

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
        judge(report.export.verdict, &places)
        (views, self.processes) = (places.views, places.processes)
        sumUp(report, timeline)
        missing = PageNotes.missing(report, timeline)
        hangsNote = PageNotes.hangs(report)
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
    private mutating func judge(_ verdict: Verdict?, _ places: inout PageViews) {
        findings = (verdict?.findings ?? []).map { finding in
            var view: Int?
            if let key = finding.view, let pid = finding.pid { view = places.place(of: key.rawValue, pid: pid) }
            return Finding(kind: finding.kind, text: finding.text, view: view)
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
            duration: hang.durationNanoseconds, isOpen: hang.open, view: hang.blamedName ?? "",
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
