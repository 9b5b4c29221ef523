// SPDX-License-Identifier: MIT
// A large trace on the page: a drawing costs as much as the screen has pixels, not as much as the trace has events.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite(.serialized, .enabled(if: PageBrowser.isInstalled, "needs chromium")) struct PageScaleTests {
    /// What the page's self-test writes down.
    struct Costs: Decodable {
        let drawings: Int
        let rectanglesPerPixel: Double
        let stepsPerPixel: Double
        let intervals: Int
        let evaluations: UInt64
        let wasted: UInt64
        let body: UInt64
        let misses: Int
    }

    private static let script = """
        return window.selfTest();
        """

    /// A page of `evaluations`, two events each, in 60 views; some are inside others, some are long.
    private static func page(evaluations: Int, limits: PageLimits = PageLimits()) throws -> ReportPage {
        var random = SeededGenerator(seed: 11)
        var trace = SampleTrace()
        var page = ReportPage.sample(seconds: UInt64(evaluations) * 20_000 / 1_000_000_000 + 1)
        let keys = (0..<60).map { "View\($0)" }
        var time: Int64 = 0
        for index in 0..<evaluations / 2 {
            let outer = trace.begin(keys[index % 7], at: time)
            let took = index % 997 == 0 ? 9_000_000 : Int64.random(in: 500...9_000, using: &random)
            trace.evaluate(
                keys[Int.random(in: 0..<60, using: &random)], at: time + 50, took: took,
                waste: index % 3 == 0 ? .measured : .none)
            trace.end(keys[index % 7], at: time + took + 100, id: outer, body: UInt64(took))
            time += index % 997 == 0 ? 9_100_000 : Int64.random(in: 9_200...40_000, using: &random)
        }
        let timeline = try trace.timeline(limits)
        page.views = timeline.state.known.views.map { ReportPage.View(key: trace.texts[$0.key], process: 0) }
        page.evaluations = timeline.evaluations.all
        page.durationNanoseconds = UInt64(timeline.range.upperBound - SampleTrace.origin)
        return page
    }

    private func expectCheap(_ costs: Costs, _ page: ReportPage) {
        #expect(costs.drawings > 90)
        #expect(costs.misses == 0, "the look-up finds what a plain search finds")
        #expect(costs.intervals == page.evaluations.count)
        // A wasted part and the rest, and what had started before.
        #expect(costs.rectanglesPerPixel <= 2.1)
        // Looking up and down the largest ends, and near the last place.
        #expect(costs.stepsPerPixel <= 60)
        #expect(costs.evaluations == page.evaluations.reduce(0) { $0 + $1.count })
        #expect(costs.wasted == page.evaluations.reduce(0) { $0 + $1.wasted })
        #expect(costs.body == page.evaluations.reduce(0) { $0 + $1.amount })
    }

    @Test("a trace of a million events is drawn with at most two rectangles a pixel of a row, wherever one looks")
    func million() async throws {
        let page = try Self.page(evaluations: 500_000)
        #expect(page.evaluations.count == 500_000)
        expectCheap(try await PageBrowser.ask(page, Self.script), page)
    }

    @Test("what is put together to stay within the limit keeps its sums on the page")
    func grouped() async throws {
        var limits = PageLimits()
        (limits.evaluations, limits.views) = (5_000, 100)
        let page = try Self.page(evaluations: 40_000, limits: limits)
        #expect(page.evaluations.count <= 5_000)
        #expect(page.evaluations.contains { $0.count > 1 })
        let costs: Costs = try await PageBrowser.ask(page, Self.script)
        expectCheap(costs, page)
        #expect(costs.evaluations == 40_000)
    }

    @Test("an empty trace and one of a single moment are drawn, too")
    func empty() async throws {
        var page = ReportPage.sample()
        page.durationNanoseconds = 0
        var costs: Costs = try await PageBrowser.ask(page, Self.script)
        #expect(costs.intervals == 0)
        page.addView("Cart", evaluations: 1, wasted: 0, took: 0)
        costs = try await PageBrowser.ask(page, Self.script)
        #expect(costs.evaluations == 1)
    }
}
