// SPDX-License-Identifier: MIT
// Finds similar names for a mistyped one.

/// Finds names that are like a mistyped one.
package enum NearName {
    /// At most `limit` of the names, the nearest first: the same but for case, then containing it, then few edits away.
    ///
    /// Linear in the number of names, and in the product of both lengths (of which at most 64 characters count).
    package static func find(_ wanted: String, among names: some Sequence<String>, limit: Int = 5) -> [String] {
        let wantedFolded = Array(wanted.lowercased().prefix(64))
        var ranked: [(distance: Int, name: String)] = []
        for name in Set(names) {
            let folded = Array(name.lowercased().prefix(64))
            if let distance = distance(wantedFolded, folded) { ranked.append((distance, name)) }
        }
        ranked.sort { $0.distance != $1.distance ? $0.distance < $1.distance : $0.name < $1.name }
        return ranked.prefix(limit).map(\.name)
    }

    private static func distance(_ wanted: [Character], _ name: [Character]) -> Int? {
        if !wanted.isEmpty, !name.isEmpty, contains(name, wanted) || contains(wanted, name) { return 0 }
        let edits = edits(wanted, name)
        return edits <= max(2, wanted.count / 3) ? edits : nil
    }

    private static func contains(_ text: [Character], _ part: [Character]) -> Bool {
        String(text).contains(String(part))
    }

    /// Levenshtein's distance.
    private static func edits(_ from: [Character], _ to: [Character]) -> Int {
        var previous = Array(0...to.count)
        for (row, left) in from.enumerated() {
            var current = [row + 1]
            for (column, right) in to.enumerated() {
                let replaced = previous[column] + (left == right ? 0 : 1)
                current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[to.count]
    }
}
