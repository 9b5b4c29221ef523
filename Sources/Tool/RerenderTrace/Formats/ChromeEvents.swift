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
            "Profile", "ProfileChunk", "CpuProfile", "ScriptCatchup", "Screenshot", "TracingStartedInBrowser",
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
