// SPDX-License-Identifier: MIT
// The processes, stores and views of a trace, and the evaluations that a view's counts show and the trace lacks.

internal import CShared
internal import RerenderModel

struct TracedProcess: Sendable {
    let pid: Int32
    var name: TextID
    /// Whether `name` is the main thread's, which is the program's.
    var isNamedByMain = false
    var turn = TurnTracker()
}

/// Which store of its process it is.
struct StoreNumber: Hashable, Sendable {
    /// As the process numbers its stores, from 0.
    var number: UInt32
    /// How many had that number before it: those of other programs, which the process was or whose number it got.
    var replaced: UInt32 = 0
}

/// One store of one process.
struct TracedStore: Sendable {
    let process: Int
    let number: StoreNumber
    let name: TextID
    let startedAt: Int64
    /// Whether another one has taken its number: the process became another program.
    var isReplaced = false
}

/// Finds processes, stores and views by what events say. Bounded.
struct TraceDirectory: Sendable {
    private(set) var stores: [TracedStore] = []
    // Their trackers are changed by the interpreter.
    var processes: [TracedProcess] = []
    var views: [ViewProgress] = []
    /// What found no room.
    private(set) var overflowed: UInt64 = 0
    private var processIndex = WordIndex()
    private var storeIndex = WordIndex()
    private var viewIndex = WordIndex(capacity: 1_024)

    /// The place of an event's process, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func process(_ event: borrowing TraceEvent) -> Int? {
        let (pid, name) = (event.pid, event.processName)
        let process = processIndex.place(
            of: Self.word(pid), in: &processes, limit: TraceLimits.processes, TracedProcess(pid: pid, name: name))
        guard let process else { return noRoom() }
        if event.tid == pid, !processes[process].isNamedByMain {
            processes[process].name = name
            processes[process].isNamedByMain = true
        }
        return process
    }

    /// The place of a process that has had an event.
    func process(pid: Int32) -> Int? { processIndex[Self.word(pid)].map { Int($0) } }

    /// The place of a store, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func store(_ number: UInt32, named name: TextID, process: Int, _ now: Int64) -> Int? {
        storeIndex[Self.word(process, number)].map { Int($0) }
            ?? enter(StoreNumber(number: number), named: name, process, now)
    }

    /// The place of a view of a store, entered if it is new; nil where there is no room.
    @inline(__always)
    mutating func view(_ key: TextID, store: UInt32, named name: TextID, process: Int, _ now: Int64) -> Int? {
        guard let store = self.store(store, named: name, process: process, now) else { return nil }
        let word = Self.word(store, key.index)
        return viewIndex.place(of: word, in: &views, limit: TraceLimits.views, ViewProgress(key: key, store: store))
            ?? noRoom()
    }

    /// Makes a new store of the number of another one, which gets no more events; false where there is no room.
    mutating func replace(store old: Int, named name: TextID, _ now: Int64) -> Bool {
        var number = stores[old].number
        number.replaced += 1
        let hasRoom = views.count < TraceLimits.views
        if !hasRoom { overflowed += 1 }
        guard hasRoom, enter(number, named: name, stores[old].process, now) != nil else { return false }
        stores[old].isReplaced = true
        return true
    }

    private mutating func enter(_ number: StoreNumber, named name: TextID, _ process: Int, _ now: Int64) -> Int? {
        guard stores.count < TraceLimits.stores else { return noRoom() }
        storeIndex.set(Self.word(process, number.number), UInt32(stores.count))
        stores.append(TracedStore(process: process, number: number, name: name, startedAt: now))
        return stores.count - 1
    }

    private mutating func noRoom() -> Int? {
        overflowed += 1
        return nil
    }

    private static func word(_ pid: Int32) -> UInt64 { UInt64(UInt32(bitPattern: pid)) + 1 }

    @inline(__always)
    private static func word(_ place: Int, _ number: UInt32) -> UInt64 { UInt64(place + 1) << 32 | UInt64(number) }
}

/// Follows the counts of one view in its latest epoch.
struct ViewProgress: Sendable {
    let key: TextID
    /// The place of its store.
    let store: Int
    /// The file and line of its probe; empty until a beginning says them.
    private(set) var file = TextID.empty
    private(set) var line: UInt32 = 0
    private(set) var epoch: UInt32 = 0
    /// The latest that any event named: the counts of the whole store were reset then.
    private(set) var latestEpoch: UInt32 = 0
    /// Evaluations whose end is in the trace.
    private(set) var seen: UInt64 = 0
    /// The least and the largest cumulative count among them.
    private var first = UInt64.max
    private var last: UInt64 = 0
    /// Whether evaluations of earlier epochs are in the trace: then nothing of this one is older than the trace.
    private var hasEarlierEpochs = false
    /// Evaluations of earlier epochs.
    private(set) var earlier: UInt64 = 0
    /// Commits as the app counts them, and those in the trace.
    private var allCommits: UInt64 = 0
    private var seenCommits: UInt64 = 0
    private var wasteTracker = WasteTracker()
    /// Where the view's own time of a turn is among the turn's shares.
    var share: (turn: UInt64, index: Int) = (.max, 0)

    init(key: TextID, store: Int) {
        self.key = key
        self.store = store
    }

    /// Counts an evaluation. One of an older epoch, from a thread that was slow, counts as earlier.
    mutating func count(_ event: EvaluationEnded, _ opened: OpenEvaluation?) -> ClosedEvaluation.Standing {
        if let opened, file.isEmpty { (file, line) = (opened.begin.file, opened.begin.line) }
        var standing = enter(event.epoch)
        guard standing.isCurrent else {
            earlier += 1
            return standing
        }
        seen += 1
        if event.count < first { first = event.count }
        standing.isLatest = event.count > last
        wasteTracker.record(event, isAfterGap: standing.isLatest && event.count - last > 1)
        if standing.isLatest { last = event.count }
        return standing
    }

    /// Takes the view's sums as of a commit, or else of an instance's end.
    ///
    /// - Parameter decision: The verdicts on the evaluation that it names, before and now.
    mutating func take(
        _ change: ViewChanged, isCommit: Bool, _ decision: (before: EvaluationVerdict, now: EvaluationVerdict)?
    ) -> ClosedEvaluation.Standing {
        let standing = enter(change.epoch)
        guard standing.isCurrent else { return standing }
        allCommits = change.commits
        if isCommit { seenCommits += 1 }
        let missing = missing
        wasteTracker.replace(by: change, missing: missing.before &+ missing.between)
        if change.signpost_id != 0 { wasteTracker.take(decision) }
        return standing
    }

    /// Begins a new epoch if it is one.
    private mutating func enter(_ epoch: UInt32) -> ClosedEvaluation.Standing {
        latestEpoch = max(latestEpoch, epoch)
        guard epoch != self.epoch else { return ClosedEvaluation.Standing() }
        guard epoch > self.epoch || (seen == 0 && allCommits == 0) else {
            return ClosedEvaluation.Standing(isCurrent: false, isLatest: false)
        }
        if seen > 0 { hasEarlierEpochs = true }
        earlier += seen
        self.epoch = epoch
        (seen, first, last, allCommits, seenCommits) = (0, .max, 0, 0, 0)
        wasteTracker = WasteTracker()
        return ClosedEvaluation.Standing(beginsEpoch: true)
    }

    /// Whether an evaluation is the first one of another store, of the same number in a process of the same number: a
    /// count never goes back to 1, and an epoch to none before it. A trace of an older version has no numbers of stores.
    @inline(__always)
    func isReplaced(by event: EvaluationEnded) -> Bool {
        event.count == 1 && !event.store.isEmpty && (event.epoch == epoch ? first == 1 : event.epoch < epoch)
    }

    /// Evaluations that the cumulative counts show and the trace has not: before the view's first one, and between.
    var missing: (before: UInt64, between: UInt64) {
        guard seen > 0, first > 0, last >= first else { return (0, 0) }
        let lost = (last - first + 1).minus(seen)
        return hasEarlierEpochs ? (0, lost + first - 1) : (first - 1, lost)
    }

    /// Whether the trace has all evaluations of the epoch, as far as their counts tell: then the app's sums are theirs.
    private var isWhole: Bool { seen > 0 && missing == (0, 0) }

    /// Commits: as the app counts them where the trace is whole, else those that it has.
    var commits: UInt64 { isWhole ? allCommits : seenCommits }

    /// Whether any evaluation or commit of the latest epoch is in the trace.
    var isSeen: Bool { seen > 0 || seenCommits > 0 }

    /// The waste among evaluations that took `nanoseconds` in all.
    func waste(taking nanoseconds: UInt64) -> Waste {
        wasteTracker.waste(isWhole: isWhole, of: seen, taking: nanoseconds)
    }
}
