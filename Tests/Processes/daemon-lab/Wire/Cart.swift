// SPDX-License-Identifier: MIT
// The one view that the app pushes: why it was evaluated, by whom, and what of it was needless.

import RerenderModel
import RerenderWire

/// A view that is evaluated so many times: once at first, then nine of ten times for the ticker and else for its parent.
struct Cart {
    let evaluations: UInt64

    /// Its names, and its totals last. Too few evaluations have no reasons.
    var messages: [AppMessage] {
        let name = ViewDeclaration(storeID: 0, index: 0, key: "Cart", file: "Shop/Cart.swift", line: 12)
        var totals = TotalsMessage(ViewTotals(storeID: 0, index: 0, epoch: 0))
        totals.count = evaluations
        totals.instances = 1
        guard evaluations >= 20 else { return [.view(name), .totals(totals)] }
        let byParent = (evaluations - 1) / 10
        let byTicker = evaluations - 1 - byParent
        fillTimes(&totals)
        totals.lastReason = 1
        totals.reasonCounts = [
            .init(index: 0, count: 1), .init(index: 1, count: byTicker), .init(index: 2, count: byParent),
        ]
        totals.details = [
            .init(reason: 1, slot: 0, count: byTicker - 3), .init(reason: 1, slot: 1, count: 2),
            .init(reason: 1, slot: DetailSlot.otherWriters, count: 1), .init(reason: 2, slot: 4, count: byParent),
        ]
        totals.waste.add(.sameOutput, nanoseconds: byTicker * 100_000, evaluations: byTicker)
        totals.waste.add(.parentOnly, nanoseconds: byParent * 100_000, evaluations: byParent)
        totals.forgotten = 1
        return [.view(name)] + reasons + details + [.totals(totals)]
    }

    private func fillTimes(_ totals: inout TotalsMessage) {
        totals.body.last = 100_000
        totals.body.max = 150_000
        totals.body.p50 = 100_000
        totals.body.p95 = 120_000
        totals.body.p99 = 140_000
        totals.body.sum = evaluations * 100_000
        totals.selfNanoseconds = totals.body.sum
        totals.total = totals.body
        totals.lastRenderedAt = .now
    }

    private var reasons: [AppMessage] {
        let texts: [(String, Attribution)] = [("initial", .exact), ("ticker.tick", .exact), ("parent: Shop", .exact)]
        return texts.enumerated().map { number, reason in
            .reason(
                ReasonDeclaration(
                    storeID: 0, viewIndex: 0, index: UInt8(number), text: reason.0, attribution: reason.1))
        }
    }

    private var details: [AppMessage] {
        let texts: [(reason: UInt8, slot: UInt8, text: String)] = [
            (1, 0, "Ticker.advance() Shop/Ticker.swift:40"), (1, 1, "Ticker.reset() Shop/Ticker.swift:52"),
            (2, 4, "Shop ← ticker.tick"),
        ]
        return texts.map {
            .detail(DetailDeclaration(storeID: 0, viewIndex: 0, reason: $0.reason, slot: $0.slot, text: $0.text))
        }
    }
}
