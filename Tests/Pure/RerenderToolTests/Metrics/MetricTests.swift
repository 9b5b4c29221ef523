// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
import TestSupport
import Testing
@testable import ToolSupport

@Suite("Metrics")
struct MetricTests {
    /// What several exports, one after the other, make of the metrics.
    private static func continued(
        _ exports: [[ProcessStats]], from state: MetricState? = nil, after seconds: Int = 0
    ) -> MetricLedger.Result {
        var result = MetricLedger(continuing: state).result(at: Sample.now)
        for (number, stores) in exports.enumerated() {
            // Through its text, as a file has it.
            let text = MetricText.text(result, forgotten: 0, uid: 0, isContinued: true)
            var ledger = MetricLedger(continuing: number == 0 ? state : MetricText.state(in: Array(text.utf8)))
            for store in stores { ledger.add(store) }
            let second = Int64(seconds + number + 1) * 1_000_000_000
            result = ledger.result(at: Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + second))
        }
        return result
    }

    private static func text(_ result: MetricLedger.Result) -> [String] {
        MetricText.text(result, forgotten: 0, uid: 1_000, isContinued: true).split(separator: "\n").map { String($0) }
    }

    /// The samples of a metric, by their labels without the user.
    private static func samples(_ name: String, _ result: MetricLedger.Result) -> [String: String] {
        let lines = text(result).filter { $0.hasPrefix(name + "{") }
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

    private static let allViews = "rerender_view_evaluations_total"
    private static let other = #"process="other",store="other",view="other""#

    private static func label(_ view: String, store: String = "main", process: String = "shop") -> String {
        "process=\"\(process)\",store=\"\(store)\",view=\"\(view)\""
    }

    // MARK: Text

    @Test("names, types, units and order are stable: programs rely on them")
    func format() {
        var store = Sample.store(views: [Self.view("Cart", count: 7, self: 1_500_000_000, wasted: 3)])
        (store.evaluations, store.dropped, store.lost, store.microHangs) = (12, 3, 2, 4)
        (store.hangs.count, store.hangs.totalNanoseconds, store.hangs.starved) = (2, 600_000_001, 1)
        store.loop = Self.loop(turns: 60, calls: 9)
        let lines = Self.text(Self.continued([[store]]))
        #expect(lines.filter { !$0.hasPrefix("# ") } == Self.expected)
        let heads = lines.filter { $0.hasPrefix("# HELP ") || $0.hasPrefix("# TYPE ") }
        #expect(heads.count == 2 * 20 && heads[1] == "# TYPE rerender_connected_processes gauge")
        let counters = heads.filter { $0.hasSuffix(" counter") }
        let isNamedSo = counters.allSatisfy { $0.hasSuffix("_total counter") }
        #expect(counters.count == 19 && isNamedSo)
        #expect(lines.last?.hasPrefix("# rerender-state: {") == true)
    }

    private static let expected = #"""
        rerender_connected_processes{uid="1000",process="shop"} 1
        rerender_connected_processes{uid="1000",process="other"} 0
        rerender_evaluations_total{uid="1000",process="shop"} 12
        rerender_evaluations_total{uid="1000",process="other"} 0
        rerender_dropped_evaluations_total{uid="1000",process="shop"} 3
        rerender_dropped_evaluations_total{uid="1000",process="other"} 0
        rerender_lost_evaluations_total{uid="1000",process="shop"} 2
        rerender_lost_evaluations_total{uid="1000",process="other"} 0
        rerender_hangs_total{uid="1000",process="shop"} 2
        rerender_hangs_total{uid="1000",process="other"} 0
        rerender_hang_seconds_total{uid="1000",process="shop"} 0.600000001
        rerender_hang_seconds_total{uid="1000",process="other"} 0
        rerender_starved_hangs_total{uid="1000",process="shop"} 1
        rerender_starved_hangs_total{uid="1000",process="other"} 0
        rerender_micro_hangs_total{uid="1000",process="shop"} 4
        rerender_micro_hangs_total{uid="1000",process="other"} 0
        rerender_view_evaluations_total{uid="1000",process="shop",store="main",view="Cart"} 7
        rerender_view_evaluations_total{uid="1000",process="other",store="other",view="other"} 0
        rerender_view_self_seconds_total{uid="1000",process="shop",store="main",view="Cart"} 1.5
        rerender_view_self_seconds_total{uid="1000",process="other",store="other",view="other"} 0
        rerender_view_wasted_evaluations_total{uid="1000",process="shop",store="main",view="Cart"} 3
        rerender_view_wasted_evaluations_total{uid="1000",process="other",store="other",view="other"} 0
        rerender_view_wasted_seconds_total{uid="1000",process="shop",store="main",view="Cart"} 0.00000003
        rerender_view_wasted_seconds_total{uid="1000",process="other",store="other",view="other"} 0
        rerender_main_loop_turns_total{uid="1000",process="shop"} 60
        rerender_main_loop_turns_total{uid="1000",process="other"} 0
        rerender_main_loop_wakeups_total{uid="1000",process="shop"} 12
        rerender_main_loop_wakeups_total{uid="1000",process="other"} 0
        rerender_main_thread_processor_seconds_total{uid="1000",process="shop"} 0.5
        rerender_main_thread_processor_seconds_total{uid="1000",process="other"} 0
        rerender_process_processor_seconds_total{uid="1000",process="shop"} 2
        rerender_process_processor_seconds_total{uid="1000",process="other"} 0
        rerender_source_calls_total{uid="1000",process="shop",kind="timer",source="tick() clock.c:31"} 9
        rerender_source_calls_total{uid="1000",process="other",kind="other",source="other"} 0
        rerender_source_processor_seconds_total{uid="1000",process="shop",kind="timer",source="tick() clock.c:31"} 0.009
        rerender_source_processor_seconds_total{uid="1000",process="other",kind="other",source="other"} 0
        rerender_source_seconds_total{uid="1000",process="shop",kind="timer",source="tick() clock.c:31"} 0.018
        rerender_source_seconds_total{uid="1000",process="other",kind="other",source="other"} 0
        rerender_forgotten_processes_total{uid="1000"} 0
        """#.split(separator: "\n").map { String($0) }

    @Test("what a main loop did and called is added once, and a state without it is gone on from")
    func loops() throws {
        let calls = "rerender_source_calls_total"
        let label = #"process="shop",kind="timer",source="tick() clock.c:31""#
        var store = Sample.store(views: [])
        let without = Self.continued([[store]])
        store.loop = Self.loop(turns: 60, calls: 9)
        var later = store
        later.loop = Self.loop(turns: 80, calls: 12)
        let result = Self.continued([[store], [later], [later]], from: without.state, after: 2)
        #expect(Self.samples("rerender_main_loop_turns_total", result)[#"process="shop""#] == "80")
        let all = Self.samples(calls, result).values.compactMap { Int($0) }.reduce(0, +)
        #expect(all == 12 && Self.samples(calls, result)[label] != nil)
        var sampled = LoopRow(.sampled, name: "poll()", place: "clock.c:9")
        (sampled.numbers.count, sampled.numbers.processor) = (19, 1_000_000_000)
        later.loop?.rows.append(sampled)
        let same = Self.continued([[later]], from: result.state, after: 9)
        #expect(Self.samples(calls, same) == Self.samples(calls, result), "samples are no calls")
        // What an older version wrote has none of it.
        let json =
            #"{"at":1,"programs":{"names":[],"sums":[],"rest":[0,0,0,0,0,0,0,0],"restName":["other"]},"#
            + #""stores":[],"version":1,"#
            + #""views":{"names":[],"sums":[],"rest":[0,0,0,0],"restName":["other","other","other"]}}"#
        let old = try #require(MetricText.state(in: Array("# rerender-state: \(json)\n".utf8)))
        #expect(Self.samples(calls, Self.continued([[store]], from: old))[label] == "9")
    }

    @Test("the page of metrics lists what is written, with its type")
    func page() throws {
        let page = Checkout.url("docs/reference/metrics.md")
        let rows = try String(contentsOf: page, encoding: .utf8).matches(of: /\n\| `(rerender_\w+)` \| (\w+) \|/)
        let listed = rows.map { "# TYPE \($0.1) \($0.2)" }
        let written = Self.text(Self.continued([[Sample.shop]])).filter { $0.hasPrefix("# TYPE ") }
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
        let result = Self.continued([[store]])
        let series = Self.text(result).filter { !$0.hasPrefix("#") }
        let named = Set(series.compactMap { line in line.lastIndex(of: " ").map { line[..<$0] } })
        let isOurs = series.allSatisfy { $0.hasPrefix("rerender_") && !$0.hasPrefix("rerender_x") }
        let isPlain = series.joined().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E }
        #expect(named.count == series.count && isOurs && isPlain, "\(series)")
        let views = Self.samples(Self.allViews, result)
        #expect(views.count == 5 && views.values.sorted() == ["0", "10", "5", "5", "5"], "\(views)")
    }

    @Test("a program and a view that are called like all others are among them")
    func calledOther() {
        let store = Sample.store("other", store: "other", views: [Self.view("other", count: 5, self: 9)])
        let result = Self.continued([[store]])
        #expect(Self.samples(Self.allViews, result) == [Self.other: "5"])
        #expect(Self.samples("rerender_evaluations_total", result) == ["process=\"other\"": "5"])
    }

    @Test("on standard output the counters do not go on, and the text says so")
    func once() {
        let text = MetricText.text(Self.continued([[Sample.shop]]), forgotten: 0, uid: 0, isContinued: false)
        #expect(text.hasPrefix("# Not for scraping") && !text.contains("rerender-state"))
    }

    // MARK: Places

    @Test("the twenty views with most self time have places, ties by name, and all others are added up")
    func twenty() {
        let views = (10..<35).map { Self.view("V\($0)", count: 1, self: $0 < 15 ? 100 : 7) }
        let samples = Self.samples(Self.allViews, Self.continued([[Sample.store(views: views)]]))
        #expect(samples.count == 21 && samples[Self.other] == "5")
        let places = (10..<30).allSatisfy { samples[Self.label("V\($0)")] == "1" }
        #expect(places, "\(samples)")
    }

    @Test("a view of several processes and stores of one name is one series")
    func processes() {
        let stores = (1...3).map { Sample.store(pid: $0, number: UInt32($0), views: [Self.view("Cart", count: 4)]) }
        #expect(Self.samples(Self.allViews, Self.continued([stores])) == [Self.label("Cart"): "12", Self.other: "0"])
        #expect(Self.samples("rerender_connected_processes", Self.continued([stores]))["process=\"shop\""] == "3")
    }

    @Test("the hangs of a process are counted once, whichever of its stores count them")
    func hangs() {
        let stores = (0...1).map { number in
            var store = Sample.store(number: UInt32(number))
            (store.hangs.count, store.hangs.totalNanoseconds) = (3 - UInt64(number), 2_000_000_000)
            return store
        }
        let result = Self.continued([stores])
        #expect(Self.samples("rerender_hangs_total", result)["process=\"shop\""] == "3")
        #expect(Self.samples("rerender_hang_seconds_total", result)["process=\"shop\""] == "2")
    }

    // MARK: Going on

    @Test("nothing that was counted is counted again, and what grew is added once")
    func growth() {
        let exports = [4, 4, 9].map { [Sample.store(views: [Self.view("Cart", count: $0, self: 1)])] }
        let result = Self.continued(exports)
        #expect(Self.samples(Self.allViews, result) == [Self.label("Cart"): "9", Self.other: "0"])
        #expect(Self.samples("rerender_evaluations_total", result)["process=\"shop\""] == "9")
    }

    @Test("no sum falls when a process is forgotten, a store is reset, or numbers go back after a crash of the daemon")
    func neverLess() {
        func store(_ count: UInt64, pid: Int32 = 1, since: Int64 = 0) -> ProcessStats {
            var store = Sample.store(pid: pid, views: [Self.view("Cart", count: count, self: 1)])
            store.countedSince = Timestamp(nanosecondsSince1970: since)
            return store
        }
        let exports = [
            [store(10), store(5, pid: 2)], [store(10)], [store(2, since: 1)], [store(1, since: 1)],
            [store(4, since: 1)],
        ]
        let expected = ["15", "15", "17", "17", "19"]
        for length in 1...exports.count {
            let samples = Self.samples(Self.allViews, Self.continued(Array(exports.prefix(length))))
            #expect(samples[Self.label("Cart")] == expected[length - 1], "after \(length)")
        }
    }

    @Test("views that a restarted daemon does not have yet are not counted anew when it has them")
    func viewsFollow() {
        let views = ["Cart", "Row"].map { Self.view($0, count: 10, self: 1) }
        func exported(_ views: [Stats]) -> [ProcessStats] { [Sample.store(views: views)] }
        let result = Self.continued([exported(views), exported([views[1]]), exported(views)])
        #expect(
            Self.samples(Self.allViews, result) == [
                Self.label("Cart"): "10", Self.label("Row"): "10", Self.other: "0",
            ])
    }

    @Test("a store that the daemon does not have for a while is not counted anew, for a day at most")
    func absence() {
        let store = [Sample.store(views: [Self.view("Cart", count: 10, self: 1)])]
        #expect(Self.samples(Self.allViews, Self.continued([store, [], store]))[Self.label("Cart")] == "10")
        let absent = Self.continued([store, []]).state
        #expect(absent.stores.count == 1)
        let day = Timestamp(nanosecondsSince1970: Sample.now.nanosecondsSince1970 + 86_401_000_000_000)
        #expect(MetricLedger(continuing: absent).result(at: day).state.stores.isEmpty)
        let many = (0..<300).map { Sample.store(pid: $0) }
        #expect(Self.continued([many, []]).state.stores.count == MetricLedger.mostAbsent)
    }

    @Test("a view that gets or loses a place takes nothing from the sum of all others and gives it nothing")
    func places() {
        /// Twenty views with the same times, and one that costs more and more.
        func store(_ count: UInt64, self time: UInt64, of others: UInt64 = 100) -> [ProcessStats] {
            let views = (10..<30).map { Self.view("V\($0)", count: 1, self: others) }
            return [Sample.store(views: views + [Self.view("Late", count: count, self: time)])]
        }
        // It stays outside while it does not cost a quarter more.
        let outside = Self.samples(Self.allViews, Self.continued([store(10, self: 1), store(20, self: 120)]))
        #expect(outside[Self.other] == "20" && outside[Self.label("Late")] == nil)
        // It begins with 0 when it gets the place of one, whose sum goes.
        let inside = [store(10, self: 1), store(25, self: 126), store(30, self: 127)]
        let enters = Self.samples(Self.allViews, Self.continued(Array(inside.prefix(2))))
        #expect(enters[Self.label("Late")] == "0" && enters[Self.other] == "25" && enters[Self.label("V29")] == nil)
        let grows = Self.samples(Self.allViews, Self.continued(inside))
        #expect(grows[Self.label("Late")] == "5" && grows[Self.other] == "25")
        // And it leaves when all others cost more; what it counts then is of all others again.
        let leaves = Self.samples(Self.allViews, Self.continued(inside + [store(37, self: 127, of: 1_000)]))
        #expect(leaves[Self.label("Late")] == nil && leaves[Self.other] == "32" && leaves[Self.label("V29")] == "0")
    }

    @Test("whatever random stores count, the sums grow by exactly that", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var state: MetricState?
        var counts: [Int32: [UInt64]] = [:]
        var truth: UInt64 = 0
        var sums: [String: UInt64] = [:]
        for round in 0..<30 {
            // Some processes are there, and some views of them grow.
            let pids = (0..<6).filter { _ in Bool.random(using: &generator) }.map { Int32($0) }
            let stores = pids.map { pid in
                var known = counts[pid] ?? Array(repeating: 0, count: 30)
                for view in known.indices where Int.random(in: 0..<3, using: &generator) == 0 {
                    let more = UInt64.random(in: 0..<1_000, using: &generator)
                    known[view] += more
                    truth += more
                }
                counts[pid] = known
                return Sample.store(
                    pid: pid, views: known.enumerated().map { Self.view("V\($0)", count: $1, self: $1) })
            }
            let result = Self.continued([stores], from: state, after: round)
            state = result.state
            let now = Self.samples(Self.allViews, result).compactMapValues { UInt64($0) }
            let fallen = now.filter { $1 < sums[$0] ?? 0 }
            #expect(fallen.isEmpty, "round \(round): \(fallen)")
            // A view that loses its place takes its sum along, and nothing else goes.
            for (name, sum) in sums where now[name] == nil { truth -= sum }
            #expect(now.values.reduce(0, +) == truth, "round \(round)")
            sums = now
        }
    }

    @Test(
        "a state that does not hang together is not gone on from",
        arguments: [
            "", "# rerender-state: ", "# rerender-state: {}", "{}", "# rerender-state: {\"version\":2}",
            "# rerender-state: [[[[[[[[",
        ])
    func unusable(text: String) {
        #expect(MetricText.state(in: Array(text.utf8)) == nil)
    }

    @Test("of a state with other widths, or with more places than there are, nothing is used")
    func unsound() throws {
        let text = Self.text(Self.continued([[Sample.shop]])).last ?? ""
        #expect(MetricText.state(in: Array(text.utf8)) != nil)
        for (part, replacement) in [
            (#""names":[["shop"]]"#, #""names":[["shop","x"]]"#),
            (#""names":[["shop"]]"#, #""names":[["shop"],["a"]]"#),
            (#""names":[["shop"]]"#, #""names":[["other"]]"#), (#""version":1"#, #""version":9"#),
        ] {
            let broken = text.replacing(part, with: replacement)
            #expect(broken != text && MetricText.state(in: Array(broken.utf8)) == nil, "\(replacement)")
        }
    }
}
