// SPDX-License-Identifier: MIT
// A comparison for machines.

import FoundationEssentials
import RerenderModel

/// The document that `diff --json` prints; more fields may be added within version 1.
package struct DiffJSON: Encodable, Sendable {
    package let version = 1
    package let exact: Bool
    package let gaps: [String]
    let increased: Int
    package let same: Int
    package let old: AmountsJSON
    package let new: AmountsJSON
    let hangsOfNoView: Hangs
    let changes: [Change]

    /// Hangs that no view is blamed for.
    package struct Hangs: Encodable, Sendable {
        let old: UInt64
        let new: UInt64
    }

    /// One view.
    package struct Change: Encodable, Sendable {
        package let kind: ExportDiff.Kind
        package let key: String
        package let place: String
        package let old: AmountsJSON
        package let new: AmountsJSON
        package let reasons: [ReasonJSON]
    }

    /// One reason; `chain` and `writer` are absent where they are not known.
    package struct ReasonJSON: Encodable, Sendable {
        let reason: String
        let old: UInt64
        let new: UInt64
        let chain: String?
        let writer: String?
    }

    package init(_ diff: ExportDiff) {
        exact = diff.isExact
        gaps = diff.gaps
        increased = diff.increased.count
        same = diff.same
        old = AmountsJSON(diff.old)
        new = AmountsJSON(diff.new)
        hangsOfNoView = Hangs(old: diff.hangsOfNoView.old, new: diff.hangsOfNoView.new)
        changes = diff.changes.map { change in
            Change(
                kind: change.kind, key: change.key.rawValue, place: change.place, old: AmountsJSON(change.old),
                new: AmountsJSON(change.new),
                reasons: change.reasons.map {
                    ReasonJSON(
                        reason: $0.cause.reason, old: $0.old, new: $0.new, chain: $0.cause.chain,
                        writer: $0.cause.writer)
                })
        }
    }

    /// The text, a line end last.
    package func text() throws -> String {
        String(decoding: try StatsExport.encoder().encode(self), as: UTF8.self) + "\n"
    }
}
