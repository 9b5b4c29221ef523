// SPDX-License-Identifier: MIT
// Decides which loop is the main loop, and where its turns begin and end. A pure state machine; its caller passes the time.

import RerenderModel

/// Makes turns of the edges that hooks see.
///
/// - The first hook that fires names the monitor. Its loop stays the main loop until it is left; then the next loop that
///   fires is. So the outermost loop wins, and of two loops in two threads the first: what the other does is not seen.
/// - A loop of the other kind on the same thread is an inner one. While it waits, the turn pauses; a wait of less than
///   ``shortWait`` is part of the turn, after a longer one a new turn begins.
/// - A loop in a loop of its own kind, as a modal dialog is, waits for both: its waits end turns.
/// - CFRunLoop says when it is left. GLib does not: a turn of it that is left lasts until something shows it, which is the
///   uplink's look at the context's owner, a body's in a long turn, a CFRunLoop that is entered outside of it, or a poll on
///   another thread, since only one thread at a time can have the context. Of a turn that was left at an unknown time
///   nothing is known, so it gets no length.
/// - Where no hooked loop is run, the thread that answers a ping on the main queue is the main loop, until a hook fires again.
struct LoopState {
    enum Loop: Equatable {
        case glib, cfrunloop

        var kind: MainLoopKind { self == .glib ? .glib : .cfrunloop }
    }

    /// In the order of the numbers in `main_loop.h`.
    enum Edge: CInt {
        case entered, left, beforeWait, afterWait
    }

    /// What a hook saw.
    struct Event: Equatable {
        var loop: Loop
        var edge: Edge
        var thread: Int32
        var time: UInt64
    }

    /// What an event leads to, in this order.
    struct Effects: Equatable {
        /// The turn ended, at that time.
        var ended: UInt64?
        /// It ended because the loop was left, which was seen at this time: it may have ended up to then. What ran
        /// since is not in it.
        var leftBy: UInt64?
        /// The monitor has another name, or its loop another thread.
        var isNamed = false
        /// A turn begins, at that time.
        var began: UInt64?
        /// The turn pauses: an inner loop waits.
        var isPaused = false
        /// The turn goes on as if there had been no pause.
        var isResumed = false
    }

    private enum Phase: Equatable {
        case outside(since: UInt64)
        case waiting
        case busy(since: UInt64)
        /// An inner loop waits.
        case paused(since: UInt64, at: UInt64)
        /// The loop was left during a turn, which is still to be ended at that time by the loop's thread.
        case gone(at: UInt64, by: UInt64)
    }

    /// Inner waits below that are part of the turn: pumps that run another loop for a moment wait for less.
    static let shortWait: UInt64 = 1_000_000

    private(set) var monitor = MainLoopKind.none
    private(set) var thread: Int32 = 0
    private var phase = Phase.outside(since: 0)
    /// How many runs of the main CFRunLoop are within each other.
    private var depth = 0

    /// Whether a turn is under way whose end no hook saw, because GLib's loop may have been left.
    var mayBeGone: Bool {
        guard monitor == .glib else { return false }
        switch phase {
        case .busy, .paused: return true
        case .outside, .waiting, .gone: return false
        }
    }

    /// Whether the turn is as good as over: a loop inside of it waits for so long that what comes next is another turn. Until
    /// then no thread can leave GLib's loop.
    func waitsInside(at now: UInt64) -> Bool {
        guard case .paused(_, let pause) = phase else { return false }
        return now >= pause &+ Self.shortWait
    }

    /// Since when no hooked loop is run, as far as it is known; 0 if none ever was, or if pings are answered. Nil while one
    /// is run, or may be.
    var outsideSince: UInt64? {
        switch phase {
        case .outside(let time), .gone(let time, _): time
        case .waiting, .busy, .paused: nil
        }
    }

    /// When the turn of a GLib loop began that is under way; nil where there is none.
    var glibTurnSince: UInt64? {
        guard monitor == .glib, case .busy(let since) = phase else { return nil }
        return since
    }

    /// Takes what a hook saw.
    mutating func handle(_ event: Event) -> Effects {
        if event.loop == .cfrunloop { count(event.edge) }
        var effects = Effects()
        switch relation(to: event) {
        case .own:
            closeIfGone(&effects)
            handleOwn(event, &effects)
        case .successor:
            guard event.edge != .left else { break }
            becomeMain(event, &effects)
            handleOwn(event, &effects)
        case .inner:
            handleInner(event, &effects)
        case .unrelated:
            break
        }
        return effects
    }

    /// A ping on the main queue was answered, on that thread. While a hooked loop is run it was that loop's answer;
    /// otherwise another thread serves the queue, and is the main loop.
    mutating func pingAnswered(on thread: Int32) -> Effects {
        var effects = Effects()
        guard outsideSince != nil, monitor != .ping || thread != self.thread else { return effects }
        closeIfGone(&effects)
        phase = .outside(since: 0)
        monitor = .ping
        self.thread = thread
        effects.isNamed = true
        return effects
    }

    /// No thread is in GLib's loop, as was seen at `seenAt`. One was last seen there at `time`; nil if it is not known
    /// when it was left, and the turn has no length. False if no turn was under way.
    mutating func glibWasLeft(at time: UInt64?, by seenAt: UInt64) -> Bool {
        guard monitor == .glib else { return false }
        switch phase {
        case .busy(let since): phase = .gone(at: time ?? since, by: time == nil ? since : seenAt)
        // It waited in the inner loop until then, and what came after is not known.
        case .paused(_, let pause): phase = .gone(at: pause, by: pause)
        case .outside, .waiting, .gone: return false
        }
        return true
    }

    /// The loop's own thread is not in GLib's loop any more, where it was last seen at `time`: the turn ends then.
    mutating func glibWasLeftByItsThread(at time: UInt64?, by seenAt: UInt64) -> Effects {
        var effects = Effects()
        _ = glibWasLeft(at: time, by: seenAt)
        closeIfGone(&effects)
        return effects
    }
}

extension LoopState {
    private enum Relation {
        case own, successor, inner, unrelated
    }

    private func relation(to event: Event) -> Relation {
        if event.loop.kind == monitor { return event.thread == thread ? .own : .successor }
        switch phase {
        case .outside, .gone: return .successor
        case .waiting, .busy, .paused: return event.thread == thread ? .inner : .unrelated
        }
    }

    private mutating func count(_ edge: Edge) {
        switch edge {
        case .entered: depth += 1
        case .left: depth = max(0, depth - 1)
        // A loop that ran before it was observed.
        case .beforeWait, .afterWait: depth = max(1, depth)
        }
    }

    private mutating func closeIfGone(_ effects: inout Effects) {
        guard case .gone(let time, let seenAt) = phase else { return }
        effects.ended = time
        effects.leftBy = seenAt
        phase = .outside(since: time)
    }

    private mutating func becomeMain(_ event: Event, _ effects: inout Effects) {
        // A poll on another thread: the former one left at a time that is not known.
        _ = glibWasLeft(at: nil, by: event.time)
        closeIfGone(&effects)
        phase = .outside(since: event.time)
        monitor = event.loop.kind
        thread = event.thread
        effects.isNamed = true
    }

    private mutating func handleOwn(_ event: Event, _ effects: inout Effects) {
        switch event.edge {
        case .entered:
            switch phase {
            case .outside, .waiting, .gone: begin(event.time, &effects)
            case .busy, .paused: break
            }
        case .beforeWait:
            end(event.time, &effects)
            phase = .waiting
        case .afterWait:
            if case .busy = phase { break }
            end(event.time, &effects)
            begin(event.time, &effects)
        case .left:
            guard depth == 0 else { break }
            end(event.time, &effects)
            phase = .outside(since: event.time)
        }
    }

    private mutating func handleInner(_ event: Event, _ effects: inout Effects) {
        switch (event.edge, phase) {
        case (.beforeWait, .busy(let since)):
            phase = .paused(since: since, at: event.time)
            effects.isPaused = true
        case (.afterWait, .paused(let since, let pause)), (.left, .paused(let since, let pause)):
            if event.time &- pause < Self.shortWait {
                phase = .busy(since: since)
                effects.isResumed = true
            } else {
                end(event.time, &effects)
                begin(event.time, &effects)
            }
        default:
            break
        }
    }

    private mutating func begin(_ time: UInt64, _ effects: inout Effects) {
        effects.began = time
        phase = .busy(since: time)
    }

    /// Ends the turn if one is under way; a paused one when its pause began.
    private mutating func end(_ time: UInt64, _ effects: inout Effects) {
        switch phase {
        case .busy: effects.ended = time
        case .paused(_, let pause): effects.ended = pause
        case .outside, .waiting, .gone: break
        }
    }
}
