// SPDX-License-Identifier: MIT
// What the detector finds: hangs whose views are still numbers, and the rule which view or event handler a hang is blamed on.

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
    init(_ turn: OpenTurn, _ duration: UInt64, _ ended: HangEnding?, isGuess: Bool) {
        startedAt = turn.startedAt
        hang = Hang(id: turn.id, pid: 0, process: "", startedAt: turn.realStart, turn: turn.turn)
        (hang.durationNanoseconds, hang.mayHaveBegunEarlierNanoseconds) = (duration, turn.slack)
        (hang.open, hang.ended, hang.guess) = (ended == nil, ended, isGuess)
        guard turn.isHang else { return }
        (hang.openedAfterNanoseconds, hang.watchdogLatenessNanoseconds) = (turn.openedAfter, turn.lateness)
    }

    /// Fills in shares, remainder and blame, from what is known of the views, without the time in which samples show that the process was
    /// stopped.
    mutating func take(_ known: TurnAttribution, _ times: TurnTimes?) {
        let duration = hang.durationNanoseconds
        views = known
        views.fit(into: duration, without: times?.stoppedInBodies ?? [:])
        let sum = views.shares.reduce(views.otherNanoseconds) { $0 &+ $1.nanoseconds }
        hang.unattributedNanoseconds = known.knowledge == .none ? nil : duration - sum
        if known.knowledge != .all { hang.guess = true }
        hang.attribution = views.blame(for: duration, inSource: hang.sourceNanoseconds ?? 0)
    }

    /// Fills in the verdict, from samples of the thread; after the views.
    ///
    /// - Parameter threshold: from when on a turn counts; hangs and micro-hangs have different ones.
    mutating func judge(_ times: TurnTimes?, threshold: UInt64) {
        let duration = hang.durationNanoseconds
        hang.verdict = times?.verdict(duration: duration, threshold: threshold) ?? .unknown
        hang.waitingOn = hang.verdict == .blocked ? times?.waitingOn : nil
        hang.starvedNanoseconds = min(times?.starved ?? 0, duration)
        hang.stoppedNanoseconds = min(times?.stopped ?? 0, duration)
        // An open hang is only just over the threshold, and the kernel's counts are behind: a moment decides nothing
        // yet.
        let least = hang.open ? min(threshold, duration / 2) : threshold
        let longest = hang.longestNanoseconds
        let own = longest.saturatingDifference((times?.stopped ?? 0).clampedSum(times?.suspended ?? 0))
        guard own < least, own < longest, let times else { return }
        hang.verdict = times.stopped >= times.suspended ? .stopped : .suspended
        (hang.attribution, hang.waitingOn, hang.counts) = (.none, nil, false)
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

/// What is known of the views' part in a turn, by the app's numbers of them.
struct TurnAttribution: Hashable, Sendable {
    /// The view whose body ran when the threshold was crossed, or the handler.
    var inBody: FlightView?
    var shares: [FlightShare] = []
    var otherNanoseconds: UInt64 = 0
    /// The view evaluated last.
    var last: FlightView?
    /// How well the shares are known.
    var knowledge = Knowledge.none

    /// How well shares are known.
    enum Knowledge: Hashable, Sendable {
        /// No table of the turn was read, so that nothing is known of any body's time.
        case none
        /// A table was read at an earlier moment.
        case earlier
        /// All of the time up to the moment that is judged is in them.
        case all
    }

    /// Nothing.
    init() {}

    /// A turn that ended, as the app recorded it. Where other bodies are in the record, it says nothing of this turn's.
    init(_ turn: LongTurn) {
        guard !turn.isMixed else { return }
        (inBody, last, knowledge) = (turn.inBody, turn.last, .all)
        (shares, otherNanoseconds) = (turn.shares, turn.otherNanoseconds)
    }

    /// A turn that runs; the innermost body's own time goes on until `now`.
    init(_ reading: LoopReading, _ table: TurnShares?, inBody: FlightView?, now: UInt64) {
        self.inBody = inBody
        // A handler is not rendered.
        last = reading.running.flatMap { $0.handler == nil ? $0 : nil } ?? reading.last
        guard let table, table.turn == reading.turn else { return }
        knowledge = .all
        let views = table.views(at: now, of: reading)
        shares = views.filter { !$0.view.isUnlisted }
        otherNanoseconds = views.reduce(table.otherNanoseconds) {
            $1.view.isUnlisted ? $0.clampedSum($1.nanoseconds) : $0
        }
        self.inBody = named(inBody, table)
        last = named(last, table)
    }

    /// Takes in what another look showed; what it did not show of the shares stays as it was.
    mutating func take(_ look: TurnAttribution) {
        let earlier = self
        self = look
        guard look.knowledge == .none, earlier.knowledge != .none else { return }
        (shares, otherNanoseconds, knowledge) = (earlier.shares, earlier.otherNanoseconds, .earlier)
    }

    /// The view with its key, which the head of a page does not have and the table may.
    private func named(_ view: FlightView?, _ table: TurnShares) -> FlightView? {
        guard let view, view.key.isEmpty else { return view }
        let known = [table.running, table.last].compactMap(\.self) + shares.map(\.view)
        return known.first { $0.isSame(as: view) } ?? view
    }

    /// Keeps what a hang of this duration has room for, without the time in which its process was stopped: the largest
    /// shares, the rest as that of others.
    mutating func fit(into duration: UInt64, without stopped: [FlightView: UInt64]) {
        // Shares that claim more than there was are not to be believed; a running turn's may be ahead by a moment.
        var room = duration
        for index in shares.indices {
            let claimed = min(shares[index].nanoseconds, room)
            room -= claimed
            shares[index].nanoseconds = claimed - min(stopped[shares[index].view.identity] ?? 0, claimed)
        }
        otherNanoseconds = min(otherNanoseconds, room)
        let crossing = inBody?.identity
        let rank = { (share: FlightShare) in (share.nanoseconds, share.view.identity == crossing ? 1 : 0) }
        let sorted = shares.filter { $0.nanoseconds > 0 }.sorted { rank($0) > rank($1) }
        // The others take a place of their own where there are any.
        let hasOthers = otherNanoseconds > 0 || sorted.count > WireLimits.sharesPerHang
        let places = hasOthers ? WireLimits.sharesPerHang - 1 : WireLimits.sharesPerHang
        shares = Array(sorted.prefix(places))
        otherNanoseconds = sorted.dropFirst(places).reduce(otherNanoseconds) { $0 &+ $1.nanoseconds }
    }

    /// One is blamed from a fifth of the hang on: below that, most of the hang is explained by something else.
    private static let leastPart: UInt64 = 5

    /// Why the view or the handler with most of a hang is blamed, whatever ran when the threshold was crossed. No handler is where a source had
    /// more than half of it, and twice as much: that is named then.
    func blame(for duration: UInt64, inSource: UInt64 = 0) -> HangAttribution {
        guard let largest = shares.first, largest.nanoseconds >= duration / Self.leastPart,
            largest.view.phase != .handler || inSource <= duration / 2 || largest.nanoseconds >= inSource / 2
        else { return .none }
        switch (largest.view.phase, largest.view.identity == inBody?.identity) {
        case (.handler, _): return .inHandler
        case (.body, true): return .inBody
        case (_, true): return .inPhase
        case (_, false): return .share
        }
    }
}

// The turn that a detector follows, and how far a watch has come, so that the next daemon continues there.

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
