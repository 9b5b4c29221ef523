// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("The screen of top")
struct TopLayoutTests {
    private let shop = [Sample.shop]

    private func open(_ columns: Int, _ lines: Int, _ stores: [ProcessStats]) -> TopModel {
        var model = TopSamples.model(stores, columns: columns, lines: lines)
        if !model.isOpen { _ = TopSamples.press(&model, stores, .enter) }
        return model
    }

    @Test("on a tall screen the selected row is open where there is room, until the user closes it")
    func openByItself() {
        var model = TopSamples.model(shop, columns: 120, lines: 40)
        #expect(model.isOpen && TopSamples.text(model).contains("── CartTotal ─"))
        _ = TopSamples.press(&model, shop, .down)
        #expect(TopSamples.text(model).contains("── Badge ─"))
        _ = TopSamples.press(&model, shop, .escape)
        #expect(!model.isOpen)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), shop, at: TopSamples.time(1))
        #expect(!model.isOpen, "it stays closed")
        _ = TopSamples.press(&model, shop, .enter)
        #expect(model.isOpen)
        #expect(!TopSamples.model(shop, columns: 120, lines: 24).isOpen, "no pane")
        let many = [TopSamples.large(30)]
        #expect(!TopSamples.model(many, columns: 120, lines: 40).isOpen, "no room")
        var tall = TopSamples.model(shop, columns: 120, lines: 40)
        TopSamples.answer(&tall, tall.take(.resized(TerminalSize(columns: 120, lines: 24))), shop, at: tall.now)
        #expect(!tall.isOpen, "what opened by itself needs its pane")
    }

    @Test("rows that say nothing of their own are folded, a shows them, and a again folds them")
    func folds() {
        let views = [
            Sample.view("Window", count: 9, reasons: [Sample.reason("child Icon", 9)]),
            Sample.view("Icon", count: 9, average: 1_000, reasons: [Sample.reason("layout", 9)]),
            Sample.view("Title", count: 1, reasons: [Sample.reason("initial", 1)]),
            Sample.view("Line", count: 1, reasons: [Sample.reason("initial", 1)]),
        ]
        let stores = [Sample.store(kind: .widgets, views: views)]
        var model = TopSamples.model(stores, columns: 120, lines: 24, order: .cost)
        let text = TopSamples.text(model)
        #expect(model.total == 1 && text.contains("layout (+1 parent)") && text.contains("4 widgets"), "\(text)")
        #expect(text.contains("… 1 widget only passes on what others caused and 2 were drawn once; a shows them"))
        #expect(text.contains(" 1 Widgets 4 "))
        _ = TopSamples.press(&model, stores, .character("a"))
        #expect(model.total == 4 && !TopSamples.text(model).contains("only passes on"))
        #expect((0..<4).map { model.sample?.row(at: $0)?.view.key } == ["Icon", "Line", "Title", "Window"])
        _ = TopSamples.press(&model, stores, .character("a"))
        #expect(model.total == 1 && model.selectedRow?.view.key == "Icon")
        var chosen = TopSamples.model(stores, columns: 120, lines: 24, order: .cost)
        _ = TopSamples.press(&chosen, stores, .character("a"), .end)
        chosen.isFolding = true
        TopSamples.answer(&chosen, chosen.ask(), stores, at: TopSamples.time(1))
        #expect(chosen.message?.text == "Window says nothing of its own and is folded: a shows it")
        _ = TopSamples.press(&model, stores, .character("2"), .character("a"))
        #expect(model.message?.text == "only views are folded: press 1")
    }

    @Test(
        "has exactly the terminal's lines, and none is wider",
        arguments: [(40, 10), (80, 24), (100, 30), (300, 80), (20, 5), (1, 1), (500, 3)])
    func sizes(columns: Int, lines: Int) {
        for stores in [
            [], shop, [TopSamples.large(200)], shop + [Sample.store("desk", pid: 7, views: Sample.shop.views)],
        ] {
            for model in [TopSamples.model(stores, columns: columns, lines: lines), open(columns, lines, stores)] {
                let frame = model.frame
                #expect(frame.lines.count == lines)
                #expect(frame.lines.allSatisfy { DisplayWidth.of($0.text) <= columns && $0.width <= columns })
            }
        }
    }

    @Test("views that were not seen have a line above the keys, where there is room")
    func notSeen() {
        var store = Sample.shop
        store.notSeenViews = NotSeenViews(["Medal"])
        let lines = TopSamples.model([store], columns: 100, lines: 20).frame.lines
        #expect(lines.count == 20)
        #expect(lines[18].text.hasPrefix("not seen: Medal (not shown, shown without its body, or inlined:"))
        #expect(!TopSamples.text(TopSamples.model([store], columns: 100, lines: 10)).contains("Medal"))
        var others = [store, Sample.store("desk", pid: 7)]
        others[1].notSeenViews = NotSeenViews(["Lamp"])
        let text = TopSamples.text(TopSamples.model(others, columns: 200, lines: 20))
        #expect(text.contains("not seen in shop[4711]/main: Medal") && text.contains("(and 1 more: rerenderctl stats)"))
    }

    @Test("what goes on without input has a line above the keys, while it does")
    func idleWork() {
        var store = Sample.shop
        store.connected = true
        var work = IdleWork(.evaluations, latestAt: TopSamples.time(0))
        (work.view, work.reason, work.latestDuration) = ("Clock", "tick", 1_000_000_000)
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (61, 61, 12_200_000)
        store.idleWork = [work]
        let lines = TopSamples.model([store], columns: 100, lines: 20).frame.lines
        #expect(lines.count == 20 && lines[18].text == "without input: Clock: tick, 60/s, 1.2% of a core")
        #expect(!TopSamples.text(TopSamples.model([store], columns: 100, lines: 10)).contains("without input"))
        var model = TopSamples.model([store], columns: 100, lines: 20)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(9))), [store], at: TopSamples.time(9))
        #expect(!TopSamples.text(model).contains("without input"))
    }

    @Test("40 columns and 10 lines show the wasted view, its share and why")
    func small() {
        var model = TopSamples.model(shop, columns: 40, lines: 10)
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), shop, at: TopSamples.time(1))
        let text = TopSamples.text(model)
        for part in ["connected", "KEY", "WASTED", "WHY", "CartTotal", "98%", "ticker", "Enter why"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test("300 columns and 80 lines show every column, and the place")
    func large() {
        let two = shop + [Sample.store("desk", pid: 7, views: [Sample.view("Lamp", count: 3)])]
        let text = TopSamples.text(TopSamples.model(two, columns: 300, lines: 80))
        let titles = [
            "PROCESS", "KEY", "COUNT", "RATE", "TREND", "WASTED", "WTIME", "BODY", "WHY", "PLACE",
        ]
        for title in titles { #expect(text.contains(title)) }
        #expect(text.contains("Shop/Cart.swift:12") && text.contains("desk"))
    }

    @Test("self time is a column where it is known, by which a click on its title sorts")
    func selfTime() {
        var (root, feed) = (
            Sample.view("Root", count: 1, average: 4_000), Sample.view("Feed", count: 1, average: 3_000)
        )
        (root.selfNanoseconds, feed.selfNanoseconds) = (1_000, 3_000)
        let text = TopSamples.text(
            TopSamples.model([Sample.store(views: [root, feed])], columns: 200, lines: 20, order: .time))
        let rows = text.split(separator: "\n").filter { $0.contains("Root") || $0.contains("Feed") }
        #expect(text.contains("SELF▼") && rows.count == 2 && rows[0].contains("Feed") && rows[1].contains("1.00µs"))
        #expect(!TopSamples.text(TopSamples.model(shop, columns: 300, lines: 20)).contains("SELF"))
    }

    @Test("a row that is open says why, by whom, what was wasted, times, place, and what helps")
    func details() {
        var view = Sample.view(
            "Cart", count: 300, average: 133_000,
            reasons: [
                ReasonCount(
                    reason: "ticker.tick", count: 290, attribution: .exact,
                    writers: [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 290)]),
                Sample.reason("initial", 10),
            ])
        view.wasted.count = 280
        view.wasted.measured = 280
        view.wasted.kinds = [.sameOutput: 280]
        view.body.lastNanoseconds = 120_000
        view.hangs.count = 2
        view.hangs.lastNanoseconds = 300_000_000
        view.hangs.worstNanoseconds = 1_200_000_000
        let text = TopSamples.text(open(100, 40, [Sample.store(views: [view])]))
        for part in [
            "290 (96%) ticker.tick", "written by Ticker.advance() Shop/Ticker.swift:40 (290)",
            "280 evaluations (93%)", "last 120µs, average 133µs", "Shop/Cart.swift:12, in shop[4711]/main",
            "2 hangs attributed to it, the last 300ms, the longest 1.20s", "gave the same output as before", "HANG×2",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test("the time with Rerender's own work is that on the views inside of a body, and shown where there is any")
    func total() {
        var view = Sample.view("Cart", count: 4, average: 133_000)
        view.total = view.body
        let name = "with Rerender's work on the bodies inside of it: "
        #expect(!TopSamples.text(open(150, 40, [Sample.store(views: [view])])).contains("Rerender's work"))
        view.total.averageNanoseconds += 2_000
        view.total.totalNanoseconds += 8_000
        let text = TopSamples.text(open(150, 40, [Sample.store(views: [view])]))
        #expect(text.contains(name + "last 0, average 135µs"), "\(text)")
    }

    @Test("the time that was wasted is the column that is sorted by, where there is room")
    func wastedTime() {
        let wide = TopSamples.model(shop, columns: 120).frame
        let titles = wide.lines[2].text
        #expect(titles.contains("WTIME▼") && !titles.contains("WASTED▼") && titles.contains("WASTED"))
        let narrow = TopSamples.model(shop, columns: 40).frame.lines[2].text
        #expect(narrow.contains("WASTED▼") && !narrow.contains("WTIME"))
        let counted = TopSamples.model(shop, columns: 120, order: .count).frame.lines[2].text
        #expect(counted.contains("COUNT▼") && !counted.contains("WTIME▼"))
        let share = TopSamples.model(shop, columns: 120, order: .share).frame.lines[2].text
        #expect(share.contains("WASTED▼") && share.contains("WTIME") && !share.contains("WTIME▼"))
    }

    @Test("the last line has the keys that matter: Enter closes what is open, Esc shows all rows again")
    func footer() {
        func last(_ model: TopModel) -> String { model.frame.lines.last?.text ?? "" }
        var model = TopSamples.model(shop)
        #expect(last(model).hasPrefix("Enter why  q quit"))
        _ = TopSamples.press(&model, shop, .enter)
        #expect(last(model).hasPrefix("Enter close  q quit"))
        _ = TopSamples.press(&model, shop, .escape, .character("/"), .character("C"), .enter)
        #expect(last(model).hasPrefix("Enter why  Esc all rows  q quit"))
    }

    @Test("an open row says what the view takes now, once that is known")
    func load() {
        var model = open(100, 40, shop)
        #expect(!TopSamples.text(model).contains("of a core,"))
        var later = shop
        for index in later[0].views.indices where later[0].views[index].wasted.count > 0 {
            later[0].views[index].count += 10
            later[0].views[index].body.totalNanoseconds += 20_000_000
            later[0].views[index].wasted.nanoseconds += 10_000_000
        }
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(1))), later, at: TopSamples.time(1))
        #expect(TopSamples.text(model).contains("now    10/s take 2.0% of a core, 1.0% wasted."))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(2))), later, at: TopSamples.time(2))
        #expect(TopSamples.text(model).contains("now    No evaluation ended just now."))
    }

    @Test(
        "a writer is shortened by its directory, then in the middle of its name; its place stays while there is room for it",
        arguments: [
            (40, "Ticker.advance() Ticker.swift:40"), (43, "Ticker.advance() Shop/Model/Ticker.swift:40"),
            (33, "Ticker.advance() Ticker.swift:40"), (32, "Ticker.advance() Ticker.swift:40"),
            (31, "Ticker.…vance() Ticker.swift:40"), (24, "Tic…ce() Ticker.swift:40"), (23, "Ticker.swift:40"),
            (15, "Ticker.swift:40"), (9, "Tick…ce()"),
        ])
    func writers(width: Int, expected: String) {
        let writer = "Ticker.advance() Shop/Model/Ticker.swift:40"
        let text = WhyText.shortened(writer, width)
        #expect(text == expected)
        #expect(DisplayWidth.of(text) <= width)
        #expect(WhyText.shortened("tap on SaveRow of the form", 12) == Fit.middle("tap on SaveRow of the form", 12))
        let guess = "~" + writer
        #expect(WhyText.shortened(guess, 16) == "~Ticker.swift:40", "a guess stays marked")
        #expect(WhyText.shortened(guess, 25) == "~Tic…ce() Ticker.swift:40")
    }

    @Test("what does not fit below an open row is counted, and paged to")
    func longDetails() {
        var model = open(40, 10, shop)
        #expect(TopSamples.text(model).contains("more lines: PgDn"))
        let first = TopSamples.text(model)
        _ = TopSamples.press(&model, shop, .pageDown)
        #expect(TopSamples.text(model) != first && model.selected == 0)
        for _ in 0..<20 where TopSamples.text(model).contains("PgDn") { _ = TopSamples.press(&model, shop, .pageDown) }
        #expect(TopSamples.text(model).contains("PgUp for the lines above"))
    }

    @Test("the open row is moved to where all that is open can be seen")
    func openAtTheEnd() {
        let stores = [TopSamples.large(50)]
        var model = TopSamples.model(stores, lines: 30, order: .count)
        for _ in 0..<26 { _ = TopSamples.press(&model, stores, .down) }
        _ = TopSamples.press(&model, stores, .enter)
        let text = TopSamples.text(model)
        #expect(text.contains("view 26") && text.contains("where") && !text.contains("more line"))
    }

    @Test("rows that are fine are dim, one that is not is marked and stands out; nothing blinks")
    func quiet() {
        let fine = Sample.view("Fine", count: 10, average: 1_000, reasons: [Sample.reason("initial", 10)])
        var wasteful = fine
        wasteful.key = "Wasteful"
        wasteful.wasted.count = 9
        wasteful.wasted.measured = 9
        wasteful.wasted.nanoseconds = 19_000_000
        var cheap = wasteful
        (cheap.key, cheap.wasted.nanoseconds) = ("Cheap", 18_999_999)
        var hung = fine
        hung.key = "Hung"
        hung.hangs.count = 1
        var store = Sample.store(views: [
            fine, wasteful, cheap, hung, Sample.view("Round", count: 9), Sample.view("Selected", count: 99),
        ])
        store.cycles = [
            Cycle(
                steps: [.init(name: "Round", writer: nil)], rounds: 12, latestRounds: 12,
                latestNanoseconds: 1_000_000_000, latestAt: Sample.now)
        ]
        // 19 ms of 1.9 s are 1 % of a core.
        store.countedSince = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 - 5_400_000_000)
        let stores = [store]
        var model = TopSamples.model(stores, order: .count)
        let lines = model.frame.lines
        func line(_ key: String) -> TopLine? { lines.dropFirst().first { $0.text.contains(key) } }
        for key in ["Fine", "Cheap"] {
            let isDim = line(key)?.spans.allSatisfy { $0.text.allSatisfy { $0 == " " } || $0.style == .dim }
            #expect(isDim == true, "\(key)")
        }
        for key in ["Wasteful", "Hung", "Round"] {
            #expect(line(key)?.text.hasPrefix(" !") == true)
            #expect(line(key)?.spans.contains { !$0.style.isDisjoint(with: [.notice, .bad]) } == true, "\(key)")
        }
        _ = model.take(.key(.character("-")))
        #expect(model.frame.lines.count == 1)
    }

    @Test("40 columns have room for the badge of a hang, beside the key, the waste and the reason")
    func smallHang() {
        var store = Sample.shop
        store.views[0].hangs.count = 2
        let text = TopSamples.text(TopSamples.model([store], columns: 40, lines: 10))
        for part in ["CartTotal", "98%", "HANG×2", "WHY"] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test("a hang that goes on is a badge in its row and in the title line")
    func hang() {
        var hang = Hang(id: 1, pid: 4711, process: "shop", startedAt: TopSamples.time(0), turn: 9)
        (hang.view, hang.viewStore) = ("CartTotal", Hang.Store(number: 0, name: "main"))
        hang.durationNanoseconds = 1_200_000_000
        var model = TopSamples.model(shop)
        TopSamples.answer(&model, model.ask(), shop, at: TopSamples.time(1), hangs: [hang])
        let text = TopSamples.text(model)
        #expect(text.contains("HANG 1.20s in shop[4711]: CartTotal"))
        #expect(model.frame.lines.contains { $0.text.contains("98%") && $0.text.contains("HANG 1.20s") })
        hang.guess = true
        TopSamples.answer(&model, model.ask(), shop, at: TopSamples.time(2), hangs: [hang])
        #expect(TopSamples.text(model).contains("HANG 1.20s in shop[4711]: ~CartTotal"))
        #expect(model.frame.lines.contains { $0.text.contains("98%") && $0.text.contains("~HANG 1.20s") }, "a guess")
    }

    @Test("a hang is one store's, also where another store of the process has its name and a view of the same key")
    func hangOfOneStore() {
        var hang = Hang(id: 1, pid: 4711, process: "shop", startedAt: TopSamples.time(0), turn: 9)
        let (first, second) = (Sample.store(number: 0), Sample.store(number: 1))
        hang.view = "CartTotal"
        #expect(!hang.isBlamed(on: "CartTotal", of: first), "its store is not known")
        hang.viewStore = Hang.Store(number: 1, name: "main")
        #expect(!hang.isBlamed(on: "CartTotal", of: first) && hang.isBlamed(on: "CartTotal", of: second))
        #expect(!hang.isBlamed(on: "Badge", of: second))
    }

    @Test("what was lost or dropped is in the title line, and on a tall screen in words")
    func drops() {
        var store = Sample.shop
        (store.lost, store.dropped) = (12, 3)
        let text = TopSamples.text(TopSamples.model([store]))
        #expect(
            text.contains("15 evaluations lost or dropped") && text.contains("12 evaluations LOST in shop[4711]/main"))
        #expect(TopSamples.text(TopSamples.model([store], columns: 40, lines: 10)).contains("15 dropped"))
        store.kind = .widgets
        #expect(TopSamples.text(TopSamples.model([store])).contains("15 drawings lost or dropped"))
        #expect(TopSamples.text(TopSamples.model(shop)).contains("nothing dropped"))
        var health = HealthReport()
        health.watchdog.missed = 3
        var model = TopSamples.model(shop)
        TopSamples.answer(&model, model.ask(), shop, at: TopSamples.time(1), health: health)
        let missed = "3 long turns could not be watched for hangs"
        #expect(model.frame.lines[0].text.contains(missed) && !TopSamples.text(model).contains("nothing dropped"))
        #expect(TopSamples.text(model).contains("! \(missed) since the daemon started: hangs may be missing"))
        (store.lost, store.dropped) = (.max, .max)
        #expect(TopSamples.text(TopSamples.model([store])).contains("lost or dropped"))
    }

    @Test("the title line says what costs most, in as many words as there is room for, also in the title strip")
    func strip() {
        var store = Sample.shop
        store.countedSince = TopSamples.time(-4.5)
        var model = TopSamples.model([store], columns: 120)
        _ = model.take(.key(.character("-")))
        #expect(model.frame.lines.count == 1)
        let text = TopSamples.text(model)
        for part in ["connected", "nothing dropped", "! CartTotal: 41.0ms wasted", "0.4%"] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
        let sentence = "! CartTotal wasted 41.0ms in 308 of 312 evaluations, 4.1% of a core: Shop/Cart.swift:12"
        let narrow = TopSamples.model([store], columns: 80).frame.lines[0].text
        #expect(narrow.contains("! CartTotal: 41.0ms wasted: Cart.swift:12"), "the place stays: \(narrow)")
        let title = TopSamples.model([store], columns: 240).frame.lines[0]
        #expect(title.spans.contains { $0.text == sentence && $0.style == .notice }, "\(title.text)")
        let fine = TopSamples.model([Sample.store(views: [Sample.view("Card", count: 5)])], columns: 240).frame.lines[0]
        #expect(fine.text.contains("Nothing to fix") && !fine.text.contains("!"))
        _ = model.take(.key(.character("-")))
        #expect(model.frame.lines.count == 30)
    }

    @Test("without a row says what to do, and why there is none")
    func empty() {
        #expect(TopSamples.text(TopSamples.model([])).contains("rerenderctl run -- ./my-app"))
        #expect(TopSamples.text(TopSamples.model([Sample.store()])).contains("No view has been evaluated yet."))
        var model = TopSamples.model(shop)
        _ = TopSamples.press(&model, shop, .character("/"), .character("z"), .character("z"), .enter)
        #expect(TopSamples.text(model).contains("No key contains \"zz\". Press Esc to show all."))
        var waiting = TopModel(size: TerminalSize(columns: 90, lines: 24))
        _ = waiting.take(.failed(ToolFailure.noDaemon(at: "/x", because: "gone").message, TopSamples.time(0)))
        #expect(TopSamples.text(waiting).contains("systemctl --user start rerenderd-push.socket"))
    }

    @Test("a view that was only passed a value names who probably writes it, as a guess")
    func hints() throws {
        var passed = Sample.view("Row", count: 99, reasons: [Sample.reason("tick", 99, .diff)])
        passed.wasted.count = 99
        passed.wasted.nanoseconds = 1
        let text = TopSamples.text(open(140, 40, [Sample.store(views: [Sample.tickReader, passed])]))
        #expect(text.contains("~tick ← ~Ticker.advance() Shop/Ticker.swift:19"))
        let lines = text.split(separator: "\n").map { String($0) }
        let reason = try #require(lines.firstIndex { $0.contains("tick, found by comparing values") })
        #expect(
            lines[reason + 1].contains("probably shop.ticker.tick"), "the guess stands below its reason")
        #expect(text.contains("If it is shop.ticker.tick: read it in the view that shows it, not in Shop"))
        let joined = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(joined.contains("probably shop.ticker.tick, set by Ticker.advance()"))
        // Another process's ticker explains nothing.
        let apart = [Sample.store(views: [passed]), Sample.store("desk", pid: 9, views: [Sample.tickReader])]
        #expect(!TopSamples.text(open(140, 40, apart)).contains("probably"))
    }
}
