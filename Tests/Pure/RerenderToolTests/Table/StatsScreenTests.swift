// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("The table of views")
struct StatsScreenTests {
    private func text(
        _ processes: [ProcessStats], width: Int, sort: StatsOrder = .count, limit: Int? = nil,
        health: HealthReport? = nil
    ) -> String {
        let screen = StatsScreen(export: Sample.export(processes), health: health, order: sort, limit: limit)
        return screen.lines(width: width, colours: false).joined(separator: "\n")
    }

    @Test("fits 80 columns with what matters most")
    func eighty() {
        #expect(
            text([Sample.shop], width: 80) == """
                shop[4711]/main: connected, 360 evaluations, main loop glib

                KEY                       COUNT   WASTED  WHY
                CartTotal                   312  308 98%  ticker.tick 96%
                Shop/ProductRow.swift:40     48        -  ~product.price, product.title 83%
                Badge                         0        -  -
                """)
    }

    @Test("has a line of the frames, where they are seen; what is not known is a dash")
    func frames() {
        var shop = Sample.shop
        var totals = FrameTotals()
        totals.add(
            MeasuredFrame(
                update: 1_000_000, layout: 2_000_000, snapshot: 3_000_000, drawing: 14_000_000, interval: 16_667_000,
                isIntervalTold: false))
        shop.frames = FrameStats(totals)
        let line =
            "shop[4711]/main: 1 frame drawn, 1 over 16.6ms (GTK's default), longest 20.0ms; update 1.00ms, layout 2.00ms, "
            + "snapshot 3.00ms, drawing 14.0ms"
        #expect(text([shop], width: 200).contains(line) && !text([shop], width: 200).contains("to presentation"))
        var loop = LoopTotals()
        (loop.frames.frames, loop.frames.unpainted, loop.frames.nanoseconds) = (798, 797, 13_400_000_000)
        shop.loop = LoopStats(loop)
        let unpainted = ": 1 frame drawn (797 painted nothing in 13.4s without input), 1 over 16.6ms"
        #expect(text([shop], width: 200).contains(unpainted))
        shop.loop = nil
        totals.add(
            MeasuredFrame(
                update: 0, layout: 0, snapshot: 0, drawing: 1_000_000, interval: 6_944_000, isIntervalTold: true))
        totals.addPresented(nanoseconds: 12_000_000)
        shop.frames = FrameStats(totals)
        #expect(text([shop], width: 200).contains("2 frames drawn, 1 over 6.94ms, longest"))
        #expect(text([shop], width: 200).contains("to presentation 12.0ms"))
        totals = FrameTotals()
        totals.add(
            MeasuredFrame(update: 0, layout: 0, snapshot: 0, drawing: 1, interval: 0, isIntervalTold: false))
        shop.frames = FrameStats(totals)
        #expect(text([shop], width: 200).contains("1 frame drawn, interval –, not judged, longest"))
    }

    @Test("fits 40 columns")
    func forty() {
        #expect(
            text([Sample.shop], width: 40) == """
                shop[4711]/main: connected, 360
                  evaluations, main loop glib

                KEY                COUNT  WHY
                CartTotal            312  ticker…ick 96%
                Shop/Pro…swift:40     48  ~produ…tle 83%
                Badge                  0  -
                """)
    }

    @Test("shows the same columns at every larger width, and how often a view comes where that is known")
    func wide() {
        #expect(text([Sample.shop], width: 200) == text([Sample.shop], width: 80))
        var shop = Sample.shop
        shop.views[0].selfNanoseconds = 31_000_000
        shop.views[1].selfNanoseconds = 900_000
        shop.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 13_500_000_000)
        #expect(
            text([shop], width: 120) == """
                shop[4711]/main: connected, 360 evaluations, main loop glib

                KEY                        RATE  COUNT   WASTED    SELF  WHY
                CartTotal                  31/s    312  308 98%  31.0ms  ticker.tick 96%
                Shop/ProductRow.swift:40  4.8/s     48        -   0.9ms  ~product.price, product.title 83%
                Badge                         0      0        -       -  -
                """)
    }

    @Test("a pipe gets the columns of 120, in rows of at most 150")
    func pipe() {
        let why = String(repeating: "a very long reason ", count: 6) + "end"
        let view = Sample.view("A", count: 5, reasons: [Sample.reason(why, 5)], file: "x.swift")
        let shown = text([Sample.store(views: [view])], width: TerminalSize.unlimitedColumns)
        #expect(shown.hasSuffix("\nA        5       -  \(why)"), "\(shown)")
        let long = Sample.view("A", count: 5, reasons: [Sample.reason(why + why, 5)])
        let row = text([Sample.store(views: [long])], width: TerminalSize.unlimitedColumns).split(separator: "\n").last
        #expect(row.map { DisplayWidth.of(String($0)) <= 150 && $0.contains("…") } == true, "\(row ?? "")")
        var screen = StatsScreen(
            export: Sample.export([Sample.shop]), health: nil, order: .count, limit: nil)
        screen.columns = "place why avg max p95 p99 total wtime inst commits ago count".split(separator: " ").map(
            String.init)
        let title = screen.lines(width: TerminalSize.unlimitedColumns, colours: false)[2]
        #expect(title.split(separator: " ").count == 13, "who chose columns gets them all: \(title)")
    }

    @Test("views that were not seen are a line of their store below the table, and no rows")
    func notSeen() {
        var badge = Sample.view("Badge", count: 0)
        badge.notSeen = true
        var store = Sample.store(views: [Sample.view("Card", count: 5), badge])
        store.notSeenViews = NotSeenViews(["Row", "Badge"])
        #expect(
            text([store], width: 100) == """
                shop[4711]/main: connected, 5 evaluations, main loop glib

                KEY   COUNT  WASTED  WHY
                Card      5       -  -
                not seen: Badge, Row (not shown, shown without its body, or inlined: build with -Xswiftc
                  -disable-cmo, or without -O)
                """)
        // The limit counts rows.
        #expect(!text([store], width: 100, limit: 1).contains("shows every view"))
        var other = Sample.store("desk", pid: 7, views: [])
        other.notSeenViews = NotSeenViews((10..<30).map { ViewKey(rawValue: "V\($0)") })
        let both = text([store, other], width: 200)
        #expect(both.contains("\nnot seen in shop[4711]/main: Badge, Row (not shown"))
        #expect(both.contains("\nnot seen in desk[7]/main: V10, V11, V12, V13, V14, V15, V16, V17, 12 more (not shown"))
        store.views[1].hangs.add(nanoseconds: 1)
        #expect(text([store], width: 100).contains("\nBadge"), "a hang is not hidden")
    }

    @Test("a count that may be too small has a mark")
    func least() {
        var badge = Sample.view("Badge", count: 5)
        badge.mayBeMore = true
        let shown = text([Sample.store(views: [badge, Sample.view("Card", count: 5)])], width: 100)
        #expect(shown.contains("\nBadge     ≥5       -  -\nCard       5       -  -"), "\(shown)")
    }

    @Test("shows passes where somebody asks for them")
    func passes() {
        var store = Sample.shop
        store.views[0].passes = 200
        #expect(!text([store], width: 200).contains("PASSES"))
        var screen = StatsScreen(export: Sample.export([store]), health: nil, order: .count, limit: nil)
        screen.columns = ["count", "passes"]
        let lines = screen.lines(width: 80, colours: false)
        #expect(lines[2] == "KEY                       COUNT  PASSES", "\(lines)")
        #expect(lines[3].hasSuffix("  312     200"))
        #expect(lines[4].hasSuffix("   48       -"))
    }

    /// The shop with a writer of the ticker, and a view that was evaluated first for most of its instances.
    private var written: ProcessStats {
        var shop = Sample.shop
        shop.views[0].reasons[0].writers = [
            .init(writer: Reason.other, count: 200), .init(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 100),
        ]
        var row = Sample.view("Row", count: 30, average: 900_000)
        row.reasons = [Sample.reason(Reason.initial, 20), Sample.reason("parent: List", 10)]
        shop.views.append(row)
        return shop
    }

    @Test("why is the most frequent reason, initial too, with its writer where there is room")
    func writers() {
        #expect(
            text([written], width: 120) == """
                shop[4711]/main: connected, 360 evaluations, main loop glib

                KEY                       COUNT   WASTED  WHY
                CartTotal                   312  308 98%  ticker.tick 96% ← Ticker.advance() Shop/Ticker.swift:40
                Shop/ProductRow.swift:40     48        -  ~product.price, product.title 83%
                Row                          30        -  initial 66%
                Badge                         0        -  -
                """)
        // A narrow terminal has fewer numbers, and the writer.
        #expect(
            text([written], width: 60) == """
                shop[4711]/main: connected, 360 evaluations, main loop glib

                KEY                    COUNT  WHY
                CartTotal                312  ticker.tick 96% ← Ticke…ance()
                Shop/Produ…w.swift:40     48  ~product.price…oduct.title 83%
                Row                       30  initial 66%
                Badge                      0  -
                """)
        #expect(text([written], width: 80).contains("  308 98%  ticker.tick 96% ← Ticker.swift:40\n"))
    }

    @Test("at 80 columns the place of the writer stays: numbers, the name, and the reason give way before it")
    func places() {
        var row = Sample.view("ItemRow", count: 6_216, reasons: [Sample.reason("shop.items[].inCart", 5_222)])
        row.reasons[0].writers = [.init(writer: "ShopModel.restock() rerender_demo/ShopModel.swift:67", count: 9)]
        (row.selfNanoseconds, row.wasted.count, row.wasted.measured) = (1_830_000_000, 6_173, 6_173)
        var store = Sample.store(views: [row])
        store.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 13_500_000_000)
        for width in 70...120 {
            let shown = text([store], width: width)
            #expect(shown.hasSuffix("ShopModel.swift:67"), "\(shown)")
            #expect(shown.contains(" WASTED "), "\(shown)")
        }
        // The reason gives way where the numbers cannot.
        #expect(
            WhyText.fitted(
                "shop.items[].inCart 84%", " ← ShopModel.restock() rerender_demo/ShopModel.swift:67", 37)
                == "shop.it…Cart 84% ← ShopModel.swift:67")
        #expect(
            WhyText.fitted("tick 99%", " ← ~Ticker.advance() a/ShopModel.swift:12", 41)
                == "tick 99% ← ~Tick…nce() ShopModel.swift:12")
    }

    @Test("what is inferred stands apart from what is measured, behind a sign")
    func inferred() {
        var store = Sample.shop
        store.views[0].wasted.measured = 300
        store.views[0].wasted.inferred = 8
        store.views[0].wasted.kindNanoseconds = [.sameOutput: 40_000_000, .sameInputs: 1_000_000]
        let mixed = text([store], width: 100, sort: .wasted, limit: 1)
        #expect(mixed.contains("300 96% ~8 2%") && mixed.contains("40.0ms ~1.0ms"), "\(mixed)")
        store.views[0].wasted.measured = 0
        store.views[0].wasted.inferred = 308
        store.views[0].wasted.kindNanoseconds = [:]
        let inferred = text([store], width: 100, sort: .wasted, limit: 1)
        #expect(inferred.contains(" ~308 98% ") && inferred.contains(" ~41.0ms "), "\(inferred)")
    }

    @Test("ranked by wasted time the time is shown, and the evaluations beside it")
    func wasted() {
        #expect(
            text([Sample.shop], width: 80, sort: .wasted, limit: 1) == """
                shop[4711]/main: connected, 360 evaluations, main loop glib

                KEY        COUNT   WASTED   WTIME  WHY
                CartTotal    312  308 98%  41.0ms  ticker.tick 96%
                … 1 of 3 views shown; --limit all shows every view
                """)
    }

    @Test("a store that ended while it was disabled has no advice: it cannot be enabled any more")
    func endedDisabled() {
        var store = Sample.store("shop", pid: 4600, connected: false, views: [Sample.view("CartTotal", count: 500)])
        store.enabled = false
        let shown = text([store], width: 100, health: nil)
        #expect(
            shown.contains(
                "shop[4600]/main: ended or switched off, 500 evaluations, main loop glib, disabled at its end\n"),
            "\(shown)"
        )
        #expect(!shown.contains("config set"))
    }

    @Test("names the process of each view where there are several, and says who ended, what was lost and dropped")
    func several() {
        var ended = Sample.store("shop", pid: 4600, connected: false, views: [Sample.view("CartTotal", count: 500)])
        ended.lost = 3
        ended.evaluations = 503
        var tool = Sample.store("tool", pid: 12, store: "side", views: [Sample.view("Prompt", count: 9)])
        tool.dropped = 1_200
        tool.enabled = false
        tool.mainLoop = .none
        var health = HealthReport()
        health.dropped.malformed = 2
        #expect(
            text([Sample.shop, ended, tool], width: 100, health: health) == """
                2 processes connected, 1 ended; 3 stores, 872 evaluations, by count
                ! 3 evaluations LOST in shop[4600]/main, not in the table: the process ended first
                ! 1,200 evaluations DROPPED in tool[12]/side, not in the table: too many keys in one process
                ! dropped by the daemon since it started: 2 connections with invalid data
                … 3 more lines; --all shows them

                PROCESS     KEY                       COUNT   WASTED  WHY
                shop[4600]  CartTotal                   500        -  -
                shop[4711]  CartTotal                   312  308 98%  ticker.tick 96%
                shop[4711]  Shop/ProductRow.swift:40     48        -  ~product.price, product.title 83%
                tool        Prompt                        9        -  -
                shop[4711]  Badge                         0        -  -
                """)
        #expect(
            all([Sample.shop, ended, tool], health: health).contains(
                "tool[12]/side: connected, 9 evaluations, DISABLED (enable with: rerenderctl config set enabled=true)\n"
            ))
    }

    /// With all sentences.
    private func all(_ processes: [ProcessStats], health: HealthReport? = nil) -> String {
        var screen = StatsScreen(export: Sample.export(processes), health: health, order: .count, limit: nil)
        screen.showsAll = true
        return screen.lines(width: 120, colours: false).joined(separator: "\n")
    }

    @Test("above the table are at most five sentences: what costs most and what is missing come first")
    func notes() {
        func note(_ rank: TableNote.Rank, _ text: String) -> TableNote { TableNote(rank, StyledLine(text: text)) }
        let five = [
            note(.first, "fault"), note(.subject, "app"), note(.loops, "thread"), note(.frames, "frames"),
            note(.missing, "lost"),
        ]
        func texts(_ notes: [TableNote], all: Bool = false) -> [String] {
            TableNote.lines(notes, all: all, width: 80).map(\.text)
        }
        #expect(texts(five) == ["fault", "app", "thread", "frames", "lost"])
        let six = five + [note(.names, "stripped")]
        #expect(texts(six) == ["fault", "app", "lost", "stripped", "… 2 more lines; --all shows them"])
        #expect(texts(six, all: true).count == 6)
        let lost = five + (0..<3).map { note(.missing, "lost \($0)") }
        #expect(
            texts(lost) == [
                "fault", "lost", "lost 0", "lost 1", "… 4 more lines, 1 of them on missing data; --all shows them",
            ])
        #expect(TableNote.lines(lost, all: false, width: 80).last?.style == .bad)
    }

    @Test(
        "above the table are at most five lines, also where sentences are long: the first one stays, and loses its end if it must"
    )
    func longNotes() {
        func note(_ rank: TableNote.Rank, _ words: Int) -> TableNote {
            TableNote(rank, StyledLine(text: (0..<words).map { "\(rank) \($0)" }.joined(separator: " ")))
        }
        func texts(_ notes: [TableNote], _ width: Int = 80, taken: Int = 0) -> [String] {
            TableNote.lines(notes, all: false, width: width, taken: taken).map(\.text)
        }
        // Two lines each.
        let long = [note(.first, 15), note(.findings, 12), note(.subject, 1), note(.loops, 15)]
        #expect(texts(long).count == 5 && texts(long)[4] == "… 2 more lines; --all shows them", "\(texts(long))")
        #expect(TableNote.lines(long, all: true, width: 80).count == 7)
        let short = [note(.first, 15), note(.findings, 30), note(.subject, 1)]
        #expect(
            texts(short).suffix(2) == ["subject 0", "… 1 more line; --all shows them"],
            "what has no room is passed over")
        let endless = [note(.first, 200), note(.subject, 1)]
        #expect(texts(endless).count == 5 && texts(endless)[3].hasSuffix("…"), "\(texts(endless))")
        #expect(texts([endless[0]]).count == 5 && texts([endless[0]])[4].hasSuffix("…"))
        #expect(texts(long, taken: 2).count == 3)
        #expect(texts(long, 40).count == 10, "fewer columns have more lines")
        for width in 1...200 { #expect(texts(endless, width).allSatisfy { DisplayWidth.of($0) <= max(width, 10) }) }
    }

    @Test(
        "at 60 to 80 columns numbers give way before the key, the process or the reason is unreadable",
        arguments: StatsOrder.allCases.filter { $0 != .place })
    func readable(order: StatsOrder) throws {
        var view = Sample.view("CartTotal", count: 100, average: 1_000_000)
        view.reasons = [Sample.reason("<external signal>", 99), Sample.reason("initial", 1)]
        view.wasted.count = 99
        let one = [Sample.store("shop", views: [view])]
        var long = view
        long.key = ViewKey(rawValue: "Shop/Sources/Catalogue/ProductRow.swift:40")
        for width in 60...80 {
            #expect(text(one, width: width, sort: order).contains("<external signal> 99%"), "\(width)")
            // Three long texts beside the numbers: each gives a little.
            let two = [Sample.store("shop", views: [long]), Sample.store("shopping-app", pid: 22_223, views: [long])]
            let shown = text(two, width: width, sort: order)
            let row = try #require(shown.split(separator: "\n").last).split(separator: #/\ \ +/#)
            let reason = try #require(row.last)
            #expect(row[0] == "shopping-app" && row[1].count >= 14 && row[1].hasSuffix("t:40"), "\(shown)")
            #expect(reason.count >= (width < 75 ? 14 : 20), "\(shown)")
        }
    }

    @Test("no line is wider than asked, at any width, for hostile labels in every place")
    func neverTooWide() {
        let hostile = "\u{1B}[2J\u{1B}]0;owned\u{7}\u{202E}カート👨‍👩‍👧\u{9B}31m\r\n" + String(repeating: "長", count: 90)
        var view = Sample.view(
            ViewKey(rawValue: hostile), count: .max, average: 3, reasons: [Sample.reason(hostile, .max)], file: hostile)
        view.hangs.count = 2
        view.commits = 4
        view.wasted.count = .max
        var store = Sample.store(hostile, store: hostile, views: [view])
        store.lost = .max
        store.dropped = 1
        for width in 20...220 {
            for sort in StatsOrder.allCases {
                let screen = StatsScreen(
                    export: Sample.export([store, Sample.shop]), health: nil, order: sort, limit: nil)
                for line in screen.lines(width: width, colours: false) {
                    #expect(DisplayWidth.of(line) <= width, "\(width): \(line)")
                    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
                    #expect(!line.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
                }
            }
        }
    }

    @Test("says that no process is connected and how to instrument one, instead of an empty table")
    func nobody() {
        let shown = text([], width: 80)
        #expect(shown.hasPrefix("No process is connected"))
        #expect(shown.contains("store.evaluate(\"CartTotal\")"))
        #expect(!shown.contains("COUNT"))
    }

    @Test("says that a connected process has evaluated nothing yet")
    func nothingYet() {
        let shown = text([Sample.store()], width: 80)
        #expect(shown.contains("shop[4711]/main: connected, 0 evaluations"))
        #expect(shown.contains("No view has been evaluated yet."))
        #expect(!shown.contains("KEY"))
    }

    @Test("names the main loop that is watched, and says nothing where none is", arguments: MainLoopKind.allCases)
    func mainLoop(kind: MainLoopKind) {
        var store = Sample.store()
        store.mainLoop = kind
        let line = text([store], width: 80).split(separator: "\n")[0]
        let loop = kind == .none ? "" : ", main loop \(kind.rawValue)"
        #expect(line == "shop[4711]/main: connected, 0 evaluations\(loop)")
    }

    @Test("says when there are more views than it shows")
    func limited() {
        let shown = text([Sample.shop], width: 80, limit: 2)
        #expect(shown.contains("CartTotal") && shown.contains("ProductRow") && !shown.contains("Badge"))
        #expect(shown.hasSuffix("… 2 of 3 views shown; --limit all shows every view"))
        #expect(!text([Sample.shop], width: 80, limit: 3).contains("shown"))
    }

    @Test("an answer for 2,000 views has at most 12,000 bytes, which are 4,000 tokens, however long their names are")
    func bound() throws {
        for length in [12, 1_000] {
            let views = (0..<2_000).map { number in
                let key = "View \(number) " + String(repeating: "x", count: length)
                let reason = Sample.reason(String("model.value of \(key)".prefix(250)), 1_000)
                var view = Sample.view(ViewKey(rawValue: key), count: 1_000, average: 500_000, reasons: [reason])
                view.wasted.count = 900
                (view.wasted.measured, view.wasted.nanoseconds) = (900, 450_000_000)
                view.hangs.add(nanoseconds: 400_000_000)
                return view
            }
            var store = Sample.store(views: views)
            store.startedAt = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 60_000_000_000)
            let limit = try #require((ParsedLine(["stats"]).command as? StatsCommand)?.options.limitation.table)
            let export = StatsExport(generatedAt: Sample.now, processes: [store])
            let screen = StatsScreen(export: export, health: nil, order: .cost, limit: limit)
            let lines = screen.lines(width: TerminalSize.unlimitedColumns, colours: false)
            let shown = lines.joined(separator: "\n")
            #expect(lines[0].hasPrefix("! View "), "\(lines[0])")
            #expect(shown.contains("--limit all shows every view"), "\(shown)")
            #expect(shown.utf8.count <= 12_000, "\(shown.utf8.count) bytes")
            let look = try #require(ParsedLine(["look", "shop"]).command as? LookCommand)
            let looked = LookCommand.lines(export, nil, [], .output, rows: look.rows).joined(separator: "\n")
            #expect(looked.contains("View ") && looked.utf8.count <= 12_000, "\(looked.utf8.count) bytes")
        }
    }

    @Test("says how many views are not shown as exactly as it is known")
    func totals() {
        #expect(StatsScreen.more(50, of: 81_000) == "… 50 of 81,000 views shown; --limit all shows every view")
        let screen = StatsScreen(
            export: Sample.export([Sample.shop]), health: nil, order: .count, limit: 3, total: 9)
        #expect(screen.lines(width: 80, colours: false).last?.hasPrefix("… 3 of 9 views") == true)
    }

    @Test("counts the stores beyond eight instead of listing them, and still shows what all of them lost")
    func manyStores() {
        let stores = (1...30).map { number -> ProcessStats in
            var store = Sample.store("app\(number)", pid: Int32(number), connected: number > 10)
            store.lost = 2
            return store
        }
        let shown = all(stores)
        #expect(shown.hasPrefix("20 processes connected, 10 ended; 30 stores, 0 evaluations, by count"))
        #expect(shown.contains("and 22 more stores (12 connected)"))
        #expect(shown.contains("60 evaluations LOST in 30 stores"))
    }

    @Test(
        "the column that is ranked by is shown at 80 columns",
        arguments: [(StatsOrder.time, "TOTAL"), (.hangs, "HANGS"), (.wasted, "WASTED")])
    func sortedColumn(order: StatsOrder, title: String) {
        #expect(text([Sample.shop], width: 80, sort: order).contains(title))
    }

    @Test("one long evaluation does not colour a row: the 95th percentile decides")
    func blip() {
        func lines(_ p95: UInt64) -> String {
            var view = Sample.view("Row", count: 100, average: 20_000)
            (view.body.maxNanoseconds, view.body.p99Nanoseconds, view.body.p95Nanoseconds) = (1_250_000, 1_250_000, p95)
            var screen = StatsScreen(
                export: Sample.export([Sample.store(views: [view])]), health: nil, order: .count, limit: nil)
            screen.columns = ["avg", "max"]
            return screen.lines(width: 160, colours: true).joined(separator: "\n")
        }
        let (calm, slow, slower) = (lines(40_000), lines(600_000), lines(1_250_000))
        #expect(calm.contains(" 1.25ms") && !calm.contains("[31m1.25ms") && !calm.contains("[33m1.25ms"))
        #expect(slow.contains("[33m1.25ms") && !slow.contains("[31m1.25ms") && slower.contains("[31m1.25ms"))
        #expect(!slower.contains("m20.0µs"), "the average is short")
    }

    @Test("a longest time that is not known is a dash")
    func unknownLongest() {
        var view = Sample.view("Row", count: 100, average: 20_000)
        view.body.maxNanoseconds = 0
        var screen = StatsScreen(
            export: Sample.export([Sample.store(views: [view])]), health: nil, order: .count, limit: nil)
        screen.columns = ["avg", "max"]
        let row = screen.lines(width: 160, colours: false).last { $0.contains("Row") }
        #expect(row?.contains("20.0µs") == true && row?.split(separator: " ").last == "-", "\(row ?? "")")
    }

    @Test("widgets are drawn, and not evaluated")
    func widgets() {
        var stores = ["one", "two"].map {
            Sample.store($0, kind: .widgets, views: [Sample.view("GtkLabel", count: 133)])
        }
        stores[0].lost = 3
        let text = StatsNotes(stores: stores, health: nil, order: .cost).lines.map(\.text).joined(separator: "\n")
        #expect(text.contains("2 stores, 266 drawings, by cost"), "\(text)")
        #expect(text.contains("! 3 drawings LOST in one"), "\(text)")
        #expect(StoreWords(stores).time == "DRAW" && StoreWords(stores + [Sample.shop]).time == "BODY")
        let gaps = Tally(Sample.export([stores[0]])).gaps
        #expect(gaps.count == 1 && gaps[0].hasPrefix("3 drawings of one"), "\(gaps)")
    }

    @Test("colours come only where they are wanted, and add no width")
    func colours() {
        var screen = StatsScreen(export: Sample.export([Sample.shop]), health: nil, order: .count, limit: nil)
        screen.columns = ["count", "avg", "why"]
        let plain = screen.lines(width: 80, colours: false)
        let coloured = screen.lines(width: 80, colours: true)
        #expect(!plain.joined().contains("\u{1B}"))
        #expect(coloured.joined().contains("\u{1B}[31m1.25ms\u{1B}[0m"))
        #expect(coloured.map(withoutColours) == plain)
    }

    private func withoutColours(_ line: String) -> String {
        line.replacing(/\u{1B}\[[0-9]*m/, with: "")
    }
}
