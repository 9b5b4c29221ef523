// SPDX-License-Identifier: MIT
// Evaluations that have begun and not ended, thread by thread.

internal import CShared

/// One evaluation that has begun.
struct OpenEvaluation: Sendable {
    /// What its beginning says.
    let begin: EvaluationBegan
    /// When it began, on the trace's clock.
    let began: Int64
    /// What a consumer keeps with it.
    var mark = 0
    /// Body time of those that ran in it.
    var innerNanoseconds: UInt64 = 0
}

/// The stacks of evaluations of all threads. A lost end is noticed when what is around it ends, or when its thread begins
/// one that nothing is around.
struct OpenEvaluations: Sendable {
    private var stacks: [[OpenEvaluation]] = []
    /// The threads that have evaluated, by their numbers.
    private(set) var threads: [TraceThread] = []
    private var indices = WordIndex()
    private var latest: (word: UInt64, index: Int) = (0, 0)
    /// Beginnings that had no end in the trace, found so far.
    private(set) var unended: UInt64 = 0
    /// Ends that had no beginning.
    private(set) var unbegun: UInt64 = 0

    /// Begins an evaluation; false where there is no room for its thread.
    @inline(__always)
    mutating func begin(_ event: EvaluationBegan, on owner: TraceThread, at nanoseconds: Int64) -> Bool {
        guard let thread = number(of: owner) else { return false }
        // That a parent is another one than the innermost says nothing: the app may have announced it.
        let isOutermost = event.parent == TextID.empty && !stacks[thread].isEmpty
        if isOutermost || stacks[thread].count == TraceLimits.nesting {
            unended += UInt64(stacks[thread].count)
            stacks[thread].removeAll(keepingCapacity: true)
        }
        stacks[thread].append(OpenEvaluation(begin: event, began: nanoseconds))
        return true
    }

    /// The innermost evaluation around the one that has just begun.
    var enclosing: OpenEvaluation? { stacks[latest.index].dropLast().last }

    /// Keeps a mark with the evaluation that has just begun.
    mutating func mark(_ mark: Int) {
        let thread = latest.index
        stacks[thread][stacks[thread].count - 1].mark = mark
    }

    /// Ends an evaluation and returns it as it began, nil where its beginning is not in the trace, with how many are open
    /// around it, and the number of its thread.
    @inline(__always)
    mutating func end(
        _ event: EvaluationEnded, on owner: TraceThread
    ) -> (opened: OpenEvaluation?, depth: Int, thread: Int?) {
        let thread = number(of: owner)
        guard let thread, let place = place(of: event.signpost_id, in: thread) else {
            unbegun += 1
            return (nil, thread.map { stacks[$0].count } ?? 0, thread)
        }
        unended += UInt64(stacks[thread].count - place - 1)
        let ended = stacks[thread][place]
        stacks[thread].removeSubrange(place...)
        if place > 0 { stacks[thread][place - 1].innerNanoseconds &+= event.body_ns }
        return (ended, place, thread)
    }

    /// Those that have not ended, with their process and thread.
    var all: [(thread: TraceThread, evaluation: OpenEvaluation)] {
        zip(threads, stacks).flatMap { thread, stack in stack.map { (thread, $0) } }
    }

    /// Beginnings without an end, those of evaluations that went on at the trace's end included.
    var allUnended: UInt64 { stacks.reduce(unended) { $0 + UInt64($1.count) } }

    @inline(__always)
    private func place(of id: UInt64, in thread: Int) -> Int? {
        let last = stacks[thread].count - 1
        if last >= 0, stacks[thread][last].begin.signpost_id == id { return last }
        return stacks[thread].lastIndex { $0.begin.signpost_id == id }
    }

    @inline(__always)
    private mutating func number(of thread: TraceThread) -> Int? {
        let word = UInt64(UInt32(bitPattern: thread.pid)) << 32 | UInt64(UInt32(bitPattern: thread.tid))
        if word == latest.word, !stacks.isEmpty { return latest.index }
        // Zero is no word of the table; no process has that number and a thread besides.
        let key = word == 0 ? .max : word
        guard let index = indices.place(of: key, in: &threads, limit: TraceLimits.threads, thread) else { return nil }
        stacks.reach(index, with: [])
        latest = (word, index)
        return index
    }
}

// The latest evaluations and whether they were wasted, for commits that decide about them by their numbers.

/// Whether one evaluation was wasted, and how.
struct EvaluationVerdict: Sendable {
    var waste: TraceWaste
    /// The place of the kind in `WasteKind.allCases`, from 1; 0 for none.
    var kind: UInt8
    /// The time that is wasted where it was not needed.
    let nanoseconds: UInt64

    init(_ event: EvaluationEnded) {
        (waste, kind, nanoseconds) = (event.waste, event.waste == .none ? 0 : event.kind, event.wastedNanoseconds)
    }

    /// What a commit makes of it. It says no kind: an output that was the same is one, and what it infers itself is another.
    func decided(_ change: ViewChanged) -> EvaluationVerdict {
        var verdict = self
        verdict.waste = change.waste
        switch change.waste {
        case .none: verdict.kind = 0
        case .measured: verdict.kind = Self.sameOutput
        case .inferred: if waste != .inferred { verdict.kind = Self.twiceInATurn }
        }
        return verdict
    }

    private static let sameOutput: UInt8 = 1
    private static let twiceInATurn: UInt8 = 6
}

/// The latest evaluations of all processes, by their numbers. Bounded: of two halves, the older one is forgotten when the newer is full.
struct DecidedEvaluations: Sendable {
    private struct Entry: Sendable {
        let pid: Int32
        let id: UInt64
        let epoch: UInt32
        var verdict: EvaluationVerdict
    }

    private struct Half: Sendable {
        var entries: [Entry] = []
        var places = WordIndex()
    }

    private var newer = Half()
    private var older = Half()

    /// Notes an evaluation that has ended.
    @inline(__always)
    mutating func note(_ event: EvaluationEnded, pid: Int32) {
        guard event.signpost_id != 0 else { return }
        if newer.entries.count == TraceLimits.decidedEvaluations {
            swap(&newer, &older)
            newer.entries.removeAll(keepingCapacity: true)
            newer.places.removeAll()
        }
        newer.places.set(Self.word(event.signpost_id, pid), UInt32(newer.entries.count))
        newer.entries.append(
            Entry(pid: pid, id: event.signpost_id, epoch: event.epoch, verdict: EvaluationVerdict(event)))
    }

    /// Takes what a commit decides of the evaluation that it names, and returns the verdicts before and now; nil where the
    /// evaluation is not in the trace, or too long ago.
    mutating func decide(_ change: ViewChanged, pid: Int32) -> (before: EvaluationVerdict, now: EvaluationVerdict)? {
        guard change.signpost_id != 0 else { return nil }
        if let decision = Self.decide(change, pid, in: &newer) { return decision }
        return Self.decide(change, pid, in: &older)
    }

    private static func decide(
        _ change: ViewChanged, _ pid: Int32, in half: inout Half
    ) -> (before: EvaluationVerdict, now: EvaluationVerdict)? {
        guard let place = half.places[word(change.signpost_id, pid)].map({ Int($0) }) else { return nil }
        let entry = half.entries[place]
        guard entry.id == change.signpost_id, entry.pid == pid, entry.epoch == change.epoch else { return nil }
        half.entries[place].verdict = entry.verdict.decided(change)
        return (entry.verdict, half.entries[place].verdict)
    }

    /// Two evaluations may have the same one: then the later one is found.
    private static func word(_ id: UInt64, _ pid: Int32) -> UInt64 {
        max(1, id ^ UInt64(UInt32(bitPattern: pid)) &* 0x9E37_79B9_7F4A_7C15)
    }
}
