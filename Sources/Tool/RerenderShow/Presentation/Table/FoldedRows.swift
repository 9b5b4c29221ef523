// SPDX-License-Identifier: MIT
// The rows of a table without those that say nothing of their own.

import RerenderModel

/// The rows of a table as ``RowFolding`` folds them.
package struct FoldedRows: Sendable {
    /// The rows that are shown, in their order. Each says how many are folded under it.
    package let rows: [RankedView]
    /// All rows that are folded.
    package let hidden: [RankedView]
    private let folding: RowFolding

    /// - Parameter isOn: Whether to fold at all.
    package init(_ all: [RankedView], isOn: Bool = true) {
        var numbers: [StoreID: Int] = [:]
        let facts = (isOn ? all : []).map { row in
            let store = StoreID(row.store)
            let number = numbers[store] ?? numbers.count
            numbers[store] = number
            return RowFacts(row.view, in: row.store, number: number, row.rank)
        }
        let folding = RowFolding(facts)
        let folded = folding.shown().map { index in
            var row = all[index]
            row.folded = folding.note(under: index)
            return row
        }
        (self.folding, rows, hidden) = (folding, isOn ? folded : all, folding.hidden.map { all[$0] })
    }

    /// The line below the rows; nil where every row is shown.
    ///
    /// - Parameters:
    ///   - isWhole: Whether all views are among the rows.
    ///   - how: What shows those that are not: `--all`.
    package func line(isWhole: Bool, how: String) -> String? {
        guard !hidden.isEmpty else { return nil }
        let text = folding.text(StoreWords(hidden.lazy.map(\.store)))
        return "… \(isWhole ? "" : "at least ")\(text); \(how) shows them"
    }
}
