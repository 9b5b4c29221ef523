// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderPresentation
import RerenderQuery
@testable import RerenderTool
@testable import RerenderToolBase
import RerenderTrace
import Testing

@Suite("Views are ranked over all stores")
struct RankingTests {
    private let stores: [ProcessStats] = {
        var slow = Sample.view("Slow", count: 2, average: 9_000)
        slow.hangs.count = 1
        var wasteful = Sample.view("Wasteful", count: 5, average: 10)
        wasteful.wasted.nanoseconds = 50
        return [
            Sample.store("b", pid: 2, views: [slow, Sample.view("Same", count: 7)]),
            Sample.store("a", pid: 1, views: [wasteful, Sample.view("Same", count: 7)]),
        ]
    }()

    @Test(
        "each order puts its own first; equal ones stand by key, then by process",
        arguments: [
            (StatsOrder.count, ["a Same", "b Same", "a Wasteful", "b Slow"]),
            (.wasted, ["a Wasteful", "a Same", "b Same", "b Slow"]),
            (.time, ["b Slow", "a Wasteful", "a Same", "b Same"]),
            (.hangs, ["b Slow", "a Same", "b Same", "a Wasteful"]),
            (.key, ["a Same", "b Same", "b Slow", "a Wasteful"]),
        ])
    func ranks(order: StatsOrder, names: [String]) {
        #expect(order.ranked(stores).map { "\($0.store.name) \($0.view.key.rawValue)" } == names)
    }

    @Test("a label is as short as it can be and still tells stores apart")
    func labels() {
        let stores = [
            Sample.store("shop", pid: 1, store: "main"), Sample.store("shop", pid: 2, store: "main"),
            Sample.store("till", pid: 3, store: "main"), Sample.store("till", pid: 3, store: "side"),
            Sample.store("alone", pid: 4),
        ]
        let labels = StoreLabels(stores)
        #expect(stores.map(labels.label) == ["shop[1]", "shop[2]", "till/main", "till/side", "alone"])
        // The lines above the table name the process; in each row its number says enough.
        let runs = [Sample.store("shop", pid: 1), Sample.store("shop", pid: 22)]
        #expect(runs.map(StoreLabels(runs).label) == ["1", "22"])
    }
}
