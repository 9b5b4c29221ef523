// SPDX-License-Identifier: MIT
// One hang of a process in which several copies of the library watch the same main loop.

import RerenderModel
import RerenderWire

/// What the page of each copy says of one hang, and what that makes together.
///
/// A copy sees the bodies of its own views alone. A body of another copy may have run inside one of them, and is then
/// in the time of both: the pages do not tell.
extension Hang {
    /// What copies say of a hang, as one, with the longest time; nil without any.
    static func together(_ reports: [Hang]) -> Hang? {
        guard let longest = reports.max(by: { $0.durationNanoseconds < $1.durationNanoseconds }), reports.count > 1
        else { return reports.first }
        var hang = longest
        hang.open = reports.contains(where: \.open)
        hang.ended = hang.open ? nil : longest.ended
        let known = reports.first { $0.verdict != .unknown } ?? longest
        (hang.verdict, hang.waitingOn) = (known.verdict, known.waitingOn)
        hang.stoppedNanoseconds = known.stoppedNanoseconds
        hang.counts = reports.contains(where: \.counts)
        hang.guess = reports.contains(where: \.guess)
        hang.takeShares(of: reports)
        hang.takeBlame(of: reports)
        // Bodies of two copies may be within each other at the threshold: all of them ran, and which is inside, the
        // pages do not tell.
        let crossing = reports.filter { $0.viewAtThreshold != nil }
        let atThreshold =
            crossing.first { $0.viewAtThreshold == hang.view && $0.viewAtThresholdStore == hang.viewStore }
            ?? crossing.first
        hang.viewAtThreshold = atThreshold?.viewAtThreshold
        hang.viewAtThresholdStore = atThreshold?.viewAtThresholdStore
        return hang
    }

    /// Whether both are about the same time: they share more than half of the shorter.
    func isAtTheTime(of other: Hang) -> Bool {
        let (start, otherStart) = (startedAt.nanosecondsSince1970, other.startedAt.nanosecondsSince1970)
        let shorter = min(durationNanoseconds, other.durationNanoseconds)
        let (later, isOver) = otherStart.subtractingReportingOverflow(start)
        guard !isOver else { return false }
        let length = later >= 0 ? durationNanoseconds : other.durationNanoseconds
        return min(length.saturatingDifference(later.magnitude), shorter) > shorter / 2
    }

    /// Takes the times of all copies' views, largest first. Where they are more than there was, the largest of them is
    /// the one that ran around the others.
    private mutating func takeShares(of reports: [Hang]) {
        (shares, unattributedNanoseconds) = ([], nil)
        guard reports.allSatisfy({ $0.unattributedNanoseconds != nil }) else { return }
        var all = reports.flatMap(\.shares).sorted { $0.nanoseconds > $1.nanoseconds }
        var excess = all.nanoseconds.saturatingDifference(durationNanoseconds)
        for index in all.indices where excess > 0 {
            let part = min(excess, all[index].nanoseconds)
            all[index].nanoseconds -= part
            excess -= part
        }
        all.sort { $0.nanoseconds > $1.nanoseconds }
        let others = all.dropFirst(WireLimits.sharesPerHang).nanoseconds
        shares = all.prefix(WireLimits.sharesPerHang).filter { $0.nanoseconds > 0 }
        if others > 0 { shares.append(Share(view: .otherViews, phase: nil, nanoseconds: others)) }
        unattributedNanoseconds = durationNanoseconds.saturatingDifference(shares.nanoseconds)
    }

    /// Blames the view that one copy blames, if it has the most, and a fifth of the hang, also where all other copies'
    /// bodies ran inside of its own; no view where that cannot be told.
    private mutating func takeBlame(of reports: [Hang]) {
        (view, handler, phase, viewStore, attribution) = (nil, nil, nil, nil, .none)
        guard unattributedNanoseconds != nil,
            let first = reports.filter(\.isBlamed).max(by: { $0.share ?? 0 < $1.share ?? 0 })
        else { return }
        let others = reports.filter { $0.id != first.id }.flatMap(\.shares).nanoseconds
        let least = (first.share ?? 0).saturatingDifference(others)
        guard others == 0 || least > others && least >= durationNanoseconds / 5 else { return }
        (view, handler, viewStore) = (first.view, first.handler, first.viewStore)
        (phase, attribution) = (first.phase, first.attribution)
        (lastRendered, lastRenderedStore) = (first.lastRendered, first.lastRenderedStore)
    }
}

extension Sequence<Hang.Share> {
    /// The time of all.
    fileprivate var nanoseconds: UInt64 { reduce(0) { $0.saturatingSum($1.nanoseconds) } }
}
