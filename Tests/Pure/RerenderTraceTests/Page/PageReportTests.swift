// SPDX-License-Identifier: MIT
// A page of a trace: every sum on it is the text report's.

import FoundationEssentials
import RerenderModel
import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageReportTests {
    @Test("views are in the order of tables: faults first, and then what each cost by itself")
    func order() throws {
        var trace = SampleTrace()
        trace.turn(1, from: 0, to: 320_000_000, evaluations: 1)
        trace.evaluate("ZFeed", at: 1_000_000, took: 300_000_000, count: 1, turn: 1)
        trace.evaluate("ARow", at: 400_000_000, took: 28_000, waste: .measured, count: 1)
        trace.evaluate("BRow", at: 500_000_000, took: 90_000, waste: .measured, count: 1)
        trace.evaluate("Still", at: 600_000_000, took: 900_000_000, count: 1)
        let interpreter = try trace.feed(PageBuilder(trace.texts))
        let results = interpreter.consumer.results(interpreter.state, title: "t", tool: "test")
        #expect(results.page.views.map(\.key) == ["ZFeed", "Still", "BRow", "ARow"])
        #expect(results.page.views[0].hangs == 1 && results.page.views[0].hangNanoseconds == 320_000_000)
        #expect(results.report.export.verdict?.first?.view == "ZFeed", "as the verdict has it")
    }

    @Test("folds the views that tables fold: each is on the page, which names those that have no row at first")
    func folded() throws {
        var trace = SampleTrace()
        trace.evaluate("Badge", at: 100, took: 90)
        trace.evaluate("Icon", at: 200, took: 90)
        for number in 1...3 as ClosedRange<Int64> {
            trace.evaluate("List", at: number * 1_000, took: 500, reason: "ticker.tick")
            trace.evaluate("Row", at: number * 1_000 + 600, took: 50, reason: "parent: List")
        }
        let interpreter = try trace.feed(PageBuilder(trace.texts))
        let page = interpreter.consumer.results(interpreter.state, title: "t", tool: "test").page
        #expect(page.views.map(\.key) == ["List", "Badge", "Icon", "Row"])
        #expect(page.folded == [1, 2, 3] && page.views.map(\.note) == [" (+1 child)", "", "", ""])
        #expect(page.views.map(\.under?.view) == [nil, nil, nil, 0] && page.views[3].under?.note == "")
        #expect(page.foldedText == "1 view only passes on what others caused and 2 were evaluated once")
        #expect(try SampleTrace.shopResults().page.folded.isEmpty)
    }

    @Test("every number of a view is the export's, and its intervals and times add up to it")
    func views() throws {
        let (report, page) = try SampleTrace.shopResults()
        let exported = report.export.processes.flatMap { store in store.views.map { (store.pid, $0) } }
        #expect(exported.count == 3)
        #expect(page.views.count == exported.count)
        for (pid, stats) in exported {
            let place = try #require(
                page.views.firstIndex { $0.key == stats.key.rawValue && page.processes[$0.process].pid == pid })
            let view = page.views[place]
            #expect(view.count == stats.count)
            #expect(view.wasted == stats.wasted.count)
            #expect(view.wastedNanoseconds == stats.wasted.nanoseconds)
            #expect(view.body.totalNanoseconds == stats.body.totalNanoseconds)
            #expect(view.selfNanoseconds == stats.selfNanoseconds)
            #expect(view.body.averageNanoseconds == stats.body.averageNanoseconds)
            #expect(view.body.p95Nanoseconds == stats.body.p95Nanoseconds)
            #expect(view.body.maxNanoseconds == stats.body.maxNanoseconds)
            #expect(view.reasons.map(\.count) == stats.reasons.map(\.count))
            #expect(view.mainReason?.reason == stats.mainReason?.reason.reason)
            let lane = page.evaluations.filter { $0.lane == UInt32(place) }
            #expect(lane.reduce(0) { $0 + $1.count } == stats.count)
            #expect(lane.reduce(0) { $0 + $1.amount } == stats.body.totalNanoseconds)
            #expect((0..<PageHistogram.bounds.count).reduce(0) { $0 + view.histogram[$1] } == stats.count)
        }
        #expect(page.views.first?.wastedNanoseconds == 30_000, "the first has a hang")
        #expect(page.views.map(\.wastedNanoseconds).sorted() == [0, 30_000, 200_000])
        #expect(page.totals.evaluations == 5)
        #expect(page.totals.wasted == 2)
        #expect(page.totals.turns == 2)
    }

    @Test("the main reason of a view is the report's, initial as any other, and says whether it is a guess")
    func mainReason() throws {
        var trace = SampleTrace()
        for (at, reason, attribution) in [
            (100, "initial", 1), (200, "initial", 1), (300, "tick", 3), (400, "tick", 3), (500, "tick", 3),
        ] as [(Int64, String, UInt8)] {
            let id = trace.begin("Row", at: at)
            trace.end("Row", at: at + 50, id: id, body: 40, reason: reason, attribution: attribution)
        }
        trace.evaluate("List", at: 700, took: 50, reason: "initial")
        let interpreter = try trace.feed(PageBuilder(trace.texts))
        let views = interpreter.consumer.results(interpreter.state, title: "t", tool: "test").page.views
        let row = try #require(views.first { $0.key == "Row" }?.mainReason)
        #expect(row.reason == "tick" && row.count == 3 && row.isGuess)
        let list = try #require(views.first { $0.key == "List" }?.mainReason)
        #expect(list.reason == "initial" && list.count == 1 && !list.isGuess)
    }

    @Test("has the report's verdict, in its words, and each view of it is one of the page's")
    func verdict() throws {
        let (report, page) = try SampleTrace.shopResults()
        let verdict = try #require(report.export.verdict)
        #expect(
            page.findings.map(\.text) == verdict.findings.map { $0.kind.mark + $0.text }
                && page.moreFindings == verdict.more)
        #expect(
            page.findings[0].text
                == "! CartTotal blocked the main loop once, for 320ms in shop[4711]: Shop/Cart.swift:12"
        )
        let place = try #require(page.findings[0].view)
        #expect(page.views[place].key == "CartTotal" && page.processes[page.views[place].process].pid == 4711)
    }

    @Test("says what came before the trace and what was lost")
    func missing() throws {
        let page = try SampleTrace.shopResults().page
        #expect(page.missing.contains { $0.hasPrefix("4 evaluations came before the trace") })
        #expect(page.missing.contains { $0.hasPrefix("12 events were discarded") })
        #expect(page.missing.count == 2)
        #expect(page.views.first { $0.key == "Shop" }?.missing == 4)
    }

    @Test("two stores of one name are told apart: each view has its own intervals, and what is missing of it")
    func storesOfOneName() throws {
        let script = EventScript()
        // The second store wastes more, so its view stands first.
        for (number, waste, first) in [(0, TraceWaste.none, 3), (1, .inferred, 11)] as [(UInt32, TraceWaste, UInt64)] {
            script.store = (number, "main")
            for count in first..<first + 2 + UInt64(number) { script.evaluate("Row", count: count, waste: waste) }
        }
        let (report, page, stores) = try script.page()
        #expect(stores.map(\.number).map(\.number) == [0, 1])
        #expect(report.export.processes.map(\.views[0].count) == [2, 3])
        #expect(page.views.map(\.count) == [3, 2] && page.views.map(\.missing) == [10, 2])
        #expect((0..<2).map { place in page.evaluations.count { $0.lane == place } } == [3, 2])
        #expect(page.evaluations.map { $0.lane } == [1, 1, 0, 0, 0])
    }

    @Test("a program that replaced itself has rows of its own, with its own intervals")
    func replaced() throws {
        let script = EventScript()
        for (evaluations, waste) in [(3, TraceWaste.none), (2, .inferred), (4, .none)] as [(UInt64, TraceWaste)] {
            for count in 1...evaluations { script.evaluate("Row", count: count, waste: waste) }
        }
        let (report, page, stores) = try script.page()
        #expect(stores.map(\.number).map(\.replaced) == [0, 1, 2])
        #expect(report.export.processes.map(\.views[0].count) == [3, 2, 4])
        #expect(page.views.map(\.count) == [4, 3, 2])
        #expect(page.evaluations.map { $0.lane } == [1, 1, 1, 2, 2, 0, 0, 0, 0])
    }

    @Test("report, page and formats of one trace have the same evaluations, waste and turns, whatever was lost of it")
    func agreement() throws {
        let script = EventScript()
        script.turn(1) {
            let outer = script.begin("Outer")
            script.lose(script.begin("Lost"))
            script.evaluate("Row", turn: 1)
            script.end(outer, "Outer", turn: 1)
        }
        script.end(77, "Unbegun", turn: 1)
        // The end of turn 2 and the beginning of turn 3 are lost.
        script.beginTurn(2)
        let last = script.begin("Row")
        script.end(last, "Row", turn: 3)
        script.commit("Row", 2, wasted: 1, of: last)
        script.endTurn(3, evaluations: 1)
        let (report, page, _) = try script.page()
        let (alone, chrome) = (try script.report(), Written())
        try script.feed(ChromeFormat(chrome.output, script.texts))
        #expect(report.export == alone.export && report.unended == 1 && report.unbegun == 1)
        let evaluations = report.export.processes.flatMap(\.views).reduce(0) { $0 + $1.count }
        #expect(evaluations == 4 && page.evaluations.count == 4 && page.totals.turns == 1)
        #expect(page.evaluations.reduce(0) { $0 + $1.wasted } == 1 && page.totals.wasted == 1)
        #expect(chrome.text.components(separatedBy: "\"cat\":\"evaluation\"").count - 1 == 4)
        #expect(chrome.text.components(separatedBy: "\"cat\":\"turn\"").count - 1 == 1)
    }

    @Test("a view inside another is caused by that one, and the other by what was written")
    func causes() throws {
        let page = try SampleTrace.shopResults().page
        let name = { (place: Int) in page.views[place].key + " \(page.processes[page.views[place].process].pid)" }
        let direct = page.causes.flatMap { cause in cause.views.map { "\(cause.name) → \(name($0.view)): \($0.count)" }
        }
        #expect(
            Set(direct) == [
                "ticker.tick → Shop 4711: 1", "clock.now → CartTotal 4711: 1", "initial → CartTotal 4712: 1",
            ])
        #expect(
            page.parents.map { "\(name($0.parent)) → \(name($0.child)): \($0.count)" } == [
                "Shop 4711 → CartTotal 4711: 2"
            ])
        #expect(page.causes.first { $0.name == "ticker.tick" }?.evaluations == 3)
    }

    @Test("the graph of causes leaves out the reasons that no code can have written")
    func news() throws {
        let file = Checkout.url("Sources/Tool/CScreen/Page/Web/causes.js")
        let script = try String(contentsOf: file, encoding: .utf8)
        for reason in FixedReason.allCases where !reason.isChange {
            #expect(script.contains("\"\(reason.text)\""), "CauseGraph does not know \(reason.text)")
        }
    }

    @Test(
        "no line breaks in a place: a file with its line is one piece",
        arguments: [
            ("ItemRow wasted 1.81s: rerender_demo/Views.swift:50", ["Views.swift:50"]),
            ("on_clicked() my_window.c:41 and tick() a-b.vala:7, 0.3% of a core", ["my_window.c:41", "a-b.vala:7"]),
            ("Shop 4711: 1, at 10:41, 1.5 ms", []), ("Foo::bar() x.cpp", []),
        ] as [(String, [String])])
    func places(text: String, expected: [String]) throws {
        let script = try String(contentsOf: Checkout.url("Sources/Tool/CScreen/Page/Web/text.js"), encoding: .utf8)
        let sign = try #require(script.firstMatch(of: /const placeSign = \/(.*)\/;\n/)?.1)
        let found = text.matches(of: try Regex(String(sign), as: (Substring, Substring).self)).map {
            String($0.output.1)
        }
        #expect(found == expected)
        let style = try String(contentsOf: Checkout.url("Sources/Tool/CScreen/Page/Web/page.css"), encoding: .utf8)
        #expect(script.contains("class: \"unbroken\"") && style.contains(".unbroken { white-space: nowrap; }"))
    }

    @Test("hangs and turns with double evaluations are the report's, at their places in the timeline")
    func hangs() throws {
        let (report, page) = try SampleTrace.shopResults()
        #expect(report.hangs.count == 1)
        let hang = try #require(page.hangs.first)
        #expect(hang.start == 10_000_000 - 900_000, "since the first event")
        #expect(hang.duration == 320_000_000)
        #expect(hang.view == "CartTotal")
        #expect(hang.inside.map(\.amount) == report.hangs[0].shares.map(\.nanoseconds))
        #expect(hang.unattributed == report.hangs[0].unattributedNanoseconds)
        #expect(page.hangsNote.hasPrefix("The recording has no hang from rerenderd"))
        let double = try #require(page.doubles.first)
        #expect(double.turn == 1)
        #expect(double.again == report.worstDoubleTurns[0].again)
        #expect(double.views.map(\.view) == ["CartTotal"])
        #expect(page.totals.doubleTurns == report.doubleTurns)
    }

    @Test("views have the advice that is given for them, the most expensive first, within a limit")
    func advice() throws {
        let trace = SampleTrace.shop()
        for (limit, expected) in [(2, ["CartTotal 3", "Shop 1", ""]), (9, ["CartTotal 3", "Shop 1", "CartTotal 1"])] {
            var limits = PageLimits()
            limits.advice = limit
            let interpreter = try trace.feed(PageBuilder(trace.texts, limits: limits))
            let page = interpreter.consumer.results(interpreter.state, title: "", tool: "") { stores in
                { store, view in
                    stores.contains { $0.pid == store.pid } ? ["\(view.key.displayName) \(view.count)"] : []
                }
            }.page
            #expect(page.views.map { $0.advice.first ?? "" } == expected)
        }
    }

    @Test("so many views have advice", arguments: around(4))
    func fewAdvice(count: Int) throws {
        var trace = SampleTrace()
        for number in 0..<count { trace.evaluate("View \(number)", at: Int64(number) * 100, took: 10) }
        var limits = PageLimits()
        limits.advice = 4
        let interpreter = try trace.feed(PageBuilder(trace.texts, limits: limits))
        let page = interpreter.consumer.results(interpreter.state, title: "", tool: "") { _ in { _, _ in ["x"] } }.page
        #expect(page.views.count == count && page.views.count { !$0.advice.isEmpty } == min(count, 4))
    }

    @Test("says where the timeline marks other evaluations as wasted than the tables")
    func timelineNote() throws {
        #expect(try SampleTrace.shopResults().page.timelineNote.isEmpty)
        var page = ReportPage.sample()
        page.addView("Cart", evaluations: 5, wasted: 3, took: 10)
        page.totals.wasted = 5
        #expect(PageNotes.timeline(page).contains("marks 3 evaluations"))
        #expect(PageNotes.timeline(page).contains("the tables have 5:"))
    }
}
