// SPDX-License-Identifier: MIT
// The one interpreter of traces: pairs beginnings with ends, and tells a consumer what is over.

internal import CShared
internal import RerenderModel

/// Interprets a trace's events in one pass.
///
/// It decides what an event means where others were lost, a program replaced another, a commit overruled an evaluation, or
/// threads reported late. The report, the page and the formats are its consumers, so that they cannot disagree.
struct TraceInterpreter<Consumer: InterpretationConsumer> {
    private(set) var consumer: Consumer
    private(set) var state: TraceState
    /// Turns so far, of all processes.
    private var turns: UInt64 = 0
    /// What a commit's `message` says.
    private var committed = TextID.empty

    init(_ consumer: Consumer, _ texts: TraceTexts, traces: Int = 1) {
        self.consumer = consumer
        state = TraceState(texts: texts, traces: traces)
    }

    /// Reads the recording below `path` once, into the consumer that `makeConsumer` makes for its texts.
    ///
    /// Throws ``TraceError`` where there is no trace, or it cannot be read to its end.
    static func read(
        path: String, process: TraceProcesses?, window: TraceWindow? = nil, _ progress: ((TraceProgress) -> Void)?,
        into makeConsumer: (TraceTexts) -> Consumer
    ) throws -> TraceInterpreter {
        let trace = try TraceReader(path: path, process: process, window: window)
        var interpreter = TraceInterpreter(makeConsumer(trace.texts), trace.texts, traces: trace.traceCount)
        var isStarted = false
        try trace.read(progress: progress) { events in
            if !isStarted, let origin = trace.clockOrigin { interpreter.consumer.start(clockOrigin: origin) }
            isStarted = true
            try interpreter.consume(events)
        }
        try interpreter.finish()
        return interpreter
    }

    mutating func consume(_ events: Span<TraceEvent>) throws {
        for index in events.indices { consume(events[index]) }
        try consumer.flush()
    }

    mutating func finish() throws {
        for process in state.known.processes.indices { endTurn(of: process, at: nil) }
        try consumer.finish(state)
    }

    @inline(__always)
    private mutating func consume(_ event: borrowing TraceEvent) {
        consumer.take(event)
        if case .discarded(let count) = event.what { return state.discarded.add(count) }
        if state.events == 0 { (state.began, state.ended) = (event.nanoseconds, event.nanoseconds) }
        state.events += 1
        if event.nanoseconds > state.ended { state.ended = event.nanoseconds }
        if case .other = event.what { return state.otherEvents += 1 }
        let process = state.known.process(event)
        switch event.what {
        case .evaluationBegan(let began): begin(began, event)
        case .evaluationEnded(let ended): end(ended, event, process)
        case .viewChanged(let change): correct(change, process, event.nanoseconds)
        case .turnBegan(let turn):
            // An open turn has lost its end: it would seem to last until now.
            endTurn(of: process, at: nil)
            beginTurn(turn.turn, of: process, at: event.nanoseconds, on: event.tid)
        case .turnEnded(let turn):
            if let process, state.known.processes[process].turn.isOpen(turn.turn) {
                endTurn(of: process, at: (event.nanoseconds, event.tid, turn.evaluations))
            }
        case .hangBegan(let hang): state.hangs.begin(hang, daemon: event.pid, at: event.nanoseconds)
        case .hangEnded(let hang): end(hang, event)
        case .ofStore(let told): tell(told, process, event.nanoseconds)
        case .write, .phaseBegan, .phaseEnded, .discarded, .other: break
        }
    }
}

// MARK: - Evaluations

extension TraceInterpreter {
    @inline(__always)
    private mutating func begin(_ began: EvaluationBegan, _ event: borrowing TraceEvent) {
        let thread = TraceThread(pid: event.pid, tid: event.tid)
        if state.open.begin(began, on: thread, at: event.nanoseconds),
            let mark = consumer.mark(began, in: state.open.enclosing, processName: event.processName)
        {
            state.open.mark(mark)
        }
    }

    @inline(__always)
    private mutating func end(_ end: EvaluationEnded, _ event: borrowing TraceEvent, _ process: Int?) {
        let thread = TraceThread(pid: event.pid, tid: event.tid)
        let now = event.nanoseconds
        let paired = state.open.end(end, on: thread)
        var standing = ClosedEvaluation.Standing()
        let view = process.flatMap { self.view(of: end, $0, now) }
        if let view {
            standing = state.known.views[view].count(end, paired.opened)
            if standing.isCurrent { state.decided.note(end, pid: event.pid) }
        }
        let evaluation = ClosedEvaluation(
            end: end, thread: thread, processName: event.processName, process: process, view: view,
            opened: paired.opened, threadNumber: paired.thread, depth: paired.depth,
            began: paired.opened.map { min($0.began, now) } ?? now.beginning(of: end.total_ns), ended: now,
            standing: standing)
        if let process, let view { addToTurn(evaluation, process, view) }
        consumer.close(evaluation)
    }

    /// The view that was evaluated; one of a new store where a program has replaced the one that had its number.
    @inline(__always)
    private mutating func view(of end: EvaluationEnded, _ process: Int, _ now: Int64) -> Int? {
        guard let view = state.known.view(end.name, store: end.store_id, named: end.store, process: process, now)
        else { return nil }
        guard state.known.views[view].isReplaced(by: end),
            state.known.replace(store: state.known.views[view].store, named: end.store, now)
        else { return view }
        // The new program numbers its turns from 1; the open turn may be its own already.
        if state.known.processes[process].turn.isOver(end.turn) { endTurn(of: process, at: nil) }
        return state.known.view(end.name, store: end.store_id, named: end.store, process: process, now)
    }

    @inline(__always)
    private mutating func correct(_ change: ViewChanged, _ process: Int?, _ now: Int64) {
        if committed.isEmpty { committed = state.texts.intern("committed") }
        guard let process,
            let view = state.known.view(
                change.name, store: change.store_id, named: change.store, process: process, now)
        else { return }
        let isCommit = change.message == committed
        let decision = state.decided.decide(change, pid: state.known.processes[process].pid)
        let standing = state.known.views[view].take(change, isCommit: isCommit, decision)
        consumer.correct(ViewCorrection(change: change, view: view, isCommit: isCommit, standing: standing))
    }
}

// MARK: - Stores

extension TraceInterpreter {
    private mutating func tell(_ told: StoreEvent, _ process: Int?, _ now: Int64) {
        let origin = told.origin
        guard let process,
            let store = state.known.store(origin.number, named: origin.store, process: process, now)
        else { return }
        consumer.take(told, of: store, at: now)
    }
}

// MARK: - Turns and hangs

extension TraceInterpreter {
    @inline(__always)
    private mutating func addToTurn(_ evaluation: ClosedEvaluation, _ process: Int, _ view: Int) {
        let number = evaluation.end.turn
        // A thread beside the main one may tell of a turn that is over: that ends no other turn, and begins none.
        if number == 0 { return state.known.processes[process].turn.noteWithoutTurn(evaluation) }
        guard !state.known.processes[process].turn.isOver(number) else { return }
        if !state.known.processes[process].turn.isOpen(number) {
            endTurn(of: process, at: nil)
            beginTurn(number, of: process, at: nil)
        }
        state.known.processes[process].turn.add(evaluation, &state.known.views[view], at: view)
    }

    private mutating func beginTurn(
        _ number: UInt64, of process: Int?, at nanoseconds: Int64?, on tid: Int32? = nil
    ) {
        guard let process else { return }
        state.known.processes[process].turn.begin(number, serial: turns, at: nanoseconds, on: tid)
        turns += 1
    }

    /// Ends the current turn, if there is one; `end` is nil where its end is not in the trace.
    private mutating func endTurn(of process: Int?, at end: TurnTracker.End?) {
        guard let process else { return }
        let pid = state.known.processes[process].pid
        guard let turn = state.known.processes[process].turn.end(at: end, process, pid) else { return }
        consumer.close(turn)
    }

    private mutating func end(_ hang: HangEvent, _ event: borrowing TraceEvent) {
        guard let ended = state.hangs.end(hang, daemon: event.pid, at: event.nanoseconds) else { return }
        consumer.close(ended)
    }
}

// The results of a trace's interpreter: evaluations, turns and hangs, each once it is over, and the events that the tracer discarded.

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
