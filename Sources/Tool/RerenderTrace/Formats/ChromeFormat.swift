// SPDX-License-Identifier: MIT
// The trace event format of Chrome, which Perfetto and Firefox's profiler open.

internal import CShared
internal import RerenderModel

/// Writes a trace as JSON in Chrome's trace event format, while it is read.
///
/// Evaluations, turns and phases are complete events (`X`) on their thread, so that nothing can be unbalanced; writes are
/// instants (`i`); hangs, which another process tells of, are complete events on a track of their own; other
/// signposts are pairs of asynchronous events (`b`, `e`). Arrows (`s`, `f`) lead from writes to evaluations, and from these to those
/// of views in them; counters (`C`) are of turns and of waste. Times are microseconds of the trace's clock, as those of the kernel's
/// events beside ours are; without a clock, since the first event.
package struct ChromeFormat {
    private var events: ChromeEvents
    private let texts: TraceTexts
    /// Categories of the events of which there are many.
    private let evaluation, phase, write: TextID
    private let cause, parent: TextID
    private var intervals: [TracedInterval: Int64] = [:]
    /// The latest turn of each thread that had one.
    private var turns: [TraceThread: Range<Int64>] = [:]
    /// Evaluations whose waste a commit may decide.
    private var held: HeldEvaluations
    private var flows: ChromeFlows
    private var last = Int64.min

    /// Writes to `output`, calls processes by their numbers' `names`, and holds so many evaluations back.
    init(
        _ output: TraceOutput, _ texts: TraceTexts, names: [Int32: String] = [:],
        holding limit: Int = TraceLimits.heldEvaluations
    ) {
        events = ChromeEvents(output, texts, names: names)
        held = HeldEvaluations(limit: limit)
        flows = ChromeFlows(texts)
        self.texts = texts
        (evaluation, phase, write) = (texts.intern("evaluation"), texts.intern("phase"), texts.intern("write"))
        (cause, parent) = (texts.intern("cause"), texts.intern("parent"))
    }

    /// Reads a recording once and writes it to `output`. `names` are those of processes by their numbers, as far as they are known.
    /// Throws what ``TraceReader`` and `output` throw.
    package static func write(
        path: String, process: TraceProcesses? = nil, window: TraceWindow? = nil, names: [Int32: String] = [:],
        to output: TraceOutput, progress: ((TraceProgress) -> Void)? = nil
    ) throws {
        _ = try TraceInterpreter.read(path: path, process: process, window: window, progress) {
            ChromeFormat(output, $0, names: names)
        }
    }
}

extension ChromeFormat: InterpretationConsumer {
    mutating func start(clockOrigin: Int64) { events.note(clockOrigin) }

    mutating func take(_ event: borrowing TraceEvent) {
        events.note(event.nanoseconds)
        last = max(last, event.nanoseconds)
        let thread = TraceThread(pid: event.pid, tid: event.tid)
        events.note(thread, event.processName)
        switch event.what {
        case .phaseBegan(let phase): intervals.open(TracedInterval(phase, event.pid), at: event.nanoseconds)
        case .phaseEnded(let phase): close(phase, thread, at: event.nanoseconds)
        case .write(let write): add(write, thread, at: event.nanoseconds)
        case .discarded(let count):
            let place = TraceThread(pid: event.pid, tid: ChromeEvents.Track.tracer)
            let tracer = texts.intern("tracer")
            events.note(track: place, tracer)
            events.begin("i", texts.intern("events discarded"), tracer, place, at: event.nanoseconds)
            events.number(",\"s\":\"g\",\"args\":{\"count\":", count)
            events.text("}}")
        case .other(let other): add(other, thread, at: event.nanoseconds)
        default: break
        }
    }

    /// The number of the evaluation around one that begins, if that is its parent.
    mutating func mark(_ began: EvaluationBegan, in enclosing: OpenEvaluation?, processName: TextID) -> Int? {
        guard let enclosing = enclosing?.begin, enclosing.name == began.parent else { return nil }
        return Int(truncatingIfNeeded: enclosing.signpost_id)
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        var closed = HeldEvaluations.Evaluation(evaluation)
        if let (write, isFirst) = flows.write(before: evaluation) {
            closed.write = write.number
            if isFirst { arrow("s", self.write, write.number, write.thread, at: write.nanoseconds) }
        }
        closed.parent = flows.parent(of: evaluation)
        if let oldest = held.add(closed) { tell(oldest) }
    }

    mutating func correct(_ correction: ViewCorrection) { held.correct(correction) }

    mutating func close(_ turn: ClosedTurn) {
        guard let began = turn.began, let end = turn.end else { return }
        let thread = TraceThread(pid: turn.pid, tid: end.tid)
        if turns.count < TraceLimits.threads || turns[thread] != nil {
            turns[thread] = min(began, end.nanoseconds)..<end.nanoseconds
        }
        let word = texts.intern("turn")
        events.interval(word, word, thread, began, end.nanoseconds)
        events.number(",\"args\":{\"turn\":", turn.number)
        events.number(",\"evaluations\":", end.evaluations)
        events.text("}}")
        if end.evaluations > 0 {
            count("evaluations in a turn", end.evaluations, thread, at: began)
            count("evaluations in a turn", UInt64(0), thread, at: end.nanoseconds)
        }
        countWasted(thread, at: end.nanoseconds)
    }

    mutating func close(_ hang: HangTracker.TracedHang) {
        let track = TraceThread(pid: hang.event.process, tid: ChromeEvents.Track.hangs)
        events.note(track: track, texts.intern("hangs"))
        let word = texts.intern("hang")
        let ended = hang.isOpen ? last : hang.began.later(by: hang.event.duration_ns)
        events.interval(hang.event.name.isEmpty ? word : hang.event.name, word, track, hang.began, ended)
        let (blame, activity) = (texts.intern(hang.event.blame.rawValue), texts.intern(hang.event.activity.rawValue))
        events.string(",\"args\":{\"attribution\":", blame)
        if !hang.event.handler.isEmpty { events.string(",\"handler\":", hang.event.handler) }
        events.string(",\"verdict\":", activity)
        events.string(",\"atThreshold\":", hang.event.at_threshold)
        events.number(",\"starvedNanoseconds\":", hang.event.starved_ns)
        if hang.isOpen { events.text(",\"ended\":false") }
        let source = hang.event.source.isEmpty ? "" : " · \(texts[hang.event.source])"
        events.string(",\"detail\":", "\(hang.event.blame.rawValue) · \(hang.event.activity.rawValue)\(source)")
        events.text("}}")
    }

    mutating func flush() throws { try events.flush() }

    mutating func finish(_ state: TraceState) throws {
        for evaluation in held.takeAll() {
            tell(evaluation)
            try events.flush()
        }
        for (thread, evaluation) in state.open.all {
            events.interval(evaluation.begin.name, self.evaluation, thread, evaluation.began, last)
            events.text(",\"args\":{\"ended\":false}}")
            tellParent(evaluation.begin.signpost_id, thread, at: evaluation.began)
        }
        for pid in held.processes { countWasted(TraceThread(pid: pid, tid: pid), at: last) }
        for hang in state.hangs.all where hang.isOpen { close(hang) }
        try events.finish(late: held.late)
    }
}

// MARK: - Evaluations

extension ChromeFormat {
    private mutating func tell(_ evaluation: HeldEvaluations.Evaluation) {
        let end = evaluation.end
        events.interval(end.name, self.evaluation, evaluation.thread, evaluation.began, evaluation.ended)
        events.string(",\"args\":{\"reason\":", end.reason)
        events.number(",\"wasted\":", evaluation.waste.rawValue)
        events.number(",\"count\":", end.count)
        events.number(",\"body_ns\":", end.body_ns)
        if end.isPass == true { events.text(",\"pass\":true") }
        if !end.writers.isEmpty { events.string(",\"writers\":", end.writers) }
        if !evaluation.file.isEmpty {
            events.string(",\"file\":", evaluation.file)
            events.number(",\"line\":", evaluation.line)
        }
        // Firefox's profiler shows this and no other argument.
        events.string(",\"detail\":", evaluation.detail { texts[$0] })
        events.text("}}")
        tellParent(end.signpost_id, evaluation.thread, at: evaluation.began)
        if evaluation.write != 0 { arrow("f", write, evaluation.write, evaluation.thread, at: evaluation.began) }
        if let parent = evaluation.parent {
            arrow("f", self.parent, Self.number(of: parent), evaluation.thread, at: evaluation.began)
        }
    }

    /// Begins the arrows to evaluations that an evaluation caused, if there are any. It was written just now: Perfetto ties an arrow
    /// to what was begun last on its track.
    private mutating func tellParent(_ number: UInt64, _ thread: TraceThread, at nanoseconds: Int64) {
        let signpost = ChromeFlows.Signpost(pid: thread.pid, number: number)
        guard flows.takeParent(signpost) else { return }
        arrow("s", parent, Self.number(of: signpost), thread, at: nanoseconds)
    }

    /// The beginning (`s`) or an end (`f`) of arrows from one event.
    private mutating func arrow(
        _ phase: StaticString, _ name: TextID, _ number: UInt64, _ thread: TraceThread, at nanoseconds: Int64
    ) {
        events.begin(phase, name, cause, thread, at: nanoseconds)
        events.text(",\"bp\":\"e\",\"id\":\"0x")
        events.hexadecimal(number)
        events.text("\"}")
    }

    /// A number of an evaluation that no evaluation of another process has.
    private static func number(of signpost: ChromeFlows.Signpost) -> UInt64 {
        UInt64(UInt32(bitPattern: signpost.pid)) << 40 | signpost.number & (1 << 40 - 1)
    }

    /// The evaluations of a thread's process that are known to be wasted by now, if they are more or fewer.
    private mutating func countWasted(_ thread: TraceThread, at nanoseconds: Int64) {
        guard let wasted = held.takeWasted(thread.pid) else { return }
        count("wasted evaluations", wasted, thread, at: nanoseconds)
    }

    private mutating func count(
        _ name: String, _ number: some BinaryInteger, _ thread: TraceThread, at nanoseconds: Int64
    ) {
        let counter = texts.intern(name)
        events.begin("C", counter, counter, thread, at: nanoseconds)
        events.number(",\"args\":{\"count\":", number)
        events.text("}}")
    }
}

// MARK: - What is not interpreted

extension ChromeFormat {
    private mutating func close(_ phase: Phase, _ thread: TraceThread, at now: Int64) {
        guard let began = intervals.removeValue(forKey: TracedInterval(phase, thread.pid)) else { return }
        // The last turn of a process ends before the phase that calls `exit`. Viewers refuse what is partly in something, and round times:
        // of two that end together, either may end last.
        let turn = turns[thread].flatMap { $0.contains(began) ? $0 : nil }
        events.interval(phase.name, self.phase, thread, began, min(now, turn.map { $0.upperBound - 1 } ?? now))
        events.text("}")
    }

    private mutating func add(_ write: Write, _ thread: TraceThread, at now: Int64) {
        flows.note(write, thread, at: now)
        events.begin("i", write.name, self.write, thread, at: now)
        events.string(",\"s\":\"t\",\"args\":{\"writer\":", write.message)
        events.number(",\"views\":", write.views)
        events.string(",\"detail\":", write.message)
        events.text("}}")
    }

    private mutating func add(_ other: OtherEvent, _ thread: TraceThread, at now: Int64) {
        let interval = TracedInterval(other, thread.pid, texts)
        guard other.kind != .event else {
            events.begin("i", interval.name, other.event, thread, at: now)
            guard !other.fields.message.isEmpty else { return events.text(",\"s\":\"t\"}") }
            events.string(",\"s\":\"t\",\"args\":{\"detail\":", other.fields.message)
            return events.text("}}")
        }
        guard other.kind == .end else { return intervals.open(interval, at: now) }
        guard let began = intervals.removeValue(forKey: interval) else { return }
        for (phase, time) in [("b" as StaticString, began), ("e", now)] {
            events.begin(phase, interval.name, interval.provider, thread, at: time)
            // An `id` would be of all processes, and the number is of this one.
            events.text(",\"id2\":{\"local\":\"0x")
            events.hexadecimal(interval.id)
            events.text("\"}}")
        }
    }
}
