// SPDX-License-Identifier: MIT
// A main loop made of values, and a detector that looks at it.

import RerenderModel
import RerenderWire

@testable import RerenderDaemon

extension FlightView {
    static func watched(_ index: UInt32, _ key: String = "") -> FlightView {
        FlightView(storeID: 0, index: index, epoch: 0, key: key)
    }
}

/// Times are in milliseconds since an arbitrary moment; thresholds are 250 and 100.
struct WatchdogScript {
    var detector = HangDetector()
    var reading = LoopReading()
    var shares: TurnShares?
    var ring: [LongTurn] = []
    var thread: ThreadObservation = .unknown
    var slept: UInt64 = 0
    /// How far the real-time clock is ahead, in nanoseconds.
    var realTimeAhead: Int64 = 0
    private var nextID: UInt64 = 1

    static func at(_ milliseconds: UInt64) -> UInt64 { (1_000_000 + milliseconds) * 1_000_000 }
    static func span(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    init(monitor: MainLoopKind = .cfrunloop) {
        reading.monitor = monitor
    }

    mutating func begin(turn: UInt64, at time: UInt64) {
        reading.turn = turn
        reading.turnStartedAt = Self.at(time)
    }

    /// The app's own stamps of a turn that ended.
    mutating func end(at time: UInt64, change: (inout LongTurn) -> Void = { _ in }) {
        record(turn: reading.turn, from: reading.turnStartedAt, to: Self.at(time), change: change)
        reading.turnStartedAt = 0
        reading.running = nil
    }

    mutating func record(turn: UInt64, from: UInt64, to: UInt64, change: (inout LongTurn) -> Void = { _ in }) {
        reading.turn = max(reading.turn, turn)
        reading.longTurns += 1
        var record = LongTurn()
        record.number = reading.longTurns
        record.turn = turn
        record.startedAt = from
        record.endedAt = to
        change(&record)
        ring.append(record)
        if ring.count > 16 { ring.removeFirst() }
    }

    mutating func run(_ view: FlightView?, since time: UInt64) {
        reading.running = view
        reading.runningSince = Self.at(time)
    }

    /// Looks as the watchdog does: asks what is needed and brings that.
    mutating func observe(at time: UInt64, late: Bool = false) -> [DetectorEvent] {
        let now = Self.at(time)
        let needs = detector.needs(for: reading, now: now)
        var observation = HangDetector.Observation(reading, now: now)
        observation.bootAhead = Self.span(slept)
        observation.wasLate = late
        observation.realTime = Int64(now) + realTimeAhead
        if needs.longTurns { observation.longTurns = ring.filter { $0.number > detector.seenLongTurns } }
        if needs.shares {
            var table = shares ?? TurnShares()
            table.turn = reading.turn
            observation.shares = table
        }
        if needs.thread { observation.thread = thread }
        return detector.observe(observation) {
            defer { nextID += 1 }
            return nextID
        }
    }

    /// Looks every 10 ms; `change` says before each look what the thread did.
    mutating func observe(
        from first: UInt64, to last: UInt64, change: (inout WatchdogScript, UInt64) -> Void = { _, _ in }
    ) -> [DetectorEvent] {
        var events: [DetectorEvent] = []
        for time in stride(from: first, through: last, by: 10) {
            change(&self, time)
            events += observe(at: time)
        }
        return events
    }

    /// A thread that has run for so many milliseconds and was queued for others.
    mutating func thread(
        _ state: ThreadSample.RunState, ran: UInt64, queued: UInt64 = 0, in what: String? = nil
    ) {
        thread = .sample(
            ThreadSample(state: state, ran: Self.span(ran), queued: Self.span(queued), waitingOn: what))
    }
}

extension [DetectorEvent] {
    var opened: [SeenHang] { compactMap { if case .opened(let seen) = $0 { seen } else { nil } } }
    var updated: [SeenHang] { compactMap { if case .updated(let seen) = $0 { seen } else { nil } } }
    var closed: [SeenHang] { over.filter { $0.hang.id != 0 } }
    var microHangs: [SeenHang] { over.filter { $0.hang.id == 0 } }
    private var over: [SeenHang] { compactMap { if case .closed(let seen, _) = $0 { seen } else { nil } } }
    /// How far the watch had come at each end.
    var progress: [WatchCheckpoint] { compactMap { if case .closed(_, let mark) = $0 { mark } else { nil } } }
    var dropped: [UInt64] { compactMap { if case .dropped(let id) = $0 { id } else { nil } } }
    var stacks: Int { count { if case .askStack = $0 { true } else { false } } }
    var watchedTurns: [UInt64] { compactMap { if case .watchTurn(let turn) = $0 { turn } else { nil } } }
}

extension SeenHang {
    var milliseconds: UInt64 { hang.durationNanoseconds / 1_000_000 }
    var addsUp: Bool {
        guard let rest = hang.unattributedNanoseconds else {
            return views.shares.isEmpty && views.otherNanoseconds == 0
        }
        let sum = views.shares.reduce(views.otherNanoseconds + rest) { $0 + $1.nanoseconds }
        return sum == hang.durationNanoseconds
    }
}

extension FlightShare {
    /// So many milliseconds of a view.
    static func of(_ view: FlightView, _ milliseconds: UInt64) -> FlightShare {
        FlightShare(view: view, nanoseconds: WatchdogScript.span(milliseconds))
    }
}
