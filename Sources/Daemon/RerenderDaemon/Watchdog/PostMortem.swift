// SPDX-License-Identifier: MIT
// Reads the hangs of a dead process from its flight page.

import RerenderModel
import RerenderWire

/// Observes once the page of a process that ended and was not watched to its end.
///
/// Long turns are in the page's ring with their own stamps. Of the turn that the process died in, only the page's
/// latest stamp is sure: until then it lasted at least. That is its length here. A stamp must prove that it is a hang.
enum PostMortem {
    /// The events of the loop, and how many long turns left the page before anyone read them.
    ///
    /// - Parameters:
    ///   - mark: how far another daemon had come; nil if none is known to have watched.
    ///   - began: turns that ended before this are another's to tell, without a mark those that ended before `since`.
    static func events(
        of page: FlightPageSource, _ process: ProcessInstance, mark: WatchCheckpoint?, since: UInt64, began: UInt64,
        exited: Bool, numbers: HangNumbers
    ) -> (events: [DetectorEvent], missed: UInt64) {
        guard let reading = page.reading() else { return ([], 0) }
        let first = mark == nil ? since : began
        let isUnread = mark == nil && process.startedAt >= since
        let mark = mark.flatMap { $0.fits(reading, origin: page.origin) ? $0 : nil }
        // The clock of another run of the kernel says nothing in this one.
        guard mark != nil || page.isOfThisBoot else { return ([], 0) }
        var detector =
            mark.map { HangDetector(resuming: $0) }
            ?? HangDetector(since: first, origin: page.origin, isUnread: isUnread)
        let observation = observation(of: page, reading, after: detector.seenLongTurns)
        let events = detector.observe(observation) { numbers.next() } + detector.end(exited: exited)
        return (events.compactMap { told($0, except: mark?.open?.id) }, detector.missedLongTurns)
    }

    private static func observation(
        of page: FlightPageSource, _ reading: LoopReading, after number: UInt64
    ) -> HangDetector.Observation {
        let now = Clocks.monotonic
        let shares = page.shares()
        let proven = reading.latestStamp(shares, until: now)
        var observation = HangDetector.Observation(reading, now: proven, after: now)
        observation.realTime = Clocks.realTime(of: proven)
        observation.shares = shares
        observation.longTurns = page.longTurns(after: number)
        // There was no observation since the latest stamp.
        observation.wasLate = true
        return observation
    }

    /// Leaves out events for a living process, and the times of an opening that did not take place.
    private static func told(_ event: DetectorEvent, except known: UInt64?) -> DetectorEvent? {
        switch event {
        case .opened(var seen):
            (seen.hang.openedAfterNanoseconds, seen.hang.watchdogLatenessNanoseconds) = (nil, nil)
            return .opened(seen)
        case .closed(var seen, let progress) where seen.hang.id != known:
            (seen.hang.openedAfterNanoseconds, seen.hang.watchdogLatenessNanoseconds) = (nil, nil)
            return .closed(seen, progress)
        case .closed, .dropped: return event
        case .updated, .askStack, .watchTurn, .lookForLoops: return nil
        }
    }
}

extension LoopReading {
    /// The latest moment at which the loop's thread is known to have been alive; `now` bounds what a page may claim.
    func latestStamp(_ shares: TurnShares?, until now: UInt64) -> UInt64 {
        let table = shares.flatMap { $0.turn == turn ? $0.until : nil } ?? 0
        let stamps = [turnStartedAt, running == nil ? 0 : runningSince, lastEndedAt, table]
        return stamps.filter { $0 <= now }.max() ?? now
    }
}
