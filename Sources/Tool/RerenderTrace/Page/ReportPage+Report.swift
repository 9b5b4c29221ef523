// SPDX-License-Identifier: MIT
// The page of a report: every sum is the report's own; the timeline has the intervals, and their histograms.

internal import RerenderModel

extension ReportPage {
    /// Makes a page of a report and the timeline of the same trace.
    init(_ report: TraceReport, _ timeline: PageTimeline, _ texts: TraceTexts, title: String, tool: String) {
        let range = timeline.range
        self.init(
            title: Self.printable(title), recordedAt: report.began.iso8601, tool: tool, origin: range.lowerBound,
            durationNanoseconds: UInt64(clamping: range.upperBound &- range.lowerBound))
        var places = PageViews(report)
        let lanes = places.places(of: timeline.views, timeline.histograms, texts)
        let processes = timeline.processes.map { UInt32(places.place(ofProcess: $0)) }
        evaluations = timeline.evaluations.all.map { $0.inLane(lanes[Int($0.lane)]) }
        turns = timeline.turns.all.map { $0.inLane(processes[Int($0.lane)]) }
        threads = timeline.threads.map(Thread.init)
        reasons = timeline.reasons.map { Self.printable(texts[$0]) }
        let graph = PageCauses(report, &places)
        (causes, parents) = (graph.causes, graph.parents)
        hangs = report.hangs.reversed().map { hang($0, &places) }
        doubles = report.worstDoubleTurns.map { double($0, report, &places) }
        (views, self.processes) = (places.views, places.processes)
        sumUp(report, timeline)
        missing = PageNotes.missing(report, timeline)
        hangsNote = PageNotes.hangs(report)
        timelineNote = PageNotes.timeline(self)
    }

    /// Text of a trace as it may be shown.
    static func printable(_ text: String) -> String { Printable.text(text) }

    private mutating func sumUp(_ report: TraceReport, _ timeline: PageTimeline) {
        for view in report.export.processes.flatMap(\.views) {
            totals.evaluations &+= view.count
            totals.wasted &+= view.wasted.count
            totals.wastedNanoseconds &+= view.wasted.nanoseconds
            totals.bodyNanoseconds &+= view.body.totalNanoseconds
        }
        totals.turns = timeline.turns.added
        totals.doubleTurns = report.doubleTurns
        totals.doubleEvaluations = report.doubleEvaluations
    }

    private func sinceOrigin(_ nanoseconds: Int64) -> UInt64 { UInt64(clamping: nanoseconds &- origin) }

    private func hang(_ hang: RerenderModel.Hang, _ places: inout PageViews) -> Hang {
        Hang(
            process: places.place(ofProcess: hang.pid), start: sinceOrigin(hang.startedAt.nanosecondsSince1970),
            duration: hang.durationNanoseconds, isOpen: hang.open, view: hang.view?.displayName ?? "",
            attribution: hang.attribution.rawValue, verdict: hang.verdict.rawValue,
            inside: hang.shares.map { Inside(view: $0.view.displayName, nanoseconds: $0.nanoseconds) },
            unattributed: hang.unattributedNanoseconds)
    }

    private func double(_ turn: DoubleTurn, _ report: TraceReport, _ places: inout PageViews) -> Double {
        Double(
            process: places.place(ofProcess: turn.pid), turn: turn.turn, start: sinceOrigin(turn.nanoseconds),
            again: turn.again,
            views: turn.views.map { Again(view: report.doubleKeys[$0.key]?.displayName ?? "", again: $0.again) })
    }
}

extension PageIntervals.Interval {
    fileprivate func inLane(_ lane: UInt32) -> Self {
        var interval = self
        interval.lane = lane
        return interval
    }
}
