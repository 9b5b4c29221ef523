// SPDX-License-Identifier: MIT
// Stores and views with known numbers.

import RerenderModel
import RerenderTrace

enum Sample {
    /// 2026-11-20T22:45:00.123Z
    static let now = Timestamp(nanosecondsSince1970: 1_795_214_700_123_000_000)

    static func view(
        _ key: ViewKey, count: UInt64, average: UInt64 = 0, reasons: [ReasonCount] = [],
        file: String = "Shop/Cart.swift",
        line: UInt32 = 12
    ) -> Stats {
        var view = Stats(key: key, file: file, line: line)
        view.count = count
        view.instances = 1
        view.body.averageNanoseconds = average
        view.body.maxNanoseconds = average &* 3
        view.body.p95Nanoseconds = average * 2
        view.body.p99Nanoseconds = average * 2 + average / 2
        view.body.totalNanoseconds = average &* count
        view.reasons = reasons
        view.lastReason = reasons.last?.reason ?? ""
        view.lastRenderedAt = Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 - 3_500_000_000)
        return view
    }

    /// A view that reads what another one is only passed as `tick`.
    static let tickReader = view(
        "Shop", count: 50,
        reasons: [
            ReasonCount(
                reason: "shop.ticker.tick", count: 50, attribution: .exact,
                writers: [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:19", count: 50)])
        ])

    static func reason(_ text: String, _ count: UInt64, _ attribution: Attribution? = .exact) -> ReasonCount {
        ReasonCount(reason: text, count: count, attribution: attribution)
    }

    static func store(
        _ name: String = "shop", pid: Int32 = 4711, store: String = "main", number: UInt32 = 0, connected: Bool = true,
        kind: StoreKind = .views, views: [Stats] = []
    ) -> ProcessStats {
        var process = ProcessStats(pid: pid, name: name, store: store, storeNumber: number, startedAt: now)
        process.connected = connected
        (process.mainLoop, process.kind) = (.glib, kind)
        process.views = views
        process.lastRenderedAt = views.compactMap(\.lastRenderedAt).max()
        process.evaluations = views.reduce(0) { $0 &+ $1.count }
        return process
    }

    /// Three views of a shop: a wasteful one, an unlabelled one, one that was never evaluated.
    static var shop: ProcessStats {
        var total = view(
            "CartTotal", count: 312, average: 133_000, reasons: [reason("ticker.tick", 300), reason("initial", 12)])
        total.wasted.count = 308
        total.wasted.measured = 308
        total.wasted.nanoseconds = 41_000_000
        total.commits = 300
        let row = view(
            "Shop/ProductRow.swift:40", count: 48, average: 1_250_000,
            reasons: [reason("product.price, product.title", 40, .diff), reason("parent: CartTotal", 8)],
            file: "Shop/ProductRow.swift", line: 40)
        return store(views: [total, row, view("Badge", count: 0)])
    }

    static func export(_ processes: [ProcessStats]) -> StatsExport {
        StatsExport(generatedAt: now, processes: processes, verdict: nil)
    }
}
