// SPDX-License-Identifier: MIT
// Views as comma-separated values: a record for each view.

/// Writes views as CSV.
///
/// The columns are stable: more may be added at the end. Times are nanoseconds, dates ISO 8601.
package enum StatsCSV {
    /// The names of the columns, and a record for each view.
    package static func text(_ rows: some Sequence<RankedView>) -> CSVText {
        ([header] + rows.map(record)).joined(separator: "")
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
    static var header: CSVText { .record(columns.map { CSVText($0) }) }

    /// The record of one view.
    static func record(_ row: RankedView) -> CSVText {
        let (store, view) = (row.store, row.view)
        let identity: [CSVText] = [
            CSVText(store.name), CSVText(store.pid), CSVText(store.store), CSVText(String(store.connected)),
            CSVText(view.key.rawValue), CSVText(view.file), CSVText(view.line),
        ]
        let top = view.mainReason?.reason
        let reasons: [CSVText] = [
            CSVText(top?.reason ?? ""), CSVText(top?.count ?? 0), CSVText(view.lastReason),
            CSVText(view.lastRenderedAt?.iso8601 ?? ""),
        ]
        return .record(identity + numbers(view) + reasons + waste(view) + why(view) + later(row))
    }

    private static func numbers(_ view: Stats) -> [CSVText] {
        let counts = [
            view.count, view.instances, view.commits, view.wasted.count, view.wasted.measured, view.wasted.inferred,
            view.wasted.nanoseconds,
        ]
        let hangs = [view.hangs.count, view.hangs.lastNanoseconds, view.hangs.worstNanoseconds]
        return (counts + times(view.body) + times(view.total) + hangs).map { CSVText($0) }
    }

    /// The first kinds in the order of their columns. A new kind goes to the end of the record.
    private static func waste(_ view: Stats) -> [CSVText] {
        let kinds: [WasteKind] = [
            .sameOutput, .sameValue, .newIdentity, .closureIdentity, .parentOnly, .twiceInATurn,
        ]
        return (kinds.map { view.wasted.kinds[$0] ?? 0 } + [view.forgotten]).map { CSVText($0) }
    }

    /// What came to be known later than the other columns.
    private static func later(_ row: RankedView) -> [CSVText] {
        let wasted = row.view.wasted
        return [
            CSVText(wasted.kinds[.sameInputs] ?? 0), wasted.unjudged.map { CSVText($0) } ?? CSVText(""),
            CSVText(wasted.inferredNanoseconds), CSVText(row.store.storeNumber),
            row.view.passes.map { CSVText($0) } ?? CSVText(""), CSVText(String(row.view.notSeen == true)),
            row.view.selfNanoseconds.map { CSVText($0) } ?? CSVText(""), CSVText(row.view.hangs.starved),
        ]
    }

    /// The reason of the table's `WHY` with its most frequent writer and chain.
    private static func why(_ view: Stats) -> [CSVText] {
        let top = view.mainReason?.reason
        let (writer, chain) = (top?.writers.first, top?.chains.first)
        return [
            CSVText(top?.reason ?? ""), CSVText(top?.count ?? 0), CSVText(top?.attribution?.rawValue ?? ""),
            CSVText(writer?.writer ?? ""), CSVText(writer?.count ?? 0),
            CSVText(chain?.chain ?? ""), CSVText(chain?.count ?? 0),
        ]
    }

    private static func times(_ timing: Timing) -> [UInt64] {
        [
            timing.lastNanoseconds, timing.averageNanoseconds, timing.maxNanoseconds, timing.p50Nanoseconds,
            timing.p95Nanoseconds, timing.p99Nanoseconds, timing.totalNanoseconds,
        ]
    }
}
