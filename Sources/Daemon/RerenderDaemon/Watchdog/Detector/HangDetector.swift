// SPDX-License-Identifier: MIT
// Detects the hangs of one process: observations in, events out. Has no clock, file or lock.

import RerenderModel
import RerenderWire

/// Follows the main loop of one process.
///
/// A turn longer than the threshold is a hang. It is opened at the first observation after it crossed the threshold,
/// and closed with the app's own stamps. The page's ring of long turns shows turns that were never observed.
struct HangDetector: Sendable {
    /// Everything that is known of a process at one moment.
    struct Observation: Sendable {
        var reading: LoopReading
        /// The turn's shares, where ``needs(for:now:)`` asked for them.
        var shares: TurnShares?
        /// Long turns later than ``seenLongTurns``, in the order of their numbers.
        var longTurns: [LongTurn] = []
        var thread: ThreadObservation = .unknown
        /// CLOCK_MONOTONIC, taken before the reading: up to then at least what it shows lasted.
        var now: UInt64
        /// The same, taken after it: nothing in it can be later.
        var after: UInt64
        /// How far CLOCK_BOOTTIME is ahead of it.
        var bootAhead: UInt64 = 0
        /// CLOCK_REALTIME, in nanoseconds since 1970.
        var realTime: Int64 = 0
        /// The observation before was two periods ago or more.
        var wasLate = false
        /// How late the watchdog woke up for this observation.
        var lateness: UInt64 = 0
    }

    /// What an observation needs beside the reading.
    struct Needs: Hashable, Sendable {
        var shares = false
        var thread = false
        var longTurns = false
        /// Only to be taken in.
        var count = false
    }

    /// From which age of a turn its thread is sampled. Most turns are over before, and cost nothing.
    static let sampleAge: UInt64 = 30_000_000
    /// How often an open hang is reported; people watch it grow.
    static let updateInterval: UInt64 = 100_000_000
    /// When stacks are taken, in halves of the threshold: often at first, and 8 in all.
    static let stackTimes: [UInt64] = [2, 3, 4, 6, 8, 12, 16, 24]
    /// For how long the app knows which source took most of a turn that ended, unless a hang came since.
    private static let freshNanoseconds: UInt64 = 1_000_000_000
    /// For how many observations the record of a turn that ended is awaited.
    private static let recordPatience = 3
    /// What two readings of the real-time clock may differ by without it being set.
    private static let mostDrift: Int64 = 1_000_000_000

    /// Up to which number long turns were taken in or given up.
    private(set) var seenLongTurns: UInt64 = 0
    /// Readings that cannot be true.
    private(set) var ignoredReadings: UInt64 = 0
    /// Long turns that left the ring before an observation, and what may have been one and was not seen by the app
    /// itself.
    private(set) var missedLongTurns: UInt64 = 0
    /// What the app said of the latter when it was observed last; nil before the first time.
    private var unseen: UInt32?
    private var highestTurn: UInt64 = 0
    /// Turns up to this one are dealt with.
    private var doneTurn: UInt64 = 0
    private var turn: TrackedTurn?
    private var overdueObservations = 0
    /// Whether a record that is gone was never read.
    private var countsMissing: Bool
    /// When the latest turn ended that was reported.
    private var lastEnd: (monotonic: UInt64, real: Timestamp)?

    /// Turns that ended before are of no interest.
    private let began: UInt64
    /// Which program's page it follows; see ``PageSource/origin``.
    private let origin: UInt64

    /// - Parameter isUnread: Whether no daemon has read the page before. Otherwise another one may have read what is
    ///   gone at the first observation.
    init(since began: UInt64 = 0, origin: UInt64 = 0, isUnread: Bool = false) {
        self.began = began
        self.origin = origin
        countsMissing = isUnread
    }

    /// Goes on where another one was; the mark must fit the page.
    init(resuming mark: WatchCheckpoint) {
        self.init(origin: mark.origin, isUnread: true)
        seenLongTurns = mark.seenLongTurns
        doneTurn = mark.doneTurn
        highestTurn = mark.doneTurn
    }

    /// How far it has come, without the turn that runs.
    var mark: WatchCheckpoint {
        WatchCheckpoint(origin: origin, seenLongTurns: seenLongTurns, doneTurn: doneTurn)
    }

    // MARK: What to observe

    /// Whether a turn runs, or its record is awaited, so that the next observation must be soon.
    var isBusy: Bool { turn != nil || overdueObservations > 0 }

    /// When the next thing is due before the usual time: a threshold to cross, a stack to take.
    var nextDue: UInt64? { turn.flatMap { $0.isOver ? nil : $0.nextDue } }

    func needs(for reading: LoopReading, now: UInt64) -> Needs {
        var needs = Needs()
        needs.longTurns = reading.longTurns > seenLongTurns
        needs.count = unseen.map { reading.unseen > $0 } ?? true
        let isTracked = turn?.isSame(as: reading) ?? false
        needs.thread = !isTracked && (turn?.times.hasSamples ?? false)
        guard reading.turnStartedAt != 0, now > reading.turnStartedAt else { return needs }
        let age = now - reading.turnStartedAt
        if age >= Self.sampleAge { needs.thread = true }
        // Also where the threshold was raised since: what is known of an open hang must not get less.
        let isOpen = isTracked && turn?.kept.isHang == true
        let longest = age.clampedSum(reading.turnSlack)
        needs.shares = isOpen || reading.length(lasting: longest) == .hang
        return needs
    }

    // MARK: Observing

    /// Takes in an observation. `newID` gives the next hang's number.
    mutating func observe(_ observation: Observation, newID: () -> UInt64) -> [DetectorEvent] {
        guard isPlausible(observation.reading, by: observation.after) else {
            ignoredReadings &+= 1
            return []
        }
        highestTurn = observation.reading.turn
        takeUnseen(observation.reading.unseen)
        var events: [DetectorEvent] = []
        noteEnd(observation)
        takeLongTurns(observation, newID, &events)
        giveUpRecord(observation, newID, &events)
        if observation.reading.turnStartedAt != 0, observation.reading.turn > doneTurn {
            follow(observation, newID, &events)
        }
        countsMissing = true
        return events
    }

    private func isPlausible(_ reading: LoopReading, by now: UInt64) -> Bool {
        guard reading.turn >= highestTurn, reading.longTurns >= seenLongTurns else { return false }
        guard reading.turnStartedAt <= now, reading.lastEndedAt <= now, reading.leftAt <= now else { return false }
        guard reading.running == nil || reading.runningSince <= now else { return false }
        guard let turn, !turn.isOver, turn.kept.turn == reading.turn, reading.turnStartedAt != 0 else { return true }
        return reading.turnStartedAt >= turn.kept.startedAt
    }

    /// Notes that the followed turn is over, with the last sample of its thread.
    private mutating func noteEnd(_ observation: Observation) {
        guard var tracked = turn, !tracked.isOver, !tracked.isSame(as: observation.reading) else { return }
        tracked.isOver = true
        let record = observation.longTurns.first(where: tracked.isRecorded)
        let end = record?.endedAt ?? tracked.kept.lastSeen
        tracked.times.end(at: end, observation.mark, wasLate: observation.wasLate)
        turn = tracked
    }

    // MARK: Turns that are over

    private mutating func takeLongTurns(
        _ observation: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        let all = observation.reading.longTurns
        for record in observation.longTurns where record.number > seenLongTurns && record.number <= all {
            miss(record.number - seenLongTurns - 1)
            seenLongTurns = record.number
            if isPlausible(record, observation) { take(record, observation, newID, &events) }
        }
        overdueObservations = seenLongTurns < all ? overdueObservations + 1 : 0
        guard overdueObservations >= Self.recordPatience else { return }
        miss(all - seenLongTurns)
        (seenLongTurns, overdueObservations) = (all, 0)
    }

    /// What was counted before the first observation was not this watch's to see.
    private mutating func takeUnseen(_ count: UInt32) {
        let known = unseen ?? count
        if count > known { missedLongTurns = missedLongTurns.clampedSum(UInt64(count - known)) }
        unseen = max(count, known)
    }

    /// Counts records that are gone.
    private mutating func miss(_ count: UInt64) {
        if countsMissing { missedLongTurns = missedLongTurns.clampedSum(count) }
    }

    private mutating func isPlausible(_ record: LongTurn, _ observation: Observation) -> Bool {
        guard record.startedAt > 0, record.startedAt < record.endedAt, record.endedAt <= observation.after,
            record.turn <= observation.reading.turn
        else {
            ignoredReadings &+= 1
            return false
        }
        guard record.endedAt >= began else { return false }
        // A turn whose loop was left is dealt with, whatever the app records when it comes back to it.
        return record.turn > doneTurn
    }

    private mutating func take(
        _ record: LongTurn, _ observation: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        let tracked = turn.flatMap { $0.isRecorded(by: record) ? $0 : nil }
        if tracked != nil { turn = nil }
        doneTurn = record.turn
        var kept =
            tracked?.kept
            ?? OpenTurn(
                turn: record.turn, startedAt: record.startedAt, realStart: realTime(of: record.startedAt, observation),
                threshold: observation.reading.thresholds.hangNanoseconds, lastSeen: record.endedAt)
        kept.slack = record.slack
        var seen = SeenHang(kept, record.endedAt - record.startedAt, .normally, isGuess: record.isMixed)
        seen.hang.mayHaveEndedLaterNanoseconds = min(record.endSlack, observation.after - record.endedAt)
        if record.inSource > 0 { seen.hang.sourceNanoseconds = record.inSource }
        let isFresh = observation.now.saturatingDifference(record.endedAt) < Self.freshNanoseconds
        finish(seen, TurnAttribution(record), tracked?.times, observation.reading, newID, &events, isFresh: isFresh)
    }

    /// Closes what is over by its length: a hang, a micro-hang, or neither.
    ///
    /// - Parameter isFresh: Whether it ended a moment ago, so that the app may know which source took most of it.
    private mutating func finish(
        _ over: SeenHang, _ views: TurnAttribution, _ times: TurnTimes?, _ reading: LoopReading,
        _ newID: () -> UInt64, _ events: inout [DetectorEvent], isFresh: Bool = false
    ) {
        var seen = over
        noteEnd(of: seen)
        seen.take(views, times)
        let length = reading.thresholds.length(of: seen.hang)
        let isHang = length == .hang
        if !isHang, seen.hang.id != 0 {
            events.append(.dropped(id: seen.hang.id))
            seen.hang.id = 0
        }
        switch length {
        case .short: return
        case .microHang: seen.judge(times, threshold: reading.thresholds.microHangNanoseconds)
        case .hang: seen.judge(times, threshold: reading.thresholds.hangNanoseconds)
        }
        if isHang, seen.hang.id == 0 {
            seen.hang.id = newID()
            // Until it is counted, it is listed as an open one.
            var begun = seen
            (begun.hang.open, begun.hang.ended) = (true, nil)
            events.append(.opened(begun))
            if isFresh { events.append(.askStack(hang: seen.hang.id, turn: seen.hang.turn)) }
        }
        events.append(.closed(seen, mark))
    }

    /// Closes a hang about which the ring says nothing, with what was last seen of it.
    private mutating func giveUpRecord(
        _ observation: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        guard var tracked = turn, tracked.isOver else { return }
        tracked.observationsSinceEnd += 1
        turn = tracked
        let isForgotten = observation.reading.turnStartedAt != 0 && !tracked.kept.isHang
        guard isForgotten || tracked.observationsSinceEnd >= Self.recordPatience else { return }
        // Its loop was left so early that it is no long turn.
        if tracked.kept.turn == observation.reading.leftTurn { return leave(&tracked, observation, newID, &events) }
        close(tracked, ended: .normally, &events)
    }

    private mutating func close(_ tracked: TrackedTurn, ended: HangEnding, _ events: inout [DetectorEvent]) {
        turn = nil
        // One that was no hang when it was last seen may still have become one: its record is to be believed.
        guard tracked.kept.isHang else { return }
        doneTurn = max(doneTurn, tracked.kept.turn)
        let seen = tracked.seen(ended)
        noteEnd(of: seen)
        events.append(.closed(seen, mark))
    }

    // MARK: The real-time clock

    /// When a turn began by the real-time clock. The two clocks drift apart by some microseconds in a second: no turn
    /// begins before the one before it has ended.
    private func realTime(of monotonic: UInt64, _ observation: Observation) -> Timestamp {
        let time = observation.realTime(of: monotonic)
        guard let lastEnd, monotonic >= lastEnd.monotonic else { return time }
        // One that was set back is believed.
        let early = lastEnd.real.nanoseconds(since: time)
        return early > 0 && early < Self.mostDrift ? lastEnd.real : time
    }

    private mutating func noteEnd(of seen: SeenHang) {
        lastEnd = (seen.startedAt.clampedSum(seen.hang.durationNanoseconds), seen.hang.seenUntil)
    }

    // MARK: The turn that runs

    private mutating func follow(_ observation: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]) {
        let reading = observation.reading
        // A turn that waits for its record stays for a few observations.
        if let turn, turn.isOver { return }
        var tracked =
            turn ?? TrackedTurn(observation, realStart: realTime(of: reading.turnStartedAt, observation))
        if reading.leftTurn == reading.turn {
            return leave(&tracked, observation, newID, &events)
        }
        defer { turn = tracked }
        guard tracked.add(observation) else { return }
        if tracked.watch(reading) { events.append(.watchTurn(reading.turn)) }
        if !tracked.kept.isHang {
            guard reading.length(lasting: tracked.longest) == .hang else { return }
            tracked.open(observation, id: newID())
            events.append(.opened(tracked.seen()))
        } else if tracked.isUpdateDue(observation.now) {
            events.append(.updated(tracked.seen()))
        }
        if tracked.takeStack() { events.append(.askStack(hang: tracked.kept.id, turn: reading.turn)) }
    }

    /// The loop was left during the turn: it lasted until then.
    private mutating func leave(
        _ tracked: inout TrackedTurn, _ observation: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        let (reading, kept) = (observation.reading, tracked.kept)
        // When it was last seen to be run; before the turn began if that was never.
        let leftAt = max(reading.leftAt, kept.startedAt)
        let isUnderWay = tracked.isSame(as: reading)
        if isUnderWay { tracked.times.end(at: leftAt, observation.mark, wasLate: observation.wasLate) }
        turn = nil
        doneTurn = max(doneTurn, kept.turn)
        // A turn that another daemon saw end is not this one's.
        guard leftAt >= began || kept.isHang else { return }
        // Bodies that ran since are in the table, too.
        let isGuess = !isUnderWay || (observation.shares?.until ?? 0) > leftAt
        var seen = SeenHang(kept, leftAt - kept.startedAt, .normally, isGuess: isGuess)
        // A loop that was never seen to be run has no length, and no later end.
        if leftAt > kept.startedAt { seen.hang.mayHaveEndedLaterNanoseconds = observation.after - leftAt }
        let views =
            isGuess ? TurnAttribution() : TurnAttribution(reading, observation.shares, inBody: kept.inBody, now: leftAt)
        finish(seen, views, tracked.times, reading, newID, &events)
    }

    // MARK: The end of the process

    /// The process is gone: closes what was open, with the last moment at which it was seen to live.
    mutating func end(exited: Bool) -> [DetectorEvent] {
        var events: [DetectorEvent] = []
        guard let tracked = turn else { return [] }
        close(tracked, ended: tracked.isOver ? .normally : exited ? .exited : .killed, &events)
        return events
    }
}

extension HangDetector.Observation {
    init(_ reading: LoopReading, now: UInt64, after: UInt64? = nil) {
        self.reading = reading
        self.now = now
        self.after = after ?? now
    }

    /// The observation as a sample of the turn's thread.
    var mark: TurnTimes.Mark {
        var sample: ThreadSample?
        if case .sample(let known) = thread { sample = known }
        return TurnTimes.Mark(at: now, thread: sample, bootAhead: bootAhead, view: reading.running?.identity)
    }

    /// A time of the monotonic clock by the real-time clock, if the machine has not slept since.
    func realTime(of monotonic: UInt64) -> Timestamp {
        let age = Int64(clamping: now.saturatingDifference(monotonic))
        return Timestamp(nanosecondsSince1970: realTime.subtractingReportingOverflow(age).partialValue)
    }
}

extension FlightView {
    /// The view without its key, which not everything that names it knows, and its epoch: after a reset it is the same
    /// view.
    var identity: FlightView { FlightView(storeID: storeID, index: index, epoch: 0, phase: phase, key: "") }
}

extension LoopReading {
    /// The shortest thresholds of the app's stores.
    var thresholds: HangThresholds {
        HangThresholds(
            hangMilliseconds: hangThresholdMilliseconds, microHangMilliseconds: microHangThresholdMilliseconds)
    }

    /// What the turn that runs is so far.
    func length(lasting nanoseconds: UInt64) -> TurnLength { thresholds.length(nanoseconds: nanoseconds) }
}
