// SPDX-License-Identifier: MIT
// Compares two exports by view and by reason.

package import RerenderModel

/// What differs between an old export and a new one.
package struct ExportDiff: Sendable {
    /// How a view differs.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// It was not evaluated before.
        case new
        /// It has more of something than before: evaluations, wasted ones, or hangs.
        case more
        /// It has less of something, and more of nothing.
        case fewer
        /// It is not evaluated any more.
        case gone
        /// It has as much of everything, for other reasons.
        case otherReasons = "other reasons"
    }

    /// One view.
    package struct Change: Hashable, Encodable, Sendable {
        package let kind: Kind
        package let key: ViewKey
        /// Where its probe is now, or was.
        package let place: String
        package let old: Amounts
        package let new: Amounts
        /// Reasons whose counts differ, the largest difference first.
        package let reasons: [ReasonChange]
    }

    /// One reason of a view, with its chain and writer from the export that has more of it; nil where unknown.
    package struct ReasonChange: Hashable, Encodable, Sendable {
        let old: UInt64
        let new: UInt64
        let reason: String
        let chain: String?
        let writer: String?
    }

    /// By kind in the order of ``Kind``, then the largest difference in evaluations first, then by key.
    let changes: [Change]
    /// Views that are in both with the same numbers and reasons.
    package let same: Int
    package let old: Amounts
    package let new: Amounts
    /// Hangs that no view is blamed for.
    let hangsOfNoView: (old: UInt64, new: UInt64)
    /// What costs most in the new one, whether it did before or not; nil where that is not known.
    package let verdict: Verdict?
    /// Why the numbers of either are not all there.
    package let gaps: [String]

    /// Compares two exports; linear in their sizes.
    package init(old: Tally, new: Tally) {
        let keys = Set(old.seen.map(\.key)).union(new.seen.map(\.key))
        let changes = keys.compactMap { Self.change($0, old, new) }
        self.changes = Kind.allCases.flatMap { kind in changes.filter { $0.kind == kind }.sorted(by: Self.isAbove) }
        same = keys.count - changes.count
        (self.old, self.new) = (old.amounts, new.amounts)
        hangsOfNoView = (old.hangsOfNoView, new.hangsOfNoView)
        verdict = new.verdict
        gaps = Self.gaps("OLD", old) + Self.gaps("NEW", new)
    }

    private static func gaps(_ name: String, _ tally: Tally) -> [String] {
        let nothing = tally.processes == 0 ? ["it contains no process"] : []
        return (nothing + tally.gaps).map { "\(name): \($0)" }
    }

    /// Views with more of something than before, the new ones among them.
    var increased: [Change] { changes.filter { $0.kind == .new || $0.kind == .more } }

    /// Whether any count increased: in a view, or hangs without a view.
    package var isIncreased: Bool { !increased.isEmpty || hangsOfNoView.new > hangsOfNoView.old }

    /// Whether both exports hold everything that was counted.
    package var isExact: Bool { gaps.isEmpty }

    private static func isAbove(_ lhs: Change, _ rhs: Change) -> Bool {
        let (leftSize, rightSize) = (
            distance(lhs.old.evaluations, lhs.new.evaluations), distance(rhs.old.evaluations, rhs.new.evaluations)
        )
        return leftSize != rightSize ? leftSize > rightSize : lhs.key < rhs.key
    }

    private static func distance(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 { lhs > rhs ? lhs - rhs : rhs - lhs }

    /// Nil where nothing differs.
    private static func change(_ key: ViewKey, _ oldTally: Tally, _ newTally: Tally) -> Change? {
        let (old, new) = (oldTally.views[key], newTally.views[key])
        let (before, after) = (old?.amounts.compared ?? Amounts(), new?.amounts.compared ?? Amounts())
        let reasons = Self.reasons(old, new, oldTally, newTally)
        let kind: Kind? =
            if before == Amounts() {
                .new
            } else if after == Amounts() {
                .gone
            } else if Measure.ofViews.contains(where: { after[$0] > before[$0] }) {
                .more
            } else if before != after {
                .fewer
            } else {
                reasons.isEmpty ? nil : .otherReasons
            }
        guard let kind else { return nil }
        return Change(
            kind: kind, key: key, place: new?.place ?? old?.place ?? "", old: before, new: after, reasons: reasons)
    }

    private static func reasons(
        _ old: KeyTally?, _ new: KeyTally?, _ oldTally: Tally, _ newTally: Tally
    ) -> [ReasonChange] {
        let texts = Set((old?.reasons ?? []).map(\.reason)).union((new?.reasons ?? []).map(\.reason))
        let changes = texts.compactMap { text -> ReasonChange? in
            let (before, after) = (old?.reason(text), new?.reason(text))
            let (oldCount, newCount) = (before?.count ?? 0, after?.count ?? 0)
            guard oldCount != newCount else { return nil }
            let cause = newCount > oldCount ? after.map(newTally.cause) : before.map(oldTally.cause)
            return cause.map {
                ReasonChange(old: oldCount, new: newCount, reason: $0.reason, chain: $0.chain, writer: $0.writer)
            }
        }
        return changes.sorted {
            let (left, right) = (distance($0.old, $0.new), distance($1.old, $1.new))
            return left != right ? left > right : $0.reason < $1.reason
        }
    }
}
