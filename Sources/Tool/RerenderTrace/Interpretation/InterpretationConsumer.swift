// SPDX-License-Identifier: MIT
// The results of a trace's interpreter: evaluations, turns and hangs, each once it is over, and the events that the tracer discarded.

internal import CShared

/// Reads what ``TraceInterpreter`` makes of a trace's events.
///
/// A trace may be larger than memory: keep sums, and write at once. All requirements but one have an implementation
/// that does nothing.
protocol InterpretationConsumer {
    /// Takes the time at which the trace's clock was 0, in nanoseconds since 1970; before the first event, if it is known.
    mutating func start(clockOrigin: Int64)

    /// Takes an event before it is interpreted. Lost events are among them.
    mutating func take(_ event: borrowing TraceEvent)

    /// Returns what to keep with an evaluation that begins. `enclosing` is the innermost one around it.
    mutating func mark(_ began: EvaluationBegan, in enclosing: OpenEvaluation?, processName: TextID) -> Int?

    /// An evaluation has ended.
    mutating func close(_ evaluation: ClosedEvaluation)

    /// A turn of a main loop is over; it may have no beginning or no end in the trace.
    mutating func close(_ turn: ClosedTurn)

    /// A daemon told that a hang has ended.
    mutating func close(_ hang: HangTracker.TracedHang)

    /// A commit or the end of an instance has changed a view's numbers.
    mutating func correct(_ change: ViewCorrection)

    /// A store tells of itself or of the main loop; it is the one at a place in the trace's directory.
    mutating func take(_ told: StoreEvent, of store: Int, at nanoseconds: Int64)

    /// Writes what was collected, after each batch of events.
    mutating func flush() throws

    /// There are no more events. What is open in `state` has no end in the trace.
    mutating func finish(_ state: TraceState) throws
}

extension InterpretationConsumer {
    mutating func start(clockOrigin: Int64) {}
    mutating func take(_ event: borrowing TraceEvent) {}
    mutating func mark(_ began: EvaluationBegan, in enclosing: OpenEvaluation?, processName: TextID) -> Int? { nil }
    mutating func close(_ turn: ClosedTurn) {}
    mutating func close(_ hang: HangTracker.TracedHang) {}
    mutating func correct(_ change: ViewCorrection) {}
    mutating func take(_ told: StoreEvent, of store: Int, at nanoseconds: Int64) {}
    mutating func flush() throws {}
    mutating func finish(_ state: TraceState) throws {}
}

/// An evaluation that has ended.
struct ClosedEvaluation {
    /// What its end says.
    let end: EvaluationEnded
    let thread: TraceThread
    /// The thread's name.
    let processName: TextID
    /// The places of its process and its view; nil where there was no room for one more.
    let process: Int?
    let view: Int?
    /// As it began; nil where its beginning is not in the trace.
    let opened: OpenEvaluation?
    /// The number of its thread; nil where there was no room for one more.
    let threadNumber: Int?
    /// How many evaluations of its thread were open around it.
    let depth: Int
    /// When it began. Without a beginning its own measure says; a measure of before 1970 counts as none.
    let began: Int64
    let ended: Int64
    /// How it stands among the evaluations of its view.
    let standing: Standing

    /// Time in the body, without the bodies that ran in it; where the trace does not say, without those that are in it.
    var selfNanoseconds: UInt64 {
        min(end.selfNanoseconds ?? end.body_ns.minus(opened?.innerNanoseconds ?? 0), end.body_ns)
    }

    /// How an evaluation, or a commit, stands among those of its view.
    struct Standing {
        /// Whether it is of the view's latest epoch.
        var isCurrent = true
        /// Whether it is the first of that epoch.
        var beginsEpoch = false
        /// Whether none that was counted later came before it: two threads may count in one order and emit in the
        /// other.
        var isLatest = true
    }
}

/// A commit or the end of an instance, with what it changes of the view's sums and of one evaluation.
struct ViewCorrection {
    /// What the event says.
    let change: ViewChanged
    /// The view's place.
    let view: Int
    let isCommit: Bool
    let standing: ClosedEvaluation.Standing
}

/// A thread of a process.
struct TraceThread: Hashable, Sendable {
    let pid: Int32
    let tid: Int32
}

/// What is known of a trace so far. Bounded, whatever the length of the trace.
struct TraceState {
    /// Every text that events name; it grows while the trace is read.
    let texts: TraceTexts
    /// How many traces are read together.
    let traces: Int
    var known = TraceDirectory()
    var open = OpenEvaluations()
    var hangs = HangTracker()
    var decided = DecidedEvaluations()
    /// Events that the tracer had no room for.
    var discarded = DiscardedEvents()
    /// Events, and those of other signposts.
    var events: UInt64 = 0
    var otherEvents: UInt64 = 0
    /// The first and the last event's time.
    var began: Int64 = 0
    var ended: Int64 = 0
}

/// Events that the tracer had no room for.
package struct DiscardedEvents: Hashable, Sendable {
    /// How many, as the tracer counted them.
    package private(set) var count: UInt64 = 0
    /// Ranges of time for which the tracer does not say how many.
    package private(set) var uncounted: UInt64 = 0

    /// Adds those of a range of time; 0 where the trace does not say how many.
    mutating func add(_ events: UInt64) {
        if events == 0 { uncounted += 1 }
        count &+= events
    }
}
