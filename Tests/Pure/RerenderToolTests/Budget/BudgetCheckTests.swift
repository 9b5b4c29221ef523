// SPDX-License-Identifier: MIT
import RerenderModel
import RerenderShow
@testable import RerenderTool
import Testing
@testable import ToolSupport

@Suite("A run held against a budget")
struct BudgetCheckTests {
    private func view(
        _ key: String, _ count: UInt64, wasted: UInt64 = 0, hangs: UInt64 = 0, p95: UInt64 = 0,
        reasons: [ReasonCount] = []
    ) -> Stats {
        var view = Sample.view(ViewKey(rawValue: key), count: count, reasons: reasons)
        view.wasted.count = wasted
        view.hangs.count = hangs
        view.body.p95Nanoseconds = p95
        return view
    }

    private func export(_ views: Stats..., hangs: UInt64? = nil) -> StatsExport {
        var store = Sample.store(views: views)
        store.hangs.count = hangs ?? views.reduce(0) { $0 + $1.hangs.count }
        return Sample.export([store])
    }

    private func budget(_ text: String) throws -> Budget {
        try BudgetReader(path: "r.json").read(Array("{\"version\": 1, \(text)}".utf8))
    }

    private func check(_ text: String, _ export: StatsExport, isStrict: Bool = false) throws -> BudgetCheck {
        BudgetCheck(try budget(text), Tally(export), isStrict: isStrict)
    }

    @Test(
        "a count at its limit holds, and one more does not",
        arguments: [("evaluations", 4), ("wasted", 3), ("hangs", 2)])
    func limits(measure: String, counted: Int) throws {
        let run = export(view("Cart", 4, wasted: 3, hangs: 2))
        for (scope, text) in [("view", "\"views\": {\"Cart\": {LIMIT}}"), ("total", "\"total\": {LIMIT}")] {
            let at = try check(text.replacing("LIMIT", with: "\"\(measure)\": \(counted)"), run)
            #expect(at.holds && at.exceeded.isEmpty, "\(scope)")
            let over = try check(text.replacing("LIMIT", with: "\"\(measure)\": \(counted - 1)"), run)
            #expect(!over.holds)
            #expect(over.exceeded.map(\.excess) == [1] && over.exceeded.map(\.measure.rawValue) == [measure])
        }
    }

    @Test("the same key in several stores and processes is one view, and a glob's views are counted together")
    func sums() throws {
        let stores = [
            Sample.store(views: [view("Row 1", 2), view("Row 2", 3)]),
            Sample.store("other", pid: 5, views: [view("Row 1", 4)]),
        ]
        let check = try check("\"views\": {\"Row *\": {\"evaluations\": 8}}", Sample.export(stores))
        #expect(check.exceeded.map(\.counted) == [9])
        #expect(check.exceeded[0].views.map(\.key.rawValue) == ["Row 1", "Row 2"])
        #expect(check.tally.processes == 2)
    }

    @Test("views in no line and lines without a view are said, and fail only where that is asked for")
    func unknown() throws {
        let text = "\"views\": {\"Cart\": {}, \"Old\": {\"evaluations\": 9}, \"Gone*\": {}}"
        let run = export(view("Cart", 1), view("New", 1), view("Never", 0))
        let mild = try check(text, run)
        #expect(mild.unknown.map(\.key.rawValue) == ["New"])
        #expect(mild.absent.map(\.text) == ["Gone*", "Old"] && mild.holds && mild.slack.isEmpty)
        #expect(try !check(text, run, isStrict: true).holds)
        #expect(try check("\"views\": {\"*\": {}}", run, isStrict: true).holds)
    }

    @Test("an unknown view counts in the total")
    func total() throws {
        let check = try check("\"total\": {\"evaluations\": 1}", export(view("A", 1), view("New", 1)))
        #expect(check.exceeded.map(\.scope) == [.total] && check.exceeded[0].views.count == 2)
    }

    @Test("a hang that no view is blamed for counts in the total")
    func hangs() throws {
        let check = try check("\"total\": {\"hangs\": 0}", export(view("A", 1), hangs: 1))
        #expect(!check.holds && check.exceeded.map(\.counted) == [1])
    }

    @Test("a hang is one of its process, however many stores count it")
    func hangsOfStores() {
        var blamed = view("A", 1, hangs: 1)
        blamed.key = "A"
        var run = export(blamed, hangs: 2)
        for (store, hangs) in [("tools", UInt64(2)), ("late", 1)] {
            var other = run.processes[0]
            (other.store, other.views, other.evaluations) = (store, [], 0)
            other.hangs.count = hangs
            run.processes.append(other)
        }
        var desk = run.processes[1]
        (desk.pid, desk.name, desk.hangs.count) = (99, "desk", 4)
        run.processes.append(desk)
        let tally = Tally(run)
        #expect(tally.amounts.hangs == 6 && tally.hangsOfNoView == 5)
    }

    @Test("a hang in which the machine did not run the app is shown, and is over no budget")
    func starved() throws {
        var cart = view("Cart", 1)
        cart.hangs.add(nanoseconds: 404_000_000, starvedNanoseconds: 300_000_000, isStarved: true)
        let text = "\"total\": {\"hangs\": 0}, \"views\": {\"Cart\": {\"hangs\": 0}}"
        func result() throws -> CheckResult {
            var store = Sample.store(views: [cart])
            store.hangs = cart.hangs
            let run = StatsExport(generatedAt: Sample.now, processes: [store], verdict: nil)
            return CheckResult(check: BudgetCheck(try budget(text), Tally(run)), budget: "b")
        }
        let starved = try result()
        let more = "no hangs (1 more in which the machine did not run the app)"
        #expect(
            starved.check.holds && starved.summary.contains(more) && starved.markdown.text.contains("1 more in which"))
        #expect(try starved.json().contains("\"starvedHangs\" : 1"))
        let diff = ExportDiff(old: Tally(export(view("Cart", 1))), new: starved.check.tally)
        #expect(!diff.isIncreased && diff.changes.isEmpty)
        cart.hangs.add(nanoseconds: 300_000_000, starvedNanoseconds: 1_000_000)
        let own = try result()
        #expect(own.check.exceeded.map(\.counted) == [1, 1] && !own.check.holds)
        #expect(own.summary.contains("1 hang (1 more in which the machine did not run the app)"))
    }

    @Test("what costs most is said in every form, and fails no check")
    func costs() throws {
        var slow = view("Cart", 1)
        slow.hangs.add(nanoseconds: 410_000_000)
        let stores = [Sample.store(views: [slow])]
        let run = StatsExport(
            generatedAt: Sample.now, processes: stores, verdict: VerdictBuilder.verdict(of: stores, .ended))
        let result = CheckResult(check: BudgetCheck(try budget("\"views\": {\"*\": {}}"), Tally(run)), budget: "b")
        let text = "Cart blocked the main loop once, for 410ms: Shop/Cart.swift:12"
        #expect(result.check.holds && result.styledLines.map(\.text).contains("costs  " + text))
        #expect(result.markdown.text.contains("Costs most (1)"))
        #expect(try result.json().contains(text))
        let fine = [Sample.store(views: [view("Cart", 1)])]
        let nothing = CheckResult(
            check: BudgetCheck(Budget(), Tally(StatsExport(generatedAt: Sample.now, processes: fine))), budget: "b")
        #expect(!nothing.lines(width: 80, colours: false).joined().contains("Nothing to fix"))
        #expect(try nothing.json().contains("Nothing to fix"))
    }

    @Test("a slow body is said and holds")
    func times() throws {
        let text = "\"views\": {\"A\": {\"bodyP95Nanoseconds\": 500}, \"B\": {\"bodyP95Nanoseconds\": 500}}"
        let check = try check(text, export(view("A", 1, p95: 501), view("B", 1, p95: 500)))
        #expect(check.holds && check.advice.map(\.view.key.rawValue) == ["A"])
    }

    @Test("numbers that are not all there never pass")
    func gaps() throws {
        var lost = export(view("A", 1))
        lost.processes[0].lost = 2
        lost.processes[0].evaluations = 3
        var dropped = export(view("A", 1))
        dropped.processes[0].dropped = 1
        dropped.processes[0].evaluations = 2
        var cut = export(view("A", 1), view("B", 1))
        cut.processes[0].views.removeLast()
        var off = export(view("A", 1))
        off.processes[0].enabled = false
        let cases = [
            (lost, "2 evaluations of shop[4711]/main LOST"), (dropped, "DROPPED"), (cut, "1 evaluation"),
            (off, "counting is disabled in shop[4711]/main"), (Sample.export([]), "no instrumented process"),
        ]
        for (export, text) in cases {
            let check = try check("\"views\": {\"*\": {}}", export)
            #expect(!check.holds && check.gaps.count == 1 && check.gaps[0].contains(text), "\(check.gaps)")
            #expect(CheckResult(check: check, budget: "b").failure.contains("not exact: "))
            #expect(CheckResult(check: check, budget: "b").summary.contains("NOT EXACT"))
        }
        #expect(!BudgetCheck(Budget(), Tally(export(view("A", 1))), gaps: ["late"]).holds)
        #expect(BudgetCheck(Budget(), Tally(export(view("A", 1)))).holds)
    }

    @Test("hostile numbers are clamped and do not trap")
    func hostile() throws {
        var store = Sample.store(views: [])
        store.views = [view("A", .max, wasted: .max, hangs: .max), view("B", .max)]
        store.evaluations = .max
        let check = try check("\"total\": {\"evaluations\": 1}", Sample.export([store, store]))
        #expect(check.exceeded.map(\.excess) == [.max - 1])
    }

    @Test("the excess names the view, the reasons and the writers, the parent's where the parent was the reason")
    func evidence() throws {
        var tick = Sample.reason("ticker.tick", 4)
        tick.writers = [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:40", count: 4)]
        var parent = Sample.reason("parent: Shop", 4)
        parent.chains = [ChainCount(chain: "Shop ← ticker.tick", count: 4)]
        let run = export(
            view("Shop", 5, reasons: [Sample.reason("initial", 1), tick]), view("Row", 4, wasted: 4, reasons: [parent]))
        let check = try check("\"views\": {\"Shop\": {\"evaluations\": 1}, \"Row\": {\"wasted\": 0}}", run)
        let findings = check.exceeded.map { CheckResult(check: check, budget: "b").exceeded($0) }
        #expect(
            findings.map(\.headline) == [
                "Row: 4 wasted evaluations, at most 0 allowed (4 too many)",
                "Shop: 5 evaluations, at most 1 allowed (4 too many)",
            ])
        #expect(
            findings[0].details.map(\.text) == [
                "at Shop/Cart.swift:12",
                "why: 4 parent: Shop, began with Shop ← ticker.tick, "
                    + "written by Ticker.advance() Shop/Ticker.swift:40",
            ])
        #expect(
            findings[1].details.map(\.text) == [
                "at Shop/Cart.swift:12", "why: 4 ticker.tick, written by Ticker.advance() Shop/Ticker.swift:40",
                "why: 1 initial",
            ])
        let failure = CheckResult(check: check, budget: "b").failure
        for part in ["Row", "parent: Shop", "Ticker.advance()", "and 1 more exceeded limit: see --json"] {
            #expect(failure.contains(part))
        }
    }

    @Test("a list that is cut says how many are missing and which option shows them, and that one has all of them")
    func cutLists() throws {
        let stores = [Sample.store(views: (1...25).map { view("Row \($0)", 2) })]
        let check = try check("\"views\": {\"Row *\": {\"evaluations\": 8}}", Sample.export(stores))
        let result = CheckResult(check: check, budget: "b")
        #expect(result.exceeded(check.exceeded[0]).details.map(\.text).contains("and 22 more views: see --json"))
        let json = try result.json()
        #expect((1...25).allSatisfy { json.contains("\"Row \($0)\"") })
        #expect(CheckResult.listed((1...22).map { "Row \($0)" }).last == "and 2 more entries: see --json")
    }

    @Test("the main reason comes first, initial too, and a sign stands before a guess")
    func mainReason() throws {
        let run = export(
            view("Row", 9, reasons: [Sample.reason("tick", 2, .diff), Sample.reason("initial", 7)]),
            view("List", 4, reasons: [Sample.reason("initial", 2), Sample.reason("size", 2)]))
        let check = try check("\"views\": {\"*\": {\"evaluations\": 1}}", run)
        let details = check.exceeded.flatMap { CheckResult(check: check, budget: "b").exceeded($0).details }
        #expect(
            details.map(\.text).filter { $0.hasPrefix("why: ") } == [
                "why: 7 initial", "why: 2 ~tick", "why: 2 size", "why: 2 initial",
            ])
    }

    @Test("an update writes what the run counted, and keeps globs, notes, times and the choice of measures")
    func update() throws {
        let old = try budget(
            """
            "total": {"evaluations": 1}, "views": {"Old": {"wasted": 9}, "Row *": {"evaluations": 1, "note": "n"},
            "A": {"wasted": 5, "bodyP95Nanoseconds": 7}, "None *": {"hangs": 3}, "Free *": {}}
            """)
        let run = export(view("A", 4, wasted: 1), view("Row 1", 2), view("Row 2", 3), view("N*w", 6, hangs: 1))
        let new = BudgetUpdate.budget(from: Tally(run), old: old)
        let text = String(decoding: try BudgetText.of(new), as: UTF8.self)
        let expected = try budget(
            #"""
            "total": {"evaluations": 15}, "views": {"Row *": {"evaluations": 5, "note": "n"},
            "A": {"wasted": 1, "bodyP95Nanoseconds": 7}, "None *": {"hangs": 0}, "Free *": {},
            "N\\*w": {"evaluations": 6, "wasted": 0, "hangs": 1}}
            """#)
        #expect(new == expected, "\(text)")
        #expect(BudgetCheck(new, Tally(run), isStrict: false).holds)
        #expect(BudgetUpdate.budget(from: Tally(run), old: new) == new)
        let fresh = BudgetUpdate.budget(from: Tally(run), old: nil)
        #expect(fresh.total.most == [.evaluations: 15, .wasted: 1, .hangs: 1])
        #expect(fresh.views.map(\.pattern.text) == ["A", #"N\*w"#, "Row 1", "Row 2"])
        #expect(BudgetCheck(fresh, Tally(run), isStrict: true).holds)
    }
}
