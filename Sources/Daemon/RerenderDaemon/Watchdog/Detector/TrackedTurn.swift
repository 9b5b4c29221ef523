// SPDX-License-Identifier: MIT
// The turn that a detector follows, and how far a watch has come, so that the next daemon continues there.

import RerenderModel
import RerenderWire

/// How far the watch of a process's loop has come: with it, the next daemon counts nothing twice and misses nothing.
///
/// It has no open hang: a turn that still runs is found again on the page, with all of its length.
struct WatchCheckpoint: Hashable, Sendable {
    /// Which program's page it is of; see ``PageSource/origin``.
    var origin: UInt64
    /// Up to which number long turns were taken in or given up.
    var seenLongTurns: UInt64
    /// Turns up to this one are dealt with.
    var doneTurn: UInt64

    /// Whether a page can be the one that the mark is of: its counts only grow.
    func fits(_ reading: LoopReading, origin: UInt64) -> Bool {
        self.origin == origin && reading.longTurns >= seenLongTurns && reading.turn >= doneTurn
    }
}

/// A turn in the middle.
struct OpenTurn: Hashable, Sendable {
    /// The number of the hang that it is; 0 while it is not one.
    var id: UInt64 = 0
    var turn: UInt64
    /// By the monotonic clock, and by the real-time clock when it was first seen.
    var startedAt: UInt64
    var realStart: Timestamp
    /// From when on it is a hang.
    var threshold: UInt64
    /// When it was last seen to run, in a process that lived.
    var lastSeen: UInt64
    /// How long it had lasted when the hang was opened, and how late that observation was.
    var openedAfter: UInt64 = 0
    var lateness: UInt64 = 0
    /// Stacks asked for.
    var stacks = 0
    /// What ran when the threshold was crossed; nil before that.
    var inBody: FlightView?
    /// How much earlier it may have begun.
    var slack: UInt64 = 0

    var isHang: Bool { id != 0 }
}

/// What is known of a turn while it lasts.
struct TrackedTurn: Sendable {
    /// Its times, and the hang that it is.
    private(set) var kept: OpenTurn
    var times = TurnTimes()
    /// What was known of the views when it was last seen to run.
    private(set) var views: TurnAttribution
    /// When the hang was reported last.
    private var updatedAt: UInt64
    /// Whether the app was asked to say if its loop is left.
    private var isWatched = false
    /// It ended, and its record has not been found yet.
    var isOver = false
    var observationsSinceEnd = 0

    init(_ observation: HangDetector.Observation, realStart: Timestamp) {
        let reading = observation.reading
        kept = OpenTurn(
            turn: reading.turn, startedAt: reading.turnStartedAt, realStart: realStart,
            threshold: reading.thresholds.hangNanoseconds, lastSeen: observation.now, slack: reading.turnSlack)
        views = TurnAttribution(reading, nil, inBody: nil, now: observation.now)
        updatedAt = observation.now
    }

    func isSame(as reading: LoopReading) -> Bool {
        kept.turn == reading.turn && kept.startedAt == reading.turnStartedAt
    }

    /// Whether a record of the page is the turn's.
    func isRecorded(by record: LongTurn) -> Bool { kept.turn == record.turn && kept.startedAt == record.startedAt }

    private var duration: UInt64 { kept.lastSeen.saturatingDifference(kept.startedAt) }
    /// The same if it began as early as it may have.
    var longest: UInt64 { duration.clampedSum(kept.slack) }

    /// Takes in a look; false if the process is dead, whose turn lasts no longer than its page proves.
    mutating func add(_ observation: HangDetector.Observation) -> Bool {
        let (reading, isDead) = (observation.reading, observation.thread == .gone)
        kept.threshold = reading.thresholds.hangNanoseconds
        if case .sample = observation.thread {
            times.add(observation.mark, wasLate: observation.wasLate)
        } else if !isDead, times.hasSamples {
            times.add(observation.mark, wasLate: true)
        }
        let seen = isDead ? reading.latestStamp(observation.shares, until: observation.now) : observation.now
        kept.lastSeen = max(kept.lastSeen, seen)
        look(observation)
        return !isDead
    }

    /// Takes in the shares as of when the turn was last seen to run: a page that is read later still says whose body
    /// ran then.
    private mutating func look(_ observation: HangDetector.Observation) {
        views.take(
            TurnAttribution(observation.reading, observation.shares, inBody: kept.inBody, now: kept.lastSeen))
    }

    mutating func open(_ observation: HangDetector.Observation, id: UInt64) {
        let reading = observation.reading
        // Only a body that began before the threshold was crossed was running then.
        let wasRunning = reading.runningSince <= kept.startedAt.clampedSum(kept.threshold)
        (kept.id, kept.inBody) = (id, wasRunning ? reading.running : nil)
        kept.openedAfter = observation.after.saturatingDifference(kept.startedAt)
        kept.lateness = observation.lateness
        updatedAt = observation.now
        look(observation)
        // The turn's table may be gone at the next look, and with it the key.
        kept.inBody = views.inBody
    }

    /// The hang as far as it goes, or as it was last seen.
    func seen(_ ended: HangEnding? = nil) -> SeenHang {
        // Where the process died, its page has its last word; where it lives, its record was lost.
        var seen = SeenHang(kept, duration, ended, isGuess: ended == nil || ended == .normally)
        seen.take(views, times)
        seen.judge(times, threshold: kept.threshold)
        return seen
    }

    /// Whether the app is to be asked now: before the turn is a hang, so that it is known until when the loop was run.
    mutating func watch(_ reading: LoopReading) -> Bool {
        let least = min(reading.thresholds.microHangNanoseconds, kept.threshold / 2)
        guard reading.monitor == .glib, !isWatched, longest >= least else { return false }
        isWatched = true
        return true
    }

    /// Whether readers are to hear of an open hang again.
    mutating func isUpdateDue(_ now: UInt64) -> Bool {
        guard now.saturatingDifference(updatedAt) >= HangDetector.updateInterval else { return false }
        updatedAt = now
        return true
    }

    /// When the next thing is due: the threshold is crossed, or a stack is to be taken. Nil if all are taken.
    var nextDue: UInt64? { stackTime.map { kept.startedAt.clampedSum($0) - kept.slack } }

    /// Whether a stack of the open hang is due now; one at a time, however late the observation is.
    mutating func takeStack() -> Bool {
        guard let time = stackTime, longest >= time else { return false }
        let past = HangDetector.stackTimes.firstIndex { longest < kept.threshold / 2 * $0 }
        kept.stacks = past ?? HangDetector.stackTimes.count
        return true
    }

    /// How long the turn has lasted when the next stack is due: the first at the threshold.
    private var stackTime: UInt64? {
        guard kept.stacks < HangDetector.stackTimes.count else { return nil }
        return kept.threshold / 2 * HangDetector.stackTimes[kept.stacks]
    }
}

extension LoopReading {
    /// The latest moment at which the loop's thread is known to have been alive; `now` bounds what a page may claim.
    fileprivate func latestStamp(_ shares: TurnShares?, until now: UInt64) -> UInt64 {
        let table = shares.flatMap { $0.turn == turn ? $0.until : nil } ?? 0
        let stamps = [turnStartedAt, running == nil ? 0 : runningSince, lastEndedAt, table]
        return stamps.filter { $0 <= now }.max() ?? now
    }
}
