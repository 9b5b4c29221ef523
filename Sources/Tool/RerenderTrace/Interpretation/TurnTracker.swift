// SPDX-License-Identifier: MIT
// The turns of one process's main loop: what ran in the current one, and the latest long ones.

/// A turn that took long enough to be a hang to somebody.
struct LongTurn: Sendable {
    let number: UInt64
    let began: Int64
    let ended: Int64
    /// Places of views with their own time, most first.
    let shares: [(view: Int, nanoseconds: UInt64)]
    /// Whether a hang of the trace was this turn.
    var isTold = false

    var nanoseconds: UInt64 { ended.nanoseconds(since: began) }

    /// The view with the largest share, which is blamed where no daemon tells more; nil where none took any time.
    var blamedView: Int? { shares.first.flatMap { $0.nanoseconds > 0 ? $0.view : nil } }

    /// How far a hang of that duration is from being this turn; nil if it is another one.
    func distance(to duration: UInt64) -> UInt64? {
        let distance = duration > nanoseconds ? duration - nanoseconds : nanoseconds - duration
        // The stamps are taken some instructions apart, and a busy machine may preempt there.
        return !isTold && distance <= max(2_000_000, duration / 50) ? distance : nil
    }
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
        /// The text of its key, and after ``TraceReport`` was made its place there.
        package let key: TextID
        /// How many.
        package fileprivate(set) var again: UInt64
    }
}

/// What ran in the current turn of one process.
struct LoopTally: Sendable {
    /// Numbers the turns of all processes, so that a view can say in which it has a share.
    private(set) var serial = UInt64.max
    private(set) var number: UInt64 = 0
    private var began: Int64?
    private var firstEnd: Int64 = 0
    private var shares: [(view: Int, nanoseconds: UInt64)] = []
    private var instances = InstancesOfTurn()
    private var double: DoubleTurn?
    private(set) var longTurns: [LongTurn] = []
    /// Evaluations that are not known to be double ones or not, for want of room.
    var overflowed: UInt64 { instances.overflowed }

    /// Whether this turn goes on.
    func isOpen(_ number: UInt64) -> Bool { serial != .max && number == self.number }

    /// Whether a later turn is open.
    func isOver(_ number: UInt64) -> Bool { serial != .max && number < self.number }

    mutating func begin(_ number: UInt64, serial: UInt64, at nanoseconds: Int64?) {
        self.number = number
        self.serial = serial
        began = nanoseconds
        firstEnd = 0
        shares.removeAll(keepingCapacity: true)
        double = nil
    }

    /// Adds a view's own time, and counts the instance; `view` is the view, at `index`.
    @inline(__always)
    mutating func add(
        _ event: EvaluationEnded, own: UInt64, _ view: inout ViewTally, at index: Int, pid: Int32, _ now: Int64
    ) {
        if firstEnd == 0 { firstEnd = now }
        if view.share.turn == serial {
            shares[view.share.index].nanoseconds &+= own
        } else if shares.count < TraceLimits.sharesPerTurn {
            view.share = (serial, shares.count)
            shares.append((index, own))
        }
        guard !event.storeName.isEmpty else { return }
        let count = instances.count(view: index, instance: event.instance, turn: serial)
        if count > 1 { noteAgain(view.key, pid) }
    }

    /// Ends the turn; nil for what it had not.
    mutating func end(at nanoseconds: Int64?) -> (long: LongTurn?, double: DoubleTurn?) {
        let double = double
        let began = began
        (serial, self.double, self.began) = (.max, nil, nil)
        guard let began, let nanoseconds, nanoseconds.nanoseconds(since: began) >= TraceLimits.longTurnNanoseconds
        else {
            return (nil, double)
        }
        let most = shares.sorted { $0.nanoseconds > $1.nanoseconds }.prefix(TraceLimits.sharesPerHang)
        let turn = LongTurn(number: number, began: began, ended: nanoseconds, shares: Array(most))
        if longTurns.count == TraceLimits.longTurns { longTurns.removeFirst() }
        longTurns.append(turn)
        return (turn, double)
    }

    /// The remembered turn that a hang was, if there is one; it is no other hang then.
    mutating func takeTurn(of duration: UInt64) -> LongTurn? {
        var best: (index: Int, distance: UInt64)?
        for index in longTurns.indices {
            guard let distance = longTurns[index].distance(to: duration) else { continue }
            if best.map({ distance <= $0.distance }) ?? true { best = (index, distance) }
        }
        guard let best else { return nil }
        longTurns[best.index].isTold = true
        return longTurns[best.index]
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
