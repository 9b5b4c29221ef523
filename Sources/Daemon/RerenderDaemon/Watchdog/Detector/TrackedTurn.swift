// SPDX-License-Identifier: MIT
// The turn that a detector follows.

import RerenderModel
import RerenderWire

/// What is known of a turn while it lasts.
struct TrackedTurn: Sendable {
    struct OpenHang: Sendable {
        var id: UInt64
        var inBody: FlightView?
        /// Stacks asked for.
        var stacks = 0
        var updatedAt: UInt64
        /// How long it had lasted when it was opened, and how late that observation was.
        var openedAfter: UInt64
        var lateness: UInt64
    }

    let number: UInt64
    let startedAt: UInt64
    /// How much earlier it may have begun.
    var slack: UInt64 = 0
    let realStart: Timestamp
    var threshold: UInt64
    var times = TurnTimes()
    var hang: OpenHang?
    /// When it was last seen to run, in a process that lived.
    var lastSeen: UInt64
    /// What was then known of the views.
    var blame: TurnAttribution
    /// Whether the app was asked to say if its loop is left.
    var isWatched = false
    /// It ended, and its record has not been found yet.
    var isOver = false
    var observationsSinceEnd = 0

    init(_ observation: HangDetector.Observation, realStart: Timestamp) {
        self.realStart = realStart
        number = observation.reading.turn
        startedAt = observation.reading.turnStartedAt
        threshold = observation.reading.hangThreshold
        lastSeen = observation.now
        slack = observation.reading.turnSlack
        blame = TurnAttribution(observation.reading, nil, inBody: nil, now: observation.now)
    }

    func isSame(as reading: LoopReading) -> Bool {
        number == reading.turn && startedAt == reading.turnStartedAt
    }

    var duration: UInt64 { lastSeen.saturatingDifference(startedAt) }
    /// The same if it began as early as it may have.
    var longest: UInt64 { duration.saturatingSum(slack) }

    /// Takes in a look; false if the process is dead, whose turn lasts no longer than its page proves.
    mutating func add(_ observation: HangDetector.Observation) -> Bool {
        threshold = observation.reading.hangThreshold
        guard observation.thread != .gone else {
            lastSeen = max(lastSeen, observation.reading.latestStamp(observation.shares, until: observation.now))
            look(observation)
            return false
        }
        if case .sample = observation.thread {
            times.add(observation.mark, wasLate: observation.wasLate)
        } else if times.hasSamples {
            times.add(observation.mark, wasLate: true)
        }
        lastSeen = max(lastSeen, observation.now)
        look(observation)
        return true
    }

    /// Takes in the shares as of when the turn was last seen to run: a page that is read later still says whose body ran then.
    private mutating func look(_ observation: HangDetector.Observation) {
        blame.take(TurnAttribution(observation.reading, observation.shares, inBody: hang?.inBody, now: lastSeen))
    }

    mutating func open(_ observation: HangDetector.Observation, id: UInt64) {
        let reading = observation.reading
        // Only a body that began before the threshold was crossed was running then.
        let wasRunning = reading.runningSince <= startedAt.saturatingSum(threshold)
        hang = OpenHang(
            id: id, inBody: wasRunning ? reading.running : nil, updatedAt: observation.now,
            openedAfter: observation.after.saturatingDifference(startedAt), lateness: observation.lateness)
        look(observation)
        // The turn's table may be gone at the next look, and with it the key.
        hang?.inBody = blame.inBody
    }

    /// The hang as far as it goes; nil if it is none.
    var report: HangReport? {
        guard let hang else { return nil }
        var report = HangReport(
            id: hang.id, turn: number, startedAt: realStart, startedAtMonotonic: startedAt, duration: duration)
        report.slack = slack
        report.note(hang)
        report.isGuess = true
        blame.judge(&report, times: times, threshold: threshold)
        return report
    }

    /// Whether the app is to be asked now: before the turn is a hang, so that it is known until when the loop was run.
    mutating func watch(_ reading: LoopReading) -> Bool {
        guard reading.monitor == .glib, !isWatched, longest >= min(reading.microHangThreshold, threshold / 2) else {
            return false
        }
        isWatched = true
        return true
    }

    mutating func isUpdateDue(_ now: UInt64) -> Bool {
        guard let known = hang, now.saturatingDifference(known.updatedAt) >= HangDetector.updateInterval else {
            return false
        }
        hang?.updatedAt = now
        return true
    }

    /// The hang's number if a stack is due now; one at a time, however late the observation is.
    mutating func askStack() -> UInt64? {
        guard let known = hang, known.stacks < HangDetector.stackTimes.count,
            longest >= threshold / 2 * HangDetector.stackTimes[known.stacks]
        else { return nil }
        let past = HangDetector.stackTimes.firstIndex { longest < threshold / 2 * $0 }
        hang?.stacks = past ?? HangDetector.stackTimes.count
        return known.id
    }
}
