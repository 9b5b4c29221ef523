// SPDX-License-Identifier: MIT
// Attributes a hang to the view, or the event handler, with most of it, if that has a fifth or more.

import RerenderModel
import RerenderWire

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

    /// Why the view or the handler with most of a hang is blamed, whatever ran when the threshold was crossed.
    func blame(for duration: UInt64) -> HangAttribution {
        guard let largest = shares.first, largest.nanoseconds >= duration / Self.leastPart else { return .none }
        switch (largest.view.phase, largest.view.identity == inBody?.identity) {
        case (.handler, _): return .inHandler
        case (.body, true): return .inBody
        case (_, true): return .inPhase
        case (_, false): return .share
        }
    }
}
