// SPDX-License-Identifier: MIT
// The JSON document of a comparison.

import RerenderShow

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
    let changes: [ExportDiff.Change]
    let verdict: Verdict?

    /// A count before and after.
    struct Counts: Encodable, Sendable {
        let old: UInt64
        let new: UInt64
    }

    init(_ diff: ExportDiff) {
        (exact, gaps, increased, same) = (diff.isExact, diff.gaps, diff.increased.count, diff.same)
        (old, new, changes) = (diff.old, diff.new, diff.changes)
        verdict = diff.verdict
        hangsOfNoView = Counts(old: diff.hangsOfNoView.old, new: diff.hangsOfNoView.new)
    }
}
