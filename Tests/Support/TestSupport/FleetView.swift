// SPDX-License-Identifier: MIT
// A busy view as an app tells of it, for loads on the daemon.

internal import RerenderModel
package import RerenderWire

/// One of very many views of an app that only speaks the wire.
package enum FleetView {
    /// What an app says of a view before its first totals: its key, two reasons, and who writes for the second.
    package static func declarations(_ index: UInt32, key: String, app: String) -> [AppMessage] {
        let view = ViewDeclaration(storeID: 1, index: index, key: key, file: "\(app)/Views.swift", line: index)
        let reasons = ["initial", "ticker.tick"].enumerated().map { number, text in
            AppMessage.reason(
                ReasonDeclaration(storeID: 1, viewIndex: index, index: UInt8(number), text: text, attribution: .exact))
        }
        let writer = DetailDeclaration(
            storeID: 1, viewIndex: index, reason: 1, slot: 0, text: "Ticker.advance() \(app)/Ticker.swift:40")
        return [.view(view)] + reasons + [.detail(writer)]
    }

    /// Totals of `count` evaluations, all but one of them for the second reason; nothing is wasted.
    package static func totals(_ index: Int, count: UInt64, serial: UInt64) -> TotalsMessage {
        var totals = TotalsMessage(ViewTotals(storeID: 1, index: UInt32(index), epoch: 0))
        totals.count = count
        totals.instances = 1
        for path in [\TotalsMessage.body, \TotalsMessage.total] {
            totals[keyPath: path].last = 1_000 + serial
            totals[keyPath: path].max = 90_000
            totals[keyPath: path].p50 = 1_200
            totals[keyPath: path].p95 = 4_000
            totals[keyPath: path].p99 = 20_000
            totals[keyPath: path].sum = count * 1_500
        }
        totals.lastRenderedAt = .now
        totals.lastReason = 1
        totals.reasonCounts = [.init(index: 0, count: 1), .init(index: 1, count: count - 1)]
        totals.details = [.init(reason: 1, slot: 0, count: count - 1)]
        return totals
    }
}
