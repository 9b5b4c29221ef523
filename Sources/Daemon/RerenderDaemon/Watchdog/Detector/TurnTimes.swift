// SPDX-License-Identifier: MIT
// Where the time of one turn went, by samples of its thread.

import RerenderModel
import RerenderWire

/// Splits a turn's time between two samples each into running, blocked, starved, stopped and suspended.
///
/// What the kernel counts (time on a processor, time in its queue) is taken as it is. The rest follows from the states
/// at both ends: a thread that did not run in between cannot have changed its state. Where neither tells, it is unknown.
struct TurnTimes: Hashable, Sendable {
    private(set) var running: UInt64 = 0
    private(set) var blocked: UInt64 = 0
    private(set) var starved: UInt64 = 0
    private(set) var stopped: UInt64 = 0
    /// Time in which the machine went to sleep or woke up; what it slept is in no duration.
    private(set) var suspended: UInt64 = 0
    private(set) var unknown: UInt64 = 0
    /// Time that was stopped while a view's body ran.
    private(set) var stoppedInBodies: [FlightView: UInt64] = [:]
    private var waits: [String: UInt64] = [:]
    private var open = Open()
    private var latest: Mark?

    /// Time in the sums above that the kernel may still count as another: it adds the time in the queue when that is over, and
    /// the time on a processor at its ticks.
    private struct Open: Hashable, Sendable {
        /// Among what is starved.
        var queued: UInt64 = 0
        /// Among what is blocked, and in what: of a thread that was woken and has not run since.
        var woken: UInt64 = 0
        var waitedOn: String?
    }

    /// The thread at one observation.
    struct Mark: Hashable, Sendable {
        var at: UInt64
        /// Nil if it could not be sampled.
        var thread: ThreadSample?
        /// How far CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC.
        var bootAhead: UInt64
        /// The view whose body runs.
        var view: FlightView?
    }

    /// What the boot clock may gain between two observations although the machine did not sleep; it is read a moment later.
    private static let suspendSlack: UInt64 = 10_000_000
    /// Different waits that are counted apart; a hang has one or two.
    private static let maxWaits = 8
    /// Different views of which stopped time is known; the next ones' stays in their shares.
    private static let maxViews = 64

    var hasSamples: Bool { latest?.thread != nil }

    // MARK: Observations

    /// Adds an observation during the turn. `wasLate`: so much time passed that states may have changed unseen.
    mutating func add(_ mark: Mark, wasLate: Bool) {
        if let latest { judge(from: latest, to: mark, end: mark.at, wasLate: wasLate, isOver: false) }
        latest = mark
    }

    /// Adds the first observation after the turn, which ended at `end`.
    mutating func end(at end: UInt64, _ mark: Mark, wasLate: Bool) {
        guard let last = latest else { return }
        judge(from: last, to: mark, end: end, wasLate: wasLate, isOver: true)
        latest = nil
    }

    private mutating func judge(from first: Mark, to second: Mark, end: UInt64, wasLate: Bool, isOver: Bool) {
        guard end > first.at else { return }
        let wall = end - first.at
        if second.bootAhead > first.bootAhead, second.bootAhead - first.bootAhead > Self.suspendSlack {
            suspended &+= wall
            return
        }
        guard let a = first.thread, let b = second.thread, b.ran >= a.ran, b.queued >= a.queued else {
            unknown &+= wall
            return
        }
        let view = second.view == nil || isOver ? first.view : second.view
        let (earlier, own) = explain(wall, ran: b.ran - a.ran, queued: b.queued - a.queued, isOver: isOver)
        settle(earlier, isCounted: b.ran > a.ran || b.state != .runnable)
        guard own > 0 else { return }
        let state = isOver ? Self.rest(after: a) : Self.rest(between: a, b, wasLate: wasLate)
        switch state {
        case .stopped:
            stopped &+= own
            stop(own, in: view)
        case .waiting:
            let what = (a.state == .waiting ? a.waitingOn : nil) ?? b.waitingOn
            block(own, on: what)
            // It may be in the queue since it was woken, which is counted only later.
            if !isOver, b.state == .runnable { (open.woken, open.waitedOn) = (open.woken &+ own, what) }
        case .runnable:
            starved &+= own
            open.queued &+= own
        case .ended, nil: unknown &+= own
        }
    }

    /// Takes what the kernel counted out of a stretch and of the open time before it: the counters are behind while the thread
    /// runs or waits its turn, and do not say when it did. Returns what they do not explain, before the stretch and in it.
    private mutating func explain(
        _ wall: UInt64, ran: UInt64, queued: UInt64, isOver: Bool
    ) -> (earlier: Open, own: UInt64) {
        starved -= open.queued
        blocked -= open.woken
        if let what = open.waitedOn, let time = waits[what] { waits[what] = time - min(open.woken, time) }
        let all = wall &+ open.queued &+ open.woken
        // After the turn it ran, too, and in the first stretch it may have been in the queue since before.
        let inQueue = min(queued, isOver ? all : all - min(ran, all))
        let onProcessor = min(ran, all - inQueue)
        running &+= onProcessor
        starved &+= inQueue
        let rest = all - onProcessor - inQueue
        let own = min(rest, wall)
        var earlier = open
        earlier.woken = min(open.woken, rest - own)
        earlier.queued = rest - own - earlier.woken
        open = Open()
        return (earlier, own)
    }

    /// What a thread did while the kernel counted neither running nor queueing; nil if unknown.
    private static func rest(
        between a: ThreadSample, _ b: ThreadSample, wasLate: Bool
    ) -> ThreadSample.RunState? {
        if wasLate, a.state != b.state || a.ran != b.ran { return nil }
        if a.state == .stopped || b.state == .stopped { return .stopped }
        // A thread that was woken since the first observation waited until then.
        return a.state == .runnable && b.state == .runnable ? .runnable : .waiting
    }

    /// The same for the end of a turn: what the thread did afterwards says nothing of it.
    private static func rest(after a: ThreadSample) -> ThreadSample.RunState? {
        a.state == .stopped || a.state == .waiting ? a.state : nil
    }

    // MARK: Sums

    private mutating func stop(_ time: UInt64, in view: FlightView?) {
        guard let view, stoppedInBodies[view] != nil || stoppedInBodies.count < Self.maxViews else { return }
        stoppedInBodies[view, default: 0] &+= time
    }

    private mutating func wait(_ time: UInt64, on what: String?) {
        guard let what, waits[what] != nil || waits.count < Self.maxWaits else { return }
        waits[what, default: 0] &+= time
    }

    private mutating func block(_ time: UInt64, on what: String?) {
        blocked &+= time
        wait(time, on: what)
    }

    /// Puts time back that stays unexplained. Where all of the thread's time in the queue `isCounted` by now, because it has run
    /// since or waits for something, that time was no time in the queue: it was blocked.
    private mutating func settle(_ earlier: Open, isCounted: Bool) {
        block(earlier.woken, on: earlier.waitedOn)
        if isCounted {
            blocked &+= earlier.queued
        } else {
            starved &+= earlier.queued
            open = earlier
        }
    }

    // MARK: Verdict

    /// What the thread did for most of the time; unknown if less than half of it was seen.
    ///
    /// Starved only if that is half of the whole, and if the rest is below the threshold: a turn's first moments are not observed, and a
    /// part must not decide that the machine is to blame. Nor is it to blame for a turn that would be a hang without the wait.
    func verdict(duration: UInt64, threshold: UInt64) -> HangVerdict {
        let isStarved = starved >= duration / 2 && duration.saturatingDifference(starved) < threshold
        let parts: [(HangVerdict, UInt64)] = [
            (.running, running), (.blocked, blocked), (.starved, isStarved ? starved : 0), (.stopped, stopped),
            (.suspended, suspended),
        ]
        let judged = running &+ blocked &+ starved &+ stopped &+ suspended
        guard judged >= duration - min(duration, judged), judged >= unknown,
            let largest = parts.max(by: { $0.1 < $1.1 }), largest.1 > 0
        else { return .unknown }
        return largest.0
    }

    /// What it was blocked in for longest.
    var waitingOn: String? { waits.max { $0.value < $1.value }?.key }
}
