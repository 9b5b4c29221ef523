// SPDX-License-Identifier: MIT
// Collects a report and its page in one pass: bounded, whatever the trace's length.

internal import CShared

/// Where the latest evaluations of an instance are: as many as one commit decides of.
private struct LatestPlaces {
    private var ids = InlineArray<8, UInt64>(repeating: 0)
    private var places = InlineArray<8, PackedIntervals.Place>(repeating: 0)
    private var next = UInt32(0)

    mutating func add(_ id: UInt64, at place: PackedIntervals.Place) {
        (ids[Int(next)], places[Int(next)]) = (id, place)
        next = (next + 1) % UInt32(ids.count)
    }

    /// Nil for an evaluation that is not among them, and for 0, which is none.
    func place(of id: UInt64) -> PackedIntervals.Place? {
        id == 0 ? nil : ids.indices.first { ids[$0] == id }.map { places[$0] }
    }
}

/// A reason of an evaluation, with what else the page says of it.
private struct ShownReason: Hashable {
    let reason: UInt32
    let isGuess: Bool
    let isPass: Bool
}

/// Collects a report and, of the same evaluations and turns, the intervals of its page.
package struct PageBuilder: InterpretationConsumer {
    /// An instance of a view.
    private struct Instance: Hashable {
        let view: Int
        let number: UInt64
    }

    private(set) var report: ReportBuilder
    let limits: PageLimits
    private var first: Int64?
    private let texts: TraceTexts
    private var reasonNumbers = WordIndex()
    /// What is shown of reasons where that is more than their texts; bounded as these are.
    private var shownTexts: [ShownReason: TextID] = [:]
    /// Where the latest evaluations of each instance are among the intervals, for the commit that decides of them.
    private var latest: [Instance: LatestPlaces] = [:]
    /// Evaluations as intervals. The lane is the view's place in the trace's directory, until it is given another.
    private(set) var evaluations: PageIntervals
    /// Turns as intervals. The lane is the process's place in the trace's directory.
    private(set) var turns: PageIntervals
    /// Writes as intervals without a duration. The lane is the process's place in ``writers``.
    private(set) var writes: PageIntervals
    /// The processes that wrote.
    private(set) var writers: [Int32] = []
    private var writerPlaces = WordIndex()
    /// Body times by view; empty for one without evaluations.
    private(set) var histograms: [PageHistogram] = []
    /// Reasons, by the numbers of the intervals; 0 is none.
    private(set) var reasons: [TextID] = [.empty]
    /// Evaluations that are in no lane, because there are too many views.
    private(set) var withoutLane: UInt64 = 0
    /// The earliest time in the trace, and the latest; in nanoseconds since 1970.
    private(set) var range: ClosedRange<Int64> = 0...0

    /// Collects within limits.
    init(_ texts: TraceTexts, limits: PageLimits = PageLimits()) {
        report = ReportBuilder(texts)
        self.texts = texts
        self.limits = limits
        evaluations = PageIntervals(limit: limits.evaluations, lanes: limits.views)
        turns = PageIntervals(limit: limits.turns, lanes: TraceLimits.processes)
        writes = PageIntervals(limit: limits.writes, lanes: TraceLimits.processes)
    }

    mutating func take(_ event: borrowing TraceEvent) {
        report.take(event)
        if case .write(let write) = event.what { add(write, pid: event.pid, at: event.nanoseconds) }
    }

    private mutating func add(_ write: Write, pid: Int32, at nanoseconds: Int64) {
        // 0 is no word, and the number of a process that the recording does not say.
        let word = UInt64(UInt32(bitPattern: pid)) + 1
        guard let process = writerPlaces.place(of: word, in: &writers, limit: TraceLimits.processes, pid) else {
            return
        }
        var interval = PageIntervals.Interval(
            start: nanoseconds, duration: 0, lane: UInt32(process), amount: UInt64(write.views))
        interval.reason = number(of: write.name)
        interval.writer = number(of: write.message)
        writes.add(interval)
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        report.close(evaluation)
        guard let view = evaluation.view, view < limits.views else { return withoutLane += 1 }
        let end = evaluation.end
        histograms.reach(view, with: PageHistogram())
        histograms[view].count(end.body_ns)
        first = min(first ?? evaluation.began, evaluation.began)
        var interval = PageIntervals.Interval(
            start: evaluation.began, duration: evaluation.ended.nanoseconds(since: evaluation.began),
            lane: UInt32(view), amount: end.body_ns)
        interval.judge(end.waste)
        interval.thread = UInt32(evaluation.threadNumber ?? TraceLimits.threads)
        interval.depth = UInt32(evaluation.depth)
        interval.reason = number(of: shownReason(of: end))
        interval.writer = number(of: end.writers)
        interval.inner = end.body_ns.minus(evaluation.selfNanoseconds)
        // Where they were moved, it is not known any more which is whose.
        let (place, moved) = evaluations.add(interval)
        if moved || latest.count >= limits.instances { latest.removeAll(keepingCapacity: true) }
        latest[Instance(view: view, number: end.instance), default: LatestPlaces()].add(end.signpost_id, at: place)
    }

    mutating func correct(_ correction: ViewCorrection) {
        report.correct(correction)
        let change = correction.change
        let instance = Instance(view: correction.view, number: change.instance)
        guard let place = latest[instance]?.place(of: change.signpost_id) else { return }
        evaluations.mark(place, as: change.waste)
    }

    mutating func close(_ hang: HangTracker.TracedHang) { report.close(hang) }

    mutating func take(_ told: StoreEvent, of store: Int, at nanoseconds: Int64) {
        report.take(told, of: store, at: nanoseconds)
    }

    mutating func close(_ turn: ClosedTurn) {
        report.close(turn)
        guard let began = turn.began, let end = turn.end else { return }
        turns.add(
            PageIntervals.Interval(
                start: began, duration: turn.nanoseconds, lane: UInt32(turn.process), amount: end.evaluations))
    }

    mutating func finish(_ state: TraceState) {
        report.finish(state)
        evaluations.finish()
        turns.finish()
        writes.finish()
        let first = min(first ?? state.began, state.began)
        range = first...max(first, state.ended)
    }

    private mutating func number(of text: TextID) -> UInt32 {
        guard !text.isEmpty else { return 0 }
        return UInt32(reasonNumbers.place(of: UInt64(text.index), in: &reasons, limit: limits.reasons, text) ?? 0)
    }

    /// A reason with a `~` before a guess, and with the word that it is an earlier evaluation's behind that of a pass.
    private mutating func shownReason(of end: EvaluationEnded) -> TextID {
        let (isGuess, isPass) = (end.isGuess, end.isPass == true)
        guard isGuess || isPass, !end.reason.isEmpty else { return end.reason }
        let shown = ShownReason(reason: end.reason.index, isGuess: isGuess, isPass: isPass)
        if let known = shownTexts[shown] { return known }
        let pass = isPass ? " (a further pass of the same update)" : ""
        let text = texts.intern((isGuess ? "~" : "") + texts[end.reason] + pass)
        if shownTexts.count < limits.reasons { shownTexts[shown] = text }
        return text
    }

    /// The report and its page. `title` names the trace, `tool` the program.
    func results(
        _ state: TraceState, title: String, tool: String, advice: ReportPage.Advice = ReportPage.noAdvice
    ) -> (report: TraceReport, page: ReportPage) {
        let recording = ReadRecording(self, state, title: title)
        return (recording.report, recording.page(tool: tool, advice: advice))
    }

    /// Reads the recording below `path` once. `progress` is called now and then, on this thread.
    ///
    /// Throws ``TraceError`` where there is no trace, or it cannot be read to its end.
    package static func read(
        path: String, process: TraceProcesses? = nil, progress: ((TraceProgress) -> Void)? = nil
    ) throws -> ReadRecording {
        let interpreter = try TraceInterpreter.read(path: path, process: process, progress) { PageBuilder($0) }
        return ReadRecording(interpreter.consumer, interpreter.state, title: path)
    }
}

/// A recording that was read: its report, and all that its page is made of.
package struct ReadRecording {
    private let builder: PageBuilder
    private let state: TraceState
    private let title: String
    private let summary: (report: TraceReport, places: [[Int]])

    fileprivate init(_ builder: PageBuilder, _ state: TraceState, title: String) {
        (self.builder, self.state, self.title) = (builder, state, title)
        summary = builder.report.summary(state)
    }

    package var report: TraceReport { summary.report }

    /// The page, with the names in it as readable as they are now.
    package func page(tool: String, advice: ReportPage.Advice = ReportPage.noAdvice) -> ReportPage {
        ReportPage(summary, builder, state, title: title, tool: tool, advice: advice)
    }
}
