// SPDX-License-Identifier: MIT
// Decides what is a hang: readings of one process's loop in, events out. No clock, no file, no lock.

import RerenderModel
import RerenderWire

/// Follows the main loop of one process.
///
/// A turn longer than the threshold is a hang: opened at the first look after it crossed, closed with the app's own
/// stamps, however late anyone looked. What was never seen while it lasted is found in the page's ring of long turns.
struct HangDetector: Sendable {
    /// Everything that one look gave.
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
        /// Nobody looked for two periods or more.
        var wasLate = false
        /// How late the watchdog woke up for this look.
        var lateness: UInt64 = 0
    }

    /// What a look must bring beside the reading.
    struct Needs: Hashable, Sendable {
        var shares = false
        var thread = false
        var longTurns = false
    }

    /// When a turn is old enough to look at its thread: most turns are over before, and cost nothing.
    static let sampleAge: UInt64 = 30_000_000
    /// How often an open hang is reported; people watch it grow.
    static let updateInterval: UInt64 = 100_000_000
    /// When stacks are taken, in halves of the threshold: often at first, and 8 in all.
    static let stackTimes: [UInt64] = [2, 3, 4, 6, 8, 12, 16, 24]
    /// How many looks a record in the ring may come after the turn's end was seen.
    private static let recordLooks = 3

    /// Up to which number long turns were taken in or given up.
    private(set) var seenLongTurns: UInt64 = 0
    /// Readings that cannot be true.
    private(set) var ignoredReadings: UInt64 = 0
    /// Long turns that had left the ring before anyone looked.
    private(set) var missedLongTurns: UInt64 = 0
    private var highestTurn: UInt64 = 0
    /// Turns up to this one are dealt with.
    private var doneTurn: UInt64 = 0
    private var turn: TrackedTurn?
    private var overdueLooks = 0
    private var isFirstLook = true

    /// Turns that ended before are of no interest.
    private let began: UInt64

    init(since began: UInt64 = 0) {
        self.began = began
    }

    /// Goes on where another one was; the mark must fit the page.
    init(resuming mark: WatchCheckpoint) {
        self.init()
        seenLongTurns = mark.seenLongTurns
        doneTurn = mark.doneTurn
        highestTurn = max(mark.doneTurn, mark.open?.turn ?? 0)
        turn = mark.open.map { TrackedTurn($0) }
        isFirstLook = false
    }

    /// How far it has come.
    func mark(origin: UInt64) -> WatchCheckpoint {
        WatchCheckpoint(origin: origin, seenLongTurns: seenLongTurns, doneTurn: doneTurn, open: turn?.open)
    }

    // MARK: What to look at

    /// Whether a turn runs or its record is waited for, so that the next look must be soon.
    var isBusy: Bool { turn != nil || overdueLooks > 0 }

    /// Whether a hang is open.
    var hasOpenHang: Bool { turn?.hang != nil }

    /// When the next thing is due before the usual time: a threshold to cross, a stack to take.
    var nextDue: UInt64? {
        guard let turn, !turn.isOver else { return nil }
        guard let hang = turn.hang else { return turn.startedAt.saturatingSum(turn.threshold) }
        guard hang.stacks < Self.stackTimes.count else { return nil }
        return turn.startedAt.saturatingSum(turn.threshold / 2 * Self.stackTimes[hang.stacks])
    }

    func needs(for reading: LoopReading, now: UInt64) -> Needs {
        var needs = Needs()
        needs.longTurns = reading.longTurns > seenLongTurns
        let isTracked = turn?.isSame(as: reading) ?? false
        needs.thread = !isTracked && (turn?.times.hasSamples ?? false)
        guard reading.turnStartedAt != 0, now > reading.turnStartedAt else { return needs }
        let age = now - reading.turnStartedAt
        if age >= Self.sampleAge { needs.thread = true }
        needs.shares = age >= reading.hangThreshold
        return needs
    }

    // MARK: Looking

    /// Takes in a look. `newID` gives the next hang's number.
    mutating func look(_ look: Observation, newID: () -> UInt64) -> [DetectorEvent] {
        guard isPlausible(look.reading, by: look.after) else {
            ignoredReadings &+= 1
            return []
        }
        highestTurn = look.reading.turn
        var events: [DetectorEvent] = []
        noteEnd(look)
        takeLongTurns(look, newID, &events)
        giveUpRecord(look, &events)
        if look.reading.turnStartedAt != 0, look.reading.turn > doneTurn { follow(look, newID, &events) }
        isFirstLook = false
        return events
    }

    private func isPlausible(_ reading: LoopReading, by now: UInt64) -> Bool {
        guard reading.turn >= highestTurn, reading.longTurns >= seenLongTurns else { return false }
        guard reading.turnStartedAt <= now, reading.lastEndedAt <= now, reading.leftAt <= now else { return false }
        if let turn, !turn.isOver, turn.number == reading.turn, reading.turnStartedAt != 0,
            reading.turnStartedAt < turn.startedAt
        {
            return false
        }
        return reading.running == nil || reading.runningSince <= now
    }

    /// Notes that the turn which was followed is over, and with it the last that its thread can tell of it.
    private mutating func noteEnd(_ look: Observation) {
        guard var tracked = turn, !tracked.isOver, !tracked.isSame(as: look.reading) else { return }
        tracked.isOver = true
        let record = look.longTurns.first { $0.turn == tracked.number && $0.startedAt == tracked.startedAt }
        let end = record?.endedAt ?? tracked.lastSeen
        tracked.times.end(at: end, look.mark, wasLate: look.wasLate)
        turn = tracked
    }

    // MARK: Turns that are over

    private mutating func takeLongTurns(_ look: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]) {
        let expected = look.reading.longTurns - seenLongTurns
        guard expected > 0 else {
            overdueLooks = 0
            return
        }
        let records = look.longTurns.filter { $0.number > seenLongTurns && $0.number <= look.reading.longTurns }
        for record in records where record.number > seenLongTurns {
            miss(record.number - seenLongTurns - 1)
            seenLongTurns = record.number
            if isPlausible(record, look) { take(record, look, newID, &events) }
        }
        guard seenLongTurns < look.reading.longTurns else {
            overdueLooks = 0
            return
        }
        overdueLooks += 1
        guard overdueLooks >= Self.recordLooks else { return }
        miss(look.reading.longTurns - seenLongTurns)
        seenLongTurns = look.reading.longTurns
        overdueLooks = 0
    }

    /// Counts records that are gone; at the first look they may have been taken in by another daemon.
    private mutating func miss(_ count: UInt64) {
        if !isFirstLook { missedLongTurns = missedLongTurns.saturatingSum(count) }
    }

    private mutating func isPlausible(_ record: LongTurn, _ look: Observation) -> Bool {
        guard record.startedAt > 0, record.startedAt < record.endedAt, record.endedAt <= look.after,
            record.turn <= look.reading.turn
        else {
            ignoredReadings &+= 1
            return false
        }
        guard record.endedAt >= began else { return false }
        // A turn whose loop was left is dealt with, whatever the app records when it comes back to it.
        return record.turn > doneTurn
    }

    private mutating func take(
        _ record: LongTurn, _ look: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        let tracked = turn.flatMap { $0.number == record.turn && $0.startedAt == record.startedAt ? $0 : nil }
        if tracked != nil { turn = nil }
        doneTurn = record.turn
        var report = HangReport(
            id: tracked?.hang?.id ?? 0, turn: record.turn,
            startedAt: tracked?.realStart ?? look.realTime(of: record.startedAt),
            startedAtMonotonic: record.startedAt, duration: record.endedAt - record.startedAt)
        report.ended = .normally
        if let hang = tracked?.hang { report.note(hang) }
        let blame = TurnAttribution(record)
        finish(&report, blame, tracked?.times, look.reading, newID, &events)
    }

    /// Closes what is over by its length: a hang, a micro-hang, or neither.
    private func finish(
        _ report: inout HangReport, _ blame: TurnAttribution, _ times: TurnTimes?, _ reading: LoopReading,
        _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        if report.duration >= reading.hangThreshold {
            blame.judge(&report, times: times, threshold: reading.hangThreshold)
            if report.id == 0 {
                report.id = newID()
                events.append(.opened(report))
            }
            events.append(.closed(report))
            return
        }
        if report.id != 0 { events.append(.dropped(id: report.id)) }
        guard report.duration >= reading.microHangThreshold else { return }
        report.id = 0
        blame.judge(&report, times: times, threshold: reading.microHangThreshold)
        events.append(.microHang(report))
    }

    /// Closes a hang of which the ring says nothing, with what was last seen of it.
    private mutating func giveUpRecord(_ look: Observation, _ events: inout [DetectorEvent]) {
        guard var tracked = turn, tracked.isOver else { return }
        tracked.looksSinceEnd += 1
        turn = tracked
        let isForgotten = look.reading.turnStartedAt != 0 && tracked.hang == nil
        guard isForgotten || tracked.looksSinceEnd >= Self.recordLooks else { return }
        close(tracked, ended: .normally, &events)
    }

    private mutating func close(_ tracked: TrackedTurn, ended: HangEnding, _ events: inout [DetectorEvent]) {
        turn = nil
        // One that was no hang when it was last seen may still have become one: its record is to be believed.
        guard tracked.hang != nil, var report = tracked.report else { return }
        doneTurn = max(doneTurn, tracked.number)
        report.ended = ended
        tracked.blame.judge(&report, times: tracked.times, threshold: tracked.threshold)
        events.append(.closed(report))
    }

    // MARK: The turn that runs

    private mutating func follow(_ look: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]) {
        let reading = look.reading
        // One that waits for its record keeps its place for a look or two.
        if let turn, turn.isOver { return }
        var tracked = turn ?? TrackedTurn(look)
        if reading.leftTurn == reading.turn {
            return leave(&tracked, look, newID, &events)
        }
        defer { turn = tracked }
        guard tracked.see(look) else { return }
        if tracked.watch(reading) { events.append(.watchTurn(reading.turn)) }
        if tracked.hang == nil {
            guard tracked.duration >= reading.hangThreshold else { return }
            tracked.open(look, id: newID())
            if let report = tracked.report { events.append(.opened(report)) }
        } else if tracked.isUpdateDue(look.now), let report = tracked.report {
            events.append(.updated(report))
        }
        if let hang = tracked.askStack() { events.append(.askStack(hang: hang, turn: reading.turn)) }
    }

    /// The loop was left during the turn: it lasted until then.
    private mutating func leave(
        _ tracked: inout TrackedTurn, _ look: Observation, _ newID: () -> UInt64, _ events: inout [DetectorEvent]
    ) {
        let reading = look.reading
        // When it was last seen to be run; before the turn began if that was never.
        let leftAt = max(reading.leftAt, reading.turnStartedAt)
        tracked.times.end(at: leftAt, look.mark, wasLate: look.wasLate)
        turn = nil
        doneTurn = reading.turn
        var report = HangReport(
            id: tracked.hang?.id ?? 0, turn: reading.turn, startedAt: tracked.realStart,
            startedAtMonotonic: tracked.startedAt, duration: leftAt - reading.turnStartedAt)
        report.ended = .normally
        if let hang = tracked.hang { report.note(hang) }
        let inBody = tracked.hang?.inBody
        let blame = TurnAttribution(reading, look.shares, inBody: inBody, now: leftAt)
        finish(&report, blame, tracked.times, reading, newID, &events)
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

    /// The look as a sample of the turn's thread.
    var mark: TurnTimes.Mark {
        var sample: ThreadSample?
        if case .sample(let known) = thread { sample = known }
        return TurnTimes.Mark(at: now, thread: sample, bootAhead: bootAhead, view: reading.running?.unnamed)
    }

    /// A time of the monotonic clock by the real-time clock, if the machine has not slept since.
    func realTime(of monotonic: UInt64) -> Timestamp {
        let age = Int64(clamping: now.saturatingDifference(monotonic))
        return Timestamp(nanosecondsSince1970: realTime.subtractingReportingOverflow(age).partialValue)
    }
}

extension FlightView {
    /// The view without its key, which not everything that names it knows.
    var unnamed: FlightView { FlightView(storeID: storeID, index: index, epoch: epoch, key: "") }
}

extension LoopReading {
    /// In nanoseconds.
    var hangThreshold: UInt64 { UInt64(max(1, hangThresholdMilliseconds)) &* 1_000_000 }
    var microHangThreshold: UInt64 { UInt64(max(1, microHangThresholdMilliseconds)) &* 1_000_000 }
}
