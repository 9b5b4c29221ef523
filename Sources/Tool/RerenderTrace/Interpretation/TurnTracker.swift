// SPDX-License-Identifier: MIT
// The turns of one process's main loop, the views in the current one, and the hangs that a daemon reported.

internal import CShared
internal import RerenderModel

/// A turn of a main loop that is over.
struct ClosedTurn: Sendable {
    /// The place of its process, and the process's number.
    let process: Int
    let pid: Int32
    let number: UInt64
    /// When it began and ended; nil for what is not in the trace.
    let began: Int64?
    let end: TurnTracker.End?
    /// Places of the views with the most time of their own, most first; empty for a turn that is not long.
    var shares: [(view: Int, nanoseconds: UInt64)] = []
    /// The time of all other views.
    var otherNanoseconds: UInt64 = 0
    /// Whether all bodies that ran in the turn are known to be in the trace, so that the rest is outside of views.
    var isComplete = false
    /// The instances that were evaluated more than once; nil if there were none.
    let double: DoubleTurn?

    /// How long it took; 0 where its beginning or its end is not in the trace.
    var nanoseconds: UInt64 { began.flatMap { end?.nanoseconds.nanoseconds(since: $0) } ?? 0 }

    /// Whether it took long enough to be a hang to somebody.
    var isLong: Bool { nanoseconds >= TraceLimits.longTurnNanoseconds }

    /// The place of the view whose body ran when the default threshold was crossed; nil if none did.
    var viewAtThreshold: Int?

    /// The view with the largest share, if that is a fifth or more: blamed where no daemon says more. Of bodies that are not in
    /// the trace, one may have had more.
    var blamedView: Int? {
        guard isComplete else { return nil }
        return shares.first.flatMap { $0.nanoseconds > 0 && $0.nanoseconds >= nanoseconds / 5 ? $0.view : nil }
    }

    /// What that view took itself; 0 where none is blamed.
    var blamedNanoseconds: UInt64 { blamedView == nil ? 0 : shares.first?.nanoseconds ?? 0 }
}

/// Views that were evaluated more than once in one turn.
package struct DoubleTurn: Hashable, Sendable {
    /// The process.
    package let pid: Int32
    /// The turn's number.
    package let turn: UInt64
    /// When it began, or, where that is not in the trace, when its first evaluation ended; nanoseconds since 1970.
    package let nanoseconds: Int64
    /// Evaluations of instances that had been evaluated before in this turn.
    package fileprivate(set) var again: UInt64
    /// The views with so many of them, in the order in which they were met; the first 16.
    package fileprivate(set) var views: [View]

    /// A view with its evaluations beyond the first of each instance.
    package struct View: Hashable, Sendable {
        let key: TextID
        /// How many.
        package fileprivate(set) var again: UInt64
    }
}

/// What ran in the current turn of one process.
struct TurnTracker: Sendable {
    /// How a turn ended: when, on which thread, and with how many evaluations.
    typealias End = (nanoseconds: Int64, tid: Int32, evaluations: UInt64)

    /// Numbers the turns of all processes, so that a view can say in which it has a share; `max` while none is open.
    private var serial = UInt64.max
    private var number: UInt64 = 0
    private var began: Int64?
    /// The loop's thread; nil where the turn's beginning is not in the trace.
    private var tid: Int32?
    private var viewAtThreshold: Int?
    private var firstEnd: Int64 = 0
    /// The views of the turn with their own time: no more than there are views, which are bounded.
    private var shares: [(view: Int, nanoseconds: UInt64)] = []
    /// Evaluations on the loop's thread that are in the trace, and whether others ran there that are not of a turn.
    private var evaluations: UInt64 = 0
    private var hasOthers = false
    private var instances = InstancesOfTurn()
    private var double: DoubleTurn?
    /// Evaluations that were not compared with the others of their turn, for want of room.
    var overflowed: UInt64 { instances.overflowed }

    /// Whether this turn goes on.
    func isOpen(_ number: UInt64) -> Bool { serial != .max && number == self.number }

    /// Whether a later turn is open.
    func isOver(_ number: UInt64) -> Bool { serial != .max && number < self.number }

    mutating func begin(_ number: UInt64, serial: UInt64, at nanoseconds: Int64?, on tid: Int32?) {
        (self.tid, viewAtThreshold) = (tid, nil)
        (evaluations, hasOthers) = (0, false)
        (self.number, self.serial, began, firstEnd, double) = (number, serial, nanoseconds, 0, nil)
        shares.removeAll(keepingCapacity: true)
    }

    /// Adds a view's own time, and counts the instance; `view` is the view, at `index`.
    @inline(__always)
    mutating func add(_ evaluation: ClosedEvaluation, _ view: inout ViewProgress, at index: Int) {
        if firstEnd == 0 { firstEnd = evaluation.ended }
        if tid == nil || tid == evaluation.thread.tid { addTime(evaluation, &view, at: index) }
        guard !evaluation.end.store.isEmpty, evaluation.end.isPass != true else { return }
        let count = instances.count(view: index, instance: evaluation.end.instance, turn: serial)
        if count > 1 { noteAgain(view.key, evaluation.thread.pid) }
    }

    /// Takes in an evaluation that says it is of no turn, as those of another copy of the library do.
    mutating func noteWithoutTurn(_ evaluation: ClosedEvaluation) {
        if serial != .max, tid == nil || tid == evaluation.thread.tid { hasOthers = true }
    }

    /// Of an evaluation on the loop's thread: no other one holds up the loop.
    @inline(__always)
    private mutating func addTime(_ evaluation: ClosedEvaluation, _ view: inout ViewProgress, at index: Int) {
        evaluations += 1
        let crossing = (began ?? 0) &+ Int64(HangThreshold.hangMilliseconds) * 1_000_000
        // The innermost one ends first.
        if viewAtThreshold == nil, evaluation.began <= crossing, crossing < evaluation.ended { viewAtThreshold = index }
        if view.share.turn == serial {
            shares[view.share.index].nanoseconds &+= evaluation.selfNanoseconds
        } else {
            view.share = (serial, shares.count)
            shares.append((index, evaluation.selfNanoseconds))
        }
    }

    /// Ends the turn; nil where none is open. `end` is nil where its end is not in the trace.
    mutating func end(at end: End?, _ process: Int, _ pid: Int32) -> ClosedTurn? {
        guard serial != .max else { return nil }
        serial = .max
        var turn = ClosedTurn(process: process, pid: pid, number: number, began: began, end: end, double: double)
        guard turn.isLong else { return turn }
        turn.viewAtThreshold = viewAtThreshold
        let sorted = shares.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds > $1.nanoseconds }
        // As the daemon lists them: the others have a place of their own where there are any.
        let hasMore = sorted.count > TraceLimits.sharesPerHang
        let places = hasMore ? TraceLimits.sharesPerHang - 1 : TraceLimits.sharesPerHang
        turn.shares = Array(sorted.prefix(places))
        turn.otherNanoseconds = sorted.dropFirst(places).reduce(0) { $0 &+ $1.nanoseconds }
        turn.isComplete = !hasOthers && began != nil && end.map { $0.evaluations == evaluations } ?? false
        return turn
    }

    private mutating func noteAgain(_ key: TextID, _ pid: Int32) {
        var turn = double ?? DoubleTurn(pid: pid, turn: number, nanoseconds: began ?? firstEnd, again: 0, views: [])
        turn.again += 1
        if let index = turn.views.firstIndex(where: { $0.key == key }) {
            turn.views[index].again += 1
        } else if turn.views.count < TraceLimits.viewsPerDoubleTurn {
            turn.views.append(DoubleTurn.View(key: key, again: 1))
        }
        double = turn
    }
}

/// Counts evaluations by view and instance within one turn of a main loop.
struct InstancesOfTurn: Sendable {
    private var counts: [(view: Int, instance: UInt64, count: UInt32)] = []
    /// The places of ``counts``, by view and instance, or by the next words that were free.
    private var places = WordIndex()
    private var turn = UInt64.max
    /// Evaluations of instances that there was no room to remember.
    private(set) var overflowed: UInt64 = 0

    /// Counts one and returns how often it was in this turn; 1 where there is no room to remember it.
    @inline(__always)
    mutating func count(view: Int, instance: UInt64, turn: UInt64) -> UInt32 {
        if turn != self.turn {
            self.turn = turn
            counts.removeAll(keepingCapacity: true)
            places.removeAll()
        }
        var word = max(1, instance ^ UInt64(view) << 40)
        while let place = places[word].map({ Int($0) }) {
            if counts[place].view == view, counts[place].instance == instance {
                counts[place].count += 1
                return counts[place].count
            }
            word = max(1, word &+ 1)
        }
        if counts.count < TraceLimits.instancesPerTurn {
            places.set(word, UInt32(counts.count))
            counts.append((view, instance, 1))
        } else {
            overflowed += 1
        }
        return 1
    }
}

/// Hangs as daemons told them.
struct HangTracker: Sendable {
    /// The latest event of a hang, the process of the daemon that told it, and when the hang began.
    typealias TracedHang = (event: HangEvent, daemon: Int32, began: Int64, isOpen: Bool)

    /// The newest hangs.
    private(set) var all: [TracedHang] = []
    /// Hangs beyond ``TraceLimits/hangs``.
    private(set) var forgotten: UInt64 = 0
    /// Whether a daemon was recorded.
    private(set) var hasAny = false

    mutating func begin(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64) {
        hasAny = true
        append((event, daemon, nanoseconds.earlier(by: event.age_ns), true))
    }

    /// Ends a hang and returns it; nil for one of no duration, which turned out to be none.
    mutating func end(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64) -> TracedHang? {
        hasAny = true
        let open = all.lastIndex { $0.isOpen && $0.daemon == daemon && $0.event.signpost_id == event.signpost_id }
        guard event.duration_ns > 0 else {
            if let open { all.remove(at: open) }
            return nil
        }
        let age = event.age_ns > 0 ? event.age_ns : event.duration_ns
        let hang: TracedHang = (event, daemon, nanoseconds.earlier(by: age), false)
        if let open { all[open] = hang } else { append(hang) }
        return hang
    }

    private mutating func append(_ hang: TracedHang) {
        if all.count == TraceLimits.hangs {
            all.removeFirst()
            forgotten += 1
        }
        all.append(hang)
    }
}
