// SPDX-License-Identifier: MIT
// Sources and handlers as comma-separated values: a record for each.

/// Writes sources and handlers as CSV.
///
/// The columns are stable: more may be added at the end. Times are nanoseconds.
package enum LoopCSV {
    /// The names of the columns, and a record for each row.
    package static func text(_ rows: some Sequence<SourceRow>) -> CSVText {
        ([CSVText.record(columns.map { CSVText($0.name) })] + rows.map(record)).joined(separator: "")
    }

    private static func record(_ row: SourceRow) -> CSVText { .record(columns.map { $0.cell(row) }) }

    private typealias Columns = [(name: String, cell: @Sendable (SourceRow) -> CSVText)]

    /// All columns in their order, which programs rely on: a new one comes last.
    private static let columns: Columns = identity + numbers

    private static let identity: Columns = [
        ("process", { CSVText($0.store.name) }),
        ("pid", { CSVText($0.store.pid) }),
        ("store", { CSVText($0.store.store) }),
        ("store_number", { CSVText(UInt64($0.store.storeNumber)) }),
        ("connected", { CSVText(String($0.store.connected)) }),
        ("kind", { CSVText($0.row.kind.rawValue) }),
        ("name", { CSVText($0.row.name) }),
        ("place", { CSVText($0.row.place ?? "") }),
        ("of", { CSVText($0.row.of ?? "") }),
        ("thread", { CSVText($0.row.thread ?? "") }),
    ]

    private static let numbers: Columns = [
        ("count", { called($0, $0.row.numbers.count) }),
        ("wall_ns", { CSVText($0.row.numbers.wall) }),
        ("processor_ns", { CSVText($0.row.numbers.processor) }),
        ("longest_ns", { CSVText($0.row.numbers.longest) }),
        ("turns", { called($0, $0.row.numbers.turns) }),
        ("polls_without_wait", { called($0, $0.row.numbers.polls) }),
        ("interval_ns", { known($0.row.numbers.interval, $0.row.numbers.interval) }),
        // What is counted is its number plus 1.
        ("descriptor", { known($0.row.numbers.descriptor, $0.row.numbers.descriptor &- 1) }),
        ("unread", { CSVText($0.row.numbers.unread) }),
        ("processor_shared", { CSVText(String($0.row.numbers.isShared != 0)) }),
        ("counted_ns", { CSVText($0.counted) }),
    ]

    /// Nothing of a row whose calls are not known.
    private static func called(_ row: SourceRow, _ number: UInt64) -> CSVText {
        known(row.row.calls == nil ? 0 : 1, number)
    }

    /// Nothing where it is not known.
    private static func known(_ marker: UInt64, _ number: UInt64) -> CSVText {
        marker == 0 ? CSVText("") : CSVText(number)
    }
}
