// SPDX-License-Identifier: MIT
// The JSON document of a comparison.

import RerenderModel

/// The document that `diff --json` prints; more fields may be added within version 1.
struct DiffJSON: Encodable, Sendable {
    let version = 1
    let exact: Bool
    let gaps: [String]
    let increased: Int
    let same: Int
    let old: Amounts
    let new: Amounts
    let hangsOfNoView: Counts
    let changes: [Change]

    /// A count before and after.
    struct Counts: Encodable, Sendable {
        let old: UInt64
        let new: UInt64
    }

    /// One view.
    struct Change: Encodable, Sendable {
        let kind: ExportDiff.Kind
        let key: String
        let place: String
        let old: Amounts
        let new: Amounts
        let reasons: [ReasonCounts]
    }

    /// One reason; `chain` and `writer` are absent where they are unknown.
    struct ReasonCounts: Encodable, Sendable {
        let reason: String
        let old: UInt64
        let new: UInt64
        let chain: String?
        let writer: String?

        init(_ change: ExportDiff.ReasonChange) {
            (old, new) = (change.old, change.new)
            (reason, chain, writer) = (change.cause.reason, change.cause.chain, change.cause.writer)
        }
    }

    init(_ diff: ExportDiff) {
        (exact, gaps, increased, same) = (diff.isExact, diff.gaps, diff.increased.count, diff.same)
        (old, new) = (diff.old, diff.new)
        hangsOfNoView = Counts(old: diff.hangsOfNoView.old, new: diff.hangsOfNoView.new)
        changes = diff.changes.map {
            Change(
                kind: $0.kind, key: $0.key.rawValue, place: $0.place, old: $0.old, new: $0.new,
                reasons: $0.reasons.map(ReasonCounts.init))
        }
    }
}
