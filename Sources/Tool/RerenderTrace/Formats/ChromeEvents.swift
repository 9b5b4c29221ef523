// SPDX-License-Identifier: MIT
// Events of Chrome's trace event format, one after the other, with the names of their processes and threads.

internal import CShared

/// Writes events of Chrome's format as JSON: what each has, and then what its caller adds.
struct ChromeEvents {
    /// Tracks that are no threads: Linux numbers no thread so high. Perfetto takes the number 0 for that of the process.
    enum Track {
        static let hangs = Int32.max
        static let tracer = Int32.max - 1
    }

    private var output: TraceOutput
    private let texts: TraceTexts
    private var strings = JSONTexts()
    /// Names that Firefox's profiler takes for its own, with a blank behind each. It refuses a file with a view `Profile`.
    private let taken: [TextID: TextID]
    /// Names of threads that have no event yet.
    private var unnamed: [TraceThread: TextID] = [:]
    private var known: Set<TraceThread> = []
    /// The names of processes, and whether each is that of the first thread, which is the program's.
    private var processes: [Int32: (name: TextID, isMain: Bool)] = [:]
    /// What processes are called by who recorded them: a thread's name is cut after 15 bytes.
    private let names: [Int32: String]
    /// The processes that have events.
    private var shown: Set<Int32> = []
    /// The thread of the latest event that was read.
    private var latest = TraceThread(pid: .min, tid: .min)
    /// The time that is 0; nil before the first event.
    private var zero: Int64?
    private var isFirst = true

    init(_ output: TraceOutput, _ texts: TraceTexts, names: [Int32: String]) {
        (self.output, self.texts, self.names) = (output, texts, names)
        let reserved = [
            "Profile", "ProfileChunk", "CpuProfile", "ScriptCatchup", "Screenshot", "CompositorScreenshot",
            "TracingStartedInBrowser",
            "thread_name", "process_name", "process_labels", "process_sort_index", "thread_sort_index",
        ]
        taken = Dictionary(reserved.map { (texts.intern($0), texts.intern($0 + " ")) }) { first, _ in first }
    }

    /// Notes when the trace's clock was 0, or an event was. The first time that is noted is 0.
    mutating func note(_ nanoseconds: Int64) {
        if zero == nil { zero = nanoseconds }
    }

    /// Notes what a thread is called. A thread without an event of the format stays away.
    mutating func note(_ thread: TraceThread, _ name: TextID) {
        guard thread != latest else { return }
        latest = thread
        guard !name.isEmpty, known.count < TraceLimits.threads, known.insert(thread).inserted else { return }
        unnamed[thread] = name
        let isMain = thread.tid == thread.pid
        if isMain || processes[thread.pid] == nil { processes[thread.pid] = (name, isMain) }
    }

    /// Notes what a track is called that is no thread.
    mutating func note(track: TraceThread, _ name: TextID) {
        guard known.count < TraceLimits.threads, known.insert(track).inserted else { return }
        unnamed[track] = name
    }

    mutating func flush() throws { try output.flushIfFull() }

    /// Ends the document, and says how many decisions came too late for their evaluation.
    mutating func finish(late: UInt64) throws {
        for pid in shown.sorted() {
            guard let name = names[pid].map({ texts.intern($0) }) ?? processes[pid]?.name else { continue }
            metadata("process_name", TraceThread(pid: pid, tid: pid))
            string(",\"args\":{\"name\":", name)
            text("}}")
        }
        if isFirst { text("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[") }
        text("\n]")
        // Perfetto reads nothing behind a key that it does not know.
        if late > 0 {
            number(",\"otherData\":{\"lateVerdicts\":", late)
            text("}")
        }
        text("}\n")
        try output.flush()
    }
}

// MARK: - Events

extension ChromeEvents {
    /// A complete event up to its duration; what follows begins with a comma or ends it.
    mutating func interval(_ name: TextID, _ category: TextID, _ thread: TraceThread, _ began: Int64, _ ended: Int64) {
        begin("X", name, category, thread, at: began)
        text(",\"dur\":")
        output.microseconds(ended.nanoseconds(since: max(zero ?? began, began)))
    }

    /// An event up to its time.
    mutating func begin(
        _ phase: StaticString, _ name: TextID, _ category: TextID, _ thread: TraceThread, at nanoseconds: Int64
    ) {
        introduce(thread)
        separate("{\"ph\":\"", phase)
        string("\",\"cat\":", category)
        string(",\"name\":", taken[name] ?? name)
        number(",\"pid\":", thread.pid)
        number(",\"tid\":", thread.tid)
        text(",\"ts\":")
        output.microseconds(nanoseconds.nanoseconds(since: zero ?? nanoseconds))
    }

    /// Says what a thread is called, before its first event.
    private mutating func introduce(_ thread: TraceThread) {
        guard !unnamed.isEmpty, let name = unnamed.removeValue(forKey: thread) else { return }
        shown.insert(thread.pid)
        metadata("thread_name", thread)
        string(",\"args\":{\"name\":", name)
        text("}}")
        guard thread.tid == Track.hangs else { return }
        // Above the threads.
        metadata("thread_sort_index", thread)
        text(",\"args\":{\"sort_index\":-1}}")
    }

    private mutating func metadata(_ kind: StaticString, _ thread: TraceThread) {
        separate("{\"ph\":\"M\",\"name\":\"", kind)
        number("\",\"pid\":", thread.pid)
        number(",\"tid\":", thread.tid)
        text(",\"ts\":0")
    }

    private mutating func separate(_ start: StaticString, _ kind: StaticString) {
        text(isFirst ? "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n" : ",\n")
        isFirst = false
        text(start)
        text(kind)
    }
}

// MARK: - Parts

extension ChromeEvents {
    mutating func text(_ text: StaticString) { output.text(text) }

    mutating func hexadecimal(_ number: UInt64) { output.string(String(number, radix: 16)) }

    mutating func number(_ key: StaticString, _ number: some BinaryInteger) {
        output.text(key)
        output.number(number)
    }

    mutating func string(_ key: StaticString, _ text: TextID) {
        output.text(key)
        output.bytes(strings.bytes(text, texts))
    }

    mutating func string(_ key: StaticString, _ text: String) {
        output.text(key)
        output.bytes(JSONTexts.quoted(text))
    }
}

// What led to an evaluation, as far as a trace says it: a write, or an evaluation of the view around it.

/// Finds the write and the parent's evaluation that caused an evaluation. Bounded.
///
/// What may be another one is not named: an arrow that is missing says less than a wrong one.
struct ChromeFlows {
    /// An evaluation of a process, by its number.
    struct Signpost: Hashable {
        let pid: Int32
        let number: UInt64
    }

    /// A write that invalidated views.
    struct CausingWrite {
        let number: UInt64
        let thread: TraceThread
        let nanoseconds: Int64
        fileprivate let name: TextID
        fileprivate let writer: TextID
        /// Whether an evaluation was found that it caused.
        fileprivate var isCause = false
    }

    private struct Match: Hashable {
        let reason: TextID
        let writers: TextID
        let name: TextID
        let writer: TextID
    }

    private struct Key: Hashable {
        let pid: Int32
        let key: TextID
    }

    private let texts: TraceTexts
    /// The latest writes.
    private var writes: [CausingWrite] = []
    private var writeCount: UInt64 = 0
    private var matches: [Match: Bool] = [:]
    /// The latest evaluation of each view, if the view has one instance.
    private var latest: [Key: (number: UInt64, turn: UInt64)] = [:]
    /// The key that a reason `parent: KEY` names; empty for another reason.
    private var parentKeys: [TextID: TextID] = [:]
    /// Evaluations that caused others, until they are written.
    private var parents: Set<Signpost> = []

    init(_ texts: TraceTexts) { self.texts = texts }

    mutating func note(_ write: Write, _ thread: TraceThread, at nanoseconds: Int64) {
        writeCount += 1
        if writes.count == TraceLimits.causingWrites { writes.removeFirst() }
        writes.append(
            CausingWrite(
                number: writeCount, thread: thread, nanoseconds: nanoseconds, name: write.name, writer: write.message))
    }

    /// The write that caused an evaluation, and whether it is the first one that is known of it: the latest before it, in its
    /// process, of a property that the reason names and by code that the evaluation names.
    mutating func write(before evaluation: ClosedEvaluation) -> (write: CausingWrite, isFirst: Bool)? {
        guard !evaluation.end.writers.isEmpty else { return nil }
        for place in writes.indices.reversed()
        where writes[place].thread.pid == evaluation.thread.pid && writes[place].nanoseconds <= evaluation.began {
            guard isCause(writes[place], of: evaluation.end) else { continue }
            defer { writes[place].isCause = true }
            return (writes[place], !writes[place].isCause)
        }
        return nil
    }

    /// The parent's evaluation that caused an evaluation: the one around it, or the latest in the turn of a view that has one
    /// instance.
    mutating func parent(of evaluation: ClosedEvaluation) -> Signpost? {
        let (pid, end) = (evaluation.thread.pid, evaluation.end)
        let key = parentKey(end.reason)
        var parent: UInt64 = 0
        if !key.isEmpty {
            if let opened = evaluation.opened, opened.mark != 0, opened.begin.parent == key {
                parent = UInt64(bitPattern: Int64(opened.mark))
            } else if let known = latest[Key(pid: pid, key: key)], known.turn == end.turn {
                parent = known.number
            }
        }
        note(end, pid)
        guard parent != 0 else { return nil }
        let signpost = Signpost(pid: pid, number: parent)
        if parents.count >= TraceLimits.heldEvaluations { parents.removeAll(keepingCapacity: true) }
        parents.insert(signpost)
        return signpost
    }

    /// Whether an evaluation caused others. It is written now, so that no more are asked of.
    mutating func takeParent(_ signpost: Signpost) -> Bool { parents.remove(signpost) != nil }

    private mutating func note(_ end: EvaluationEnded, _ pid: Int32) {
        let key = Key(pid: pid, key: end.name)
        let isOnly = end.instances == 1 && end.turn != 0 && end.signpost_id != 0
        if isOnly, latest.count < TraceLimits.views || latest[key] != nil {
            latest[key] = (end.signpost_id, end.turn)
        } else if !isOnly {
            latest[key] = nil
        }
    }

    private mutating func parentKey(_ reason: TextID) -> TextID {
        if let known = parentKeys[reason] { return known }
        let (text, prefix) = (texts[reason], "parent: ")
        let key = text.hasPrefix(prefix) ? texts.intern(String(text.dropFirst(prefix.count))) : .empty
        parentKeys[reason] = key
        return key
    }

    private mutating func isCause(_ write: CausingWrite, of end: EvaluationEnded) -> Bool {
        let match = Match(reason: end.reason, writers: end.writers, name: write.name, writer: write.writer)
        if let known = matches[match] { return known }
        let properties = texts[end.reason].split(separator: ", ").map { Self.lastPart($0) }
        let writer = texts[write.writer]
        let isWriter = texts[end.writers].split(separator: "; ").contains {
            $0 == writer || $0.hasPrefix(writer + " ×")
        }
        let isCause = isWriter && properties.contains(Self.lastPart(texts[write.name][...]))
        if matches.count >= TraceLimits.causes { matches.removeAll(keepingCapacity: true) }
        matches[match] = isCause
        return isCause
    }

    /// `tick` of `shop.ticker.tick`.
    private static func lastPart(_ path: Substring) -> Substring {
        path.lastIndex(of: ".").map { path[path.index(after: $0)...] } ?? path
    }
}
