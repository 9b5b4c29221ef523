// SPDX-License-Identifier: MIT
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Testing
@testable import ToolSupport

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
            // The hang is a fault; the others cost 50 ns and nothing.
            (.cost, ["b Slow", "a Wasteful", "a Same", "b Same"]),
            (.wasted, ["a Wasteful", "a Same", "b Same", "b Slow"]),
            (.time, ["b Slow", "a Wasteful", "a Same", "b Same"]),
            (.hangs, ["b Slow", "a Same", "b Same", "a Wasteful"]),
            (.key, ["a Same", "b Same", "b Slow", "a Wasteful"]),
        ])
    func ranks(order: StatsOrder, names: [String]) {
        #expect(order.ranked(stores).map { "\($0.store.name) \($0.view.key.rawValue)" } == names)
    }

    @Test("by cost, what a finding names comes first, then what costs most by itself, and last what only passes on")
    func cost() {
        var busy = Sample.view("Video", count: 9, average: 10, reasons: [Sample.reason("tick", 9)])
        let parent = Sample.view("Window", count: 90, average: 5_000, reasons: [Sample.reason("child Icon", 90)])
        var icon = Sample.view(
            "Icon", count: 90, average: 100, reasons: [Sample.reason("layout", 81), Sample.reason("child Dot", 9)])
        let row = Sample.view("Row", count: 9, average: 2_000, reasons: [Sample.reason("parent: List", 9)])
        icon.selfNanoseconds = 9_000
        busy.selfNanoseconds = 90
        let store = Sample.store(views: [parent, row, icon, busy])
        #expect(
            StatsOrder.cost.ranked([store]).map(\.view.key) == ["Icon", "Video", "Window", "Row"],
            "no finding is known: 8,100 ns, 90 ns, and nothing")
        var finding = Verdict.Finding(.busy)
        (finding.pid, finding.store, finding.storeNumber) = (store.pid, store.store, store.storeNumber)
        finding.view = "Video"
        let verdict = Verdict(findings: [finding])
        let ranked = StatsOrder.cost.ranked([store], verdict)
        #expect(ranked.map(\.view.key) == ["Video", "Icon", "Window", "Row"])
        #expect(ranked.map(\.rank.mark) == [.busy, .plain, .plain, .plain])
        #expect(ranked.map(\.rank.nanoseconds) == [90, 8_100, 0, 0])
        #expect(StatsOrder.cost.ranked([store], verdict, isReversed: true).map(\.view.key).last == "Video")
    }

    @Test("by time, a view comes first that works itself, and not the one around it")
    func selfTime() {
        var (root, feed) = (Sample.view("Root", count: 1, average: 400), Sample.view("Feed", count: 1, average: 399))
        (root.selfNanoseconds, feed.selfNanoseconds) = (1, 399)
        let ranked = StatsOrder.time.ranked([Sample.store(views: [root, feed])])
        #expect(ranked.map(\.view.key) == ["Feed", "Root"] && ranked.map(\.view.selfNanoseconds) == [399, 1])
        let lines = StatsScreen(
            export: Sample.export([Sample.store(views: [root, feed])]), health: nil, order: .time, limit: nil
        ).lines(width: 200, colours: false)
        let title = lines.first { $0.hasPrefix("KEY") }?.split(separator: " ").map(String.init) ?? []
        #expect(title.contains("SELF") && !title.contains("TOTAL"))
        let older = StatsScreen(export: Sample.export(stores), health: nil, order: .count, limit: nil)
        #expect(!older.lines(width: 200, colours: false).joined().contains("SELF"), "it does not tell")
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

    @Test("the store of an injected program is not said to lack a handler for pulses")
    func injected() {
        let stores = [
            Sample.store("shop", store: "injected"), Sample.store("shop", store: "mine", kind: .injectedViews),
        ].map(StoreID.init)
        #expect(CommandText.noPulse(in: stores[0]) == "the app sets no handler (store.onPulse)")
        #expect(CommandText.noPulse(in: stores[1]).contains("the store widgets has what can be pulsed"))
    }

    @Test("stores of one name are told apart by their numbers, in labels, in the order and as identities")
    func namesakes() {
        let plugin = 1 << 20 as UInt32
        let stores = [plugin, 0].map {
            Sample.store("shop", number: $0, views: [Sample.view("Card", count: 1)])
        }
        let labels = StoreLabels(stores)
        #expect(stores.map(labels.label) == ["shop/main#1048576", "shop/main#0"])
        #expect(stores.map(labels.full) == ["shop[4711]/main#1048576", "shop[4711]/main#0"])
        #expect(Set(stores.map(StoreID.init)).count == 2)
        #expect(StatsOrder.key.ranked(stores).map(\.store.storeNumber) == [0, plugin])
        #expect(StatsOrder.key.ranked(stores.reversed()).map(\.store.storeNumber) == [0, plugin])
    }

    @Test("a store is selected by its name, or by its name and number")
    func selection() {
        let stores = [Sample.store(store: "main", number: 0), Sample.store(store: "main", number: 1)]
        func selected(_ name: String) -> [UInt32] {
            stores.filter { ProcessSelection(store: name).fits($0) }.map(\.storeNumber)
        }
        #expect(selected("main") == [0, 1] && selected("main#0") == [0] && selected("main#1") == [1])
        #expect(selected("main#").isEmpty && selected("#1").isEmpty && selected("main#2").isEmpty)
        #expect(stores.map { store in stores.filter { StoreID(store).selection.fits($0) } } == stores.map { [$0] })
    }
}
