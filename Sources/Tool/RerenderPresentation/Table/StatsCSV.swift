// SPDX-License-Identifier: MIT
// Views as comma-separated values: a record for each view.

import RerenderToolBase

/// Writes views as CSV.
///
/// The columns are stable: more may be added at the end. Times are nanoseconds, dates ISO 8601.
package enum StatsCSV {
    /// The names of the columns, and a record for each view.
    package static func text(_ rows: some Sequence<RankedView>) -> String {
        rows.reduce(into: header) { $0 += record($1) }
    }

    /// The names of the columns.
    static let columns = [
        "process", "pid", "store", "connected", "key", "file", "line", "count", "instances", "commits",
        "wasted_count", "wasted_measured", "wasted_inferred", "wasted_ns",
        "body_last_ns", "body_avg_ns", "body_max_ns", "body_p50_ns", "body_p95_ns", "body_p99_ns", "body_total_ns",
        "total_last_ns", "total_avg_ns", "total_max_ns", "total_p50_ns", "total_p95_ns", "total_p99_ns",
        "total_total_ns",
        "hangs", "hang_last_ns", "hang_worst_ns", "top_reason", "top_reason_count", "last_reason",
        "last_rendered_at",
        "wasted_same_output", "wasted_same_value", "wasted_new_identity", "wasted_closure_identity",
        "wasted_parent_only", "wasted_twice_in_a_turn", "forgotten",
        "why", "why_count", "why_attribution", "why_writer", "why_writer_count", "why_chain", "why_chain_count",
        "wasted_same_inputs", "unjudged", "wasted_inferred_ns", "store_number", "passes", "not_seen",
        "self_total_ns", "hangs_starved",
    ]

    /// The record with the names of the columns.
    static var header: String { CSV.record(columns.map(CSV.Cell.text)) }

    /// The record of one view.
    static func record(_ row: RankedView) -> String {
        let (store, view) = (row.store, row.view)
        let identity: [CSV.Cell] = [
            .text(store.name), .number(store.pid), .text(store.store), .text(String(store.connected)),
            .text(view.key.rawValue), .text(view.file), .number(view.line),
        ]
        let top = view.reasons.min(by: ReasonCount.byCount)
        let reasons: [CSV.Cell] = [
            .text(top?.reason ?? ""), .number(top?.count ?? 0), .text(view.lastReason),
            .text(view.lastRenderedAt?.iso8601 ?? ""),
        ]
        return CSV.record(identity + numbers(view) + reasons + waste(view) + why(view) + later(row))
    }

    private static func numbers(_ view: Stats) -> [CSV.Cell] {
        let counts = [
            view.count, view.instances, view.commits, view.wasted.count, view.wasted.measured, view.wasted.inferred,
            view.wasted.nanoseconds,
        ]
        let hangs = [view.hangs.count, view.hangs.lastNanoseconds, view.hangs.worstNanoseconds]
        return (counts + times(view.body) + times(view.total) + hangs).map { .number($0) }
    }

    /// The first kinds in the order of their columns. A new kind goes to the end of the record.
    private static func waste(_ view: Stats) -> [CSV.Cell] {
        let kinds: [WasteKind] = [
            .sameOutput, .sameValue, .newIdentity, .closureIdentity, .parentOnly, .twiceInATurn,
        ]
        return (kinds.map { view.wasted.kinds[$0] ?? 0 } + [view.forgotten]).map { .number($0) }
    }

    /// What came to be known later than the other columns.
    private static func later(_ row: RankedView) -> [CSV.Cell] {
        let wasted = row.view.wasted
        return [
            .number(wasted.kinds[.sameInputs] ?? 0), wasted.unjudged.map { .number($0) } ?? .text(""),
            .number(wasted.inferredNanoseconds), .number(row.store.storeNumber),
            row.view.passes.map { .number($0) } ?? .text(""), .text(String(row.view.notSeen == true)),
            row.view.selfNanoseconds.map { .number($0) } ?? .text(""), .number(row.view.hangs.starved),
        ]
    }

    /// The reason of the table's `WHY` with its most frequent writer and chain.
    private static func why(_ view: Stats) -> [CSV.Cell] {
        let top = WhyText.top(view)
        let (writer, chain) = (top?.writers.first, top?.chains.first)
        return [
            .text(top?.reason ?? ""), .number(top?.count ?? 0), .text(top?.attribution?.rawValue ?? ""),
            .text(writer?.writer ?? ""), .number(writer?.count ?? 0),
            .text(chain?.chain ?? ""), .number(chain?.count ?? 0),
        ]
    }

    private static func times(_ timing: Timing) -> [UInt64] {
        [
            timing.lastNanoseconds, timing.averageNanoseconds, timing.maxNanoseconds, timing.p50Nanoseconds,
            timing.p95Nanoseconds, timing.p99Nanoseconds, timing.totalNanoseconds,
        ]
    }
}
