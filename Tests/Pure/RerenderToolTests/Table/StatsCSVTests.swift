// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("The export as CSV")
struct StatsCSVTests {
    private static let names = StatsCSV.columns.map(\.name)

    @Test("the header is stable: programs rely on it, and a new column comes last")
    func header() {
        let known =
            "process,pid,store,connected,key,file,line,count,instances,commits,wasted_count,wasted_measured,"
            + "wasted_inferred,wasted_ns,body_last_ns,body_avg_ns,body_max_ns,body_p50_ns,body_p95_ns,body_p99_ns,"
            + "body_total_ns,total_last_ns,total_avg_ns,total_max_ns,total_p50_ns,total_p95_ns,total_p99_ns,"
            + "total_total_ns,hangs,hang_last_ns,hang_worst_ns,top_reason,top_reason_count,last_reason,"
            + "last_rendered_at,wasted_same_output,wasted_same_value,wasted_new_identity,wasted_closure_identity,"
            + "wasted_parent_only,wasted_twice_in_a_turn,forgotten,why,why_count,why_attribution,why_writer,"
            + "why_writer_count,why_chain,why_chain_count,wasted_same_inputs,unjudged,wasted_inferred_ns,"
            + "store_number,passes,not_seen,self_total_ns,hangs_starved"
        #expect(StatsCSV.header.text.hasPrefix(known) && StatsCSV.header.text.hasSuffix("\r\n"))
        #expect(Set(Self.names).count == Self.names.count)
    }

    @Test("each column of the table says which column of CSV shows it")
    func titles() {
        let (shown, titles) = (Set(ViewTable.columnNames), StatsCSV.columns.compactMap { $0.title?.lowercased() })
        #expect(shown.subtracting(titles) == [], "StatsCSV.swift has no column with these titles")
        #expect(Set(titles).subtracting(shown) == [] && Set(titles).count == titles.count)
    }

    @Test("a record has a field for each column, in the same order")
    func record() {
        let row = StatsOrder.count.ranked([Sample.shop])[0]
        let known =
            "shop,4711,main,true,CartTotal,Shop/Cart.swift,12,312,1,300,308,308,0,41000000,0,133000,399000,0,266000,"
            + "332500,41496000,0,0,0,0,0,0,0,0,0,0,ticker.tick,300,initial,2026-11-20T22:44:56.623Z,"
            + "0,0,0,0,0,0,0,ticker.tick,300,exact,,0,,0,0,0,0,0,,false,,0"
        #expect(StatsCSV.record(row).text.hasPrefix(known))
    }

    @Test(
        "the kinds of waste stand in the order of their columns, and the reason with its writer and chain behind them")
    func details() throws {
        var view = Sample.view("Row", count: 20)
        for (number, kind) in WasteKind.allCases.enumerated() { view.wasted.kinds[kind] = UInt64(number + 1) }
        view.forgotten = 7
        view.passes = 9
        view.reasons = [
            Sample.reason(Reason.initial, 8),
            ReasonCount(
                reason: "parent: List", count: 12, attribution: .exact,
                writers: [.init(writer: "f() a.swift:1", count: 6)],
                chains: [.init(chain: "List ← tick", count: 5)]),
        ]
        let row = StatsOrder.count.ranked([Sample.store(views: [view])])[0]
        let fields = StatsCSV.record(row).text.dropLast().split(
            separator: ",", omittingEmptySubsequences: false)
        #expect(fields.count == Self.names.count)
        let values = Dictionary(uniqueKeysWithValues: zip(Self.names, fields.map { String($0) }))
        for kind in WasteKind.allCases {
            let column = "wasted_" + kind.rawValue.replacing(" ", with: "_")
            #expect(values[column] == view.wasted.kinds[kind].map { String($0) }, "\(column)")
        }
        #expect(
            values["passes"] == "9" && values["forgotten"] == "7" && values["top_reason"] == "parent: List"
                && values["why"] == "parent: List")
        #expect(values["why_writer"] == "f() a.swift:1" && values["why_writer_count"] == "6")
        #expect(values["why_chain"] == "List ← tick" && values["why_chain_count"] == "5")
    }

    @Test("what an app names cannot be run by a spreadsheet, or obeyed by a terminal, in any column of text")
    func hostile() throws {
        let formula = "=HYPERLINK(\"http://x\",\"y\")"
        var view = Sample.view(ViewKey(rawValue: formula), count: 1)
        view.file = "@SUM(A1)"
        view.lastReason = "\t=1\r\n\u{1B}[2J"
        view.reasons = [
            ReasonCount(
                reason: "+1", count: 1, attribution: .exact, writers: [.init(writer: "-f()", count: 1)],
                chains: [.init(chain: "\r=2", count: 1)])
        ]
        var store = Sample.store(views: [view])
        (store.name, store.store) = ("=process", "-store")
        let record = StatsCSV.record(StatsOrder.count.ranked([store])[0]).text
        let cells = try Self.parse(record)
        #expect(cells.count == Self.names.count)
        let values = Dictionary(uniqueKeysWithValues: zip(Self.names, cells))
        #expect(values["key"] == "'" + formula && values["file"] == "'@SUM(A1)")
        #expect(values["process"] == "'=process" && values["store"] == "'-store")
        #expect(values["top_reason"] == "'+1" && values["why_writer"] == "'-f()" && values["why_chain"] == "\\u{d}=2")
        #expect(values["last_reason"] == "\\u{9}=1\\u{d}\\u{a}\\u{1b}[2J")
        #expect(values["pid"] == "\(store.pid)" && values["count"] == "1")
        #expect(cells.allSatisfy { $0.isEmpty || !"=+-@\t\r".contains($0.prefix(1)) })
        #expect(record.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }

    /// The cells of one record, as RFC 4180 says.
    private static func parse(_ record: String) throws -> [String] {
        var (cells, cell, isQuoted) = ([String](), "".unicodeScalars, false)
        var rest = Array(record.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch (scalar, isQuoted) {
            case ("\"", true) where rest.first == "\"": cell.append(rest.removeFirst())
            case ("\"", _): isQuoted.toggle()
            case (",", false), ("\r", false):
                cells.append(String(cell))
                cell = "".unicodeScalars
            case ("\n", false): try #require(rest.isEmpty)
            default: cell.append(scalar)
            }
        }
        return cells
    }
}
