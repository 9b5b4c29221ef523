// SPDX-License-Identifier: MIT
// Attributes a hang to the view, or the event handler, with most of it, if that has a fifth or more.

import RerenderModel
import RerenderWire

/// What is known of the views' part in a turn.
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
        knowledge = .all
        inBody = turn.inBody
        shares = turn.shares
        otherNanoseconds = turn.otherNanoseconds
        last = turn.last
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
            $1.view.isUnlisted ? $0.saturatingSum($1.nanoseconds) : $0
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

    /// Fills in shares, remainder, verdict and blame.
    ///
    /// - Parameter threshold: from when on a turn counts; hangs and micro-hangs have different ones.
    func judge(_ report: inout HangReport, times: TurnTimes?, threshold: UInt64) {
        var blame = self
        let sum = shares.reduce(otherNanoseconds) { $0.saturatingSum($1.nanoseconds) }
        if sum > report.duration { blame.fit(into: report.duration) }
        blame.exclude(times?.stoppedInBodies ?? [:])
        blame.fill(&report)
        report.verdict = times?.verdict(duration: report.duration) ?? .unknown
        report.waitingOn = report.verdict == .blocked ? times?.waitingOn : nil
        report.starved = min(times?.starved ?? 0, report.duration)
        report.stopped = min(times?.stopped ?? 0, report.duration)
        if knowledge != .all { report.isGuess = true }
        (report.last, report.atThreshold) = (last, inBody)
        (report.view, report.attribution, report.counts) = (nil, .none, true)
        // An open hang is only just over the threshold, and the kernel's counts are behind: a moment decides nothing yet.
        let least = report.ended == nil ? min(threshold, report.duration / 2) : threshold
        let own = report.longest.saturatingDifference((times?.stopped ?? 0).saturatingSum(times?.suspended ?? 0))
        if own < least, let times, own < report.longest {
            report.verdict = times.stopped >= times.suspended ? .stopped : .suspended
            report.waitingOn = nil
            report.counts = false
            return
        }
        blame.choose(&report)
    }

    /// Takes time out in which a view's body ran and the process was stopped.
    private mutating func exclude(_ stopped: [FlightView: UInt64]) {
        for index in shares.indices {
            let time = stopped[shares[index].view.identity] ?? 0
            shares[index].nanoseconds -= min(time, shares[index].nanoseconds)
        }
    }

    /// Shares that claim more than there was are not to be believed; a running turn's may be ahead by a moment.
    private mutating func fit(into duration: UInt64) {
        var room = duration
        for index in shares.indices {
            shares[index].nanoseconds = min(shares[index].nanoseconds, room)
            room -= shares[index].nanoseconds
        }
        otherNanoseconds = min(otherNanoseconds, room)
    }

    private func fill(_ report: inout HangReport) {
        let isCrossing = { (share: FlightShare) in share.view.identity == inBody?.identity }
        let sorted = shares.filter { $0.nanoseconds > 0 }.sorted {
            ($0.nanoseconds, isCrossing($0) ? 1 : 0) > ($1.nanoseconds, isCrossing($1) ? 1 : 0)
        }
        let rest = sorted.dropFirst(WireLimits.sharesPerHang).reduce(otherNanoseconds) { $0 &+ $1.nanoseconds }
        // The others take a place of their own where there are any.
        let places = rest > 0 ? WireLimits.sharesPerHang - 1 : WireLimits.sharesPerHang
        report.shares = Array(sorted.prefix(places))
        report.otherNanoseconds = sorted.dropFirst(places).reduce(otherNanoseconds) { $0 &+ $1.nanoseconds }
        let sum = report.shares.reduce(report.otherNanoseconds) { $0 &+ $1.nanoseconds }
        report.unattributed = knowledge == .none ? nil : report.duration - sum
    }

    /// One is blamed from a fifth of the hang on: below that, most of the hang is explained by something else.
    private static let leastPart: UInt64 = 5

    /// Blames the view or the handler with most of the hang, whoever ran when the threshold was crossed.
    private func choose(_ report: inout HangReport) {
        guard let largest = report.shares.first, largest.nanoseconds >= report.duration / Self.leastPart else { return }
        report.view = largest.view
        let ranAtThreshold = largest.view.identity == inBody?.identity
        switch (largest.view.phase, ranAtThreshold) {
        case (.handler, _): report.attribution = .inHandler
        case (.body, true): report.attribution = .inBody
        case (_, true): report.attribution = .inPhase
        case (_, false): report.attribution = .share
        }
    }
}
