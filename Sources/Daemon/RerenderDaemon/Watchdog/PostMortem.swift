// SPDX-License-Identifier: MIT
// The page of a process that is dead and that nobody watched to its end: what it proves.

import RerenderModel
import RerenderWire

/// Looks once at the page of a process that has ended, in the place of the watchdog's thread.
///
/// Long turns are in the page's ring with their own stamps. Of the turn that the process died in, only the page's latest
/// stamp is sure: until then it lasted at least. That is its length here; a turn that no stamp proves to be a hang is none.
enum PostMortem {
    /// What is to be told of the loop.
    ///
    /// - Parameters:
    ///   - mark: how far another daemon had come; nil if none is known to have watched.
    ///   - began: without a mark, turns that ended before this are another's to tell.
    static func events(
        of page: FlightPageSource, mark: WatchCheckpoint?, since began: UInt64, exited: Bool, numbers: HangNumbers
    ) -> [DetectorEvent] {
        guard let reading = page.reading() else { return [] }
        let mark = mark.flatMap { $0.fits(reading, origin: page.origin) ? $0 : nil }
        // The clock of another run of the kernel says nothing in this one.
        guard mark != nil || page.isOfThisBoot else { return [] }
        var detector = mark.map { HangDetector(resuming: $0) } ?? HangDetector(since: began)
        let look = look(at: page, reading, after: detector.seenLongTurns)
        let events = detector.look(look) { numbers.next() } + detector.end(exited: exited)
        return events.compactMap { told($0, except: mark?.open?.id) }
    }

    private static func look(
        at page: FlightPageSource, _ reading: LoopReading, after number: UInt64
    ) -> HangDetector.Observation {
        let (now, realTime) = (Clocks.monotonic, Clocks.realTime)
        let shares = page.shares()
        let proven = reading.latestStamp(shares, until: now)
        var look = HangDetector.Observation(reading, now: proven, after: now)
        look.realTime = realTime - Int64(clamping: now - proven)
        look.shares = shares
        look.longTurns = page.longTurns(after: number)
        // Nobody looked since the latest stamp.
        look.wasLate = true
        return look
    }

    /// Leaves out what was for a process that lives, and when it was opened: nobody was there to do so.
    private static func told(_ event: DetectorEvent, except known: UInt64?) -> DetectorEvent? {
        switch event {
        case .opened(var report):
            (report.openedAfter, report.lateness) = (nil, nil)
            return .opened(report)
        case .closed(var report):
            if report.id != known { (report.openedAfter, report.lateness) = (nil, nil) }
            return .closed(report)
        case .microHang, .dropped: return event
        case .updated, .askStack, .watchTurn: return nil
        }
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
