// SPDX-License-Identifier: MIT
// The capture format of Sysprof, which shows our marks beside those of GTK.

internal import CShared
internal import RerenderModel

/// Writes a trace as a capture of Sysprof, while it is read.
///
/// Evaluations of views and of widgets, turns with their phases, hangs, writes, handlers and intervals of other signposters are marks, with
/// a group for each. The app tells of handlers once a second: their marks have no length. Counters show turns and waste. Times are
/// those of `CLOCK_MONOTONIC`, as those of Sysprof and GTK are; without a clock, since the first event. What began before the first
/// event begins with it, because a viewer shows nothing earlier.
package struct SysprofFormat {
    private enum Group {
        static let views = Array("Rerender views".utf8)
        static let widgets = Array("Rerender widgets".utf8)
        static let turns = Array("Rerender turns".utf8)
        static let hangs = Array("Rerender hangs".utf8)
        static let writes = Array("Rerender writes".utf8)
        static let handlers = Array("Rerender handlers".utf8)
        static let lost = Array("Rerender lost".utf8)
    }

    /// A store of a process.
    private struct Store: Hashable {
        let pid: Int32
        let number: UInt32
    }

    /// A row of a store's main loop.
    private struct Row: Hashable {
        let store: Store
        let epoch: UInt32
        let index: UInt32
    }

    private var frames: SysprofFrames
    private let texts: TraceTexts
    private var readable = ReadableTexts()
    /// What processes are called by who recorded them: a thread's name is cut after 15 bytes.
    private let names: [Int32: String]
    /// The names of processes: that of the first thread, which is the program's, or else that of another one.
    private var threadNames: [Int32: TextID] = [:]
    /// The thread of the latest event.
    private var latest = TraceThread(pid: .min, tid: .min)
    private var introduced: Set<Int32> = []
    private var intervals: [TracedInterval: Int64] = [:]
    private var widgetStores: Set<Store> = []
    /// What was told of handlers so far.
    private var handlers: [Row: (count: UInt64, nanoseconds: UInt64)] = [:]
    /// Evaluations whose waste a commit may decide.
    private var held: HeldEvaluations
    /// The first number of a process's two counters.
    private var counters: [Int32: UInt32] = [:]
    private var last: Int64 = 0

    /// Writes to `output`, calls processes by their numbers' `names`, and holds so many evaluations back.
    init(
        _ output: TraceOutput, _ texts: TraceTexts, names: [Int32: String] = [:],
        holding limit: Int = TraceLimits.heldEvaluations
    ) {
        frames = SysprofFrames(output)
        held = HeldEvaluations(limit: limit)
        (self.texts, self.names) = (texts, names)
    }

    /// Reads a recording once and writes it to `output`. `names` are those of processes by their numbers, as far as they are known.
    /// Throws what ``TraceReader`` and `output` throw.
    package static func write(
        path: String, process: TraceProcesses? = nil, window: TraceWindow? = nil, names: [Int32: String] = [:],
        to output: TraceOutput, progress: ((TraceProgress) -> Void)? = nil
    ) throws {
        _ = try TraceInterpreter.read(path: path, process: process, window: window, progress) {
            SysprofFormat(output, $0, names: names)
        }
    }
}

extension SysprofFormat: InterpretationConsumer {
    mutating func start(clockOrigin: Int64) { frames.start(clockOrigin: clockOrigin) }

    mutating func take(_ event: borrowing TraceEvent) {
        let (now, pid) = (event.nanoseconds, event.pid)
        frames.begin(at: now)
        last = max(last, now)
        note(TraceThread(pid: pid, tid: event.tid), event.processName)
        switch event.what {
        case .phaseBegan(let phase): intervals.open(TracedInterval(phase, pid), at: now)
        case .phaseEnded(let phase): close(TracedInterval(phase, pid), Group.turns, at: now)
        case .write(let write):
            let text = "\(readable.text(write.message, texts)) · \(Counted.text(write.views, "view"))"
            mark(Group.writes, write.name, text, pid, from: now, to: now)
        case .discarded(let count):
            let text = count == 0 ? "the trace does not say how many" : Counted.text(count, "event")
            mark(Group.lost, texts.intern("events discarded"), text, pid, from: now, to: now)
        case .ofStore(.store(let store)):
            let kind: StoreKind? = TraceCode.value(store.kind)
            guard kind == .widgets, widgetStores.count < TraceLimits.stores else { return }
            widgetStores.insert(Store(pid: pid, number: store.store_id))
        case .ofStore(.row(let row)): add(row, pid, at: now)
        case .other(let other): add(other, pid, at: now)
        default: break
        }
    }

    mutating func close(_ evaluation: ClosedEvaluation) {
        if let oldest = held.add(HeldEvaluations.Evaluation(evaluation)) { tell(oldest) }
    }

    mutating func correct(_ correction: ViewCorrection) { held.correct(correction) }

    mutating func close(_ turn: ClosedTurn) {
        guard let began = turn.began, let end = turn.end else { return }
        let text = "turn \(turn.number) · \(Counted.text(end.evaluations, "evaluation"))"
        mark(Group.turns, texts.intern("turn"), text, turn.pid, from: began, to: end.nanoseconds)
        guard let counter = counter(of: turn.pid) else { return }
        if end.evaluations > 0 {
            frames.set(counter, to: Int64(clamping: end.evaluations), pid: turn.pid, at: began)
            frames.set(counter, to: 0, pid: turn.pid, at: end.nanoseconds)
        }
        guard let wasted = held.takeWasted(turn.pid) else { return }
        frames.set(counter + 1, to: wasted, pid: turn.pid, at: end.nanoseconds)
    }

    mutating func close(_ hang: HangTracker.TracedHang) {
        let event = hang.event
        let blamed = event.name.isEmpty ? event.handler : event.name
        var text = "\(event.blame.rawValue) · \(event.activity.rawValue)"
        if !event.handler.isEmpty { text += " · \(readable.text(event.handler, texts))" }
        if !event.source.isEmpty { text += " · \(readable.text(event.source, texts))" }
        text += hang.isOpen ? " · not ended" : " · \(DurationText.short(event.duration_ns))"
        let ended = hang.isOpen ? last : hang.began.later(by: event.duration_ns)
        mark(
            Group.hangs, blamed.isEmpty ? texts.intern("hang") : blamed, text, event.process, from: hang.began,
            to: ended)
    }

    mutating func flush() throws { try frames.flush() }

    mutating func finish(_ state: TraceState) throws {
        for evaluation in held.takeAll() {
            tell(evaluation)
            try frames.flush()
        }
        for (thread, evaluation) in state.open.all {
            mark(Group.views, evaluation.begin.name, "not ended", thread.pid, from: evaluation.began, to: last)
        }
        for hang in state.hangs.all where hang.isOpen { close(hang) }
        for pid in held.processes {
            guard let counter = counter(of: pid), let wasted = held.takeWasted(pid) else { continue }
            frames.set(counter + 1, to: wasted, pid: pid, at: last)
        }
        if held.late > 0 {
            let text = "\(Counted.text(held.late, "evaluation")) had left before a commit decided on the waste"
            let name = texts.intern("late decisions")
            mark(Group.lost, name, text, -1, from: last, to: last)
        }
        try frames.finish(at: last)
    }
}

// MARK: - Evaluations and handlers

extension SysprofFormat {
    private mutating func tell(_ evaluation: HeldEvaluations.Evaluation) {
        let pid = evaluation.thread.pid
        let isWidget = widgetStores.contains(Store(pid: pid, number: evaluation.end.store_id))
        let detail = evaluation.detail { readable.text($0, texts) }
        mark(
            isWidget ? Group.widgets : Group.views, evaluation.end.name, detail, pid, from: evaluation.began,
            to: evaluation.ended)
    }

    /// Adds what was told of a handler since it was told before. A trace has no event for each call.
    private mutating func add(_ row: csignpost_read_loop_row, _ pid: Int32, at now: Int64) {
        let kind: LoopRow.Kind? = TraceCode.value(row.kind)
        guard kind == .handler else { return }
        let key = Row(store: Store(pid: pid, number: row.store_id), epoch: row.epoch, index: row.index)
        let known = handlers[key]
        guard known != nil || handlers.count < TraceLimits.toldStores * TraceLimits.rowsPerLoop else { return }
        let (count, time) = (row.count.minus(known?.count ?? 0), row.wall_ns.minus(known?.nanoseconds ?? 0))
        handlers[key] = (row.count, row.wall_ns)
        guard count > 0 else { return }
        var text = "\(Counted.text(count, "call")), \(DurationText.short(time))"
        text += known == nil ? " since the counts began" : " since the program last told"
        text += " · longest of all \(DurationText.short(row.longest_ns))"
        if !row.of.isEmpty { text += " · \(readable.text(row.of, texts))" }
        if !row.place.isEmpty { text += " · \(readable.text(row.place, texts))" }
        mark(Group.handlers, row.name, text, pid, from: now, to: now)
    }
}

// MARK: - Intervals

extension SysprofFormat {
    private mutating func close(_ interval: TracedInterval, _ group: [UInt8], at now: Int64) {
        guard let began = intervals.removeValue(forKey: interval) else { return }
        mark(group, interval.name, "", interval.pid, from: began, to: now)
    }

    private mutating func add(_ other: OtherEvent, _ pid: Int32, at now: Int64) {
        let interval = TracedInterval(other, pid, texts)
        let group = SysprofFrames.cut(readable.text(interval.provider, texts), to: SysprofFrames.groupBytes)
        switch other.kind {
        case .begin: intervals.open(interval, at: now)
        case .end: close(interval, group, at: now)
        case .event: mark(group, interval.name, readable.text(other.fields.message, texts), pid, from: now, to: now)
        }
    }
}

// MARK: - Marks, processes and counters

extension SysprofFormat {
    private mutating func mark(
        _ group: [UInt8], _ name: TextID, _ text: String, _ pid: Int32, from began: Int64, to ended: Int64
    ) {
        introduce(pid)
        let (bytes, isCut) = readable.name(name, texts)
        // A name has room for 39 bytes, so that the whole of a longer one is in the text.
        let whole = isCut ? readable.text(name, texts) + (text.isEmpty ? "" : " · ") : ""
        frames.mark(group: group, name: bytes, message: whole + text, pid: pid, from: began, to: ended)
    }

    /// Notes what a process is called.
    private mutating func note(_ thread: TraceThread, _ name: TextID) {
        guard thread != latest else { return }
        latest = thread
        let known = threadNames[thread.pid]
        guard !name.isEmpty, known != nil || threadNames.count < TraceLimits.processes else { return }
        if known == nil || thread.tid == thread.pid { threadNames[thread.pid] = name }
    }

    /// Says what a process is called, before its first mark. A process without a mark stays away.
    private mutating func introduce(_ pid: Int32) {
        guard introduced.count < TraceLimits.processes, introduced.insert(pid).inserted else { return }
        if let name = names[pid] {
            frames.process(Printable.text(name), pid: pid)
        } else if let known = threadNames[pid] {
            frames.process(readable.text(known, texts), pid: pid)
        }
    }

    /// The number of a process's counter of evaluations; the next number is that of its waste. Nil where there is no room for more.
    private mutating func counter(of pid: Int32) -> UInt32? {
        if let known = counters[pid] { return known }
        guard counters.count < TraceLimits.processes else { return nil }
        let id = UInt32(counters.count) * 2 + 1
        counters[pid] = id
        let evaluations = SysprofFrames.Counter(
            id: id, name: "evaluations in a turn [\(pid)]", description: "Evaluations in each turn of the main loop")
        let wasted = SysprofFrames.Counter(
            id: id + 1, name: "wasted evaluations [\(pid)]", description: "Wasted evaluations so far")
        for counter in [evaluations, wasted] { frames.introduce(counter, pid: pid) }
        return id
    }
}

/// Texts of a trace as people read them, each made once. As many as the trace has.
private struct ReadableTexts {
    private var texts: [String?] = []
    private var names: [(bytes: [UInt8], isCut: Bool)?] = []

    mutating func text(_ id: TextID, _ all: TraceTexts) -> String {
        let index = Int(id.index)
        texts.reach(index, with: nil)
        if let known = texts[index] { return known }
        let made = Printable.text(all[id])
        texts[index] = made
        return made
    }

    /// The text as a mark's name, and whether it is cut.
    mutating func name(_ id: TextID, _ all: TraceTexts) -> (bytes: [UInt8], isCut: Bool) {
        let index = Int(id.index)
        names.reach(index, with: nil)
        if let known = names[index] { return known }
        let whole = text(id, all)
        let bytes = SysprofFrames.cut(whole, to: SysprofFrames.nameBytes)
        let made = (bytes: bytes, isCut: bytes.count < whole.utf8.count)
        names[index] = made
        return made
    }
}
