// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

@Suite("The tabs of top")
struct TopTabTests {
    /// A store with a cycle, and views that two pieces of code write for.
    private static var stores: [ProcessStats] {
        func view(_ key: ViewKey, _ count: UInt64, _ writers: [WriterCount]) -> Stats {
            Sample.view(
                key, count: count, average: 1_000,
                reasons: [ReasonCount(reason: "shop.tick", count: count, attribution: .exact, writers: writers)])
        }
        let ticker = "advance() Shop/Ticker.swift:40"
        var store = Sample.store(views: [
            view(
                "Cart", 30, [.init(writer: ticker, count: 20), .init(writer: "reload() Shop/Feed.swift:7", count: 10)]),
            view("Badge", 5, [.init(writer: ticker, count: 5)]),
        ])
        store.hangs.add(nanoseconds: 400_000_000)
        store.loop = LoopSamples.loop
        store.cycles = [
            Cycle(
                steps: [.init(name: "Cart", writer: ticker), .init(name: "Badge", writer: nil)], rounds: 12,
                latestRounds: 12, latestNanoseconds: 1_000_000_000, latestAt: Sample.now)
        ]
        return [store, Sample.store("desk", pid: 7, connected: false, views: [Sample.view("Lamp", count: 3)])]
    }

    private static func hang(_ id: UInt64, _ milliseconds: UInt64, view: ViewKey? = nil) -> Hang {
        var hang = Hang(id: id, pid: 4711, process: "shop", startedAt: TopSamples.time(-Double(id)), turn: id)
        (hang.view, hang.durationNanoseconds, hang.open) = (view, milliseconds * 1_000_000, false)
        if view != nil { hang.attribution = .inBody }
        return hang
    }

    private static let hangs = [hang(1, 400, view: "Cart"), hang(2, 900), hang(3, 300, view: "Badge")]

    private func model(_ tab: TopTab, columns: Int = 120, lines: Int = 24) -> TopModel {
        var model = TopSamples.model(Self.stores, columns: columns, lines: lines)
        TopSamples.answer(&model, model.show(tab), Self.stores, at: TopSamples.time(0), hangs: Self.hangs)
        return model
    }

    private func keys(_ model: TopModel) -> [String] { model.list.items.map { $0.cells[0].text } }

    @Test("numbers and Tab go to a tab; each has its rows, and the line of tabs says how many")
    func goes() {
        var model = TopSamples.model(Self.stores, columns: 120, lines: 24)
        for (key, tab) in zip("123456", TopTab.allCases) {
            _ = TopSamples.press(&model, Self.stores, .character(key))
            #expect(model.tab == tab)
        }
        _ = TopSamples.press(&model, Self.stores, .tab)
        #expect(model.tab == .views)
        _ = TopSamples.press(&model, Self.stores, .backTab)
        #expect(model.tab == .sources)
        let tabs = model.frame.lines[1].text
        #expect(
            tabs
                == " 1 Views 3   2 Hangs 1   3 Processes 2   4 Writers   5 Idle and cycles 1   6 Sources and handlers 3  "
        )
        let narrow = TopSamples.model(Self.stores, columns: 40, lines: 20).frame.lines[1].text
        #expect(narrow.contains("5Idle 6Src") && !narrow.contains("…"))
    }

    @Test("without room for the line of tabs, the title names the tab")
    func small() {
        #expect(TopSamples.text(model(.writers, columns: 40, lines: 10)).hasPrefix("Writers  connected"))
    }

    @Test("hangs have a row each, the newest first, and sort by length")
    func listsHangs() {
        var model = model(.hangs)
        #expect(model.query.hangs == TopQuery.mostHangs && model.query.limit == 1)
        #expect(model.list.items.map { $0.cells[2].text } == ["Cart", "no view", "Badge"])
        _ = model.take(.key(.right))
        #expect(model.list.items.map { $0.cells[1].text } == ["900ms", "400ms", "300ms"])
        _ = model.take(.key(.character("s")))
        #expect(model.list.items.map { $0.cells[1].text } == ["300ms", "400ms", "900ms"])
        #expect(TopSamples.text(model).contains("LENGTH▲"))
        #expect(TopSamples.text(self.model(.hangs)).contains("in body"))
        var sample = TopSamples.sample(model.query, Self.stores, at: Sample.now)
        sample.hangs = [Hang](repeating: Self.hang(1, 300), count: TopQuery.mostHangs)
        let note = HangRows.list(sample, now: Sample.now).note
        #expect(note == "the newest 100 hangs; all of them: rerenderctl hangs --limit 1000")
    }

    @Test("processes have a row for each store, with its hangs, what it lost, and whether it ended")
    func listsProcesses() {
        let model = model(.processes)
        #expect(keys(model) == ["shop[4711]/main", "desk[7]/main"])
        let text = TopSamples.text(model)
        for part in ["connected", "ended", "400ms", "EVALS▼"] { #expect(text.contains(part), "\(part)") }
    }

    @Test("writers are added up over views, with the evaluations that followed, and guesses beside them")
    func listsWriters() {
        let model = model(.writers)
        #expect(keys(model) == ["advance() Shop/Ticker.swift:40", "reload() Shop/Feed.swift:7"])
        #expect(model.list.items.map { $0.cells[1].text } == ["25", "10"])
        #expect(model.selectedPlace == SourcePlace(file: "Shop/Ticker.swift", line: 40))
        let passed = Sample.view("Row", count: 9, reasons: [Sample.reason("tick", 9, .diff)])
        let writers = WriterRows.writers(
            StatsOrder.count.ranked([Sample.store(views: [Sample.tickReader, passed])]))
        #expect(writers.map(\.count) == [50] && writers.map(\.guessed) == [9])
    }

    @Test("sources and handlers have a row each, those that take most of a core first")
    func listsSources() {
        var stores = Self.stores
        stores[0].loop = LoopSamples.loop
        var model = TopSamples.model(stores, columns: 120, lines: 24)
        TopSamples.answer(&model, model.show(.sources), stores, at: TopSamples.time(0))
        let text = TopSamples.text(model)
        for part in [
            "GtkButton#go: clicked → on_clicked() cases.c:41", "tick() clock.c:31", "CORE▼", "6 Sources and handlers 3",
        ] {
            #expect(text.contains(part), "\(part): \(text)")
        }
        #expect(keys(model).count == 3 && model.list.items.map { $0.mark == nil } == [false, true, true])
        _ = TopSamples.press(&model, stores, .enter)
        #expect(TopSamples.text(model).contains("10 calls in 10 turns"))
        var (sampled, wakes) = (LoopRow(.sampled, name: "poll()"), LoopRow(.wakeup, name: "feed()", thread: "pump"))
        (sampled.numbers.count, sampled.numbers.turns, sampled.numbers.polls) = (19, 20, 40)
        wakes.numbers.count = 7
        for (row, calls, time) in [
            (sampled, "not known, in 19 of 20 samples", "0 of processor time"), (wakes, "7 calls", "not measured"),
        ] {
            stores[0].loop?.rows = [row]
            var model = TopSamples.model(stores, columns: 120, lines: 24)
            TopSamples.answer(&model, model.show(.sources), stores, at: TopSamples.time(0))
            _ = TopSamples.press(&model, stores, .enter)
            let text = TopSamples.text(model)
            #expect(text.contains(calls) && text.contains(time) && !text.contains("0 turns"), "\(text)")
        }
    }

    @Test("cycles and what goes on without input are one list")
    func listsCycles() {
        var stores = Self.stores
        var work = IdleWork(.evaluations, latestAt: Sample.now)
        (work.view, work.reason, work.writer) = ("Clock", "tick", "update() Shop/Clock.swift:3")
        (work.all.own, work.all.count) = (60, 60)
        stores[0].idleWork = [work]
        var model = TopSamples.model(stores, columns: 120, lines: 24)
        TopSamples.answer(&model, model.show(.cycles), stores, at: TopSamples.time(0))
        #expect(keys(model) == ["cycle", "no input"])
        let text = TopSamples.text(model)
        #expect(text.contains("Cart → Badge → Cart") && text.contains("Clock: tick by update() Shop/Clock.swift:3"))
        _ = model.take(.key(.down))
        #expect(model.selectedPlace == SourcePlace(file: "Shop/Clock.swift", line: 3))
        _ = TopSamples.press(&model, stores, .enter)
        #expect(TopSamples.text(model).contains("which is normal for a clock or an animation"))
        (work.latest.own, work.latest.wasted) = (60, 59)
        stores[0].idleWork = [work]
        var wasteful = TopSamples.model(stores, columns: 120, lines: 24)
        TopSamples.answer(&wasteful, wasteful.show(.cycles), stores, at: TopSamples.time(0))
        _ = wasteful.take(.key(.down))
        _ = TopSamples.press(&wasteful, stores, .enter)
        #expect(TopSamples.text(wasteful).contains("and 59 of 60 evaluations were not needed."))
        stores[0].connected = false
        var ended = TopSamples.model(stores, columns: 120, lines: 24)
        TopSamples.answer(&ended, ended.show(.cycles), stores, at: TopSamples.time(0))
        _ = ended.take(.key(.down))
        _ = TopSamples.press(&ended, stores, .enter)
        #expect(TopSamples.text(ended).contains("It went on without input, and 59 of 60 evaluations were not needed."))
    }

    @Test("Enter opens the row of any tab, Esc closes it, / leaves the rows that contain a text")
    func opens() {
        for tab in TopTab.allCases.dropFirst() {
            var model = model(tab)
            let closed = TopSamples.text(model)
            _ = TopSamples.press(&model, Self.stores, .enter)
            #expect(model.isOpen && TopSamples.text(model) != closed, "\(tab)")
            _ = TopSamples.press(&model, Self.stores, .escape)
            #expect(!model.isOpen)
        }
        var writers = model(.writers)
        _ = TopSamples.press(&writers, Self.stores, .character("/"), .character("F"), .character("e"), .enter)
        #expect(keys(writers) == ["reload() Shop/Feed.swift:7"] && writers.filters[.views] == nil)
        _ = TopSamples.press(&writers, Self.stores, .escape)
        #expect(writers.list.items.count == 2)
    }

    @Test("the selection follows the row that was chosen when the order changes below it")
    func follows() {
        var model = model(.hangs)
        _ = model.take(.key(.down))
        #expect(model.selectedItem?.cells[1].text == "900ms")
        let next = [Self.hang(0, 100)] + Self.hangs
        TopSamples.answer(&model, model.ask(), Self.stores, at: TopSamples.time(1), hangs: next)
        #expect(model.listState.selected == 2 && model.selectedItem?.cells[1].text == "900ms")
    }

    @Test(
        "on a tall screen what is open has a pane below the rows, which follows the selection; else it is below its row"
    )
    func pane() {
        let stores = [TopSamples.large(50)]
        var model = TopSamples.model(stores, columns: 100, lines: 40, order: .count)
        _ = TopSamples.press(&model, stores, .enter)
        func line(_ part: String) -> Int? { model.frame.lines.firstIndex { $0.text.contains(part) } }
        let title = line("── view 0 ─")
        #expect(
            title.map { $0 > (line("  view 9 ") ?? 99) } == true && line("body: last").map { $0 > title ?? 99 } == true)
        _ = TopSamples.press(&model, stores, .down)
        #expect(line("── view 1 ─") == title && model.expandedRow?.view.key == "view 1")
        var low = TopSamples.model(stores, columns: 100, lines: 30, order: .count)
        _ = TopSamples.press(&low, stores, .enter)
        #expect(!TopSamples.text(low).contains("──") && low.frame.lines[4].text.hasPrefix("    "))
        let frame = model.frame
        #expect(frame.lines.count == 40 && frame.lines.last?.text.contains("q quit") == true)
    }

    @Test("the last hangs have lines of their own on a tall screen, but on their tab")
    func strip() {
        var model = TopSamples.model(Self.stores, columns: 120, lines: 40)
        TopSamples.answer(&model, model.ask(), Self.stores, at: TopSamples.time(1), hangs: Self.hangs)
        let lines = model.frame.lines.map(\.text)
        let first = lines.firstIndex { $0.hasPrefix("last hangs  ") }
        #expect(first.map { lines[$0].contains("400ms") && lines[$0 + 1].contains("900ms") } == true)
        _ = model.take(.resized(TerminalSize(columns: 120, lines: 30)))
        #expect(!TopSamples.text(model).contains("last hangs"))
    }

    @Test("trends of all rows are on one scale, and the wasted part of a marked row is marked")
    func trends() {
        var stores = [
            Sample.store(views: [Sample.view("Fast", count: 0, average: 10_000), Sample.view("Slow", count: 0)])
        ]
        stores[0].countedSince = TopSamples.time(-5)
        var model = TopSamples.model(stores, columns: 140, order: .key)
        for second in 1...4 {
            stores[0].views[0].count += 1_000
            stores[0].views[0].wasted.count += 1_000
            stores[0].views[0].wasted.measured += 1_000
            stores[0].views[0].wasted.nanoseconds += 50_000_000
            stores[0].views[1].count += 10
            TopSamples.answer(&model, model.ask(), stores, at: TopSamples.time(Double(second)))
        }
        _ = model.take(.key(.down))
        let frame = model.frame
        let fast = frame.lines.dropFirst().first { $0.text.contains("Fast") }
        #expect(fast?.spans.contains { $0.text == "████" && $0.style == .notice } == true, "\(fast?.text ?? "")")
        #expect(frame.lines.first { $0.text.contains("Slow") }?.text.contains("▁▁▁▁") == true)
    }

    @Test("a command that ended is said to have, its numbers stay, and the next one is welcomed")
    func ended() {
        var model = TopSamples.model(Self.stores)
        _ = model.take(.ended(TopSamples.time(1)))
        let text = TopSamples.text(model)
        #expect(
            text.contains("shop and 1 other ended") && text.contains("Cart") && text.contains("rerenderctl stats last"))
        _ = model.take(.failed("no daemon", TopSamples.time(2)))
        #expect(!TopSamples.text(model).contains("NO DAEMON"))
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(3))), Self.stores, at: TopSamples.time(3))
        #expect(model.connection == .connected && model.message?.text == "a new command runs")
    }

    @Test("what was saved is asked for once, says that it is not live, and has no rates")
    func saved() {
        var model = TopModel(size: TerminalSize(columns: 140, lines: 30))
        model.saved = "last: shop, 12:00:00"
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(0))), Self.stores, at: TopSamples.time(0))
        #expect(model.take(.tick(TopSamples.time(5))).isEmpty)
        let text = TopSamples.text(model)
        #expect(!text.contains("nothing dropped"), "a file without an account of it")
        #expect(text.contains("not live: last: shop, 12:00:00") && !text.contains("RATE") && !text.contains("TREND"))
        for _ in StatsOrder.allCases {
            TopSamples.answer(&model, model.take(.key(.right)), Self.stores, at: TopSamples.time(5))
            #expect(model.order != .rate)
        }
        for key in "pfr " {
            #expect(model.take(.key(.character(key))).isEmpty && model.mode == .rows && !model.isPaused)
            #expect(model.message?.text == "this was saved: nothing of it runs")
        }
        #expect(model.take(.key(.character("x"))) == [.export])
    }

    @Test("what is missing from what was saved is in the title, and in words below it")
    func gaps() {
        var model = TopModel(size: TerminalSize(columns: 140, lines: 30))
        (model.saved, model.gaps) = ("trace: shop, 12:00:00", ["the tracer discarded 7 events"])
        TopSamples.answer(&model, model.take(.tick(TopSamples.time(0))), Self.stores, at: TopSamples.time(0))
        let text = TopSamples.text(model)
        #expect(text.contains("data is missing") && text.contains("\n! the tracer discarded 7 events"))
    }

    @Test("e opens the place where the file is certain, and else says what is missing")
    func edits() throws {
        var model = TopSamples.model(Self.stores)
        #expect(model.take(.key(.character("e"))).isEmpty && model.message?.text.contains("still looked for") == true)
        let directory = try SourceSamples.directory(["Sources/Shop/Cart.swift"])
        _ = model.take(.found(SourceFiles(below: directory.path)))
        let path = directory.path + "/Sources/Shop/Cart.swift"
        #expect(model.take(.key(.character("e"))) == [.edit(path: path, line: 12)])
        TopSamples.answer(&model, model.show(.writers), Self.stores, at: model.now)
        #expect(model.take(.key(.character("e"))).isEmpty)
        #expect(model.message?.text.contains("is certainly Shop/Ticker.swift") == true)
    }
}
