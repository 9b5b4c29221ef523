// SPDX-License-Identifier: MIT
// The export as comma-separated values: one record for each view.

import RerenderModel

/// Writes views as CSV.
///
/// The columns are stable: more may be added at the end. Times are nanoseconds, dates ISO 8601.
struct StatsCSV: Sendable {
    /// Whether text is made safe for a terminal; a file gets it exactly as the app wrote it.
    let isForTerminal: Bool

    /// The names of the columns.
    static let columns = [
        "process", "pid", "store", "connected", "key", "file", "line", "count", "instances", "commits",
        "wasted_count", "wasted_measured", "wasted_inferred", "wasted_ns",
        "body_last_ns", "body_avg_ns", "body_max_ns", "body_p50_ns", "body_p95_ns", "body_p99_ns", "body_total_ns",
        "total_last_ns", "total_avg_ns", "total_max_ns", "total_p50_ns", "total_p95_ns", "total_p99_ns",
        "total_total_ns",
        "hangs", "hang_last_ns", "hang_worst_ns", "top_reason", "top_reason_count", "last_reason",
        "last_rendered_at",
    ]

    /// The record with the names of the columns.
    static var header: String { CSV.record(columns) }

    /// The record of one view.
    func record(_ row: RankedView) -> String {
        let (store, view) = (row.store, row.view)
        let identity = [
            text(store.name), String(store.pid), text(store.store), String(store.connected),
            text(view.key.rawValue), text(view.file), String(view.line),
        ]
        let counts = [
            view.count, view.instances, view.commits, view.wasted.count, view.wasted.measured, view.wasted.inferred,
            view.wasted.nanoseconds,
        ]
        let hangs = [view.hangs.count, view.hangs.lastNanoseconds, view.hangs.worstNanoseconds]
        let numbers = (counts + Self.times(view.body) + Self.times(view.total) + hangs).map { String($0) }
        let top = view.reasons.min(by: ReasonCount.byCount)
        let reasons = [
            text(top?.reason ?? ""), String(top?.count ?? 0), text(view.lastReason), view.lastRenderedAt?.iso8601 ?? "",
        ]
        return CSV.record(identity + numbers + reasons)
    }

    private func text(_ raw: String) -> String {
        isForTerminal ? Printable.text(raw) : raw
    }

    private static func times(_ timing: Timing) -> [UInt64] {
        [
            timing.lastNanoseconds, timing.averageNanoseconds, timing.maxNanoseconds, timing.p50Nanoseconds,
            timing.p95Nanoseconds, timing.p99Nanoseconds, timing.totalNanoseconds,
        ]
    }
}
