// SPDX-License-Identifier: MIT
// What the main loop's part of a flight page says, read from bytes that anyone may have written.

package import RerenderModel

/// A view in one of its phases as a flight page names it, or an event handler in the place of one.
package struct FlightView: Hashable, Sendable {
    package var storeID: UInt32
    package var index: UInt32
    package var epoch: UInt32
    package var phase: HangPhase
    /// The beginning of its key, or empty. A reader that knows the store's views takes the whole key from there.
    package var key: String

    package init(storeID: UInt32, index: UInt32, epoch: UInt32, phase: HangPhase = .body, key: String) {
        self.storeID = storeID
        self.index = index
        self.epoch = epoch
        self.phase = phase
        self.key = key
    }

    /// In the place of bodies that no view had room for.
    package static let unlisted = FlightView(storeID: .max, index: .max - 1, epoch: 0, key: "")

    /// Whether it stands for bodies that no view had room for: their time is that of other views.
    package var isUnlisted: Bool { (storeID, index) == (Self.unlisted.storeID, Self.unlisted.index) }

    /// What a page names it by.
    package var word: UInt64 {
        isUnlisted ? LoopLayout.unlistedView : LoopLayout.word(storeID: storeID, index: index, phase: phase)
    }

    /// The number of the event handler that it stands for; nil for a view.
    package var handler: UInt32? { phase == .handler ? index : nil }
}

/// The main loop at one moment. All times are CLOCK_MONOTONIC in nanoseconds.
package struct LoopReading: Hashable, Sendable {
    package var monitor: MainLoopKind = .none
    /// The loop's thread, as the app sees it.
    package var threadID: Int32 = 0
    /// The shortest of the stores' thresholds.
    package var hangThresholdMilliseconds: UInt32 = HangThreshold.hangMilliseconds
    package var microHangThresholdMilliseconds: UInt32 = HangThreshold.microHangMilliseconds
    /// The turn's number; of the latest one between two.
    package var turn: UInt64 = 0
    /// When the turn began; 0 while the loop waits, and outside of it. Of a pinged loop: since when a ping is unanswered.
    package var turnStartedAt: UInt64 = 0
    /// How much earlier it may have begun; 0 where its beginning was seen, as that of a hooked loop's is.
    package var turnSlack: UInt64 = 0
    /// What runs: a view in a phase, or an event handler, the innermost one.
    package var running: FlightView?
    /// Since when: its own time since then is not in ``TurnShares`` yet.
    package var runningSince: UInt64 = 0
    /// The view whose evaluation ended last.
    package var last: FlightView?
    package var lastEndedAt: UInt64 = 0
    /// How many turns were longer than the micro-hang threshold since the page was made.
    package var longTurns: UInt64 = 0
    /// How often a thread worked for as long as a hang on what may have been the main queue, and nobody looked.
    package var unseen: UInt32 = 0
    /// The turn during which the loop was seen to be left, and when; 0 if none was.
    package var leftTurn: UInt64 = 0
    package var leftAt: UInt64 = 0
    /// Evaluations of the turn.
    package var evaluations: UInt64 = 0

    package init() {}
}

/// Self times of the views in the turn that runs, each up to ``LoopReading/runningSince`` if it is the one that runs.
package struct TurnShares: Hashable, Sendable {
    package var turn: UInt64 = 0
    package var views: [FlightShare] = []
    /// Of views that are not in the table, and of bodies that no view had room for.
    package var otherNanoseconds: UInt64 = 0
    /// When the last of the slices that are in it ended. If that is later than ``LoopReading/runningSince``, the table is
    /// newer than the reading, which then must not be used to add anything.
    package var until: UInt64 = 0
    /// The reading's running and last views, with the keys that the page has of them.
    package var running: FlightView?
    package var last: FlightView?

    package init() {}
}

/// A turn that ended and took longer than the micro-hang threshold.
package struct LongTurn: Hashable, Sendable {
    /// Counts the long turns of the page from 1.
    package var number: UInt64 = 0
    package var turn: UInt64 = 0
    package var startedAt: UInt64 = 0
    package var endedAt: UInt64 = 0
    /// How much earlier it may have begun.
    package var slack: UInt64 = 0
    /// How much later it may have ended: its loop was left.
    package var endSlack: UInt64 = 0
    /// What ran when the hang threshold was crossed: a view in a phase, or an event handler.
    package var inBody: FlightView?
    /// Most first, at most ``WireLimits/sharesPerHang``; their sum with the others' is at most the duration.
    package var shares: [FlightShare] = []
    package var otherNanoseconds: UInt64 = 0
    /// Whether times of bodies that ran after the turn are among the shares: its loop was left, which was seen later.
    package var isMixed = false
    /// The view evaluated last before the turn ended, in it or before it.
    package var last: FlightView?

    package init() {}
}

/// The own time of a view in a phase, or of an event handler, in a turn.
package struct FlightShare: Hashable, Sendable {
    package var view: FlightView
    package var nanoseconds: UInt64

    package init(view: FlightView, nanoseconds: UInt64) {
        self.view = view
        self.nanoseconds = nanoseconds
    }
}
