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
