// SPDX-License-Identifier: MIT
import FoundationEssentials
import RerenderModel
import Testing

@Suite("The verdict") struct VerdictTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)

    private static func after(_ seconds: Double) -> Timestamp {
        Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + Int64(seconds * 1e9))
    }

    private static func view(_ key: ViewKey, count: UInt64 = 100, body: UInt64 = 0) -> Stats {
        var view = Stats(key: key, file: "App/\(key.rawValue).swift", line: 34)
        view.count = count
        view.body.totalNanoseconds = body
        return view
    }

    private static func wasteful(_ key: ViewKey, _ nanoseconds: UInt64, in wasted: UInt64 = 50) -> Stats {
        var view = view(key)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (wasted, wasted, nanoseconds)
        return view
    }

    private static func hanging(_ key: ViewKey, _ milliseconds: UInt64...) -> Stats {
        var view = view(key)
        for length in milliseconds { view.hangs.add(nanoseconds: length * 1_000_000) }
        return view
    }

    private static func unjudged(_ key: ViewKey, _ nanoseconds: UInt64, of count: UInt64 = 918) -> Stats {
        var view = view(key, count: count, body: nanoseconds)
        view.wasted.unjudged = count
        return view
    }

    /// A store that has counted for so many seconds.
    private static func store(
        _ views: [Stats], pid: Int32 = 7, name: String = "shop", store: String = "main", kind: StoreKind? = .views,
        seconds: Double = 10
    ) -> ProcessStats {
        var process = ProcessStats(pid: pid, name: name, store: store, storeNumber: 0, startedAt: start)
        (process.mainLoop, process.connected, process.views) = (.glib, true, views)
        process.kind = kind
        process.evaluations = views.reduce(0) { $0 + $1.count }
        process.lastRenderedAt = after(seconds)
        return process
    }

    private func texts(_ stores: [ProcessStats], _ subject: VerdictBuilder.Subject = .live) -> [String] {
        VerdictBuilder.verdict(of: stores, subject)?.findings.map(\.text) ?? []
    }

    private static let cycle = Cycle(
        steps: [.init(name: "Row", writer: nil), .init(name: "Sidebar", writer: nil)], rounds: 240, latestRounds: 61,
        latestNanoseconds: 1_000_000_000, latestAt: start)

    @Test(
        "is one sentence with view, place and number for each finding",
        arguments: [
            (hanging("FeedView", 400, 410), "FeedView blocked the main loop 2×, longest 410ms: App/FeedView.swift:34"),
            (hanging("FeedView", 410), "FeedView blocked the main loop once, for 410ms: App/FeedView.swift:34"),
            (
                wasteful("Row", 500_000_000),
                "Row wasted 500ms in 50 of 100 evaluations, 5.0% of a core: App/Row.swift:34"
            ),
            (
                unjudged("RowView", 500_000_000),
                "RowView: without comparing its output, it is unknown whether 918 of 918 evaluations were needed: App/RowView.swift:34"
            ),
            (view("Row"), "Nothing to fix"), (wasteful("Row", 999_999), "Nothing to fix"),
            (
                wasteful("Row", 5_780_000),
                "Nothing to fix. 50% of 100 evaluations were needless, 0.1% of a core in all: the largest part by Row (App/Row.swift:34)"
            ),
        ])
    func sentences(view: Stats, text: String) {
        let found = texts([Self.store([view])])
        #expect(found == [text])
    }

    @Test("ranks hangs before processor time, that before waste, and waste before what cannot be judged")
    func ranks() throws {
        var store = Self.store([
            Self.unjudged("Unknown", 9_000_000_000), Self.wasteful("Waster", 100_000_000), Self.hanging("Hanger", 250),
        ])
        store.cycles = [Self.cycle]
        let verdict = try #require(VerdictBuilder.verdict(of: [store]))
        #expect(verdict.findings.map(\.kind) == [.hangs, .cycle, .waste] && verdict.more == 1)
        #expect(verdict.findings[1].text == "Row is in a cycle: Row → Sidebar → Row, 240 rounds, 60/s")
        store.views = [Self.unjudged("Unknown", 9_000_000_000)]
        #expect(VerdictBuilder.verdict(of: [store])?.findings.map(\.kind) == [.cycle, .notJudged])
    }

    @Test("ranks hangs by the sum of their time, and waste by its time in each second")
    func costs() {
        let hangs = Self.store([
            Self.hanging("Long", 900), Self.hanging("Often", 400, 300, 300), Self.hanging("A", 260),
        ])
        #expect(VerdictBuilder.verdict(of: [hangs])?.findings.map(\.view) == ["Often", "Long", "A"])
        let short = Self.store([Self.wasteful("Short", 400_000_000)], pid: 1, seconds: 2)
        let long = Self.store([Self.wasteful("Long", 900_000_000)], pid: 2, seconds: 60)
        #expect(VerdictBuilder.verdict(of: [long, short])?.findings.map(\.view) == ["Short", "Long"])
    }

    @Test("names three, whatever there is and in whichever order it comes, and counts the others")
    func three() throws {
        let views = (1...40).map { Self.hanging(ViewKey(rawValue: "V\($0)"), UInt64(300 + $0)) }
        for views in [views, views.reversed(), Array(views[20...] + views[..<20])] {
            let verdict = try #require(VerdictBuilder.verdict(of: [Self.store(views)]))
            #expect(verdict.findings.map(\.view) == ["V40", "V39", "V38"] && verdict.more == 37)
        }
    }

    @Test(
        "waste is a fault from 1 % of a core on, and what cannot be judged is told from 1 ms each time or 1 % of a core on",
        arguments: [
            (UInt64(999_999), UInt64(1), 1.0, false, false), (1_000_000, 1, 100, false, true),
            (1_999_999, 2, 100, false, false), (2_000_000, 2, 100, false, true),
            (99_000_000, 1_000, 10, false, false), (100_000_000, 1_000, 10, true, true),
            // Over less than a second, a share of a core says nothing.
            (500_000_000, 1_000, 0.9, false, false), (500_000_000, 1_000, 1, true, true),
        ])
    func floor(nanoseconds: UInt64, wasted: UInt64, seconds: Double, isFault: Bool, isFound: Bool) {
        var view = Self.view("Row", count: 2_000)
        (view.wasted.count, view.wasted.measured, view.wasted.nanoseconds) = (wasted, wasted, nanoseconds)
        let store = Self.store([view], seconds: seconds)
        #expect(VerdictBuilder.verdict(of: [store])?.has(.waste) == isFault)
        #expect(VerdictFloor.isWasteful(view.wasted.nanoseconds, of: store.countedNanoseconds) == isFault)
        var unknown = Self.view("Row", count: wasted, body: nanoseconds)
        unknown.wasted.unjudged = wasted
        #expect(VerdictBuilder.verdict(of: [Self.store([unknown], seconds: seconds)])?.has(.notJudged) == isFound)
    }

    @Test("a cycle that settled within 1 ms is no finding, and one without room for its steps is none")
    func cycles() {
        var store = Self.store([Self.view("Row")])
        var settled = Self.cycle
        settled.latestNanoseconds = 999_999
        var nameless = Self.cycle
        nameless.steps = []
        store.cycles = [settled, nameless]
        #expect(texts([store]) == ["Nothing to fix"])
    }

    @Test("time since the last evaluation, and before a reset, is no part of what a share is of")
    func counted() {
        var store = Self.store([Self.wasteful("Row", 30_000_000, in: 1_000)], seconds: 100)
        #expect(VerdictBuilder.verdict(of: [store])?.has(.waste) == false)
        store.countedSince = Self.after(98)
        #expect(VerdictBuilder.verdict(of: [store])?.first?.nanosecondsPerSecond == 15_000_000)
        store.lastRenderedAt = nil
        #expect(VerdictBuilder.verdict(of: [store])?.has(.waste) == false, "an older export does not tell")
    }

    @Test("hangs of no view are in it, once for a process with several stores")
    func ofNoView() throws {
        var hangs = HangTotals()
        for milliseconds: UInt64 in [404, 400, 401] { hangs.add(nanoseconds: milliseconds * 1_000_000) }
        var (main, side) = (Self.store([Self.hanging("Row", 300)]), Self.store([], store: "widgets"))
        (main.hangsOfNoView, side.hangsOfNoView) = (hangs, hangs)
        let verdict = try #require(VerdictBuilder.verdict(of: [main, side]))
        #expect(
            verdict.findings.map(\.text) == [
                "Outside of any view, the main loop was blocked 3×, longest 404ms",
                "Row blocked the main loop once, for 300ms: App/Row.swift:34",
            ])
        let first = try #require(verdict.first)
        #expect(first.nanoseconds == 1_205_000_000 && first.view == nil && first.store == nil && first.pid == 7)
        #expect(first.command == "rerenderctl hangs")
    }

    @Test("a hang in which the thread had no processor is no fault; beside others of its view, it is named so")
    func starved() throws {
        func hanging(_ key: ViewKey, _ hangs: (length: UInt64, starved: UInt64)...) -> Stats {
            var view = Self.view(key)
            for hang in hangs {
                view.hangs.add(
                    nanoseconds: hang.length * 1_000_000, starvedNanoseconds: hang.starved * 1_000_000,
                    isStarved: hang.starved * 2 >= hang.length)
            }
            return view
        }
        let store = Self.store([
            hanging("Feed", (404, 300)), hanging("Row", (900, 800), (300, 0), (310, 250)),
            hanging("Page", (500, 400), (400, 400)),
        ])
        let verdict = try #require(VerdictBuilder.verdict(of: [store]))
        #expect(
            verdict.findings.map(\.text) == [
                "Row blocked the main loop 3×, longest 900ms (2 times it got no processor): App/Row.swift:34"
            ])
        #expect(verdict.findings.map(\.starved) == [2] && verdict.first?.nanoseconds == 1_510_000_000)
    }

    @Test("a hang that is excused and had no processor hides no other one, and its time is no part of the other's")
    func excusedAndStarved() {
        var view = Self.view("Row")
        view.hangs.add(
            nanoseconds: 900_000_000, starvedNanoseconds: 800_000_000, isStarved: true, own: 900_000_000,
            isExcused: true)
        #expect(texts([Self.store([view])]) == ["Nothing to fix"])
        view.hangs.add(nanoseconds: 400_000_000, own: 100_000_000)
        #expect(view.hangs.count == 2 && view.hangs.blamable == 1 && view.hangs.starved == 0)
        #expect(view.hangs.nanosecondsOfApp == 400_000_000 && view.hangs.feltNanoseconds == 100_000_000)
        #expect(texts([Self.store([view])]) == ["Row took 100ms of a hang of 400ms: App/Row.swift:34"])
    }

    @Test("what to do next names the key for a shell, and the process where there are several")
    func commands() throws {
        let one = Self.store([Self.wasteful("Cart Total", 900_000_000)])
        #expect(VerdictBuilder.verdict(of: [one])?.first?.command == "rerenderctl explain 'Cart Total'")
        let both = try #require(
            VerdictBuilder.verdict(of: [one, Self.store([Self.hanging("A", 300)], pid: 9, name: "desk")]))
        #expect(
            both.findings.map(\.command) == [
                "rerenderctl hangs --process 9", "rerenderctl explain 'Cart Total' --process 7",
            ])
        #expect(both.findings[0].text == "A blocked the main loop once, for 300ms in desk[9]: App/A.swift:34")
        for subject in [VerdictBuilder.Subject.ended, .recording] {
            #expect(VerdictBuilder.verdict(of: [one], subject)?.first?.command == nil, "nobody would answer")
        }
        let odd = Self.store([Self.wasteful("Cart\u{7}", 900_000_000)])
        let finding = try #require(VerdictBuilder.verdict(of: [odd])?.first)
        #expect(finding.command == nil && !finding.text.contains("\u{7}"))
    }

    @Test("does not say that there is nothing where not all was seen")
    func gaps() {
        var store = Self.store([Self.view("Row")])
        store.mainLoop = .none
        let unwatched = "Nothing to fix is known: without a main loop that is watched, no hang is noticed"
        #expect(texts([store]) == [unwatched] && texts([store], .recording) == [unwatched])
        var silent = store
        silent.kind = nil
        #expect(texts([silent], .recording) == ["Nothing to fix"], "a recording in which the store told nothing")
        #expect(texts([store, Self.store([Self.view("Row")], pid: 9)]) == ["Nothing to fix"])
        store.lost = 2
        #expect(texts([store]) == ["Nothing to fix is known: 2 evaluations are missing"])
        #expect(VerdictBuilder.verdict(of: [store])?.first?.kind == .nothingKnown)
        #expect(texts([Self.store([])]) == ["Nothing to fix is known: nothing was evaluated"])
        var widgets = Self.store([])
        widgets.kind = .widgets
        #expect(texts([widgets]) == ["Nothing to fix is known: nothing was drawn"])
        (widgets.evaluations, widgets.lost) = (17, 17)
        #expect(texts([widgets]) == ["Nothing to fix is known: 17 drawings are missing"])
        #expect(VerdictBuilder.verdict(of: []) == nil)
        var totals = LoopTotals()
        (totals.counted, totals.processor) = (3_000_000_000, 810_000_000)
        var busy = Self.store([Self.view("Row")])
        busy.loop = LoopStats(totals, facts: [])
        #expect(texts([busy]) == ["Nothing to fix is known: 3.00s are too short to say what takes 27% of a core"])
        #expect(texts([busy], .ended) == ["Nothing to fix"])
        totals.counted = 10_000_000_000
        busy.loop = LoopStats(totals, facts: [])
        #expect(texts([busy]) == ["Nothing to fix"])
    }

    @Test("says that a span was too short for what goes on without input, and which one would do")
    func shortSpans() {
        let short = "8.00s are too short to judge what goes on without input: look --for 10s would do"
        var (store, totals) = (Self.store([Self.view("Row")]), LoopTotals())
        func texts(of seconds: UInt64 = 8, _ subject: VerdictBuilder.Subject = .live) -> [String] {
            store.loop = LoopStats(totals)
            let verdict = VerdictBuilder.verdict(of: [store], subject, length: seconds * 1_000_000_000)
            return verdict?.findings.map(\.text) ?? []
        }
        (totals.counted, totals.processor, totals.isInputKnown) = (8_000_000_000, 810_000_000, 1)
        #expect(texts() == ["Nothing to fix is known: \(short)"] && texts(of: 10) == ["Nothing to fix"])
        #expect(texts(of: 8, .ended) == texts(), "a command that was measured for that long")
        store.lost = 2
        #expect(texts() == ["Nothing to fix is known: 2 evaluations are missing; \(short)"])
        store.lost = 0
        (totals.busy.nanoseconds, totals.busy.processor) = (4_000_000_000, 3_000_000_000)
        #expect(texts() == ["Nothing to fix is known: \(short)"])
        store.views = [Self.unjudged("Row", 500_000_000)]
        #expect(texts().count == 1 && texts()[0].hasSuffix("; \(short)"), "\(texts())")
        store.views = [Self.hanging("A", 300)]
        #expect(texts() == ["A blocked the main loop once, for 300ms: App/A.swift:34"], "a fault says enough")
        (store.views, totals.busy.nanoseconds) = ([Self.view("Row")], 5_000_000_000)
        #expect(texts().count == 1 && texts()[0].hasPrefix("60.0% of a core without input"), "\(texts())")
        totals.busy.processor = 1_000_000
        #expect(texts() == ["Nothing to fix"], "five seconds were seen")
    }

    @Test("of what began in a span it says that the time was too short, however long the span is")
    func youngerThanSpan() {
        var store = Self.store([Self.view("Row")])
        var totals = LoopTotals()
        (totals.counted, totals.processor, totals.isInputKnown) = (3_000_000_000, 810_000_000, 1)
        store.loop = LoopStats(totals)
        func texts(startedBefore seconds: Int64) -> [String] {
            let now = Timestamp(
                nanosecondsSince1970: store.startedAt.nanosecondsSince1970 + seconds * 1_000_000_000)
            let verdict = VerdictBuilder.verdict(of: [store], .live, now: now, length: 60_000_000_000)
            return verdict?.findings.map(\.text) ?? []
        }
        let brief = "Nothing to fix is known: 3.00s are too short to say what takes 27% of a core"
        #expect(texts(startedBefore: 3) == [brief] && texts(startedBefore: 61) == ["Nothing to fix"])
    }

    @Test("a guess has a sign, and of widgets nobody can tell more, whatever a store is called")
    func guesses() {
        var view = Self.wasteful("Row", 500_000_000)
        (view.wasted.measured, view.wasted.inferred) = (20, 30)
        #expect(texts([Self.store([view])])[0].hasPrefix("Row wasted ~500ms in 50"))
        let unknown = Self.unjudged("Row", 500_000_000)
        for kind in [StoreKind.widgets, nil] {
            #expect(texts([Self.store([unknown], kind: kind)]) == ["Nothing to fix"])
        }
        #expect(
            texts([Self.store([unknown], kind: .injectedViews)])[0].contains(
                "Row: without the library, which compares its output,"))
        for name in ["widgets", "injected"] {
            #expect(
                texts([Self.store([unknown], store: name)])[0].contains("Row: without comparing its output,"), "its own"
            )
        }
    }

    @Test("it tells how many findings there are of each kind, also of those that it does not name")
    func counts() throws {
        let hung = (1...5).map { Self.hanging(ViewKey(rawValue: "H\($0)"), 300) }
        let views = hung + [Self.wasteful("Row", 1_250_000_000)]
        let verdict = try #require(VerdictBuilder.verdict(of: [Self.store(views)]))
        #expect(verdict.counts == [.hangs: 5, .waste: 1] && verdict.more == 3)
        #expect(verdict.count(of: .waste) == 1 && !verdict.has(.waste) && verdict.count(of: .cycle) == 0)
        let again = try JSONDecoder().decode(Verdict.self, from: JSONEncoder().encode(verdict))
        #expect(again == verdict)
        var old = verdict
        old.counts = nil
        #expect(old.count(of: .hangs) == 3, "as far as it is known")
    }

    @Test("what was shared out by the clock has a sign: a view's part of what bodies took")
    func shared() throws {
        var store = Self.store([Self.wasteful("Row", 1_250_000_000)])
        store.loop = LoopStats(LoopTotals())
        store.loop?.totals.bodies.add(wall: 100, processor: 80)
        let finding = try #require(VerdictBuilder.verdict(of: [store])?.first)
        #expect(finding.text.contains(", ~10.0% of a core") && finding.isShared == true, "\(finding.text)")
        store.loop = nil
        let unknown = try #require(VerdictBuilder.verdict(of: [store])?.first)
        #expect(unknown.text.contains(", 12.5% of a core") && unknown.isShared == nil)
    }

    @Test("hangs are read from JSON as they were written")
    func hangsAsJSON() throws {
        var hangs = HangTotals()
        for length: UInt64 in [4, 9, 5] { hangs.add(nanoseconds: length) }
        let again = try JSONDecoder().decode(HangTotals.self, from: JSONEncoder().encode(hangs))
        #expect(again == hangs && hangs.totalNanoseconds == 18)
    }

    @Test("has few words where there is little room")
    func short() {
        let store = Self.store([
            Self.hanging("Feed", 400, 410), Self.wasteful("Row", 500_000_000), Self.unjudged("A", 500_000_000),
        ])
        let words = VerdictBuilder.verdict(of: [store])?.findings.map(\.short)
        #expect(words == ["Feed: 2 hangs, 810ms", "Row: 500ms wasted", "A: waste unknown"])
    }
}
