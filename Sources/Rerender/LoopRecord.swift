// SPDX-License-Identifier: MIT
// The main loop's part of the flight page, as the app writes it.

import RerenderModel
import RerenderWire

/// Writes what the main loop does to the flight page.
///
/// One thread at a time calls what concerns turns and views: the loop's. The rest may be called by any thread.
final class LoopRecord: Sendable {
    /// The record of this process; nil where it has no flight page.
    static let shared: LoopRecord? = nil

    // MARK: The loop's thread

    /// The loop woke up. Numbers the turn; returns its number.
    func turnBegan(at now: UInt64) -> UInt64 { 0 }

    /// The loop is about to wait, or was left. Returns how many evaluations the turn had.
    func turnEnded(at now: UInt64) -> UInt64 { 0 }

    /// A body begins; the thread's innermost from now on. Called only on the thread of ``threadID``.
    func bodyBegan(_ view: ViewRecord, of store: StoreCore, at now: UInt64) {}

    /// The innermost body ended; `enclosing` is the one around it.
    func bodyEnded(_ view: ViewRecord, of store: StoreCore, at now: UInt64, enclosing: (ViewRecord, StoreCore)?) {}

    // MARK: Any thread

    /// The loop's thread; 0 before a monitor fired.
    var threadID: Int32 { 0 }

    /// The turn that runs and when it began; nil while the loop waits, and outside of it.
    var runningTurn: (number: UInt64, startedAt: UInt64)? { nil }

    /// Which monitor tells the turns, and on which thread.
    func setMonitor(_ kind: MainLoopKind, threadID: Int32) {}

    /// The shortest thresholds of all stores.
    func setThresholds(hangMilliseconds: UInt32, microHangMilliseconds: UInt32) {}

    /// A ping was sent and not answered yet: the turn of a pinged loop begins here.
    func pingSent(at now: UInt64) {}

    /// The loop was left during a turn.
    func loopWasLeft(duringTurn turn: UInt64, at now: UInt64) {}
}
