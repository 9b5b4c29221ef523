// SPDX-License-Identifier: MIT
// The sentences above a table: at most five, those that matter most.

/// A sentence above a table.
package struct TableNote: Sendable {
    /// What it is about; the last are left out first.
    package enum Rank: Int, Comparable, Sendable {
        /// What costs most.
        case first
        /// What is missing from the numbers.
        case missing
        /// Further findings.
        case findings
        /// What the table is of.
        case subject
        /// What would bring names that are missing.
        case names
        /// What goes on without input.
        case idle
        /// What main loops did.
        case loops
        /// What frames cost.
        case frames
        /// Anything else.
        case others

        package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    package let rank: Rank
    package let line: StyledLine

    package init(_ rank: Rank, _ line: StyledLine) { (self.rank, self.line) = (rank, line) }

    /// The most sentences, with the one that says how many are left out.
    static let most = 5

    /// The sentences of a verdict.
    package static func verdict(_ verdict: Verdict?) -> [TableNote] {
        (verdict?.lines ?? []).enumerated().map { TableNote($0.offset == 0 ? .first : .findings, $0.element) }
    }

    /// The sentences that are shown, in their order.
    ///
    /// - Parameter all: Whether all are.
    package static func lines(_ notes: [TableNote], all: Bool) -> [StyledLine] {
        guard !all, notes.count > most else { return notes.map(\.line) }
        let ranked = notes.indices.sorted { (notes[$0].rank, $0) < (notes[$1].rank, $1) }
        let (kept, left) = (ranked.prefix(most - 1), ranked.dropFirst(most - 1))
        let missing = left.count { notes[$0].rank == .missing }
        let part = missing == 0 ? "" : ", \(missing) of them on missing data"
        let rest = "… \(Counted.text(left.count, "more line"))\(part); --all shows them"
        return kept.sorted().map { notes[$0].line } + [StyledLine(text: rest, style: missing == 0 ? .dim : .bad)]
    }
}
