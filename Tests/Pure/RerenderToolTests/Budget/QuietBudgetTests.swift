// SPDX-License-Identifier: MIT
// Budgets of what goes on without input, and faults for which a check fails.

import RerenderModel
import RerenderShow
import Testing

@testable import RerenderTool
@testable import ToolSupport

@Suite("Budgets of what goes on without input, and faults")
struct QuietBudgetTests {
    private static let second: UInt64 = 1_000_000_000

    /// Ten seconds with 60 frames, 300 turns and 120 wake-ups each, and 14 % of a core.
    private func stretch(seconds: UInt64 = 10) -> QuietStretch {
        var stretch = QuietStretch()
        stretch.nanoseconds = seconds * Self.second
        (stretch.frames, stretch.turns, stretch.wakeups) = (60 * seconds, 300 * seconds, 120 * seconds)
        stretch.processor = 140_000_000 * seconds
        return stretch
    }

    private func export(seconds: UInt64 = 10, verdict: Verdict? = nil) -> StatsExport {
        var store = Sample.store(views: [Sample.view("Cart", count: 4)])
        store.loop = LoopSamples.loop
        store.loop?.totals.frames = stretch(seconds: seconds)
        store.loop?.totals.busy = stretch(seconds: seconds)
        store.loop?.totals.spinning = QuietStretch()
        return StatsExport(generatedAt: Sample.now, processes: [store], verdict: verdict)
    }

    private func budget(_ total: String) throws -> Budget {
        try BudgetReader(path: "r.json").read(Array("{\"version\": 1, \"total\": {\(total)}}".utf8))
    }

    private func result(_ total: String, _ export: StatsExport) throws -> CheckResult {
        CheckResult(check: BudgetCheck(try budget(total), Tally(export)), budget: "b")
    }

    @Test(
        "a rate at its limit holds, and one more does not",
        arguments: [
            ("framesWithoutInput", UInt64(60), "60 frames a second without input, at most 59 allowed (1 too many)"),
            ("turnsWithoutInput", 300, "300 turns a second without input, at most 299 allowed (1 too many)"),
            ("wakeupsWithoutInput", 120, "120 wake-ups a second without input, at most 119 allowed (1 too many)"),
            ("processorWithoutInput", 140_000_000, "14.0% of a core without input, at most 14.0% allowed"),
        ])
    func limits(field: String, counted: UInt64, text: String) throws {
        let at = try result("\"\(field)\": \(counted)", export())
        #expect(at.check.holds && at.check.slack.isEmpty)
        let over = try result("\"\(field)\": \(counted - 1)", export())
        #expect(!over.check.holds && over.check.exceeded.map(\.counted) == [counted])
        let lines = over.styledLines.map(\.text)
        #expect(lines.contains { $0.hasPrefix("OVER   in total: \(text)") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("in shop[4711]") })
        #expect(try over.json().contains("\"measure\" : \"\(field)\""))
    }

    @Test("what lasts less than five seconds counts for none, and below a limit nothing is said")
    func short() throws {
        #expect(try result("\"framesWithoutInput\": 0", export(seconds: 4)).check.holds)
        let below = try result("\"framesWithoutInput\": 70", export())
        #expect(below.check.holds && !below.styledLines.contains { $0.text.hasPrefix("less") })
    }

    @Test("where no process told of its main loop, a limit is not known to hold")
    func unknown() throws {
        let run = Sample.export([Sample.store(views: [Sample.view("Cart", count: 4)])])
        let check = try result("\"framesWithoutInput\": 9", run).check
        #expect(
            !check.holds && check.gaps == ["what goes on without input is not known: no process told of its main loop"])
        #expect(try result("\"evaluations\": 4", run).check.holds)
    }

    @Test("views have no such limits, and --update keeps those of the total as they are")
    func kept() throws {
        let text = "{\"version\": 1, \"views\": {\"Cart\": {\"framesWithoutInput\": 1}}}"
        #expect(throws: ToolFailure.self) { try BudgetReader(path: "r.json").read(Array(text.utf8)) }
        let old = try budget("\"framesWithoutInput\": 9, \"processorWithoutInput\": 10000000, \"evaluations\": 1")
        let new = BudgetUpdate.budget(from: Tally(export()), old: old)
        #expect(new.total.most == [.frames: 9, .processor: 10_000_000, .evaluations: 4])
        #expect(try BudgetReader(path: "r.json").read(try BudgetText.of(new)) == new)
        #expect(BudgetUpdate.budget(from: Tally(export()), old: nil).total.most.keys.count == 3)
    }

    @Test("a fault of a kind that fails the check is said in every form; others fail nothing")
    func faults() throws {
        var verdict = Verdict(findings: [Verdict.Finding(.hangs, text: "f() blocked the main loop once, for 410ms")])
        verdict.counts = [.hangs: 1, .spinning: 2]
        let tally = Tally(export(verdict: verdict))
        func check(_ kinds: [Verdict.Kind]) -> BudgetCheck {
            BudgetCheck(Budget(), tally, gaps: tally.gaps(failingOn: kinds), faults: tally.faults(of: kinds))
        }
        #expect(check([]).holds && check([.waste]).holds && !check([.hangs]).holds && !check([.spinning]).holds)
        let result = CheckResult(check: check([.hangs, .spinning]), budget: "b")
        let lines = result.styledLines.map(\.text)
        #expect(lines.contains("FAULT  1 finding of the kind \"hangs\"") && lines.contains { $0.contains("for 410ms") })
        #expect(lines.contains("FAULT  2 findings of the kind \"spinning\""))
        #expect(result.summary.contains("there are findings of the kinds \"hangs\" and \"spinning\""))
        #expect(result.failure.contains("1 finding of the kind"))
        #expect(result.annotations.filter { $0.rule == .fault }.map(\.level) == [.error, .error])
        #expect(result.markdown.text.contains("Faults (3)") && result.junit.markup.text.contains("name=\"spinning\""))
        #expect(try result.json().contains("\"kind\" : \"spinning\""))
        let old = Tally(export())
        #expect(old.gaps(failingOn: [.hangs]) == ["faults are not known: the export has no verdict"])
    }

    @Test("each marked kind can be named, and no other")
    func kinds() {
        #expect(FaultKind.allValueStrings.contains("sameFrames") && !FaultKind.allValueStrings.contains("busy"))
        #expect(FaultKind(argument: "busy") == nil && FaultKind(argument: "cycle")?.kind == .cycle)
        #expect(FaultKind(argument: "all") == nil)
    }

    @Test("a hang in which the program was closing is shown, and is over no budget")
    func closing() throws {
        var cart = Sample.view("Cart", count: 1)
        cart.hangs.add(nanoseconds: 404_000_000, isExcused: true)
        var store = Sample.store(views: [cart])
        store.hangs = cart.hangs
        let check = BudgetCheck(try budget("\"hangs\": 0"), Tally(Sample.export([store])))
        let summary = CheckResult(check: check, budget: "b").summary
        #expect(
            check.holds
                && summary.contains(
                    "no hangs (1 more as the program closed, first drew a window or waited for the display server)"),
            "\(summary)")
    }
}
