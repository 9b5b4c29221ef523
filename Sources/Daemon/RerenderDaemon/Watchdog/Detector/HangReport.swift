// SPDX-License-Identifier: MIT
// The detector's results: values with the app's own names, on the monotonic clock.

import RerenderModel
import RerenderWire

/// A hang or micro-hang as far as it is known.
struct HangReport: Hashable, Sendable {
    /// Names the hang in the daemon's life; 0 for a micro-hang.
    var id: UInt64
    var turn: UInt64
    /// By the real-time clock when it was first seen.
    var startedAt: Timestamp
    /// By the monotonic clock.
    var startedAtMonotonic: UInt64
    var duration: UInt64
    /// How much earlier it may have begun; 0 where that was seen.
    var slack: UInt64 = 0
    /// How much later it may have ended; 0 where that was seen.
    var endSlack: UInt64 = 0
    /// The view that is blamed, or the event handler in the place of one.
    var view: FlightView?
    var attribution: HangAttribution = .none
    /// The view whose body ran when the threshold was crossed.
    var atThreshold: FlightView?
    /// Whether view and shares are what was seen, and not what the app recorded.
    var isGuess = false
    var last: FlightView?
    var verdict: HangVerdict = .unknown
    var waitingOn: String?
    /// How long the thread could have run and had no processor, and how long the process was stopped.
    var starved: UInt64 = 0
    var stopped: UInt64 = 0
    /// Most first, at most ``WireLimits/sharesPerHang`` with the others.
    var shares: [FlightShare] = []
    var otherNanoseconds: UInt64 = 0
    /// Nil if it is not known how long each body ran.
    var unattributed: UInt64? = 0
    /// Nil while it lasts.
    var ended: HangEnding?
    /// Whether it counts as a hang of the app.
    var counts = true
    /// How long it had lasted when it was opened, and how late that observation was; nil if it was over by then.
    var openedAfter: UInt64?
    var lateness: UInt64?

    /// How far the watch had come with its end; nil while it lasts.
    var progress: WatchCheckpoint?

    /// How long it lasted at most.
    var longest: UInt64 { duration.saturatingSum(slack) }

    mutating func note(_ hang: TrackedTurn.OpenHang) {
        openedAfter = hang.openedAfter
        lateness = hang.lateness
    }
}

/// What the detector wants to be done.
enum DetectorEvent: Hashable, Sendable {
    case opened(HangReport)
    case updated(HangReport)
    case closed(HangReport)
    /// It turned out not to be a hang.
    case dropped(id: UInt64)
    /// A turn over the micro-hang threshold ended.
    case microHang(HangReport)
    case askStack(hang: UInt64, turn: UInt64)
    case watchTurn(UInt64)
    /// The process has no known loop, and may have loaded one.
    case lookForLoops
}
