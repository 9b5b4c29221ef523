// SPDX-License-Identifier: MIT
// The watched processes, and when each is observed.

import RerenderModel
import RerenderWire

/// The processes that are watched. Confined to the watchdog's thread.
struct WatchedProcesses: ~Copyable {
    /// How often a loop in a turn is observed.
    static let period: UInt64 = 10_000_000
    /// How often a loop that waits is observed, at most: half the micro-hang threshold, so that a turn is seen before it
    /// becomes one, and not more than this, so that an open hang is seen in time.
    static let idlePeriod: UInt64 = 50_000_000
    /// How many looks at loops that wait are taken in a second, of all processes together: each costs 2.6 to 4.7 µs, so that
    /// they take some 1 % of a core however many there are. Up to 125 processes are looked at every ``idlePeriod``.
    static let idleLooks = 2_500
    /// How many micro-hang thresholds may pass between two looks at most: the page keeps 16 turns of that length.
    static let longestIdle: UInt64 = 4
    /// How often it is looked at most whether a process without a known loop has grown.
    static let sizePeriod: UInt64 = 1_000_000_000

    private struct Watched {
        let identity: ProcessInstance
        var source: any PageSource
        let sampler: ThreadSampler
        var detector: HangDetector
        /// Of its memory, while it has no known loop: a library that is loaded changes it. And when it was looked at.
        var size: UInt64 = 0
        var sizedAt: UInt64 = 0
        var observedAt: UInt64 = 0
        /// The intended time until the next observation.
        var period = WatchedProcesses.period
        var nextPoll: UInt64 = 0
    }

    /// Makes the source of a process's readings; a value of its own, so that tests need no app.
    typealias Open = (ProcessInstance, OpenPage) throws(OpenPage.Fault) -> any PageSource

    private let open: Open
    /// The monotonic clock, in nanoseconds.
    private let clock: () -> UInt64
    private let numbers: HangNumbers
    private var watched: [Watched] = []
    private var looks: UInt64 = 0
    private var lateness: UInt64 = 0
    /// What ended before was another daemon's to tell.
    private let since: UInt64
    private var missedBefore: UInt64 = 0
    private var ignoredBefore: UInt64 = 0

    /// - Parameter clock: the monotonic clock, which tests drive.
    init(
        numbers: HangNumbers, since: UInt64 = 0,
        clock: @escaping () -> UInt64 = { Clocks.monotonic },
        open: @escaping Open = { (process, page) throws(OpenPage.Fault) in try FlightPageSource(process, page) }
    ) {
        self.open = open
        (self.clock, self.since, self.numbers) = (clock, since, numbers)
    }

    var totals: (watched: Int, looks: UInt64, missed: UInt64, ignored: UInt64) {
        watched.reduce((watched.count, looks, missedBefore, ignoredBefore)) {
            ($0.0, $0.1, $0.2 &+ $1.detector.missedLongTurns, $0.3 &+ $1.detector.ignoredReadings)
        }
    }

    // MARK: Processes

    /// Begins to watch a process, or goes on with its page after it has reconnected.
    ///
    /// - Parameter mark: how far its watch had come; not used if the page is not the one that it is of.
    mutating func begin(
        _ process: ProcessInstance, page: OpenPage, mark: WatchCheckpoint? = nil,
        _ messages: inout [WatchdogThread.Message]
    ) {
        let known = watched.firstIndex { $0.identity == process }
        do throws(OpenPage.Fault) {
            let source = try open(process, page)
            if let known, source.origin == watched[known].source.origin {
                // The same page.
                watched[known].source = source
                return
            }
            // Another program, which the process has become.
            if known != nil { end(process, exited: true, &messages) }
            watched.append(
                Watched(
                    identity: process, source: source, sampler: ThreadSampler(pid: process.pid),
                    detector: detector(mark, source, process)))
        } catch {
            if known == nil { messages.append(.init(process: process, kind: .fault(error))) }
        }
    }

    private func detector(
        _ mark: WatchCheckpoint?, _ source: any PageSource, _ process: ProcessInstance
    ) -> HangDetector {
        // A page that is half written cannot be read yet.
        if let mark, source.reading().map({ mark.fits($0, origin: source.origin) }) ?? (mark.origin == source.origin) {
            return HangDetector(resuming: mark)
        }
        return HangDetector(since: since, origin: source.origin, isUnread: process.startedAt >= since)
    }

    /// Observes a last time and closes an open hang.
    mutating func end(_ process: ProcessInstance, exited: Bool, _ messages: inout [WatchdogThread.Message]) {
        guard let index = watched.firstIndex(where: { $0.identity == process }) else { return }
        observe(at: index, thread: .gone, &messages)
        for event in watched[index].detector.end(exited: exited) {
            messages.append(.init(process: process, kind: .hang(event)))
        }
        forget(process)
    }

    mutating func forget(_ process: ProcessInstance) {
        guard let index = watched.firstIndex(where: { $0.identity == process }) else { return }
        missedBefore &+= watched[index].detector.missedLongTurns
        ignoredBefore &+= watched[index].detector.ignoredReadings
        watched.remove(at: index)
    }

    // MARK: Observations

    /// Observes every process that is due; returns the time of the next poll, nil if there are no processes.
    ///
    /// - Parameter lateness: how late the thread woke up for it.
    mutating func poll(_ messages: inout [WatchdogThread.Message], lateness: UInt64 = 0) -> UInt64? {
        let now = clock()
        self.lateness = lateness
        var next: UInt64?
        var index = 0
        while index < watched.count {
            if watched[index].nextPoll <= now { observe(at: index, thread: nil, &messages) }
            next = min(next ?? .max, watched[index].nextPoll)
            index += 1
        }
        return next
    }

    /// Whether the process has another size than at the last look, if one is due.
    private mutating func hasGrown(at index: Int, _ now: UInt64) -> Bool {
        let sizedAt = watched[index].sizedAt
        guard sizedAt == 0 || now.saturatingDifference(sizedAt) >= Self.sizePeriod else { return false }
        watched[index].sizedAt = now
        guard let size = watched[index].sampler.size(), size != watched[index].size else { return false }
        watched[index].size = size
        return true
    }

    private mutating func observe(at index: Int, thread: ThreadObservation?, _ messages: inout [WatchdogThread.Message])
    {
        looks &+= 1
        let now = clock()
        let reading = watched[index].source.reading()
        let after = clock()
        defer { schedule(index, reading, now) }
        guard let reading else { return }
        if reading.monitor == .none, hasGrown(at: index, now) {
            messages.append(.init(process: watched[index].identity, kind: .hang(.lookForLoops)))
        }
        let needs = watched[index].detector.needs(for: reading, now: now)
        // The usual case by far: nothing runs, and nothing happened.
        if needs == HangDetector.Needs(), reading.turnStartedAt == 0, !watched[index].detector.isBusy { return }
        var observation = HangDetector.Observation(reading, now: now, after: after)
        if needs.longTurns {
            observation.longTurns = watched[index].source.longTurns(after: watched[index].detector.seenLongTurns)
        }
        if needs.shares { observation.shares = watched[index].source.shares() }
        if let thread {
            observation.thread = thread
        } else if needs.thread {
            observation.thread = watched[index].sampler.sample(reading.threadID)
        }
        observation.lateness = lateness
        observation.bootAhead = Clocks.bootAhead
        observation.realTime = Clocks.realTime(of: now)
        let sinceLast = now.saturatingDifference(watched[index].observedAt)
        observation.wasLate = watched[index].observedAt > 0 && sinceLast >= 2 * watched[index].period
        for event in watched[index].detector.observe(observation, newID: { numbers.next() }) {
            messages.append(.init(process: watched[index].identity, kind: .hang(event)))
        }
    }

    /// Sets the next observation, on a grid that all processes share, so that one wake-up serves many.
    private mutating func schedule(_ index: Int, _ reading: LoopReading?, _ now: UInt64) {
        // A page that tells nothing yet is that of an app whose loop has not run.
        let threshold = (reading?.thresholds ?? HangThresholds()).microHangNanoseconds
        var period = min(Self.idlePeriod, max(Self.period, threshold / 2))
        let crowded = UInt64(watched.count) * 1_000_000_000 / UInt64(Self.idleLooks)
        period = max(period, min(crowded, threshold &* Self.longestIdle))
        if let reading, reading.turnStartedAt != 0 || watched[index].detector.isBusy { period = Self.period }
        watched[index].observedAt = now
        watched[index].period = period
        var next = (now / period + 1) * period
        // Not at once, whatever a page says: one must not keep the thread from the others.
        if let due = watched[index].detector.nextDue, due > now { next = min(next, max(due, now + 1_000_000)) }
        watched[index].nextPoll = next
    }
}
