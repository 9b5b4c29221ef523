// SPDX-License-Identifier: MIT
// Sums up what a trace's interpreter tells.

internal import RerenderModel

/// Sums for a report. What it keeps grows with views, processes and causes, each bounded, and not with the trace.
struct ReportBuilder: InterpretationConsumer {
    private let texts: TraceTexts
    private(set) var views: [ViewTally] = []
    private(set) var causes = CauseTally()
    /// Writes that invalidated views.
    private(set) var writes: UInt64 = 0
    private(set) var hangs = HangTally()
    private(set) var doubleTurns: UInt64 = 0
    private(set) var doubleEvaluations: UInt64 = 0
    private(set) var worstDoubleTurns: [DoubleTurn] = []

    init(_ texts: TraceTexts) { self.texts = texts }

    mutating func take(_ event: borrowing TraceEvent) {
        if case .write = event.what { writes += 1 }
    }

    @inline(__always)
    mutating func close(_ evaluation: ClosedEvaluation) {
        guard let process = evaluation.process, let view = evaluation.view else { return }
        views.reach(view, with: ViewTally())
        views[view].record(evaluation)
        causes.record(evaluation.end, process: process, texts)
    }

    mutating func correct(_ change: ViewCorrection) {
        views.reach(change.view, with: ViewTally())
        views[change.view].record(change)
    }

    mutating func close(_ turn: ClosedTurn) {
        if let double = turn.double { add(double) }
        hangs.add(turn, &views)
    }

    mutating func close(_ hang: HangTracker.Told) {
        hangs.add(hang.event, texts)
    }

    mutating func finish(_ state: TraceState) {
        views.reach(state.known.views.count - 1, with: ViewTally())
        hangs.finish(state, &views)
    }

    private mutating func add(_ turn: DoubleTurn) {
        doubleTurns += 1
        doubleEvaluations += turn.again
        if worstDoubleTurns.count < TraceLimits.doubleTurns { return worstDoubleTurns.append(turn) }
        guard let least = worstDoubleTurns.indices.min(by: { worstDoubleTurns[$0].again < worstDoubleTurns[$1].again }),
            worstDoubleTurns[least].again < turn.again
        else { return }
        worstDoubleTurns[least] = turn
    }
}

extension Array {
    /// Makes the array long enough to have an element at `index`.
    @inline(__always)
    mutating func reach(_ index: Int, with element: @autoclosure () -> Element) {
        while count <= index { append(element()) }
    }
}
