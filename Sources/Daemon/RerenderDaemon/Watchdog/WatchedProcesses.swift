// SPDX-License-Identifier: MIT
// What the watchdog's thread holds: the processes, and when each is looked at.

import RerenderModel
import RerenderWire

/// The processes that are watched. Confined to the watchdog's thread.
struct WatchedProcesses: ~Copyable {
    /// How often a loop in a turn is looked at.
    static let period: UInt64 = 10_000_000
    /// How often a loop that waits is looked at, at most: half the micro-hang threshold, so that a turn is seen before it
    /// becomes one, and not more than this, so that an open hang is seen in time.
    static let idlePeriod: UInt64 = 50_000_000

    private struct Watched {
        let identity: ProcessInstance
        var page: String
        var source: any PageSource
        let sampler: ThreadSampler
        var detector: HangDetector
        var reading: LoopReading?
        var lookedAt: UInt64 = 0
        /// How long it was meant to be until the next look.
        var period = WatchedProcesses.period
        var nextLook: UInt64 = 0
    }

    /// Opens the page of a process; a value of its own, so that tests need no file.
    typealias Open = (ProcessInstance, _ page: String) throws(FlightPages.Fault) -> any PageSource

    private let open: Open
    private let numbers: HangNumbers
    private var watched: [Watched] = []
    private var looks: UInt64 = 0
    private var lateness: UInt64 = 0
    /// What ended before was another daemon's to tell.
    private let began: UInt64
    private var missedBefore: UInt64 = 0
    private var ignoredBefore: UInt64 = 0

    init(numbers: HangNumbers, since began: UInt64 = 0, open: @escaping Open) {
        self.open = open
        self.began = began
        self.numbers = numbers
    }

    init(pages: FlightPages, numbers: HangNumbers, since began: UInt64) {
        self.init(numbers: numbers, since: began) { (process, page) throws(FlightPages.Fault) in
            try FlightPageSource(process, page: page, in: pages)
        }
    }

    var totals: (watched: Int, looks: UInt64, missed: UInt64, ignored: UInt64) {
        watched.reduce((watched.count, looks, missedBefore, ignoredBefore)) {
            ($0.0, $0.1, $0.2 &+ $1.detector.missedLongTurns, $0.3 &+ $1.detector.ignoredReadings)
        }
    }

    // MARK: Processes

    /// How far the watch of each process has come.
    var marks: [ProcessInstance: WatchCheckpoint] {
        Dictionary(watched.map { ($0.identity, $0.detector.mark(origin: $0.source.origin)) }) { first, _ in first }
    }

    /// Begins to watch a process, or opens its page again after it has reconnected.
    ///
    /// - Parameter mark: how far another daemon had come; not used if the page is not the one that it is of.
    mutating func begin(
        _ process: ProcessInstance, page: String, mark: WatchCheckpoint? = nil,
        _ messages: inout [WatchdogThread.Message]
    ) {
        let known = watched.firstIndex { $0.identity == process }
        do throws(FlightPages.Fault) {
            let source = try open(process, page)
            if let known, source.origin == watched[known].source.origin {
                // The same page, or one that the app had to make anew with what was in the old.
                if source.file != watched[known].source.file { watched[known].source = source }
                return
            }
            // Another program, which the process has become.
            if known != nil { end(process, exited: true, &messages) }
            watched.append(
                Watched(
                    identity: process, page: page, source: source, sampler: ThreadSampler(pid: process.pid),
                    detector: detector(mark, source, process, &messages)))
        } catch {
            if known == nil { messages.append(.init(process: process, kind: .fault(error))) }
        }
    }

    private func detector(
        _ mark: WatchCheckpoint?, _ source: any PageSource, _ process: ProcessInstance,
        _ messages: inout [WatchdogThread.Message]
    ) -> HangDetector {
        guard let mark else { return HangDetector(since: began) }
        if let reading = source.reading(), mark.fits(reading, origin: source.origin) {
            return HangDetector(resuming: mark)
        }
        // The program that the mark is of is no more.
        var last = HangDetector(resuming: mark)
        messages += last.end(exited: true).map { .init(process: process, kind: .hang($0)) }
        return HangDetector(since: began)
    }

    /// Looks a last time and closes what is open.
    mutating func end(_ process: ProcessInstance, exited: Bool, _ messages: inout [WatchdogThread.Message]) {
        guard let index = watched.firstIndex(where: { $0.identity == process }) else { return }
        look(at: index, thread: .gone, &messages)
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

    private mutating func look(at index: Int, thread: ThreadObservation?, _ messages: inout [WatchdogThread.Message]) {
        looks &+= 1
        let now = Clocks.monotonic
        let reading = watched[index].source.reading()
        let after = Clocks.monotonic
        defer { schedule(index, reading, now) }
        guard let reading else { return }
        let needs = watched[index].detector.needs(for: reading, now: now)
        // The usual case by far: nothing runs, and nothing happened.
        if needs == HangDetector.Needs(), reading.turnStartedAt == 0, !watched[index].detector.isBusy { return }
        var look = HangDetector.Observation(reading, now: now, after: after)
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
        for event in watched[index].detector.look(look, newID: { numbers.next() }) {
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
