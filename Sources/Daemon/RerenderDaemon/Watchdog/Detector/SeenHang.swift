// SPDX-License-Identifier: MIT
// What the detector finds: hangs whose views are still numbers, and what it wants to be done.

import RerenderModel
import RerenderWire

/// A hang or micro-hang as the watchdog sees it, with the app's numbers of its views.
struct SeenHang: Hashable, Sendable {
    /// The hang as it will be listed, without the names of its process and views, and without its shares. The number of
    /// a micro-hang is 0.
    var hang: Hang
    /// When it began by the monotonic clock.
    let startedAt: UInt64
    /// The views in it. Their shares are most first, at most ``WireLimits/sharesPerHang`` with the others.
    var views = TurnAttribution()

    /// The view that is blamed, or the event handler in the place of one.
    var blamed: FlightView? { hang.attribution == .none ? nil : views.shares.first?.view }

    /// A turn that lasts, or lasted, for `duration`. Its views are not known yet.
    init(_ turn: WatchCheckpoint.Open, _ duration: UInt64, _ ended: HangEnding?, isGuess: Bool) {
        startedAt = turn.startedAt
        hang = Hang(id: turn.id, pid: 0, process: "", startedAt: turn.realStart, turn: turn.turn)
        (hang.durationNanoseconds, hang.mayHaveBegunEarlierNanoseconds) = (duration, turn.slack)
        (hang.open, hang.ended, hang.guess) = (ended == nil, ended, isGuess)
        guard turn.isHang else { return }
        (hang.openedAfterNanoseconds, hang.watchdogLatenessNanoseconds) = (turn.openedAfter, turn.lateness)
    }

    /// Fills in shares, remainder, verdict and blame, from what is known of the views and from samples of the thread.
    ///
    /// - Parameter threshold: from when on a turn counts; hangs and micro-hangs have different ones.
    mutating func judge(_ known: TurnAttribution, _ times: TurnTimes?, threshold: UInt64) {
        let duration = hang.durationNanoseconds
        views = known
        views.fit(into: duration, without: times?.stoppedInBodies ?? [:])
        let sum = views.shares.reduce(views.otherNanoseconds) { $0 &+ $1.nanoseconds }
        hang.unattributedNanoseconds = known.knowledge == .none ? nil : duration - sum
        if known.knowledge != .all { hang.guess = true }
        hang.verdict = times?.verdict(duration: duration) ?? .unknown
        hang.waitingOn = hang.verdict == .blocked ? times?.waitingOn : nil
        hang.starvedNanoseconds = min(times?.starved ?? 0, duration)
        hang.stoppedNanoseconds = min(times?.stopped ?? 0, duration)
        // An open hang is only just over the threshold, and the kernel's counts are behind: a moment decides nothing
        // yet.
        let least = hang.open ? min(threshold, duration / 2) : threshold
        let longest = hang.longestNanoseconds
        let own = longest.saturatingDifference((times?.stopped ?? 0).saturatingSum(times?.suspended ?? 0))
        guard own < least, own < longest, let times else { return hang.attribution = views.blame(for: duration) }
        hang.verdict = times.stopped >= times.suspended ? .stopped : .suspended
        (hang.waitingOn, hang.counts) = (nil, false)
    }
}

/// What the detector wants to be done.
enum DetectorEvent: Hashable, Sendable {
    case opened(SeenHang)
    case updated(SeenHang)
    /// A hang, or a turn over the micro-hang threshold, has ended; and how far the watch had come with that.
    case closed(SeenHang, WatchCheckpoint)
    /// It turned out not to be a hang.
    case dropped(id: UInt64)
    case askStack(hang: UInt64, turn: UInt64)
    case watchTurn(UInt64)
    /// The process has no known loop, and may have loaded one.
    case lookForLoops
}
