// SPDX-License-Identifier: MIT
// The trace event format of Chrome, which Perfetto and Firefox's profiler open.

internal import CShared

/// Writes a trace as JSON in Chrome's trace event format, while it is read.
///
/// Evaluations, turns and phases are complete events (`X`) on their thread, so that nothing can be unbalanced; writes are
/// instants (`i`); hangs, which another process tells of, are complete events on a track of their own (thread 0); other
/// signposts are pairs of asynchronous events (`b`, `e`). Times are microseconds since the trace's first event.
package struct ChromeFormat {
    /// A phase, or an interval of another signposter, that is open.
    fileprivate struct Interval: Hashable {
        let pid: Int32
        let category: TextID
        let name: TextID
        let id: UInt64
    }

    private var output: TraceOutput
    private let texts: TraceTexts
    /// Categories of the events of which there are many.
    private let evaluation, phase, write: TextID
    private var intervals: [Interval: Int64] = [:]
    private var named: Set<TraceThread> = []
    private var strings = JSONTexts()
    /// The time of the first event; nil before it.
    private var first: Int64?
    private var last: Int64 = 0
    private var latest = TraceThread(pid: .min, tid: .min)
    private var isFirst = true

    init(_ output: TraceOutput, _ texts: TraceTexts) {
        self.output = output
        self.texts = texts
        (evaluation, phase, write) = (texts.intern("evaluation"), texts.intern("phase"), texts.intern("write"))
    }

    /// Reads a recording once and writes it to `output`. Throws what ``TraceReader`` and `output` throw.
    package static func write(
        path: String, process: TraceProcesses? = nil, to output: TraceOutput, progress: ((TraceProgress) -> Void)? = nil
    ) throws {
        _ = try TraceInterpreter.read(path: path, process: process, progress) { ChromeFormat(output, $0) }
    }
}

extension ChromeFormat: InterpretationConsumer {
    mutating func take(_ event: borrowing TraceEvent) {
        if first == nil { (first, last) = (event.nanoseconds, event.nanoseconds) }
        last = max(last, event.nanoseconds)
        let thread = TraceThread(pid: event.pid, tid: event.tid)
        name(thread, event.processName)
        switch event.what {
        case .phaseBegan(let phase): open(interval(of: phase, event.pid), at: event.nanoseconds)
        case .phaseEnded(let phase): close(phase, thread, at: event.nanoseconds)
        case .write(let write): add(write, thread, at: event.nanoseconds)
        case .discarded(let count):
            let place = TraceThread(pid: event.pid, tid: 0)
            begin("i", texts.intern("events discarded"), texts.intern("tracer"), place, at: event.nanoseconds)
            number(",\"s\":\"g\",\"args\":{\"count\":", count)
            output.text("}}")
        case .other(let other): add(other, thread, at: event.nanoseconds)
        default: break
        }
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        let end = evaluation.end
        interval(end.name, self.evaluation, evaluation.thread, evaluation.began, evaluation.ended)
        string(",\"args\":{\"reason\":", end.reason)
        number(",\"wasted\":", end.waste.rawValue)
        number(",\"count\":", end.count)
        number(",\"body_ns\":", end.body_ns)
        if end.isPass == true { output.text(",\"pass\":true") }
        if !end.writers.isEmpty { string(",\"writers\":", end.writers) }
        if let begin = evaluation.opened?.begin, !begin.file.isEmpty {
            string(",\"file\":", begin.file)
            number(",\"line\":", begin.line)
        }
        output.text("}}")
    }

    mutating func close(_ turn: ClosedTurn) {
        guard let began = turn.began, let end = turn.end else { return }
        let thread = TraceThread(pid: turn.pid, tid: end.tid)
        let word = texts.intern("turn")
        interval(word, word, thread, began, end.nanoseconds)
        number(",\"args\":{\"turn\":", turn.number)
        number(",\"evaluations\":", end.evaluations)
        output.text("}}")
    }

    mutating func close(_ hang: HangTracker.Told) {
        let track = TraceThread(pid: hang.event.process, tid: 0)
        name(track, texts.intern("hangs"))
        let word = texts.intern("hang")
        let ended = hang.isOpen ? last : hang.began.later(by: hang.event.duration_ns)
        interval(hang.event.name.isEmpty ? word : hang.event.name, word, track, hang.began, ended)
        string(",\"args\":{\"attribution\":", hang.event.attribution)
        if !hang.event.handler.isEmpty { string(",\"handler\":", hang.event.handler) }
        string(",\"verdict\":", hang.event.verdict)
        string(",\"atThreshold\":", hang.event.at_threshold)
        number(",\"starvedNanoseconds\":", hang.event.starved_ns)
        if hang.isOpen { output.text(",\"ended\":false") }
        output.text("}}")
    }

    mutating func flush() throws { try output.flushIfFull() }

    mutating func finish(_ state: TraceState) throws {
        for (thread, evaluation) in state.open.all {
            interval(evaluation.begin.name, self.evaluation, thread, evaluation.began, last)
            output.text(",\"args\":{\"ended\":false}}")
        }
        for hang in state.hangs.all where hang.isOpen { close(hang) }
        if isFirst { output.text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[") }
        output.text("\n]}\n")
        try output.flush()
    }
}

// MARK: - What is not interpreted

extension ChromeFormat {
    private func interval(of phase: Phase, _ pid: Int32) -> Interval {
        Interval(pid: pid, category: .empty, name: phase.name, id: phase.signpost_id)
    }

    private mutating func open(_ interval: Interval, at nanoseconds: Int64) {
        if intervals.count < TraceLimits.threads { intervals[interval] = nanoseconds }
    }

    private mutating func close(_ phase: Phase, _ thread: TraceThread, at now: Int64) {
        guard let began = intervals.removeValue(forKey: interval(of: phase, thread.pid)) else { return }
        interval(phase.name, self.phase, thread, began, now)
        output.text("}")
    }

    private mutating func add(_ write: Write, _ thread: TraceThread, at now: Int64) {
        begin("i", write.name, self.write, thread, at: now)
        string(",\"s\":\"t\",\"args\":{\"writer\":", write.message)
        number(",\"views\":", write.views)
        output.text("}}")
    }

    private mutating func add(_ other: OtherEvent, _ thread: TraceThread, at now: Int64) {
        let (id, name) = (other.fields.signpost_id, other.fields.name.isEmpty ? other.event : other.fields.name)
        guard other.kind != .event else {
            begin("i", name, other.event, thread, at: now)
            return output.text(",\"s\":\"t\"}")
        }
        let interval = Interval(pid: thread.pid, category: provider(other), name: name, id: id)
        guard other.kind == .end else { return open(interval, at: now) }
        guard let began = intervals.removeValue(forKey: interval) else { return }
        for (phase, time) in [("b" as StaticString, began), ("e", now)] {
            begin(phase, name, interval.category, thread, at: time)
            // An `id` would be of all processes, and the number is of this one.
            output.text(",\"id2\":{\"local\":\"0x")
            output.string(String(id, radix: 16))
            output.text("\"}}")
        }
    }

    /// The event's name without what it says of the signpost.
    private func provider(_ other: OtherEvent) -> TextID {
        let name = texts[other.event]
        return texts.intern(String(name[..<(name.lastIndex(of: ":") ?? name.endIndex)]))
    }
}

// MARK: - What all events have

extension ChromeFormat {
    /// A complete event up to its duration; what follows begins with a comma or ends it.
    private mutating func interval(
        _ name: TextID, _ category: TextID, _ thread: TraceThread, _ began: Int64, _ ended: Int64
    ) {
        begin("X", name, category, thread, at: began)
        output.text(",\"dur\":")
        output.microseconds(ended.nanoseconds(since: max(first ?? began, began)))
    }

    /// An event up to its time.
    private mutating func begin(
        _ phase: StaticString, _ name: TextID, _ category: TextID, _ thread: TraceThread, at nanoseconds: Int64
    ) {
        separate("{\"ph\":\"", phase)
        string("\",\"cat\":", category)
        string(",\"name\":", name)
        number(",\"pid\":", thread.pid)
        number(",\"tid\":", thread.tid)
        output.text(",\"ts\":")
        output.microseconds(nanoseconds.nanoseconds(since: first ?? nanoseconds))
    }

    /// Says what a process and a thread are called, before their first event.
    private mutating func name(_ thread: TraceThread, _ name: TextID) {
        guard thread != latest else { return }
        latest = thread
        guard !name.isEmpty, named.count < TraceLimits.threads, named.insert(thread).inserted else { return }
        if thread.tid == thread.pid { metadata("process_name", thread, name) }
        metadata("thread_name", thread, name)
    }

    private mutating func metadata(_ kind: StaticString, _ thread: TraceThread, _ name: TextID) {
        separate("{\"ph\":\"M\",\"name\":\"", kind)
        number("\",\"pid\":", thread.pid)
        number(",\"tid\":", thread.tid)
        string(",\"ts\":0,\"args\":{\"name\":", name)
        output.text("}}")
    }

    private mutating func separate(_ start: StaticString, _ kind: StaticString) {
        output.text(isFirst ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : ",\n")
        isFirst = false
        output.text(start)
        output.text(kind)
    }

    private mutating func number(_ key: StaticString, _ number: some BinaryInteger) {
        output.text(key)
        output.number(number)
    }

    private mutating func string(_ key: StaticString, _ text: TextID) {
        output.text(key)
        output.bytes(strings.bytes(text, texts))
    }
}
