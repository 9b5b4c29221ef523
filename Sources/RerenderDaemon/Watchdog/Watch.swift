// SPDX-License-Identifier: MIT
// What the watchdog's thread holds: the processes, and when each is looked at.

import RerenderModel
import RerenderWire

/// The processes that are watched. Confined to the watchdog's thread.
struct Watch: ~Copyable {
    /// How often a loop in a turn is looked at.
    static let period: UInt64 = 10_000_000
    /// How often a loop that waits is looked at, at most: half the micro-hang threshold, so that a turn is seen before it
    /// becomes one, and not more than this, so that an open hang is seen in time.
    static let idlePeriod: UInt64 = 50_000_000

    private struct Watched {
        let identity: ProcessIdentity
        var page: String
        var source: any PageSource
        let sampler: ThreadSampler
        var detector: HangDetector
        var reading: LoopReading?
        var lookedAt: UInt64 = 0
        /// How long it was meant to be until the next look.
        var period = Watch.period
        var nextLook: UInt64 = 0
    }

    /// Opens the page of a process; a value of its own, so that tests need no file.
    typealias Open = (ProcessIdentity, _ page: String) throws(FlightPages.Fault) -> any PageSource

    private let open: Open
    private var nextID: UInt64
    private var watched: [Watched] = []
    private var looks: UInt64 = 0
    private var lateness: UInt64 = 0
    /// What ended before was another daemon's to tell.
    private let began: UInt64
    private var missedBefore: UInt64 = 0
    private var ignoredBefore: UInt64 = 0

    init(nextID: UInt64, since began: UInt64 = 0, open: @escaping Open) {
        self.open = open
        self.began = began
        self.nextID = nextID
    }

    init(pages: FlightPages, nextID: UInt64, since began: UInt64) {
        self.init(nextID: nextID, since: began) { (process, page) throws(FlightPages.Fault) in
            try FlightPageSource(process, page: page, in: pages)
        }
    }

    var totals: (watched: Int, looks: UInt64, missed: UInt64, ignored: UInt64) {
        watched.reduce((watched.count, looks, missedBefore, ignoredBefore)) {
            ($0.0, $0.1, $0.2 &+ $1.detector.missedLongTurns, $0.3 &+ $1.detector.ignoredReadings)
        }
    }

    // MARK: Processes

    /// Begins to watch a process, or opens its page again after it has reconnected.
    mutating func begin(_ process: ProcessIdentity, page: String, _ messages: inout [WatchdogThread.Message]) {
        let known = watched.firstIndex { $0.identity == process }
        do throws(FlightPages.Fault) {
            let source = try open(process, page)
            // The same page goes on; another one is that of a program which the process has become.
            if let known, source.file == watched[known].source.file { return }
            if known != nil { end(process, exited: true, &messages) }
            watched.append(
                Watched(
                    identity: process, page: page, source: source, sampler: ThreadSampler(pid: process.pid),
                    detector: HangDetector(since: began)))
        } catch {
            if known == nil { messages.append(.init(process: process, kind: .fault(error))) }
        }
    }

    /// Looks a last time and closes what is open.
    mutating func end(_ process: ProcessIdentity, exited: Bool, _ messages: inout [WatchdogThread.Message]) {
        guard let index = watched.firstIndex(where: { $0.identity == process }) else { return }
        look(at: index, thread: .gone, &messages)
        for event in watched[index].detector.end(exited: exited) {
            messages.append(.init(process: process, kind: .hang(event)))
        }
        forget(process)
    }

    mutating func forget(_ process: ProcessIdentity) {
        guard let index = watched.firstIndex(where: { $0.identity == process }) else { return }
        missedBefore &+= watched[index].detector.missedLongTurns
        ignoredBefore &+= watched[index].detector.ignoredReadings
        watched.remove(at: index)
    }

    // MARK: Looks

    /// Looks at everything that is due; returns when to look again, nil if there is nothing to look at.
    ///
    /// - Parameter lateness: how late the thread woke up for it.
    mutating func look(_ messages: inout [WatchdogThread.Message], lateness: UInt64 = 0) -> UInt64? {
        let now = Clocks.monotonic
        self.lateness = lateness
        var next: UInt64?
        var index = 0
        while index < watched.count {
            if watched[index].nextLook <= now { look(at: index, thread: nil, &messages) }
            next = min(next ?? .max, watched[index].nextLook)
            index += 1
        }
        return next
    }

    private mutating func look(at index: Int, thread: ThreadLook?, _ messages: inout [WatchdogThread.Message]) {
        looks &+= 1
        let now = Clocks.monotonic
        let reading = watched[index].source.reading()
        let after = Clocks.monotonic
        defer { schedule(index, reading, now) }
        guard let reading else { return }
        let needs = watched[index].detector.needs(for: reading, now: now)
        // The usual case by far: nothing runs, and nothing happened.
        if needs == HangDetector.Needs(), reading.turnStartedAt == 0, !watched[index].detector.isBusy { return }
        var look = HangDetector.Look(reading, now: now, after: after)
        if needs.longTurns {
            look.longTurns = watched[index].source.longTurns(after: watched[index].detector.seenLongTurns)
        }
        if needs.shares { look.shares = watched[index].source.shares() }
        if let thread {
            look.thread = thread
        } else if needs.thread {
            look.thread = watched[index].sampler.look(at: reading.threadID)
        }
        look.lateness = lateness
        look.bootAhead = Clocks.bootAhead
        look.realTime = Clocks.realTime
        let sinceLast = now.saturatingDifference(watched[index].lookedAt)
        look.wasLate = watched[index].lookedAt > 0 && sinceLast >= 2 * watched[index].period
        for event in watched[index].detector.look(
            look,
            newID: {
                nextID += 1; return nextID - 1
            })
        {
            messages.append(.init(process: watched[index].identity, kind: .hang(event)))
        }
    }

    /// Sets the next look, on a grid that all processes share, so that one wake-up serves many.
    private mutating func schedule(_ index: Int, _ reading: LoopReading?, _ now: UInt64) {
        var period = Self.idlePeriod
        if let reading {
            period = min(period, max(Self.period, reading.microHangThreshold / 2))
            if reading.turnStartedAt != 0 || watched[index].detector.isBusy { period = Self.period }
        }
        watched[index].lookedAt = now
        watched[index].period = period
        var next = (now / period + 1) * period
        // Not at once, whatever a page says: one must not keep the thread from the others.
        if let due = watched[index].detector.nextDue, due > now { next = min(next, max(due, now + 1_000_000)) }
        watched[index].nextLook = next
    }
}
