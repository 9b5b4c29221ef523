// SPDX-License-Identifier: MIT
// One hang of a process in which several copies of the library watch the same main loop.

import RerenderModel
import RerenderWire

/// What each copy's page says of one hang, and what that makes together.
///
/// A copy sees the bodies of its own views alone. A body of another copy's may have run inside one of them, and is then in the
/// time of both: the pages do not tell.
struct SharedHang {
    /// By the number that each report has; the one that is listed comes first.
    private var reports: [Hang]
    /// Numbers of reports that are in the first one already: an earlier daemon put them together.
    private var included: [UInt64] = []

    init(_ hang: Hang) { reports = [hang] }

    /// Whether another report may be added. The pages of a process's copies are the process's: they may make up as many as they like.
    var hasRoom: Bool { reports.count + included.count < 32 }

    /// The reports beside the one that is listed.
    var others: ArraySlice<Hang> { reports.dropFirst() }

    func contains(_ id: UInt64) -> Bool { reports.contains { $0.id == id } || included.contains(id) }

    /// The largest number of a report.
    var latestID: UInt64 { included.reduce(reports.reduce(0) { max($0, $1.id) }, max) }

    /// The turn of a report, as its copy numbers it.
    func turn(of id: UInt64) -> UInt64? { reports.first { $0.id == id }?.turn }

    /// Replaces a report, or adds it.
    mutating func put(_ hang: Hang) {
        guard !included.contains(hang.id) else { return include(hang) }
        if let index = reports.firstIndex(where: { $0.id == hang.id }) {
            reports[index] = hang
        } else {
            reports.append(hang)
        }
    }

    /// Adds a report that the first one includes, or notes that it is over.
    mutating func include(_ hang: Hang) {
        if !included.contains(hang.id) { included.append(hang.id) }
        if let ending = hang.ended { end(ending) }
    }

    /// Nobody looks after the reports that are open.
    mutating func end(_ ending: HangEnding) {
        for index in reports.indices where reports[index].open {
            reports[index].open = false
            reports[index].ended = ending
        }
    }

    /// Takes a report out, unless it is the only one; false then. What is included stays: an earlier daemon saw it.
    mutating func remove(_ id: UInt64) -> Bool {
        guard !included.contains(id) else { return true }
        guard reports.count > 1 else { return false }
        reports.removeAll { $0.id == id }
        return true
    }

    /// The hang as it is listed under a number.
    func hang(listedAs id: UInt64, turn: UInt64) -> Hang {
        let longest = reports.max { $0.durationNanoseconds < $1.durationNanoseconds } ?? reports[0]
        var hang = longest
        (hang.id, hang.turn) = (id, turn)
        guard reports.count > 1 else { return hang }
        hang.open = reports.contains(where: \.open)
        hang.ended = hang.open ? nil : longest.ended
        let known = reports.first { $0.verdict != .unknown } ?? longest
        (hang.verdict, hang.waitingOn) = (known.verdict, known.waitingOn)
        hang.stoppedNanoseconds = known.stoppedNanoseconds
        hang.counts = reports.contains(where: \.counts)
        hang.guess = reports.contains(where: \.guess)
        share(&hang)
        blame(&hang)
        // Bodies of two copies may be within each other at the threshold: all of them ran, and which is inside, the pages do
        // not tell.
        let atThreshold = reports.filter { $0.viewAtThreshold != nil }
        let crossing =
            atThreshold.first { $0.viewAtThreshold == hang.view && $0.viewAtThresholdStore == hang.viewStore }
            ?? atThreshold.first
        (hang.viewAtThreshold, hang.viewAtThresholdStore) = (crossing?.viewAtThreshold, crossing?.viewAtThresholdStore)
        return hang
    }

    /// The times of all copies' views, largest first. Where they are more than there was, the largest of them is the one that
    /// ran around the others.
    private func share(_ hang: inout Hang) {
        guard reports.allSatisfy({ $0.unattributedNanoseconds != nil }) else {
            (hang.shares, hang.unattributedNanoseconds) = ([], nil)
            return
        }
        var shares = reports.flatMap(\.shares).sorted { $0.nanoseconds > $1.nanoseconds }
        var excess = shares.reduce(UInt64(0)) { $0.saturatingSum($1.nanoseconds) }
            .saturatingDifference(hang.durationNanoseconds)
        for index in shares.indices where excess > 0 {
            let part = min(excess, shares[index].nanoseconds)
            shares[index].nanoseconds -= part
            excess -= part
        }
        shares.sort { $0.nanoseconds > $1.nanoseconds }
        let others = shares.dropFirst(WireLimits.sharesPerHang).reduce(UInt64(0)) { $0.saturatingSum($1.nanoseconds) }
        hang.shares = Array(shares.prefix(WireLimits.sharesPerHang)).filter { $0.nanoseconds > 0 }
        if others > 0 {
            hang.shares.append(Hang.Share(view: .otherViews, phase: nil, nanoseconds: others))
        }
        let sum = hang.shares.reduce(UInt64(0)) { $0.saturatingSum($1.nanoseconds) }
        hang.unattributedNanoseconds = hang.durationNanoseconds.saturatingDifference(sum)
    }

    /// The view that one copy blames, if it has the most, and a fifth of the hang, also where all other copies' bodies ran
    /// inside of its own; none where that cannot be told.
    private func blame(_ hang: inout Hang) {
        (hang.view, hang.handler, hang.phase, hang.viewStore, hang.attribution) = (nil, nil, nil, nil, .none)
        guard hang.unattributedNanoseconds != nil else { return }
        func total(_ report: Hang) -> UInt64 { report.shares.reduce(0) { $0.saturatingSum($1.nanoseconds) } }
        func own(_ report: Hang) -> UInt64 { report.share ?? 0 }
        guard let first = reports.filter({ $0.isBlamed }).max(by: { own($0) < own($1) }) else { return }
        let others = reports.filter { $0.id != first.id }
        let most = others.map(total).reduce(UInt64(0)) { $0.saturatingSum($1) }
        let least = own(first).saturatingDifference(most)
        guard most == 0 || least > most && least >= hang.durationNanoseconds / 5 else { return }
        (hang.view, hang.handler, hang.viewStore) = (first.view, first.handler, first.viewStore)
        hang.phase = first.phase
        hang.attribution = first.attribution
        (hang.lastRendered, hang.lastRenderedStore) = (first.lastRendered, first.lastRenderedStore)
    }
}

extension Hang {
    /// Whether both are about the same time: they share more than half of the shorter.
    func isAtTheTime(of other: Hang) -> Bool {
        let (start, otherStart) = (startedAt.nanosecondsSince1970, other.startedAt.nanosecondsSince1970)
        let shorter = min(durationNanoseconds, other.durationNanoseconds)
        let (later, isOver) = otherStart.subtractingReportingOverflow(start)
        guard !isOver else { return false }
        let length = later >= 0 ? durationNanoseconds : other.durationNanoseconds
        return min(length.saturatingDifference(later.magnitude), shorter) > shorter / 2
    }
}
