// SPDX-License-Identifier: MIT
// Small tables that show all their columns.

import RerenderToolBase

/// Draws a small table.
package enum PlainTable {
    /// Columns as wide as their widest cell; the first column gives way where the width is not enough.
    package static func lines(_ rows: [[String]], width: Int) -> [String] {
        guard let columns = rows.first?.count, columns > 0 else { return [] }
        var widths = (0..<columns).map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
        let excess = widths.reduce(0, +) + ColumnLayout.gap * (columns - 1) - width
        if excess > 0 { widths[0] = max(8, widths[0] - excess) }
        return rows.map { row in
            let cells = row.indices.map { Fit.pad(Fit.middle(row[$0], widths[$0]), widths[$0], toTheRight: false) }
            let line = cells.joined(separator: String(repeating: " ", count: ColumnLayout.gap))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
