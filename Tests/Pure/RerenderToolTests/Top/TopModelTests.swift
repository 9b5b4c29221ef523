// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("The state of top")
struct TopModelTests {
    private let shop = [Sample.shop]

    @Test("asks for what the screen shows and a little more, however many views there are")
    func bounded() {
        let stores = [TopSamples.large(25_000)]
        var model = TopSamples.model(stores, lines: 24, order: .count)
        #expect(model.total == 25_000 && model.query.first == 0 && model.query.limit == 20 + TopModel.margin)
        _ = TopSamples.press(&model, stores, .end)
        #expect(model.selected == 24_999 && model.selectedRow?.view.key == "view 24999")
        #expect(model.query.limit <= 20 + 2 * TopModel.margin)
        model = TopSamples.model(stores, columns: 300, lines: 1_000)
        #expect(model.query.limit == TopQuery.mostViews)
    }

    @Test("asks one thing at a time, and again where the screen moved on meanwhile")
    func oneAtATime() {
        var model = TopModel(size: TerminalSize(columns: 80, lines: 24))
        let first = model.take(.tick(TopSamples.time(0)))
        #expect(first.count == 1)
        #expect(model.take(.tick(TopSamples.time(1))).isEmpty)
        #expect(model.take(.key(.right)).isEmpty)
        guard case .sample(let query)? = first.first else { return #expect(Bool(false)) }
        let again = model.take(.sampled(TopSamples.sample(query, shop, at: TopSamples.time(1)), nil))
        guard case .sample(let next)? = again.first else { return #expect(Bool(false), "not asked again") }
        #expect(query.order == .cost && next.order == .process)
    }

    @Test("the selection follows the row that was chosen, and a rank where none was")
    func follows() {
        func stores(_ a: UInt64) -> [ProcessStats] {
            [
                Sample.store(views: [
                    Sample.view("A", count: a), Sample.view("B", count: 50), Sample.view("C", count: 20),
                ])
            ]
        }
        var model = TopSamples.model(stores(100), order: .count)
        #expect(model.selectedRow?.view.key == "A")
        TopSamples.answer(&model, model.ask(), stores(1), at: TopSamples.time(1))
        #expect(model.selected == 0 && model.selectedRow?.view.key == "B")
        _ = TopSamples.press(&model, stores(1), .down)
        #expect(model.selectedRow?.view.key == "C")
        TopSamples.answer(&model, model.ask(), stores(30), at: TopSamples.time(2))
        #expect(model.selected == 2 && model.selectedRow?.view.key == "C")
        _ = TopSamples.press(&model, stores(30), .home)
        TopSamples.answer(&model, model.ask(), stores(100), at: TopSamples.time(3))
        #expect(model.selected == 0 && model.selectedRow?.view.key == "A")
    }

    /// Views that are ranked by their counts, and one that is chosen at the first rank.
    private func ranked(_ others: Int, _ count: UInt64) -> [ProcessStats] {
        let rows = (0..<others).map { Sample.view(ViewKey(rawValue: "view \($0)"), count: UInt64(10_000 - $0)) }
        return [Sample.store(views: [Sample.view("Chosen", count: count)] + rows)]
    }

    private func withChosen(_ others: Int) -> TopModel {
        var model = TopSamples.model(ranked(others, 20_000), lines: 13, order: .count)
        _ = TopSamples.press(&model, ranked(others, 20_000), .down, .up)
        return model
    }

    @Test("the chosen row is looked for where it fell far, and found among the first 400")
    func followsFar() {
        var model = withChosen(900)
        TopSamples.answer(&model, model.ask(), ranked(900, 9_700), at: TopSamples.time(1))
        #expect(model.selected == 300 && model.selectedRow?.view.key == "Chosen" && model.message == nil)
        #expect(model.query.limit < 40, "all of them are asked for only to find it")
        #expect(TopSamples.text(model).contains(">"))
    }

    @Test("a chosen row that is not found, or is gone, is said to be, and no key acts on another in its place unseen")
    func losesChosen() {
        var model = withChosen(900)
        TopSamples.answer(&model, model.ask(), ranked(900, 1), at: TopSamples.time(1))
        #expect(model.chosen == nil && model.message?.text == "Chosen ranks too low to follow: find it with /")
        var small = withChosen(5)
        TopSamples.answer(
            &small, small.ask(), [Sample.store(views: [Sample.view("Other", count: 1)])], at: TopSamples.time(1))
        #expect(small.chosen == nil && small.message?.text == "Chosen is gone")
    }

    @Test("an answer about ranks that the screen has left loses nothing")
    func followsBesideOldAnswers() {
        let stores = ranked(900, 20_000)
        var model = withChosen(900)
        let old = model.query
        _ = TopSamples.press(&model, stores, .pageDown, .pageDown, .pageDown, .pageDown, .down)
        let chosen = model.chosen
        #expect(model.selected == 37 && chosen != nil)
        _ = model.take(.sampled(TopSamples.sample(old, stores, at: TopSamples.time(1)), nil))
        #expect(model.chosen == chosen && model.message == nil && !model.isSearching)
    }

    @Test("moves by rows and pages, to both ends, and never beyond")
    func moves() {
        let stores = [TopSamples.large(100)]
        var model = TopSamples.model(stores, lines: 13, order: .count)
        func press(_ keys: TopKey...) {
            for key in keys { _ = TopSamples.press(&model, stores, key) }
        }
        press(.up)
        #expect(model.selected == 0)
        press(.down, .character("j"))
        #expect(model.selected == 2)
        press(.pageDown)
        #expect(model.selected == 11 && model.top == 2)
        press(.character("G"))
        #expect(model.selected == 99 && model.top == 90)
        press(.down, .pageDown)
        #expect(model.selected == 99)
        press(.pageUp, .character("k"))
        #expect(model.selected == 89 && model.top == 89)
        press(.character("g"))
        #expect(model.selected == 0 && model.top == 0)
    }

    @Test("Enter opens one row at a time, Esc and Enter close it; its hangs are asked for with it")
    func expands() {
        var model = TopSamples.model(shop)
        let effects = TopSamples.press(&model, shop, .enter)
        guard case .sample(let query)? = effects.first else { return #expect(Bool(false)) }
        #expect(query.hangsOf == 4711 && model.expandedRow?.view.key == "CartTotal")
        _ = TopSamples.press(&model, shop, .down, .enter)
        #expect(
            model.expandedRow?.view.key == model.selectedRow?.view.key && model.expandedRow?.view.key != "CartTotal")
        _ = TopSamples.press(&model, shop, .enter)
        #expect(model.expanded == nil)
        _ = TopSamples.press(&model, shop, .enter, .escape)
        #expect(model.expanded == nil && model.query.hangsOf == nil)
    }

    @Test("Left and Right sort by each column, and s sorts the other way round")
    func sorts() {
        var model = TopSamples.model(shop)
        var seen: Set<StatsOrder> = []
        for _ in StatsOrder.allCases {
            _ = TopSamples.press(&model, shop, .right)
            seen.insert(model.order)
            #expect(model.sample?.query.order == model.order && !model.isReversed)
        }
        #expect(seen == Set(StatsOrder.allCases) && model.order == .wasted)
        _ = TopSamples.press(&model, shop, .left)
        #expect(model.order == .share)
        _ = TopSamples.press(&model, shop, .right, .right, .right)
        #expect(model.order == .time)
        let keys = (0..<3).map { model.sample?.row(at: $0)?.view.key }
        _ = TopSamples.press(&model, shop, .character("s"))
        #expect(model.isReversed && (0..<3).map { model.sample?.row(at: $0)?.view.key } == keys.reversed())
        _ = TopSamples.press(&model, shop, .left)
        #expect(model.order == .average && !model.isReversed)
    }

    @Test("an answer about another order or filter is not shown")
    func staleAnswers() {
        var model = TopSamples.model(shop)
        let old = model.query
        _ = model.take(.key(.right))
        _ = model.take(.sampled(TopSamples.sample(old, [TopSamples.large(9)], at: model.now), nil))
        #expect(model.sample?.total == 3)
    }

    @Test("/ filters while one types, Enter keeps the filter, Esc takes it away; q is a letter there")
    func filters() {
        var model = TopSamples.model(shop)
        let effects = TopSamples.press(&model, shop, .character("/"), .character("q"), .backspace, .character("R"))
        #expect(!effects.contains(.quit))
        _ = TopSamples.press(&model, shop, .character("o"), .character("w"), .enter)
        #expect(model.mode == .rows && model.filter == "Row" && model.total == 1)
        #expect(model.selectedRow?.view.key == "Shop/ProductRow.swift:40")
        _ = TopSamples.press(&model, shop, .escape)
        #expect(model.filter.isEmpty && model.total == 3)
        _ = TopSamples.press(&model, shop, .character("/"), .character("x"), .character("x"), .escape)
        #expect(model.mode == .rows && model.filter.isEmpty && model.total == 3)
        _ = TopSamples.press(&model, shop, .character("/"), .backspace)
        #expect(model.mode == .rows)
    }

    @Test("what is typed is bounded and holds no control character")
    func typing() {
        var model = TopSamples.model(shop)
        _ = model.take(.key(.character("/")))
        for _ in 0..<1_000 { _ = model.take(.key(.character("a"))) }
        #expect(model.filter.count == TopModel.longestFilter)
        _ = model.take(.key(.character("\u{15}")))
        for character in "\u{1}\u{7F}\u{202E}\u{9B}" { _ = model.take(.key(.character(character))) }
        #expect(model.filter.isEmpty)
    }

    @Test("Space stops asking and goes on; what one asks for oneself still comes")
    func pauses() {
        var model = TopSamples.model(shop)
        _ = model.take(.key(.character(" ")))
        #expect(model.isPaused && model.take(.tick(TopSamples.time(9))).isEmpty)
        #expect(TopSamples.text(model).contains("PAUSED"))
        #expect(!model.take(.key(.right)).isEmpty)
        TopSamples.answer(&model, [.sample(model.query)], shop, at: model.now)
        #expect(!model.take(.key(.character(" "))).isEmpty && !model.isPaused)
    }

    @Test("an answer that was under way when somebody held the numbers changes none")
    func holds() {
        var model = TopSamples.model(shop)
        guard case .sample(let query)? = model.take(.tick(TopSamples.time(1))).first else {
            return #expect(Bool(false))
        }
        _ = model.take(.key(.character(" ")))
        let held = TopSamples.text(model)
        var later = shop
        later[0].views[0].count += 100
        #expect(model.take(.sampled(TopSamples.sample(query, later, at: TopSamples.time(1)), nil)).isEmpty)
        #expect(TopSamples.text(model) == held)
        #expect(model.selectedRow.map { model.rates.paces(of: TopRowID($0)).isEmpty } == true)
        let effects = model.take(.key(.character(" ")))
        TopSamples.answer(&model, effects, later, at: TopSamples.time(2))
        #expect(TopSamples.text(model) != held, "it goes on")
    }

    @Test("keys that do something outside name the row, or say that there is none")
    func effects() {
        var model = TopSamples.model(shop)
        guard let id = model.selectedRow.map(TopRowID.init) else { return #expect(Bool(false)) }
        #expect(model.take(.key(.character("p"))) == [.pulse(id)])
        for isOn in [true, false] {
            #expect(model.take(.key(.character("f"))) == [.highlight(isOn: isOn, process: nil)])
        }
        #expect(model.take(.key(.character("x"))) == [.export])
        #expect(model.take(.key(.character("m"))) == [.mark(process: nil)])
        #expect(model.take(.key(.character("q"))) == [.quit])
        var empty = TopSamples.model([])
        #expect(empty.take(.key(.character("p"))).isEmpty && empty.message?.isFault == true)
        #expect(empty.take(.key(.enter)).isEmpty && empty.take(.key(.end)).isEmpty)
    }

    @Test("with --process only that one is asked about, on every tab")
    func selection() {
        var model = TopModel(size: TerminalSize(columns: 80, lines: 24), process: "shop")
        for tab in TopTab.allCases {
            _ = model.show(tab)
            #expect(model.query.process == "shop" && model.query.tab == tab)
        }
    }

    @Test("the help takes any key away, scrolls where it is cut, and q still ends")
    func help() {
        var model = TopSamples.model(shop, columns: 40, lines: 10)
        _ = model.take(.key(.character("?")))
        let first = TopSamples.text(model)
        _ = model.take(.key(.down))
        #expect(model.mode == .help && TopSamples.text(model) != first)
        for _ in 0..<100 { _ = model.take(.key(.pageDown)) }
        #expect(TopSamples.text(model).contains("guess"))
        #expect(model.take(.key(.character("r"))).isEmpty && model.mode == .rows)
        _ = model.take(.key(.character("?")))
        #expect(model.take(.key(.character("q"))) == [.quit])
    }

    @Test("a daemon that goes away is said with its reason, asked again at each tick, and welcomed back")
    func daemonAway() {
        var model = TopSamples.model(shop)
        guard case .sample(let query)? = model.take(.tick(TopSamples.time(1))).first else {
            return #expect(Bool(false))
        }
        #expect(model.take(.failed("no daemon answers at /x (gone).\nDo this", TopSamples.time(2))).isEmpty)
        for second in 3...9 {
            #expect(model.take(.tick(TopSamples.time(Double(second)))) == [.sample(query)])
            _ = model.take(.failed("no daemon answers at /x (gone).\nDo this", TopSamples.time(Double(second))))
        }
        let text = TopSamples.text(model)
        #expect(text.contains("NO DAEMON for 7s") && text.contains("no daemon answers at /x (gone)."))
        #expect(text.contains("CartTotal"), "what was known stays")
        _ = model.take(.sampled(TopSamples.sample(query, shop, at: TopSamples.time(10)), nil))
        #expect(model.connection == .connected && model.message?.text == "the daemon is back")
    }

    @Test("a daemon that is silent for long is said to be")
    func silence() {
        var model = TopSamples.model(shop)
        _ = model.take(.tick(TopSamples.time(1)))
        #expect(!TopSamples.text(model).contains("silent"))
        _ = model.take(.tick(TopSamples.time(5)))
        #expect(TopSamples.text(model).contains("the daemon is silent for 4s"))
    }

    @Test("a message goes away by itself")
    func messages() {
        var model = TopSamples.model(shop)
        _ = model.take(.said(TopMessage(text: "copied")))
        #expect(TopSamples.text(model).contains("copied"))
        _ = model.take(.tick(TopSamples.time(6)))
        #expect(!TopSamples.text(model).contains("copied"))
    }

    @Test("any key in any state, at any size, leaves a state that can be drawn", arguments: 0..<20)
    func anything(seed: UInt64) {
        var generator = SystemRandomNumberGenerator()
        let keys: [TopKey] =
            [
                .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .escape, .backspace, .tab, .backTab,
            ] + " -?/scCxrpjkgGzqeuy123456789漢".map { .character($0) }
        let many = [TopSamples.large(300), Sample.shop]
        var model = TopSamples.model(many)
        for _ in 0..<200 {
            let stores =
                Bool.random(using: &generator) ? many : Int.random(in: 0..<9, using: &generator) == 0 ? [] : shop
            var effects: [TopEffect]
            switch Int.random(in: 0..<5, using: &generator) {
            case 0:
                let size = TerminalSize(
                    columns: .random(in: 1...320, using: &generator), lines: .random(in: 1...90, using: &generator))
                effects = model.take(.resized(size))
            case 1:
                effects =
                    Bool.random(using: &generator)
                    ? model.take(.failed("no", model.now)) : model.take(.ended(model.now))
            default: effects = model.take(.key(keys.randomElement(using: &generator) ?? .up))
            }
            TopSamples.answer(&model, effects, stores, at: model.now)
            let frame = model.frame
            #expect(frame.lines.count <= model.size.lines)
            #expect(frame.lines.allSatisfy { DisplayWidth.of($0.text) <= model.size.columns })
        }
    }

    @Test(
        "a tick that asks is drawn with its answer or its failure; one that has to wait for an answer is drawn at once")
    func drawing() {
        let stores = [Sample.shop]
        var model = TopSamples.model(stores, columns: 80, lines: 24)
        let tick = TopEvent.tick(TopSamples.time(1))
        let asked = model.take(tick)
        #expect(!model.isDrawn(after: tick, asked))
        // The daemon is late.
        let late = TopEvent.tick(TopSamples.time(4))
        let nothing = model.take(late)
        #expect(nothing.isEmpty && model.isDrawn(after: late, nothing))
        #expect(TopSamples.text(model).contains("SILENT 3s"))
        let failed = TopEvent.failed("gone", TopSamples.time(5))
        let again = model.take(failed)
        #expect(model.isDrawn(after: failed, again))
        var first = TopModel(size: TerminalSize(columns: 80, lines: 24))
        let start = first.take(tick)
        #expect(first.isDrawn(after: tick, start))
    }
}
