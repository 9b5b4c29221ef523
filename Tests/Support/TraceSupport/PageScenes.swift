// SPDX-License-Identifier: MIT
// Pages and traces of two processes, small enough to count by hand.

import RerenderModel

@testable import RerenderTrace

extension ReportPage {
    private static let millisecond: Int64 = 1_000_000

    /// A second: eight writes of `shop`, each with a turn in which `Root` is evaluated and in it `Row`, and eight moments of `feed`.
    static func twoProcesses() -> ReportPage {
        var page = sample()
        page.processes = [Process(pid: 4711, name: "shop"), Process(pid: 4712, name: "feed")]
        page.threads = [4711, 4712]
        page.reasons = [
            "", "shop.ticker.tick", "parent: Root", "advance() Shop/Ticker.swift:40", "Ticker.tick", "clock.now",
        ]
        page.views = [
            View(
                key: "Row", process: 0, file: "Shop/Row.swift", line: 7, count: 8, wasted: 4,
                wastedNanoseconds: 12_000_000),
            View(key: "Root", process: 0, file: "Shop/Root.swift", line: 3, count: 8),
            View(key: "Clock", process: 1, file: "Feed/Clock.swift", line: 9, count: 8),
        ]
        page.views[0].advice = ["4 evaluations happened only because a parent was evaluated."]
        page.findings = [Finding(kind: .hangs, text: "Row blocked the main loop once", view: 0)]
        for index in 1...8 as ClosedRange<Int64> {
            page.addTurn(at: SampleTrace.origin + index * 100 * millisecond, index)
        }
        page.totals = Totals(
            evaluations: 24, wasted: 4, wastedNanoseconds: 12_000_000, bodyNanoseconds: 88_008_000, turns: 16)
        page.addHangs()
        page.addLoops()
        return page
    }

    /// The page of two processes, compared with one without `Row`, with another view, and with half the turns of `shop`.
    static func compared() -> ReportPage {
        var (old, page) = (twoProcesses(), twoProcesses())
        old.title = "/tmp/old"
        old.views[0].key = "Gone"
        old.turns.edit { turns in
            turns = turns.enumerated().filter { $0.offset % 4 != 2 }.map(\.element)
            for index in turns.indices where turns[index].lane == 0 { turns[index].amount = 1 }
            // Without evaluations: it has no number.
            turns.insert(.init(start: SampleTrace.origin, duration: 1, lane: 0, amount: 0), at: 0)
        }
        page.compare(with: old)
        return page
    }

    private mutating func addTurn(at start: Int64, _ index: Int64) {
        let millisecond = Self.millisecond
        writes.append(.init(start: start, duration: 0, lane: 0, amount: 1, reason: 4, writer: 3))
        evaluations += [
            .init(
                start: start + millisecond, duration: 8_000_000, lane: 1, amount: 8_000_000, reason: 1, writer: 3,
                inner: 3_000_000),
            .init(
                start: start + 2 * millisecond, duration: 3_000_000, lane: 0, amount: 3_000_000,
                wasted: UInt64(index % 2),
                depth: 1, reason: 2),
            // Less than a pixel, in another process.
            .init(start: start + 50 * millisecond, duration: 1_000, lane: 2, amount: 1_000, thread: 1, reason: 5),
        ]
        turns += [
            .init(start: start, duration: 10_000_000, lane: 0, amount: 2),
            .init(start: start + 50 * millisecond, duration: 1_000_000, lane: 1, amount: 1),
        ]
    }

    private mutating func addLoops() {
        mainLoops = [
            "shop[4711] main thread: 14.0% of a core (bodies 6.0%, the loop itself 8.0%); turns 60/s, wake-ups 12/s"
        ]
        let (second, share) = (Figure(value: 10, text: "10/s"), Figure(value: 0.5, text: "~0.5%"))
        sources = [
            Source(
                process: 1, kind: "handler", name: "GtkButton#go: clicked → on_clicked() cases.c:41", calls: 1_200,
                rate: second, core: Figure(value: 2, text: "2.0%"), processor: 200_000_000, longest: 50_000_000),
            Source(
                process: 0, kind: "timer", name: "tick() Shop/Ticker.swift:40", calls: 100, rate: second, core: share,
                processor: 50_000_000, isShared: true, longest: 1_000_000, thread: "worker"),
            Source(process: 0, kind: "others", name: "others", calls: 7),
        ]
    }

    private mutating func addHangs() {
        hangs = [
            HangRow(
                process: 1, start: 500_000_000, duration: 40_000_000, view: "", attribution: "none", verdict: "unknown",
                unattributed: nil),
            HangRow(
                process: 0, start: 820_000_000, duration: 150_000_000, view: "Row", attribution: "share",
                verdict: "running",
                inside: [
                    Part(view: "Row", amount: 90_000_000),
                    Part(view: "Root: click", amount: 30_000_000, phase: .handler),
                ], unattributed: 30_000_000),
        ]
    }
}

extension SampleTrace {
    /// Two processes; evaluations before the trace, of an earlier epoch, within others, in hangs, twice in a turn, and
    /// lost events.
    static func shop() -> SampleTrace {
        var trace = SampleTrace()
        trace.turn(1, from: 900_000, to: 4_000_000, evaluations: 3)
        trace.evaluate("Shop", at: 1_000_000, took: 200_000, reason: "ticker.tick", waste: .measured, count: 5, turn: 1)
        trace.evaluate(
            "CartTotal", at: 2_000_000, took: 50_000, reason: "parent: Shop", count: 1, turn: 1,
            chain: "Shop ← ticker.tick")
        trace.evaluate(
            "CartTotal", at: 3_000_000, took: 30_000, reason: "parent: Shop", waste: .inferred, count: 2, turn: 1,
            chain: "Shop ← ticker.tick")
        trace.turn(2, from: 10_000_000, to: 330_000_000, evaluations: 1)
        trace.evaluate("CartTotal", at: 20_000_000, took: 300_000_000, reason: "clock.now", count: 3, turn: 2)
        trace.pid = 4712
        trace.tid = 4712
        trace.evaluate("CartTotal", at: 400_000_000, took: 70_000, reason: "initial", count: 1)
        trace.add(500_000_000, .discarded(12))
        return trace
    }

    /// The report and the page of ``shop()``.
    static func shopResults() throws -> (report: TraceReport, page: ReportPage) {
        let trace = shop()
        let interpreter = try trace.feed(PageBuilder(trace.texts))
        return interpreter.consumer.results(interpreter.state, title: "/tmp/shop", tool: "rerenderctl")
    }
}
