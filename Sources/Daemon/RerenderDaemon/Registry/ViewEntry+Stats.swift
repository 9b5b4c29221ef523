// SPDX-License-Identifier: MIT
// One view as the export shows it.

import RerenderModel
import RerenderWire

extension ViewEntry {
    /// The view's names and totals.
    var stats: Stats {
        var stats = Stats(totals, hangs: hangs, key: ViewKey(rawValue: key), file: file, line: line)
        guard totals.count > 0 else { return stats }
        let last = Int(totals.lastReason)
        stats.lastReason = last < reasons.count ? reasons[last].text : Reason.other
        stats.reasons = reasonCounts
        return stats
    }

    private var reasonCounts: [ReasonCount] {
        var counts: [ReasonCount] = []
        counts.reserveCapacity(reasons.count + 1)
        for (number, reason) in reasons.enumerated() where reason.counts.count > 0 {
            counts.append(count(reason.text, reason.attribution, UInt8(number), reason.counts))
        }
        if others.count > 0 { counts.append(count(Reason.other, nil, ViewTotals.otherReason, others)) }
        if counts.count > 1 { counts.sort(by: ReasonCount.byCount) }
        return counts
    }

    private func count(
        _ text: String, _ attribution: Attribution?, _ number: UInt8, _ counts: ReasonCounts
    ) -> ReasonCount {
        ReasonCount(
            reason: text, count: counts.count, passes: counts.passes, attribution: attribution,
            writers: named(number, DetailSlot.writers, counts.otherWriters).map {
                .init(writer: $0.text, count: $0.count)
            },
            chains: named(number, DetailSlot.chains, counts.otherChains).map { .init(chain: $0.text, count: $0.count) })
    }

    /// What was counted in some slots of a reason: most frequent first, then by text, and the others last.
    private func named(_ reason: UInt8, _ slots: Range<UInt8>, _ others: UInt64) -> [(text: String, count: UInt64)] {
        guard !details.records.isEmpty || others > 0 else { return [] }
        var counts = details.of(reason).filter { slots.contains($0.slot) && $0.count > 0 }
            .map { (text: $0.text, count: $0.count) }
        counts.sort { $0.count != $1.count ? $0.count > $1.count : $0.text < $1.text }
        if others > 0 { counts.append((Reason.other, others)) }
        return counts
    }
}
