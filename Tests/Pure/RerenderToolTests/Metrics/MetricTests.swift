// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
import TestSupport
import Testing
@testable import ToolSupport

@Suite("Metrics")
struct MetricTests {
    private static func text(_ stores: [ProcessStats]) -> [String] {
        let text = MetricText.text(Sample.export(stores), forgotten: 0, uid: 1_000)
        return text.split(separator: "\n").map { String($0) }
    }

    /// The samples of a metric, by their labels without the user.
    private static func samples(_ name: String, _ stores: [ProcessStats]) -> [String: String] {
        let lines = text(stores).filter { $0.hasPrefix(name + "{") }
        return lines.reduce(into: [:]) { samples, line in
            let parts = line.dropFirst(name.count + 1).components(separatedBy: "} ")
            samples[parts[0].replacing("uid=\"1000\",", with: "")] = parts.last
        }
    }

    private static func view(_ key: String, count: UInt64, self time: UInt64 = 0, wasted: UInt64 = 0) -> Stats {
        var view = Sample.view(ViewKey(rawValue: key), count: count)
        view.selfNanoseconds = time
        (view.wasted.count, view.wasted.nanoseconds) = (wasted, wasted * 10)
        return view
    }

    /// A main loop that was counted for half a second, with a timer that was called so often.
    private static func loop(turns: UInt64, calls: UInt64) -> LoopStats {
        var totals = LoopTotals()
        (totals.turns, totals.wakeups) = (turns, turns / 5)
        (totals.processor, totals.process) = (500_000_000, 2_000_000_000)
        var row = LoopRow(.timer, name: "tick()", place: "clock.c:31")
        (row.numbers.count, row.numbers.processor) = (calls, calls * 1_000_000)
        row.numbers.wall = calls * 2_000_000
        return LoopStats(totals, rows: [row])
    }

    private static let evaluations = "rerender_evaluations_total"
    private static let allViews = "rerender_view_evaluations_total"

    private static func label(_ view: String, pid: Int32 = 4711) -> String {
        "process=\"shop\",pid=\"\(pid)\",store=\"main\",view=\"\(view)\""
    }

    // MARK: Text

    @Test("names, types, units and order are stable: programs rely on them")
    func format() {
        var store = Sample.store(views: [Self.view("Cart", count: 7, self: 1_500_000_000, wasted: 3)])
        (store.evaluations, store.dropped, store.lost, store.microHangs) = (12, 3, 2, 4)
        (store.hangs.count, store.hangs.totalNanoseconds, store.hangs.starved) = (2, 600_000_001, 1)
        store.loop = Self.loop(turns: 60, calls: 9)
        let lines = Self.text([store])
        #expect(lines.filter { !$0.hasPrefix("# ") } == Self.expected)
        let heads = lines.filter { $0.hasPrefix("# HELP ") || $0.hasPrefix("# TYPE ") }
        #expect(heads.count == 2 * 23 && heads[1] == "# TYPE rerender_evaluations_total counter")
        let counters = heads.filter { $0.hasSuffix(" counter") }
        let isNamedSo = counters.allSatisfy { $0.hasSuffix("_total counter") }
        #expect(counters.count == 17 && isNamedSo)
    }

    private static let expected = #"""
        rerender_evaluations_total{uid="1000",process="shop",pid="4711",store="main"} 12
        rerender_dropped_evaluations_total{uid="1000",process="shop",pid="4711",store="main"} 3
        rerender_lost_evaluations_total{uid="1000",process="shop",pid="4711",store="main"} 2
        rerender_evaluations_created{uid="1000",process="shop",pid="4711",store="main"} 1795214700.123
        rerender_connected_processes{uid="1000",process="shop",pid="4711"} 1
        rerender_hangs_total{uid="1000",process="shop",pid="4711"} 2
        rerender_hang_seconds_total{uid="1000",process="shop",pid="4711"} 0.600000001
        rerender_starved_hangs_total{uid="1000",process="shop",pid="4711"} 1
        rerender_micro_hangs_total{uid="1000",process="shop",pid="4711"} 4
        rerender_hangs_created{uid="1000",process="shop",pid="4711"} 1795214700.123
        rerender_view_evaluations_total{uid="1000",process="shop",pid="4711",store="main",view="Cart"} 7
        rerender_view_self_seconds_total{uid="1000",process="shop",pid="4711",store="main",view="Cart"} 1.5
        rerender_view_wasted_evaluations{uid="1000",process="shop",pid="4711",store="main",view="Cart"} 3
        rerender_view_wasted_seconds{uid="1000",process="shop",pid="4711",store="main",view="Cart"} 0.00000003
        rerender_main_loop_turns_total{uid="1000",process="shop",pid="4711"} 60
        rerender_main_loop_wakeups_total{uid="1000",process="shop",pid="4711"} 12
        rerender_main_thread_processor_seconds_total{uid="1000",process="shop",pid="4711"} 0.5
        rerender_process_processor_seconds_total{uid="1000",process="shop",pid="4711"} 2
        rerender_source_calls_total{uid="1000",process="shop",pid="4711",kind="timer",source="tick() clock.c:31"} 9
        rerender_source_processor_seconds_total{uid="1000",process="shop",pid="4711",kind="timer",source="tick() clock.c:31"} 0.009
        rerender_source_seconds_total{uid="1000",process="shop",pid="4711",kind="timer",source="tick() clock.c:31"} 0.018
        rerender_left_out_series{uid="1000",of="stores"} 0
        rerender_left_out_series{uid="1000",of="processes"} 0
        rerender_left_out_series{uid="1000",of="views"} 0
        rerender_left_out_series{uid="1000",of="main loops"} 0
        rerender_left_out_series{uid="1000",of="sources"} 0
        rerender_forgotten_processes_total{uid="1000"} 0
        """#.split(separator: "\n").map { String($0) }

    @Test("what samples tell of is no call, and a process without a known main loop has no series of one")
    func loops() {
        var store = Sample.store(views: [])
        #expect(Self.samples("rerender_main_loop_turns_total", [store]).isEmpty)
        store.loop = Self.loop(turns: 60, calls: 9)
        let calls = Self.samples("rerender_source_calls_total", [store])
        var sampled = LoopRow(.sampled, name: "poll()", place: "clock.c:9")
        (sampled.numbers.count, sampled.numbers.processor) = (19, 1_000_000_000)
        store.loop?.rows.append(sampled)
        #expect(Self.samples("rerender_source_calls_total", [store]) == calls && calls.count == 1)
    }

    @Test("the page of metrics lists what is written, with its type")
    func page() throws {
        let page = Checkout.url("docs/reference/metrics.md")
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /\n\| `(rerender_\w+)` \| (\w+) \|/)
        let listed = rows.map { "# TYPE \($0.1) \($0.2)" }
        let written = Self.text([Sample.shop]).filter { $0.hasPrefix("# TYPE ") }
        #expect(listed == written)
    }

    @Test(
        "a label's value is escaped by scalars",
        arguments: [
            ("plain é 日本", "plain é 日本"), (#"a"b"#, #"a\"b"#), (#"\"#, #"\\"#), ("a\nb", #"a\nb"#),
            ("\"\u{301}x", "\\\"\u{301}x"), (#"\n"#, #"\\n"#),
        ])
    func escaping(text: String, escaped: String) {
        #expect(MetricLabel(text).text == escaped)
    }

    @Test(
        "seconds are exact",
        arguments: [(0, "0"), (1, "0.000000001"), (1_500_000_000, "1.5"), (UInt64.max, "18446744073.709551615")])
    func seconds(nanoseconds: UInt64, text: String) {
        #expect(MetricText.seconds(nanoseconds) == text)
    }

    @Test("what an app names is one line that no terminal obeys, and two names that look the same are one series")
    func hostile() {
        let names = ["a\u{1B}[2J\nrerender_x 1", "a\\u{1b}[2J\\u{a}rerender_x 1", "\"} 9\n#", "", "\u{202E}"]
        let store = Sample.store("p\"\n", store: "\\", views: names.map { Self.view($0, count: 5) })
        let series = Self.text([store]).filter { !$0.hasPrefix("#") }
        let named = Set(series.compactMap { line in line.lastIndex(of: " ").map { line[..<$0] } })
        let isOurs = series.allSatisfy { $0.hasPrefix("rerender_") && !$0.hasPrefix("rerender_x") }
        let isPlain = series.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }
        #expect(named.count == series.count && isOurs && isPlain, "\(series)")
        let views = Self.samples(Self.allViews, [store])
        #expect(views.count == 4 && views.values.sorted() == ["10", "5", "5", "5"], "\(views)")
    }

    // MARK: Series

    @Test("the twenty views with most self time have series, ties by name, and it is said how many have none")
    func twenty() {
        let views = (10..<35).map { Self.view("V\($0)", count: 1, self: $0 < 15 ? 100 : 7) }
        let store = Sample.store(views: views)
        let samples = Self.samples(Self.allViews, [store])
        #expect(samples.count == 20)
        let shown = (10..<30).allSatisfy { samples[Self.label("V\($0)")] == "1" }
        #expect(shown, "\(samples)")
        #expect(Self.samples("rerender_left_out_series", [store])["of=\"views\""] == "5")
    }

    @Test("each process of a program has series of its own, and stores of one name in it have them together")
    func processes() {
        let one = Sample.store(pid: 1, views: [Self.view("Cart", count: 4)])
        let two = (0...1).map { Sample.store(pid: 2, number: UInt32($0), views: [Self.view("Cart", count: 4)]) }
        let samples = Self.samples(Self.allViews, [one] + two)
        #expect(samples == [Self.label("Cart", pid: 1): "4", Self.label("Cart", pid: 2): "8"])
        #expect(Self.samples("rerender_connected_processes", [one] + two).count == 2)
    }

    @Test("the hangs of a process are counted once, whichever of its stores count them")
    func hangs() {
        let stores = (0...1).map { number in
            var store = Sample.store(number: UInt32(number))
            (store.hangs.count, store.hangs.totalNanoseconds) = (3 - UInt64(number), 2_000_000_000)
            return store
        }
        let process = #"process="shop",pid="4711""#
        #expect(Self.samples("rerender_hangs_total", stores) == [process: "3"])
        #expect(Self.samples("rerender_hang_seconds_total", stores) == [process: "2"])
    }

    @Test("a series begins anew where a store was reset or its number has another process, and tells since when")
    func created() {
        let labels = #"process="shop",pid="1",store="main""#
        func store(_ count: UInt64, since: Int64, startedAt: Int64 = 0) -> ProcessStats {
            var store = Sample.store(pid: 1, views: [Self.view("Cart", count: count)])
            store.startedAt = Timestamp(nanosecondsSince1970: startedAt)
            store.countedSince = Timestamp(nanosecondsSince1970: since)
            return store
        }
        let reset = [store(2, since: 5_000_000_000)]
        #expect(Self.samples(Self.evaluations, reset) == [labels: "2"])
        #expect(Self.samples("rerender_evaluations_created", reset) == [labels: "5"])
        // The one that ended is still listed, before the other one or behind it.
        let both = [store(10, since: 0), store(3, since: 7_000_000_000, startedAt: 7_000_000_000)]
        for stores in [both, both.reversed()] {
            #expect(Self.samples(Self.evaluations, stores) == [labels: "3"])
            #expect(Self.samples("rerender_evaluations_created", stores) == [labels: "7"])
        }
    }

    @Test(
        "whatever random stores count, no counter falls, and the sum over all processes is what they counted",
        arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var counts: [Int32: [UInt64]] = [:]
        var shown: [String: UInt64] = [:]
        for round in 0..<30 {
            // Some processes are there, and some views of them grow.
            let pids = (0..<6).filter { _ in Bool.random(using: &generator) }.map { Int32($0) }
            for pid in pids {
                var known = counts[pid] ?? Array(repeating: 0, count: 30)
                for view in known.indices where Int.random(in: 0..<3, using: &generator) == 0 {
                    known[view] += UInt64.random(in: 0..<1_000, using: &generator)
                }
                counts[pid] = known
            }
            let stores = pids.map { pid in
                Sample.store(
                    pid: pid, views: (counts[pid] ?? []).enumerated().map { Self.view("V\($0)", count: $1, self: $1) })
            }
            let all = Self.samples(Self.evaluations, stores).compactMapValues { UInt64($0) }
            let truth: UInt64 = pids.reduce(0) { sum, pid in sum + (counts[pid] ?? []).reduce(0, +) }
            #expect(all.count == pids.count && all.values.reduce(0, +) == truth, "round \(round)")
            let now = Self.samples(Self.allViews, stores).compactMapValues { UInt64($0) }.merging(all) { one, _ in one }
            let fallen = now.filter { $1 < shown[$0] ?? 0 }
            #expect(fallen.isEmpty, "round \(round): \(fallen)")
            shown.merge(now) { $1 }
        }
    }
}
