// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

@Suite("The explanation of a view")
struct ExplanationTests {
    private func text(_ view: Stats, in store: ProcessStats = Sample.store(), width: Int = 80) -> String {
        Explanation(view: view, store: store).lines(width: width, colours: false).joined(separator: "\n")
    }

    @Test("a value that was passed down is guessed, below its reason, and what to move is said")
    func hint() {
        let store = Sample.store()
        let passed = RankedView(
            store: store, view: Sample.view("Row", count: 99, reasons: [Sample.reason("tick", 99, .diff)]))
        let hint = CauseHints([RankedView(store: store, view: Sample.tickReader), passed]).hint(passed)
        let explanation = Explanation(view: passed.view, store: store, hint: hint)
        let why = explanation.sections[1].paragraphs.map(\.text)
        #expect(why.count == 2 && why[1].hasPrefix("probably shop.ticker.tick, set by Ticker.advance()"))
        let advice = explanation.sections.last?.paragraphs.last?.text
        #expect(
            advice == "If it is shop.ticker.tick: read it in the view that shows it, not in Shop, which passes it on.")
    }

    /// A view that a ticker and its parent cause, nearly always for nothing.
    private var cart: Stats {
        var view = Sample.view("CartTotal", count: 1_312, average: 133_000)
        view.commits = 300
        view.reasons = [
            ReasonCount(
                reason: "ticker.tick", count: 1_200, attribution: .exact,
                writers: [
                    .init(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 1_190),
                    .init(writer: Reason.other, count: 10),
                ]),
            ReasonCount(
                reason: "parent: Dashboard", count: 100, attribution: .exact,
                chains: [
                    .init(chain: "Dashboard ← ticker.tick", count: 99),
                    .init(chain: "Dashboard ← Root ← route", count: 1),
                ]),
            ReasonCount(reason: "price, ticker.tick", count: 9, attribution: .exact),
            ReasonCount(reason: "price", count: 2, attribution: .diff),
            ReasonCount(reason: Reason.initial, count: 1, attribution: .exact),
        ]
        view.wasted.count = 1_300
        view.wasted.measured = 1_200
        view.wasted.inferred = 100
        view.wasted.nanoseconds = 172_900_000
        view.wasted.kinds = [.sameOutput: 1_200, .parentOnly: 100]
        view.wasted.kindNanoseconds = [.sameOutput: 160_000_000, .parentOnly: 12_900_000]
        view.hangs.count = 1
        view.hangs.worstNanoseconds = 1_500_000_000
        return view
    }

    @Test("says what happens, why, at what cost, what would remain, and what helps")
    func whole() {
        #expect(
            text(cart) == """
                CartTotal
                in shop[4711]/main, Shop/Cart.swift:12

                What happens
                  Its body was evaluated 1,312 times; 1 live instance.
                  The framework committed 300 updates of it: 4.37 evaluations per commit.

                Why
                  1,200 (91%) ticker.tick
                         written by Ticker.advance() Shop/Ticker.swift:40 (1,190)
                         written by others (10)
                    100 (7%) parent: Dashboard
                         began with Dashboard ← ticker.tick (99)
                         began with Dashboard ← Root ← route (1)
                      9 (<1%) price, ticker.tick
                      2 (<1%) price, found by comparing values
                      1 (<1%) initial: a new instance appeared

                What it costs
                  Its body took 174ms in total and 133µs on average; 95% of evaluations took at
                    most 266µs.
                  1,200 evaluations (91%) and 160ms of that were measured as wasted: same output
                    as before. Another 100 evaluations (7%) and 12.9ms of that were inferred to
                    be wasted.
                  By kind: same output 1,200 (160ms), parent only 100 (12.9ms).
                  1 hang of the main loop was attributed to it, the longest 1.50s.

                If a child read it
                  If price and ticker.tick were both read by a child, or not passed in, 101 of
                    1,312 evaluations would remain.
                  If ticker.tick were read by a child, 112 of 1,312 evaluations would remain.
                  If price were read by a child, or not passed in, 1,310 of 1,312 evaluations
                    would remain.
                  This is the best case: evaluations that a parent would have caused anyway
                    remain.

                What helps
                  1,200 evaluations gave the same output as before: read the changing value in
                    the child view that shows it; split the view; or compare its inputs, to skip
                    it when they are equal.
                """)
    }

    @Test("says of a view that was not seen only that, and why that may be")
    func notSeen() {
        var view = Sample.view("Badge", count: 0)
        view.notSeen = true
        #expect(
            text(view, width: 100) == """
                Badge
                in shop[4711]/main, Shop/Cart.swift:12

                What happens
                  Not seen: values of it were in evaluated outputs, and its body was never called through its hook
                    (not shown, shown without its body, or inlined: build with -Xswiftc -disable-cmo, or without
                    -O).
                """)
    }

    @Test("says of a count that may be too small that it is the least")
    func least() {
        var view = Sample.view("Badge", count: 5)
        #expect(!text(view, width: 100).contains("at least 5 times"))
        view.mayBeMore = true
        #expect(text(view, width: 100).contains("Its body was evaluated at least 5 times; "))
    }

    @Test("says how long the framework took for layouts and commits, where that is seen")
    func framework() {
        var view = Sample.view("Card", count: 40)
        view.framework = FrameworkTime(layouts: 1, layoutNanoseconds: 2_500_000, commitNanoseconds: 400_000)
        let told = text(view, width: 200)
        #expect(told.contains("Layout: 1×, 2.50ms.") && told.contains("Commits: 400µs."))
    }

    @Test("says how many evaluations were passes, and what would remain of the updates")
    func passes() {
        var view = Sample.view("Gauge", count: 69)
        view.passes = 46
        view.reasons = [
            ReasonCount(reason: "rpm", count: 6, passes: 4, attribution: .exact),
            ReasonCount(reason: Reason.initial, count: 63, passes: 42, attribution: .exact),
            ReasonCount(reason: "temperature", count: 1, passes: 1, attribution: .exact),
        ]
        let text = text(view)
        #expect(
            text.contains(
                """
                  Its body was evaluated 69 times; 1 live instance.
                  46 of these were further passes of the same update, as its framework asks for;
                    it was updated 23 times.
                """))
        #expect(
            text.contains(
                """
                If a child read it
                  If rpm were read by a child, 21 of 23 updates would remain.
                  This is the best case: updates that a parent would have caused anyway remain.
                """))
        #expect(!text.contains("onAppear") && !text.contains("temperature were"))
        view.wasted.count = 21
        view.wasted.inferred = 21
        // A share of the passes, too, would make a view that is always wasted look well.
        #expect(self.text(view, width: 200).contains("21 evaluations (91% of its updates) were wasted; 21 inferred."))
        #expect(WasteText.share(view) == "~91%")
        view.wasted = Waste()
        view.passes = 1
        #expect(self.text(view).contains("1 of these was a further pass of the same update"))
        view.passes = 0
        #expect(!self.text(view).contains("pass of") && self.text(view).contains("of 69 evaluations would"))
    }

    @Test("says in one sentence that a view is fine")
    func healthy() {
        var view = Sample.view("Badge", count: 4, average: 2_000, file: "Shop/Badge.swift", line: 7)
        view.instances = 2
        view.reasons = [
            Sample.reason(Reason.initial, 2), Sample.reason("count", 2, .announced),
        ]
        #expect(
            text(view, in: Sample.store(connected: false)) == """
                Badge
                in shop[4711]/main, ended, Shop/Badge.swift:7

                What happens
                  Its body was evaluated 4 times; 2 live instances at the end.

                Why
                  2 (50%) count, as reported by the app
                  2 (50%) initial: a new instance appeared

                What it costs
                  Its body took 8.00µs in total and 2.00µs on average; 95% of evaluations took
                    at most 4.00µs.
                  No wasted evaluation is known.

                What helps
                  Nothing to do: no known waste, and the body is fast.
                """)
    }

    @Test("takes a property that has the name of a fixed reason for a property")
    func namesake() {
        var view = Sample.view("Badge", count: 4)
        view.reasons = [Sample.reason(Reason.initial, 3, .diff), Sample.reason(Reason.other, 1, .diff)]
        let shown = text(view)
        #expect(shown.contains("3 (75%) initial, found by comparing values"), "\(shown)")
        #expect(shown.contains("1 (25%) other, found by comparing values") && !shown.contains("a new instance"))
    }

    @Test("says of the latest hang what part it had, who ran at the threshold, and for how long there was no processor")
    func latestHang() {
        var view = Sample.view("Row", count: 9)
        view.hangs.add(nanoseconds: 400_000_000)
        var hang = Hang(id: 3, pid: 4711, process: "shop", startedAt: Sample.now, turn: 77)
        (hang.durationNanoseconds, hang.open, hang.ended) = (400_000_000, false, .normally)
        (hang.view, hang.attribution, hang.viewAtThreshold) = ("Row", .share, "Header")
        hang.shares = [.init(view: "Row", nanoseconds: 300_000_000)]
        hang.starvedNanoseconds = 240_000_000
        func last() -> String? { CostText.sentences(view, of: .views, latest: hang).last }
        #expect(
            last() == "In the latest, it had 75% of 400ms; Header ran when the threshold was crossed; "
                + "the thread had no processor for 60%.")
        (hang.viewAtThreshold, hang.starvedNanoseconds) = ("Row", 0)
        #expect(last() == "In the latest, it had 75% of 400ms; its body ran when the threshold was crossed.")
        view.hangs.add(nanoseconds: 300_000_000, starvedNanoseconds: 290_000_000, isStarved: true)
        let all = CostText.sentences(view, of: .views, latest: hang)
        #expect(all.contains("In 1 of them the thread had no processor for most of the time."))
        hang.viewAtThreshold = nil
        #expect(
            last()
                == "In the latest, it had 75% of 400ms; nothing was evaluated or drawn when the threshold was crossed.")
    }

    @Test("says that fewer than three evaluations tell too little", arguments: [0, 1, 2] as [UInt64])
    func tooLittle(count: UInt64) {
        var view = Sample.view("Badge", count: count, average: 2_000_000)
        view.reasons = count == 0 ? [] : [Sample.reason("tick", count)]
        view.wasted.count = count
        let why = count == 0 ? "" : "\n\nWhy\n  \(count) (100%) tick"
        #expect(
            text(view) == """
                Badge
                in shop[4711]/main, Shop/Cart.swift:12

                What happens
                  Its body was evaluated \(count) time\(count == 1 ? "" : "s"); 1 live instance.
                  More needs at least 3 evaluations: use the view and try again.\(why)
                """)
    }

    @Test("a view that hung, or took a frame, has its time and its hangs told, however seldom it was evaluated")
    func costlyOnce() {
        var view = Sample.view("Bye", count: 1, average: 600_000_000)
        view.hangs.add(nanoseconds: 607_000_000)
        let once = text(view)
        #expect(once.contains("Its body took 600ms in total") && once.contains("the longest 607ms."))
        #expect(once.contains("Shares and averages need at least 3 evaluations: they say little."))
        #expect(!once.contains("95%"), "a percentile of one is none")
        #expect(once.contains("What helps\n  The body itself is slow (600ms on average)"))
        let long = Sample.view("Slow", count: 2, average: 8_000_000)
        #expect(text(long).contains("What it costs"))
        #expect(!text(Sample.view("Quick", count: 2, average: 7_900_000)).contains("What it costs"))
    }

    @Test("a view that reads what others show is told so, and not that there is nothing to do")
    func passesOn() {
        let store = Sample.store()
        func row(_ key: ViewKey, _ reason: ReasonCount, wasted: UInt64) -> RankedView {
            var view = Sample.view(key, count: reason.count, reasons: [reason])
            (view.wasted.count, view.wasted.measured) = (wasted, wasted)
            return RankedView(store: store, view: view)
        }
        func parent(_ count: UInt64) -> ReasonCount {
            ReasonCount(
                reason: "parent: Shop", count: count, attribution: .exact,
                chains: [.init(chain: "Shop ← ticker.tick", count: count)])
        }
        let shop = RankedView(store: store, view: Sample.tickReader)
        let rows = [shop, row("Total", parent(50), wasted: 49), row("Header", parent(40), wasted: 0)]
        let passed = PassedValues(rows).passing(by: shop)
        #expect(
            AdviceText.sentences(shop.view, in: store, passing: passed) == [
                "It reads ticker.tick, and 2 other views are evaluated for that: 90 times, up to 49 of these for nothing. "
                    + "Read it in the view that shows it, not here."
            ])
        // By their names alone.
        let guess = row("Row", Sample.reason("tick", 99, .diff), wasted: 99)
        let guessed = PassedValues([shop, guess]).passing(by: shop)
        #expect(
            AdviceText.sentences(shop.view, in: store, passing: guessed)[0].hasPrefix(
                "If what it passes on is shop.ticker.tick, 1 other view is evaluated for that: 99 times"))
        let needed = PassedValues([shop, row("Total", parent(50), wasted: 0)]).passing(by: shop)
        #expect(AdviceText.sentences(shop.view, in: store, passing: needed)[0].hasPrefix("Nothing to do"))
        #expect(PassedValues(rows).passing(by: rows[1]) == PassedValues.Passing())
    }

    @Test("a widget that asks for frames is explained, also where it is not visible and was never drawn")
    func neverDrawn() {
        let key: ViewKey = "GtkStack/GtkSpinner#busy"
        var (fact, totals) = (WidgetFact(.asker, view: key.rawValue), LoopTotals())
        (fact.hidden, fact.numbers.count, fact.numbers.of) = ("its page of GtkStack is not shown", 600, 610)
        (totals.isInputKnown, totals.frames.nanoseconds, totals.frames.frames) = (1, 20_000_000_000, 1_200)
        var store = Sample.store(views: [Sample.view("GtkStack", count: 9)])
        store.loop = LoopStats(totals, facts: [fact])
        #expect(FactText.keys(of: store, beside: [store]) == [key])
        #expect(FactText.store(store.with(views: []), with: key).views == [Stats(key: key)])
        #expect(FactText.store(store, with: key).views.map(\.key) == ["GtkStack"])
        #expect(
            text(Stats(key: key), in: store, width: 120) == """
                GtkStack/GtkSpinner#busy
                in shop[4711]/main

                What happens
                  It has not been drawn since the start or the last reset.
                  It asked for 600 of 610 frames without input, and is not visible: its page of GtkStack is not shown.

                What helps
                  It asks for frames and is not visible: end its animation, or what writes to it, while it is not shown.
                """)
        let ofSpan = WhatText.sentences(Stats(key: key), store, span: "since \"tap Add\"")
        #expect(ofSpan.first == "It has not been drawn since \"tap Add\".")
        var click = WidgetFact(.interaction, view: key.rawValue)
        click.interaction = WidgetFact.Interaction(.click, at: Sample.now)
        click.numbers.nanoseconds = 49_999_999
        store.loop?.facts.append(click)
        #expect(!text(Stats(key: key), in: store, width: 120).contains("interaction"))
        store.loop?.facts[1].numbers.nanoseconds = 310_000_000
        let slow = "Its slowest interaction: click on GtkStack/GtkSpinner#busy took 310ms to the frame: the rest 310ms."
        #expect(text(Stats(key: key), in: store, width: 140).contains(slow))
        store.loop?.facts[0].hidden = nil
        store.loop?.facts[0].writer = "spin() a.c:3"
        let shown = text(Sample.view(key, count: 1), in: store, width: 120)
        #expect(shown.contains("It asked for 600 of 610 frames without input in spin() a.c:3."), "\(shown)")
        #expect(shown.contains("What helps\n  It asks for most of the frames: end its animation"), "\(shown)")
        let facts = store.loop?.facts ?? []
        store.loop?.facts += facts
        #expect(FactText.sentences(key, store).count == 1, "several widgets have its key")
        #expect(!shown.contains("use the view and try again"), "\(shown)")
        store.views = [Sample.view(key, count: 1)]
        #expect(FactText.keys(of: store, beside: [store]) == [])
    }

    @Test("what the main loop's facts say of a widget is said where another store of the process has the loop")
    func factsOfAnotherStore() {
        let key: ViewKey = "Gjs_FolderRow/GtkSpinner#busy-Inbox"
        var (fact, totals) = (WidgetFact(.asker, view: key.rawValue), LoopTotals())
        (fact.hidden, fact.numbers.count, fact.numbers.of, totals.isInputKnown) = ("its opacity is 0", 560, 560, 1)
        let widgets = Sample.store(store: "widgets", kind: .widgets, views: [Sample.view(key, count: 1)])
        var other = Sample.store(store: "loop", kind: .loop)
        other.loop = LoopStats(totals, facts: [fact])
        let store = CoreShares([other, widgets]).whole(widgets)
        let told = text(widgets.views[0], in: store, width: 120)
        #expect(told.contains("It asked for 560 of 560 frames without input, and is not visible: its opacity is 0."))
        #expect(told.contains("What helps\n  It asks for frames and is not visible: end its animation"), "\(told)")
        #expect(AdviceText.ofViews(in: [other, widgets])(widgets, widgets.views[0]).count == 1)
        #expect(AdviceText.ofViews(in: [widgets])(widgets, widgets.views[0]).isEmpty)
    }

    @Test("layouts that cost more than the body, and what goes on without input, have advice")
    func layoutsAndIdle() {
        var view = Sample.view("Panel", count: 62, average: 10_000)
        view.framework = FrameworkTime(layouts: 51, layoutNanoseconds: 1_020_000_000, commitNanoseconds: 0)
        var store = Sample.store()
        #expect(
            AdviceText.sentences(view, in: store) == [
                "Its layouts cost more than its bodies: 1.02s for 51 layouts, 20.0ms each. Fewer come if its size does not "
                    + "change with what it shows, and if there are fewer views below one that changes its size."
            ])
        view.framework?.layoutNanoseconds = 1_020_000
        #expect(AdviceText.sentences(view, in: store)[0].hasPrefix("Nothing to do"), "20 µs each")
        view.framework?.layoutNanoseconds = 181_000_000
        #expect(AdviceText.sentences(view, in: store)[0].hasPrefix("Its layouts cost more than its bodies: 181ms"))
        view.framework?.layoutNanoseconds = 1_020_000
        var work = IdleWork(.evaluations, latestAt: Sample.now)
        (work.view, work.reason, work.writer) = ("Panel", "n", "step() a.swift:3")
        (work.latest.own, work.latest.count, work.latestDuration) = (600, 600, 20_000_000_000)
        store.idleWork = [work]
        #expect(
            AdviceText.sentences(view, in: store)[0].hasPrefix(
                "It is evaluated 30/s without input (n by step() a.swift:3): end what leads to that"))
        store.idleWork?[0].latest.own = 100
        #expect(AdviceText.sentences(view, in: store)[0].hasPrefix("Nothing to do"), "five times a second")
    }

    @Test("says that instances are unknown where the framework is, and not that there is none on the screen")
    func unknownInstances() {
        var view = Sample.view("Badge", count: 5, average: 2_000)
        (view.instances, view.wasted.unjudged) = (0, 4)
        var store = Sample.store(kind: .injectedViews)
        store.gaps = ["the protocol View of Kit is not the one that rerender knows"]
        let unknown = WhatText.sentences(view, store)
        #expect(unknown.first == "Its body was evaluated 5 times; its instances are unknown.")
        #expect(unknown.last == "Of this store: the protocol View of Kit is not the one that rerender knows.")
        // One whose instances were known has gone.
        for change in [{ $0.wasted.unjudged = 2 }, { $0.commits = 1 }] as [(inout Stats) -> Void] {
            var known = view
            change(&known)
            #expect(WhatText.sentences(known, store).first?.hasSuffix("no live instance.") == true)
        }
        #expect(WhatText.sentences(view, Sample.store()).first?.hasSuffix("no live instance.") == true)
    }

    @Test("says what is not known")
    func gaps() {
        var view = Sample.view("Badge", count: 5, average: 2_000)
        view.instances = 0
        view.forgotten = 2
        view.file = ""
        view.wasted.count = 3
        view.wasted.inferred = 3
        view.reasons = [Sample.reason(Reason.externalSignal, 4, nil), Sample.reason(Reason.other, 1, nil)]
        var store = Sample.store()
        store.lost = 3
        store.dropped = 4
        #expect(
            text(view, in: store) == """
                Badge
                in shop[4711]/main

                What happens
                  Its body was evaluated 5 times; no live instance.
                  The previous values of 2 instances were dropped to save memory, so their next
                    evaluation is not explained.
                  7 evaluations of this store were lost or dropped; their views are unknown.

                Why
                  4 (80%) <external signal>: no observed change explains it
                  1 (20%) other: over the limit of reasons for a view

                What it costs
                  Its body took 10.0µs in total and 2.00µs on average; 95% of evaluations took
                    at most 4.00µs.
                  3 evaluations (60%) were wasted; 3 inferred.

                What helps
                  The kind of waste was not reported.
                """)
    }

    @Test(
        "has a cure for each kind of waste, of which the one that costs most is named",
        arguments: zip(
            WasteKind.allCases,
            [
                "compare its inputs", "compare before writing", "keep the object or collection",
                "create it once and reuse it", "only what it needs", "onAppear, onChange",
            ]))
    func cures(kind: WasteKind, cure: String) {
        var view = Sample.view("Badge", count: 10, average: 2_000)
        view.wasted.count = 7
        view.wasted.inferred = 7
        view.wasted.kinds = Dictionary(uniqueKeysWithValues: WasteKind.allCases.map { ($0, $0 == kind ? 2 : 1) })
        // Without times by kind the most frequent is taken for it.
        #expect(AdviceText.sentences(view).count == 1 && AdviceText.sentences(view)[0].contains(cure))
        #expect(AdviceText.sentences(view)[0].hasPrefix("2 evaluations "))
        view.wasted.kinds = Dictionary(uniqueKeysWithValues: WasteKind.allCases.map { ($0, $0 == kind ? 1 : 2) })
        view.wasted.kindNanoseconds = Dictionary(
            uniqueKeysWithValues: WasteKind.allCases.map { ($0, $0 == kind ? 51 : 50) })
        #expect(AdviceText.sentences(view).count == 1 && AdviceText.sentences(view)[0].contains(cure))
        #expect(AdviceText.sentences(view)[0].hasPrefix("1 evaluation "))
    }

    @Test("has cures that a framework can follow which evaluates all that is below a view")
    func nodes() {
        var view = Sample.view("Badge", count: 10, average: 2_000)
        view.framework = FrameworkTime(layouts: 10, layoutNanoseconds: 1_000, commitNanoseconds: 1_000)
        for (kind, cure) in [
            (WasteKind.parentOnly, "into a view of its own."), (.sameInputs, "its output may be another one."),
            (.sameValue, "compare before writing"),
        ] {
            (view.wasted.count, view.wasted.inferred, view.wasted.kinds) = (7, 7, [kind: 7])
            let sentence = AdviceText.sentences(view)[0]
            #expect(sentence.contains(cure) && !sentence.contains("skip"), "\(sentence)")
        }
    }

    @Test("orders kinds by their cost, then by how often they occurred, and shows the cost of those that tell it")
    func kinds() {
        var view = Sample.view("Badge", count: 100, average: 2_000)
        view.wasted.count = 63
        view.wasted.kinds = [.sameOutput: 50, .sameValue: 3, .parentOnly: 3, .newIdentity: 7]
        view.wasted.kindNanoseconds = [.sameValue: 90_000, .parentOnly: 90_000, .newIdentity: 80_000]
        #expect(
            CostText.sentences(view, of: .views).contains(
                "By kind: same value 3 (90.0µs), parent only 3 (90.0µs), new identity 7 (80.0µs), same output 50."))
    }

    @Test("says what a body took itself, where others ran inside of it")
    func selfTime() {
        var view = Sample.view("Root", count: 10, average: 1_000_000)
        view.selfNanoseconds = 2_000_000
        let text =
            "Its body took 10.0ms in total, 2.00ms of that without the bodies inside of it, and 1.00ms on average;"
        #expect(CostText.sentences(view, of: .views)[0].hasPrefix(text))
        view.selfNanoseconds = 10_000_000
        #expect(CostText.sentences(view, of: .views)[0].hasPrefix("Its body took 10.0ms in total and 1.00ms"))
        let ofSpan = CostText.sentences(view, of: .views, hasPercentiles: false)[0]
        #expect(ofSpan == "Its body took 10.0ms in total and 1.00ms on average.")
    }

    @Test(
        "says what would measure what is unknown, by what the store has and not by its name",
        arguments: [
            (StoreKind.views, "to measure it, pass comparing:"),
            (.injectedViews, "to measure it, call the library and pass comparing:"),
            (.widgets, "not compared"), (nil, "not compared"),
        ] as [(StoreKind?, String)])
    func unjudged(kind: StoreKind?, why: String) {
        var view = Sample.view("Badge", count: 100)
        view.wasted.unjudged = 8
        let event = kind == .widgets ? "drawing" : "evaluation"
        #expect(CostText.waste(view, of: kind) == ["Waste is unknown for 8 of 100 \(event)s (\(why))."])
        view.passes = 60
        #expect(CostText.waste(view, of: kind) == ["Waste is unknown for 8 of 40 updates (\(why))."])
    }

    @Test("speaks of drawing where the store has widgets, and its advice fits them")
    func widgets() {
        var view = Sample.view("AdwLeaflet", count: 601, average: 20_000)
        view.reasons = [Sample.reason("child GtkStack#icon", 600), Sample.reason(Reason.initial, 1)]
        (view.wasted.count, view.wasted.measured, view.wasted.unjudged) = (544, 544, 3)
        view.wasted.kinds = [.sameOutput: 544]
        view.framework = FrameworkTime(layouts: 1, layoutNanoseconds: 29_900, commitNanoseconds: 0)
        let store = Sample.store(kind: .widgets)
        let told = Explanation(view: view, store: store).lines(width: 300, colours: false).joined(separator: "\n")
        for part in [
            "It was drawn 601 times; 1 live instance.",
            "Layout: 1×, 29.9µs.",
            "Its drawing took 12.0ms in total and 20.0µs on average; 95% of drawings took at most",
            "544 drawings (90%) were wasted; 544 measured: same output as before. Waste is unknown for 3 of 601 drawings (not compared).",
            "544 drawings drew the same as before, because GtkStack#icon in it was drawn: look there.",
        ] { #expect(told.contains(part), "\(part) in \(told)") }
        for word in ["body", "evaluat", "child view", "inputs"] { #expect(!told.contains(word), "\(word) in \(told)") }
        view.reasons = [Sample.reason("tick", 601)]
        #expect(AdviceText.sentences(view, in: store)[0].contains("ask only when something that is seen has changed"))
        view.wasted = Waste()
        #expect(AdviceText.sentences(view, in: store) == ["Nothing to do: no known waste, and its drawing is fast."])
        var attached = store
        attached.gaps = [ProcessStats.attached]
        #expect(
            AdviceText.sentences(view, in: attached) == [
                "Nothing to do is known: no known waste, and its drawing is fast; \(ProcessStats.attached)."
            ])
        #expect(WhatText.sentences(view, attached).last == "Of this program: \(ProcessStats.attached).")
    }

    @Test("does not say of first evaluations, or of very few others, that a view is slow")
    func firstAreNoMeasure() {
        var view = Sample.view("ChessView", count: 3, average: 1_520_000)
        view.reasons = [Sample.reason("board", 2), Sample.reason(Reason.initial, 1)]
        let few = "Nothing to do is known: so few evaluations tell little of its time."
        #expect(AdviceText.sentences(view) == [few])
        view.count = 24
        view.reasons = [Sample.reason(Reason.initial, 24)]
        view.body.totalNanoseconds = 24 * 600_000
        #expect(AdviceText.sentences(view) == [few])
        view.reasons = [Sample.reason("board", 3), Sample.reason(Reason.initial, 21)]
        #expect(AdviceText.sentences(view)[0].hasPrefix("The body itself is slow"))
    }

    @Test("says that a body is slow, wasted or not")
    func slow() {
        let view = Sample.view("Badge", count: 10, average: 1_250_000)
        #expect(AdviceText.sentences(view).count == 1)
        #expect(AdviceText.sentences(view)[0].hasPrefix("The body itself is slow (1.25ms on average)"))
    }

    @Test("gives the page the advice that it gives itself, and none for a view that was evaluated too seldom")
    func ofViews() {
        var view = Sample.view("Badge", count: 10, average: 1_250_000)
        var store = Sample.store(views: [view])
        let advice = AdviceText.ofViews(in: [store])(store, view)
        #expect(advice == AdviceText.sentences(view) && !advice.isEmpty)
        view.count = Explanation.leastEvaluations - 1
        store.views = [view]
        let none = AdviceText.ofViews(in: [store])(store, view)
        #expect(none.isEmpty)
    }

    @Test("lists eight reasons, and counts the rest")
    func manyReasons() {
        var view = Sample.view("Badge", count: 55)
        view.reasons = (1...10).map { Sample.reason("r\($0)", UInt64($0)) }
        let paragraphs = ReasonText.paragraphs(view, of: .views)
        #expect(paragraphs.count == 9 && paragraphs[8].text == "and 2 more reasons with 3 evaluations: see --json")
        let ofWidget = ReasonText.paragraphs(view, of: .widgets)
        #expect(ofWidget.last?.text == "and 2 more reasons with 3 drawings: see --json")
        view.reasons = []
        view.count = 0
        let none = ReasonText.paragraphs(view, of: .widgets, span: "since the mark")
        #expect(none.map(\.text) == ["No reason is known, because it was not drawn since the mark."])
    }

    @Test("no line is wider than asked or obeys a terminal, whatever an app calls its things")
    func hostile() {
        let hostile = "\u{1B}[2J\u{1B}]0;owned\u{7}\u{202E}カート\u{9B}31m\r\n" + String(repeating: "長", count: 90)
        var view = Sample.view(ViewKey(rawValue: hostile), count: .max, average: 3, file: hostile)
        view.body.totalNanoseconds = .max
        view.commits = 1
        view.forgotten = .max
        view.reasons = [
            ReasonCount(
                reason: hostile, count: .max, attribution: .exact, writers: [.init(writer: hostile, count: .max)],
                chains: [.init(chain: hostile, count: .max)]), Sample.reason(", ", .max),
            Sample.reason("", .max, .diff),
        ]
        view.wasted.count = .max
        view.wasted.measured = .max
        view.wasted.inferred = .max
        view.wasted.nanoseconds = .max
        for kind in WasteKind.allCases {
            view.wasted.kinds[kind] = .max
            view.wasted.kindNanoseconds[kind] = .max
        }
        var store = Sample.store(hostile, store: hostile)
        store.lost = .max
        store.dropped = .max
        for width in 20...200 {
            for line in Explanation(view: view, store: store).lines(width: width, colours: false) {
                #expect(DisplayWidth.of(line) <= width, "\(width): \(line)")
                #expect(!line.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
                #expect(!line.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
            }
        }
    }

    @Test("colours come only where they are wanted, and add no width")
    func colours() {
        let explanation = Explanation(view: cart, store: Sample.store())
        let plain = explanation.lines(width: 80, colours: false)
        let coloured = explanation.lines(width: 80, colours: true)
        #expect(!plain.joined().contains("\u{1B}") && coloured[0] == "\u{1B}[1mCartTotal\u{1B}[0m")
        #expect(coloured.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "") } == plain)
    }
}

@Suite("What would remain if a view read less")
struct RemainingTests {
    private func all(_ reasons: [ReasonCount]) -> [Remaining] {
        var view = Stats(key: "Row")
        view.reasons = reasons
        view.count = reasons.reduce(0) { $0 + $1.count }
        return Remaining.all(view)
    }

    @Test("counts a reason only when all its paths are moved")
    func joined() {
        let all = all([
            Sample.reason("a", 10), Sample.reason("a, b", 5), Sample.reason("b", 1), Sample.reason("a, b, c", 2),
            Sample.reason(Reason.initial, 1),
        ])
        #expect(all.map(\.paths) == [["a", "b", "c"], ["a", "b"], ["a"], ["b"]])
        #expect(all.map(\.remaining) == [1, 3, 9, 18])
        #expect(all.map(\.saved) == [18, 16, 10, 1])
    }

    @Test("is said of observed key paths only, and never where some of them are not named")
    func observed() {
        #expect(
            all([
                Sample.reason(Reason.initial, 1), Sample.reason("parent: List", 5),
                Sample.reason("said", 3, .announced),
                Sample.reason(Reason.externalSignal, 2, nil), Sample.reason(Reason.other, 2, nil),
                Sample.reason("a, b, c, d, e, f, g, h, +3", 9), Sample.reason("a, b +3", 9),
                Sample.reason(WasteKind.closureIdentity.rawValue, 4, .diff), Sample.reason("a, <external signal>", 1),
                Sample.reason("Pair<Int, String>.value", 1),
            ]).isEmpty)
        for crowd in ["Ticker.tick (1 of 2)", "Ticker.tick (1 or more of 300)"] {
            #expect(all([Sample.reason(crowd, 5)]).map(\.paths) == [[crowd]])
        }
        #expect(all([Sample.reason("a, maybe more", 5)]).isEmpty)
        #expect(all([Sample.reason("items", 5, .diff)]).map(\.isCompared) == [true])
    }
}
