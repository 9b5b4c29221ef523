// SPDX-License-Identifier: MIT
// Small tables whose columns are all shown.

import RerenderModel
import RerenderQuery

/// Draws a small table.
enum PlainTable {
    /// Columns as wide as their widest cell; the first column gives way where the width is not enough.
    static func lines(_ rows: [[String]], width: Int) -> [String] {
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

/// The table of settings.
enum ConfigTable {
    /// One line for each store, under the names that `config set` takes.
    static func lines(_ entries: [ConfigurationList.Entry], width: Int) -> [String] {
        let rows = entries.map { entry in
            [
                "\(Printable.text(entry.name))[\(entry.pid)]/\(Printable.text(entry.store))", String(entry.enabled),
                "\(entry.hangThresholdMilliseconds)", "\(entry.microHangThresholdMilliseconds)",
                String(entry.stacks),
            ]
        }
        return PlainTable.lines([["STORE"] + SettingParser.storeKeys] + rows, width: width)
    }
}
