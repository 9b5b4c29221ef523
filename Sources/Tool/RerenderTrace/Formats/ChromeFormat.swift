// SPDX-License-Identifier: MIT
// The trace event format of Chrome, which Perfetto and Firefox's profiler open.

/// Writes a trace as JSON in Chrome's trace event format, while it is read.
///
/// Evaluations, turns and phases are complete events (`X`) on their thread, so that nothing can be unbalanced; writes are
/// instants (`i`); hangs, which another process tells of, are complete events on a track of their own (thread 0); other
/// signposts are pairs of asynchronous events (`b`, `e`). Times are microseconds since the trace's first event.
package struct ChromeFormat: TraceConsumer {
    private struct Thread: Hashable {
        let pid: Int32
        let tid: Int32
    }

    fileprivate struct Interval: Hashable {
        let pid: Int32
        let category: TextID
        let name: TextID
        let id: UInt64
    }

    private var output: TraceOutput
    private var open = OpenEvaluations()
    private var intervals: [Interval: Int64] = [:]
    private var turns: [Thread: (number: UInt64, began: Int64)] = [:]
    private var named: Set<Thread> = []
    private var strings = TextCache(JSONString.quoted)
    private var origin: Int64 = 0
    private var last: Int64 = 0
    private var latest = Thread(pid: .min, tid: .min)
    private var isFirst = true
    private var hasOrigin = false

    /// Writes to `output`.
    package init(_ output: TraceOutput) { self.output = output }

    package mutating func consume(_ events: Span<TraceEvent>, _ texts: TraceTexts) throws {
        for index in events.indices {
            add(events[index], texts)
            try output.flushIfFull()
        }
    }

    package mutating func finish(_ texts: TraceTexts) throws {
        var unended: [(Int32, Int32, OpenEvaluation)] = []
        open.forEachOpen { unended.append(($0, $1, $2)) }
        for (pid, tid, evaluation) in unended {
            begin("X", evaluation.view, "evaluation", pid, tid, at: evaluation.began, texts)
            duration(from: evaluation.began, to: last)
            output.text(",\"args\":{\"ended\":false}}")
        }
        if isFirst { output.text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[") }
        output.text("\n]}\n")
        try output.flush()
    }

    private mutating func add(_ event: borrowing TraceEvent, _ texts: TraceTexts) {
        if !hasOrigin {
            origin = event.nanoseconds
            last = event.nanoseconds
            hasOrigin = true
        }
        last = max(last, event.nanoseconds)
        name(event, texts)
        switch event.what {
        case .evaluationBegan(let began): open.begin(began, pid: event.pid, tid: event.tid, at: event.nanoseconds)
        case .evaluationEnded(let ended): add(ended, event, texts)
        case .turnBegan(let turn):
            if turns.count < TraceLimits.threads {
                turns[Thread(pid: event.pid, tid: event.tid)] = (turn.number, event.nanoseconds)
            }
        case .turnEnded(let turn): add(turn, event, texts)
        case .phaseBegan(let phase): open(Interval(phase, event.pid), event)
        case .phaseEnded(let phase): add(phase, event, texts)
        case .write(let write): add(write, event, texts)
        case .hangEnded(let hang): if hang.durationNanoseconds > 0 { add(hang, event, texts) }
        case .discarded(let range): add(range, event, texts)
        case .other(let other): add(other, event, texts)
        case .viewChanged, .hangBegan: break
        }
    }

    private mutating func add(_ ended: EvaluationEnded, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        let opened = open.end(ended, pid: event.pid, tid: event.tid)
        // A beginning that is not in the trace: by the app's own measure.
        let now = event.nanoseconds
        let began = opened?.began ?? now.earlier(by: ended.totalNanoseconds)
        begin("X", ended.view, "evaluation", event.pid, event.tid, at: began, texts)
        duration(from: began, to: event.nanoseconds)
        output.text(",\"args\":{\"reason\":")
        output.bytes(strings.bytes(ended.reason, texts))
        output.text(",\"wasted\":")
        output.number(ended.waste.rawValue)
        output.text(",\"count\":")
        output.number(ended.count)
        output.text(",\"body_ns\":")
        output.number(ended.bodyNanoseconds)
        if !ended.writers.isEmpty {
            output.text(",\"writers\":")
            output.bytes(strings.bytes(ended.writers, texts))
        }
        if let file = opened?.file, !file.isEmpty {
            output.text(",\"file\":")
            output.bytes(strings.bytes(file, texts))
            output.text(",\"line\":")
            output.number(opened?.line ?? 0)
        }
        output.text("}}")
    }

    private mutating func add(_ turn: Turn, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        let thread = Thread(pid: event.pid, tid: event.tid)
        guard let began = turns.removeValue(forKey: thread), began.number == turn.number else { return }
        begin("X", texts.intern("turn"), "turn", event.pid, event.tid, at: began.began, texts)
        duration(from: began.began, to: event.nanoseconds)
        output.text(",\"args\":{\"turn\":")
        output.number(turn.number)
        output.text(",\"evaluations\":")
        output.number(turn.evaluations)
        output.text("}}")
    }

    private mutating func add(_ phase: Phase, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        guard let began = intervals.removeValue(forKey: Interval(phase, event.pid)) else { return }
        begin("X", phase.name, "phase", event.pid, event.tid, at: began, texts)
        duration(from: began, to: event.nanoseconds)
        output.text("}")
    }

    private mutating func add(_ write: Write, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        begin("i", write.name, "write", event.pid, event.tid, at: event.nanoseconds, texts)
        output.text(",\"s\":\"t\",\"args\":{\"writer\":")
        output.bytes(strings.bytes(write.writer, texts))
        output.text(",\"views\":")
        output.number(write.views)
        output.text("}}")
    }

    private mutating func add(_ hang: HangEvent, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        nameThread(Thread(pid: hang.pid, tid: 0), texts.intern("hangs"), texts)
        let began = event.nanoseconds.earlier(by: hang.durationNanoseconds)
        let name = hang.view.isEmpty ? texts.intern("hang") : hang.view
        begin("X", name, "hang", hang.pid, 0, at: began, texts)
        duration(from: began, to: event.nanoseconds)
        output.text(",\"args\":{\"attribution\":")
        output.bytes(strings.bytes(hang.attribution, texts))
        output.text(",\"verdict\":")
        output.bytes(strings.bytes(hang.verdict, texts))
        output.text("}}")
    }

    private mutating func add(_ range: Discarded, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        begin("i", texts.intern("events discarded"), "tracer", event.pid, 0, at: event.nanoseconds, texts)
        output.text(",\"s\":\"g\",\"args\":{\"count\":")
        output.number(range.count)
        output.text("}}")
    }

    private mutating func add(_ other: OtherEvent, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        let name = other.name.isEmpty ? other.event : other.name
        switch other.kind {
        case .event:
            begin("i", name, other.event, event.pid, event.tid, at: event.nanoseconds, texts)
            output.text(",\"s\":\"t\"}")
        case .begin: open(Interval(pid: event.pid, category: provider(other, texts), name: name, id: other.id), event)
        case .end:
            let interval = Interval(pid: event.pid, category: provider(other, texts), name: name, id: other.id)
            guard let began = intervals.removeValue(forKey: interval) else { return }
            for (phase, time) in [("b" as StaticString, began), ("e", event.nanoseconds)] {
                begin(phase, name, interval.category, event.pid, event.tid, at: time, texts)
                // An `id` would be of all processes, and the number is of this one.
                output.text(",\"id2\":{\"local\":\"0x")
                output.string(String(other.id, radix: 16))
                output.text("\"}}")
            }
        }
    }

    /// The event's name without what it says of the signpost.
    private func provider(_ other: OtherEvent, _ texts: TraceTexts) -> TextID {
        let name = texts[other.event]
        return texts.intern(String(name[..<(name.lastIndex(of: ":") ?? name.endIndex)]))
    }

    private mutating func open(_ interval: Interval, _ event: borrowing TraceEvent) {
        if intervals.count < TraceLimits.threads { intervals[interval] = event.nanoseconds }
    }
}

extension ChromeFormat.Interval {
    fileprivate init(_ phase: Phase, _ pid: Int32) {
        self.init(pid: pid, category: .empty, name: phase.name, id: phase.id)
    }
}

// MARK: - What all events have

extension ChromeFormat {
    /// Everything of an event up to its time; what follows begins with a comma or ends it.
    private mutating func begin(
        _ phase: StaticString, _ name: TextID, _ category: TextID, _ pid: Int32, _ tid: Int32, at nanoseconds: Int64,
        _ texts: TraceTexts
    ) {
        separate()
        output.text("{\"ph\":\"")
        output.text(phase)
        output.text("\",\"cat\":")
        output.bytes(strings.bytes(category, texts))
        rest(name, pid, tid, at: nanoseconds, texts)
    }

    private mutating func begin(
        _ phase: StaticString, _ name: TextID, _ category: StaticString, _ pid: Int32, _ tid: Int32,
        at nanoseconds: Int64, _ texts: TraceTexts
    ) {
        separate()
        output.text("{\"ph\":\"")
        output.text(phase)
        output.text("\",\"cat\":\"")
        output.text(category)
        output.text("\"")
        rest(name, pid, tid, at: nanoseconds, texts)
    }

    private mutating func rest(
        _ name: TextID, _ pid: Int32, _ tid: Int32, at nanoseconds: Int64, _ texts: TraceTexts
    ) {
        output.text(",\"name\":")
        output.bytes(strings.bytes(name, texts))
        output.text(",\"pid\":")
        output.number(pid)
        output.text(",\"tid\":")
        output.number(tid)
        output.text(",\"ts\":")
        output.microseconds(nanoseconds.nanoseconds(since: origin))
    }

    private mutating func duration(from began: Int64, to ended: Int64) {
        output.text(",\"dur\":")
        output.microseconds(ended.nanoseconds(since: max(origin, began)))
    }

    private mutating func separate() {
        output.text(isFirst ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : ",\n")
        isFirst = false
    }

    /// Says what a process and a thread are called, before their first event.
    private mutating func name(_ event: borrowing TraceEvent, _ texts: TraceTexts) {
        let thread = Thread(pid: event.pid, tid: event.tid)
        guard thread != latest else { return }
        latest = thread
        if !event.processName.isEmpty { nameThread(thread, event.processName, texts) }
    }

    private mutating func nameThread(_ thread: Thread, _ name: TextID, _ texts: TraceTexts) {
        guard named.count < TraceLimits.threads, named.insert(thread).inserted else { return }
        if thread.tid == thread.pid { metadata("process_name", thread, name, texts) }
        metadata("thread_name", thread, name, texts)
    }

    private mutating func metadata(_ kind: StaticString, _ thread: Thread, _ name: TextID, _ texts: TraceTexts) {
        separate()
        output.text("{\"ph\":\"M\",\"name\":\"")
        output.text(kind)
        output.text("\",\"pid\":")
        output.number(thread.pid)
        output.text(",\"tid\":")
        output.number(thread.tid)
        output.text(",\"ts\":0,\"args\":{\"name\":")
        output.bytes(strings.bytes(name, texts))
        output.text("}}")
    }
}

@available(*, unavailable)
extension ChromeFormat: Sendable {}
