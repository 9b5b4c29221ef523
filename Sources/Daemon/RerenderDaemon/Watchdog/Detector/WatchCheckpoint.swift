// SPDX-License-Identifier: MIT
// Where the watch of one process's loop stopped, so that the next daemon continues there.

import RerenderModel
import RerenderWire

/// The state of a watch at a stop: with it, the next daemon counts nothing twice and misses nothing.
struct WatchCheckpoint: Hashable, Sendable {
    /// Which program's page it is of; see ``PageSource/origin``.
    var origin: UInt64
    /// Up to which number long turns were taken in or given up.
    var seenLongTurns: UInt64
    /// Turns up to this one are dealt with.
    var doneTurn: UInt64
    /// The hang that was open.
    var open: Open?

    /// A hang in the middle.
    struct Open: Hashable, Sendable {
        var id: UInt64
        var turn: UInt64
        /// By the monotonic clock, and by the real-time clock when it was first seen.
        var startedAt: UInt64
        var realStart: Timestamp
        var threshold: UInt64
        /// Until when it was seen to last.
        var lastSeen: UInt64
        var openedAfter: UInt64
        var lateness: UInt64
        /// Stacks asked for.
        var stacks: Int
        var inBody: FlightView?
        /// How much earlier it may have begun.
        var slack: UInt64 = 0
    }

    /// Whether a page can be the one that the mark is of: its counts only grow.
    func fits(_ reading: LoopReading, origin: UInt64) -> Bool {
        self.origin == origin && reading.longTurns >= seenLongTurns && reading.turn >= max(doneTurn, open?.turn ?? 0)
    }
}

extension TrackedTurn {
    /// A turn that another daemon saw become a hang. What its thread did until now is not known any more.
    init(_ open: WatchCheckpoint.Open) {
        number = open.turn
        startedAt = open.startedAt
        realStart = open.realStart
        threshold = open.threshold
        lastSeen = open.lastSeen
        slack = open.slack
        blame = TurnAttribution(LoopReading(), nil, inBody: open.inBody, now: open.lastSeen)
        hang = OpenHang(
            id: open.id, inBody: open.inBody, stacks: open.stacks, updatedAt: open.lastSeen,
            openedAfter: open.openedAfter, lateness: open.lateness)
    }

    /// The hang as it is kept; nil if it is none.
    var open: WatchCheckpoint.Open? {
        hang.map {
            WatchCheckpoint.Open(
                id: $0.id, turn: number, startedAt: startedAt, realStart: realStart, threshold: threshold,
                lastSeen: lastSeen, openedAfter: $0.openedAfter, lateness: $0.lateness, stacks: $0.stacks,
                inBody: $0.inBody, slack: slack)
        }
    }
}
