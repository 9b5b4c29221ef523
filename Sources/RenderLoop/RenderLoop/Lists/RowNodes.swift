// SPDX-License-Identifier: MIT
// The rows of a lazy container that are made.

/// The nodes of rows, found by their keys.
@MainActor
struct RowNodes {
    private(set) var rows: [(key: RowKey, node: Node)] = []

    /// Makes the wanted rows that are not there, and takes away those that are not wanted; whether there are others then.
    ///
    /// Rows that stay get new values where that is asked for.
    mutating func reconcile(_ wanted: [Row], in context: NodeContext, updating: Bool) -> Bool {
        var left: [RowKey: Node] = [:]
        for (key, node) in rows { left[key] = node }
        let oldKeys = rows.map(\.key)
        rows = wanted.map { row in
            guard let node = left.removeValue(forKey: row.key) else { return (row.key, row.make(in: context)) }
            if updating { row.update(node) }
            return (row.key, node)
        }
        left.unmountAll(inOrder: oldKeys)
        return oldKeys != rows.map(\.key)
    }
}

extension RowContent {
    /// The rows at some places, each with a key of its own.
    func rows(at places: Range<Int>) -> [Row] {
        var seen = Set<RowKey>()
        return places.map { index in
            var row = row(at: index)
            while !seen.insert(row.key).inserted { row.key.repetition += 1 }
            return row
        }
    }
}
