// SPDX-License-Identifier: MIT
// Attributes a hang to a view: shares that add up, and the view that is blamed.

import RerenderModel
import RerenderWire

/// What is known of the views' part in a turn.
struct TurnAttribution: Hashable, Sendable {
    /// The view whose body ran when the threshold was crossed.
    var inBody: FlightView?
    var shares: [FlightShare] = []
    var otherNanoseconds: UInt64 = 0
    /// The view evaluated last.
    var last: FlightView?

    /// A turn that ended, as the app recorded it.
    init(_ turn: LongTurn) {
        inBody = turn.inBody
        shares = turn.shares
        otherNanoseconds = turn.otherNanoseconds
        last = turn.last
    }

    /// A turn that runs; the innermost body's own time goes on until `now`.
    init(_ reading: LoopReading, _ table: TurnShares?, inBody: FlightView?, now: UInt64) {
        self.inBody = inBody
        last = reading.running ?? reading.last
        guard let table, table.turn == reading.turn else { return }
        shares = table.views(at: now, of: reading)
        otherNanoseconds = table.otherNanoseconds
        self.inBody = named(inBody, table)
        last = named(last, table)
    }

    /// The view with its key, which the head of a page does not have and the table may.
    private func named(_ view: FlightView?, _ table: TurnShares) -> FlightView? {
        guard let view, view.key.isEmpty else { return view }
        let known = [table.running, table.last].compactMap(\.self) + shares.map(\.view)
        return known.first { $0.isSame(as: view) } ?? view
    }

    /// Takes time out in which a view's body ran and the thread did not.
    private mutating func exclude(_ hindered: [FlightView: UInt64]) {
        for index in shares.indices {
            let time = hindered[shares[index].view.unnamed] ?? 0
            shares[index].nanoseconds -= min(time, shares[index].nanoseconds)
        }
    }

    /// Fills in shares, remainder, verdict and blame.
    ///
    /// - Parameter threshold: from when on a turn counts; hangs and micro-hangs have different ones.
    func judge(_ report: inout HangReport, times: TurnTimes?, threshold: UInt64) {
        var blame = self
        let sum = shares.reduce(otherNanoseconds) { $0.saturatingSum($1.nanoseconds) }
        if sum > report.duration { blame.fit(into: report.duration) }
        blame.exclude(times?.hindered ?? [:])
        blame.fill(&report)
        report.verdict = times?.verdict(duration: report.duration) ?? .unknown
        report.waitingOn = report.verdict == .blocked ? times?.waitingOn : nil
        report.last = last
        (report.view, report.attribution, report.counts) = (nil, .none, true)
        // An open hang is only just over the threshold, and the kernel's counts are behind: a moment decides nothing yet.
        let least = report.ended == nil ? min(threshold, report.duration / 2) : threshold
        let own = report.duration.saturatingDifference((times?.stopped ?? 0).saturatingSum(times?.suspended ?? 0))
        if own < least, let times, own < report.duration {
            report.verdict = times.stopped >= times.suspended ? .stopped : .suspended
            report.waitingOn = nil
            report.counts = false
            return
        }
        // Most of it is the machine's doing. A smaller part is only taken out of the shares: else a hang that is just over
        // the threshold would have no view because of a moment's wait.
        guard report.verdict != .starved else { return }
        blame.choose(&report, hindered: times?.hindered ?? [:])
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
        let sorted = shares.filter { $0.nanoseconds > 0 }.sorted { $0.nanoseconds > $1.nanoseconds }
        let rest = sorted.dropFirst(WireLimits.sharesPerHang).reduce(otherNanoseconds) { $0 &+ $1.nanoseconds }
        // The others take a place of their own where there are any.
        let places = rest > 0 ? WireLimits.sharesPerHang - 1 : WireLimits.sharesPerHang
        report.shares = Array(sorted.prefix(places))
        report.otherNanoseconds = sorted.dropFirst(places).reduce(otherNanoseconds) { $0 &+ $1.nanoseconds }
        let sum = report.shares.reduce(report.otherNanoseconds) { $0 &+ $1.nanoseconds }
        report.unattributed = report.duration - sum
    }

    /// A view is blamed for its share from a twentieth of the hang on.
    private static let leastPart: UInt64 = 20

    /// Whether most of the hang passed in bodies. Then even a small largest share is a cause.
    private func isOfBodies(_ report: HangReport) -> Bool {
        report.shares.reduce(report.otherNanoseconds) { $0 &+ $1.nanoseconds } >= report.duration / 2
    }

    private func choose(_ report: inout HangReport, hindered: [FlightView: UInt64]) {
        if let inBody, !isMostly(hindered[inBody.unnamed] ?? 0, of: inBody) {
            (report.view, report.attribution) = (inBody, .inBody)
        } else if let largest = report.shares.first {
            // A tiny share explains nothing: no view is blamed.
            guard largest.nanoseconds >= report.duration / Self.leastPart || isOfBodies(report) else { return }
            (report.view, report.attribution) = (largest.view, .share)
        } else if let last, shares.isEmpty, otherNanoseconds == 0 {
            (report.view, report.attribution) = (last, .lastRendered)
        }
    }

    /// Whether the view's body was kept from running for longer than it ran: then the crossing was hardly its doing.
    private func isMostly(_ hindered: UInt64, of view: FlightView) -> Bool {
        hindered > 0 && hindered > (shares.first { $0.view.unnamed == view.unnamed }?.nanoseconds ?? 0)
    }
}
