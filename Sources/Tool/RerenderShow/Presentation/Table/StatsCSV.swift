// SPDX-License-Identifier: MIT
// Views as comma-separated values: a record for each view.

import RerenderModel

/// Writes views as CSV.
///
/// The columns are stable: more may be added at the end. Times are nanoseconds, dates ISO 8601.
package enum StatsCSV {
    /// The names of the columns, and a record for each view.
    package static func text(_ rows: some Sequence<RankedView>) -> CSVText {
        ([header] + rows.map(record)).joined(separator: "")
    }

    static var header: CSVText { .record(columns.map { CSVText($0.name) }) }

    static func record(_ row: RankedView) -> CSVText {
        let row = CSVRow(row)
        return .record(columns.map { $0.cell(row) })
    }

    /// All columns in their order, which programs rely on: a new one comes last.
    static let columns: [CSVColumn] = [identity, counts, body, total, hangs, reason, waste, why, later].flatMap(\.self)

    private static let identity: [CSVColumn] = [
        .text("process", "PROCESS") { $0.store.name },
        CSVColumn(name: "pid", title: nil) { CSVText($0.store.pid) },
        .text("store") { $0.store.store },
        .text("connected") { String($0.store.connected) },
        .text("key", "KEY") { $0.view.key.rawValue },
        .text("file", "PLACE") { $0.view.file },
        .number("line") { UInt64($0.view.line) },
    ]

    private static let counts: [CSVColumn] = [
        .number("count", "COUNT") { $0.view.count },
        .number("instances", "INST") { $0.view.instances },
        .number("commits", "COMMITS") { $0.view.commits },
        .number("wasted_count", "WASTED") { $0.view.wasted.count },
        .number("wasted_measured") { $0.view.wasted.measured },
        .number("wasted_inferred") { $0.view.wasted.inferred },
        .number("wasted_ns", "WTIME") { $0.view.wasted.nanoseconds },
    ]

    private static let body = times(
        "body", ["avg": "AVG", "max": "MAX", "p95": "P95", "p99": "P99", "total": "TOTAL"]
    ) { $0.body }
    private static let total = times("total", [:]) { $0.total }

    /// The columns of a timing, with the titles of those that the table shows.
    private static func times(
        _ name: String, _ titles: [String: String], of timing: @escaping @Sendable (Stats) -> Timing
    ) -> [CSVColumn] {
        func time(_ part: String, _ value: @escaping @Sendable (Timing) -> UInt64) -> CSVColumn {
            .number("\(name)_\(part)_ns", titles[part]) { value(timing($0.view)) }
        }
        return [
            time("last") { $0.lastNanoseconds }, time("avg") { $0.averageNanoseconds },
            time("max") { $0.maxNanoseconds }, time("p50") { $0.p50Nanoseconds }, time("p95") { $0.p95Nanoseconds },
            time("p99") { $0.p99Nanoseconds }, time("total") { $0.totalNanoseconds },
        ]
    }

    private static let hangs: [CSVColumn] = [
        .number("hangs", "HANGS") { $0.view.hangs.count },
        .number("hang_last_ns") { $0.view.hangs.lastNanoseconds },
        .number("hang_worst_ns") { $0.view.hangs.worstNanoseconds },
    ]

    private static let reason: [CSVColumn] = [
        .text("top_reason") { $0.main?.reason ?? "" },
        .number("top_reason_count") { $0.main?.count ?? 0 },
        .text("last_reason") { $0.view.lastReason },
        .text("last_rendered_at", "AGO") { $0.view.lastRenderedAt?.iso8601 ?? "" },
    ]

    /// The first kinds in the order of their columns. A new kind comes last of all columns.
    private static let waste: [CSVColumn] = [
        .kind(.sameOutput), .kind(.sameValue), .kind(.newIdentity), .kind(.closureIdentity), .kind(.parentOnly),
        .kind(.twiceInATurn), .number("forgotten") { $0.view.forgotten },
    ]

    /// The reason of the table's `WHY` with its most frequent writer and chain.
    private static let why: [CSVColumn] = [
        .text("why", "WHY") { $0.main?.reason ?? "" },
        .number("why_count") { $0.main?.count ?? 0 },
        .text("why_attribution") { $0.main?.attribution?.rawValue ?? "" },
        .text("why_writer") { $0.main?.writers.first?.writer ?? "" },
        .number("why_writer_count") { $0.main?.writers.first?.count ?? 0 },
        .text("why_chain") { $0.main?.chains.first?.chain ?? "" },
        .number("why_chain_count") { $0.main?.chains.first?.count ?? 0 },
    ]

    /// What came to be known later than the other columns.
    private static let later: [CSVColumn] = [
        .kind(.sameInputs),
        .number("unjudged") { $0.view.wasted.unjudged },
        .number("wasted_inferred_ns") { $0.view.wasted.inferredNanoseconds },
        .number("store_number") { UInt64($0.store.storeNumber) },
        .number("passes", "PASSES") { $0.view.passes },
        .text("not_seen") { String($0.view.notSeen == true) },
        .number("self_total_ns", "SELF") { $0.view.selfNanoseconds },
        .number("hangs_starved") { $0.view.hangs.starved },
        .text("per_second", "RATE") { row in
            row.store.rate(of: row.view.count).map { String(($0 * 100).rounded() / 100) } ?? ""
        },
        .text("id", "ID") { $0.view.handle ?? "" },
        .text("may_be_more") { String($0.view.mayBeMore == true) },
    ]
}

/// What the cells of a record are made of.
struct CSVRow: Sendable {
    let store: ProcessStats
    let view: Stats
    /// The reason of the table's `WHY`.
    let main: ReasonCount?

    init(_ row: RankedView) { (store, view, main) = (row.store, row.view, row.view.mainReason?.reason) }
}

/// A column of CSV.
struct CSVColumn: Sendable {
    let name: String
    /// The title of the column of the table that shows the same; nil where none does. A test asks for each column of the table.
    let title: String?
    let cell: @Sendable (CSVRow) -> CSVText

    static func text(
        _ name: String, _ title: String? = nil, _ text: @escaping @Sendable (CSVRow) -> String
    ) -> CSVColumn {
        CSVColumn(name: name, title: title) { CSVText(text($0)) }
    }

    /// A number; nothing for nil.
    static func number(
        _ name: String, _ title: String? = nil, _ number: @escaping @Sendable (CSVRow) -> UInt64?
    ) -> CSVColumn {
        CSVColumn(name: name, title: title) { row in number(row).map { CSVText($0) } ?? CSVText("") }
    }

    /// Evaluations wasted in one way.
    static func kind(_ kind: WasteKind) -> CSVColumn {
        number("wasted_" + kind.rawValue.replacing(" ", with: "_")) { $0.view.wasted.kinds[kind] ?? 0 }
    }
}

// Comma-separated values (RFC 4180) that a spreadsheet shows and does not run.

/// A cell of a record, or records.
package typealias CSVText = EscapedText<CSVSyntax>

/// How RFC 4180 writes a cell.
package enum CSVSyntax: TextSyntax {
    /// A text of anybody's: control characters escaped as ``Printable`` does, and an apostrophe before what a spreadsheet would run as a
    /// formula. A text that begins with an apostrophe gets one more, so that a program that removes one has the text. Quoted where needed.
    package static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var cell = Printable.text(String(text)).unicodeScalars
        // Some programs drop blanks at the beginning of a cell.
        let first = cell.first { !$0.properties.isWhitespace }
        if first.map(isRisky) ?? false { cell.insert("'", at: cell.startIndex) }
        return quoted(cell)
    }

    /// What begins a formula, in the wide forms of East Asian keyboards too, and the apostrophe that protects.
    private static func isRisky(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "+", "-", "@", "＝", "＋", "－", "＠", "'": true
        default: false
        }
    }

    /// No cell has a line break.
    private static func quoted(_ cell: String.UnicodeScalarView) -> String.UnicodeScalarView {
        guard cell.contains(where: { $0 == "," || $0 == "\"" }) || cell.first == " " || cell.last == " " else {
            return cell
        }
        var quoted = "\"".unicodeScalars
        for scalar in cell {
            if scalar == "\"" { quoted.append(scalar) }
            quoted.append(scalar)
        }
        quoted.append("\"")
        return quoted
    }
}

extension EscapedText<CSVSyntax> {
    /// A record: its cells, and CR LF at the end.
    package static func record(_ cells: [CSVText]) -> CSVText { cells.joined(separator: ",") + "\r\n" }
}
