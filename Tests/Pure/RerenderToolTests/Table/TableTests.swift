// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
import Testing
@testable import ToolSupport

@Suite("A table of any rows")
struct TableTests {
    @Test("numbers stand right and texts left; what is sorted by is there, before what matters more")
    func columns() {
        let columns: [Column<(name: String, count: UInt64)>] = [
            Column(.init("NAME", 0, .essential, text: (4, 8, 8))) { Cell($0.name) },
            Column(.init("COUNT", 1, .essential)) { .count($0.count) },
            Column(.init("EXTRA", 2, .extra, isSorted: true, isShown: false)) { _ in Cell("x") },
        ]
        #expect(columns.map(\.head.isShown) == [true, true, true])
        let rows: [(name: String, count: UInt64)] = [("shopping", 312), ("desk", 0)]
        let cells = rows.map { row in columns.map { $0.cell(row) } }
        func lines(_ width: Int) -> [String] {
            Table(columns.map(\.head), cells, width: width).lines(cells, colours: false)
        }
        #expect(lines(40) == ["NAME      COUNT  EXTRA", "shopping    312      x", "desk          -      x"])
        #expect(lines(13) == ["NAME    EXTRA", "sh…ing      x", "desk        x"])
    }

    @Test("a margin moves the columns, and the sign of the order is a part of the title's width")
    func margin() {
        var head = ColumnHead("COUNT", 0, .essential, isSorted: true)
        head.sign = "▼"
        let table = Table([head, ColumnHead("RATE", 1, .useful)], [[Cell("1"), Cell("2/s")]], width: 20, margin: 2)
        #expect(table.places.map(\.start) == [2, 10] && table.places.map(\.width) == [6, 4])
        #expect(table.places[0].title("▼") == "COUNT▼" && table.places[0].title() == " COUNT")
    }

    @Test("a small table has all its columns; the first gives way where the width is not enough")
    func small() {
        let rows = [["a-long-program-name", "last", "12 KiB"], ["app", "last~1", "3 KiB"]]
        func lines(_ width: Int) -> [String] { Table.lines(["PROGRAM", "NAME", "SIZE"], rows, width: width) }
        #expect(
            lines(80) == [
                "PROGRAM              NAME    SIZE", "a-long-program-name  last    12 KiB",
                "app                  last~1  3 KiB",
            ])
        #expect(lines(26) == ["PROGRAM     NAME    SIZE", "a-lo…-name  last    12 KiB", "app         last~1  3 KiB"])
        #expect(lines(5)[1] == "a-l…name  last    12 KiB", "no narrower than it can be read")
    }

    @Test("a guess who writes stands behind the reason that it is about, and behind no other")
    func guessedWriter() {
        func text(_ reasons: [ReasonCount]) -> String {
            let stores = [Sample.store(views: [Sample.tickReader, Sample.view("Row", count: 30, reasons: reasons)])]
            let rows = StatsOrder.count.ranked(stores)
            return ViewTable(order: .count, stores: stores, rows: rows, now: Sample.now)
                .lines(width: 160, colours: false).joined(separator: "\n")
        }
        let shown = text([Sample.reason("tick", 20, .diff), Sample.reason(Reason.initial, 10)])
        #expect(shown.contains("~tick 66% ← ~Ticker.advance()"), "\(shown)")
        let other = text([Sample.reason("tick", 9, .diff), Sample.reason(Reason.initial, 21)])
        #expect(other.contains("initial 70%") && !other.contains("← ~"), "\(other)")
    }
}
