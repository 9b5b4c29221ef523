// SPDX-License-Identifier: MIT
// Two recordings on one page.

import TestSupport
import Testing

@testable import RerenderTrace
@testable import TraceSupport

@Suite struct PageComparisonTests {
    private static func text(_ sums: PageComparison.Sums?) -> String {
        sums.map { "\($0.evaluations) \($0.wasted) \($0.own)" } ?? "–"
    }

    @Test("views are those of one process name and key, with the self time of each recording")
    func views() throws {
        let compared = try #require(ReportPage.compared().compared)
        #expect(
            compared.views.map { "\($0.process) \($0.key): \(Self.text($0.old)), \(Self.text($0.new))" } == [
                "shop Root: 8 0 40000000, 8 0 40000000", "shop Row: –, 8 4 24000000", "feed Clock: 8 0 8000, 8 0 8000",
                "shop Gone: 8 4 24000000, –",
            ])
        #expect(compared.views.map(\.view) == [1, 0, 2, nil])
    }

    @Test("turns with evaluations are beside each other in their order, within a limit")
    func turns() throws {
        let compared = try #require(ReportPage.compared().compared)
        let shop = compared.turns.filter { $0.process == "shop" }
        #expect(shop.map(\.number) == Array(1...8) && shop.allSatisfy { $0.place == 0 })
        #expect(shop.map { $0.old?.evaluations } == [1, 1, 1, 1, nil, nil, nil, nil])
        #expect(shop.map { $0.new?.start } == (1...8).map { $0 * 100_000_000 })
        var limits = PageLimits()
        limits.comparedTurns = 10
        let cut = PageComparison(old: .twoProcesses(), new: .twoProcesses(), limits: limits)
        #expect(cut.turns.count == 10 && cut.turnsLeft == 6)
    }

    @Test("so many turns are compared, and the number of the others is known", arguments: around(16))
    func fewTurns(limit: Int) {
        var limits = PageLimits()
        limits.comparedTurns = limit
        let compared = PageComparison(old: .twoProcesses(), new: .twoProcesses(), limits: limits)
        #expect(compared.turns.count == min(16, limit) && compared.turnsLeft == max(0, 16 - limit))
    }

    @Test("turns that cannot be told apart are not beside each other")
    func unaligned() {
        var (grouped, twins) = (ReportPage.twoProcesses(), ReportPage.twoProcesses())
        grouped.turns.edit { $0[0].count = 2 }
        twins.processes[1].name = "shop"
        let first = PageComparison(old: grouped, new: .twoProcesses())
        #expect(first.unaligned == ["shop"] && first.turns.allSatisfy { $0.process == "feed" })
        let second = PageComparison(old: .twoProcesses(), new: twins)
        #expect(second.unaligned == ["shop"] && second.turns.allSatisfy { $0.new == nil })
    }
}
