// SPDX-License-Identifier: MIT
// What is said of what goes on without input.

import RerenderModel
import Testing

@testable import RerenderShow
@testable import ToolSupport

@Suite("What is said of work without input")
struct IdleTextTests {
    private static let second: UInt64 = 1_000_000_000

    private func store(_ work: [IdleWork], _ name: String = "main") -> ProcessStats {
        var store = ProcessStats(
            pid: 7, name: "shop", store: name, storeNumber: 0, startedAt: Timestamp(nanosecondsSince1970: 0))
        store.connected = true
        store.idleWork = work.isEmpty ? nil : work
        return store
    }

    private func work(
        _ view: String, own: UInt64 = 61, count: UInt64 = 61, nanoseconds: UInt64 = 12_200_000, writer: String? = nil,
        callback: IdleWork.Callback? = nil
    ) -> IdleWork {
        var work = IdleWork(
            view.isEmpty ? .frames : .evaluations, latestAt: Timestamp(nanosecondsSince1970: 9_000_000_000))
        (work.view, work.reason, work.writer, work.callback) = (view, view.isEmpty ? "" : "tick", writer, callback)
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (own, count, nanoseconds)
        work.all = work.latest
        work.latestDuration = Self.second
        return work
    }

    @Test("A row of less than a second is told by its number, and no rate is made of it")
    func shortRows() {
        var short = work("Clock", own: 12, count: 24)
        short.latestDuration = Self.second - 1
        #expect(short.perSecond == nil && short.share == nil && short.allPerSecond == nil)
        let lines = IdleText.lines([store([short])])
        #expect(lines.count == 1 && lines[0].contains("Clock: tick, 12 evaluations, for "), "\(lines)")
        #expect(!lines[0].contains("/s"))
    }

    @Test("above a table: the cause, how often, what it costs and for how long, those that cost most first")
    func lines() {
        #expect(IdleText.lines([store([])]).isEmpty)
        let all = [
            work("Spinner"), work("Clock", count: 122, nanoseconds: 24_400_000), work("", nanoseconds: 61_000_000),
        ]
        #expect(
            IdleText.lines([store(all)]) == [
                "shop[7]/main without input: frames, 60/s, 6.0% of a core, for 1.00s",
                "shop[7]/main without input: Clock: tick, 60/s (120/s in all), 2.4% of a core, for 1.00s",
                "shop[7]/main without input: Spinner: tick, 60/s, 1.2% of a core, for 1.00s",
            ])
    }

    @Test("three for each store, and how many more there are; the others last")
    func many() {
        var others = work("x")
        (others.kind, others.latest.nanoseconds) = (.others, 100 * Self.second)
        let lines = IdleText.lines([store([others] + (1...3).map { work("V\($0)") })])
        #expect(lines.count == 4 && lines[3] == "shop[7]/main without input: 1 more cause: see --json")
        #expect(IdleText.lines([store([others])]) == ["shop[7]/main without input: other causes, 61 evaluations"])
    }

    @Test("with who wrote, and what of the main loop called that")
    func callers() {
        func text(_ writer: String?, _ source: String?, _ function: String? = nil) -> String {
            let callback = source.map { IdleWork.Callback(source: $0, function: function) }
            let line = IdleText.lines([store([work("V", writer: writer, callback: callback)])]).joined()
            return String(line.dropFirst("shop[7]/main without input: V: tick".count).prefix { $0 != "," })
        }
        #expect(text(nil, nil).isEmpty && text("unknown", nil).isEmpty)
        #expect(text("set() a.c:9", nil) == " by set() a.c:9")
        #expect(text("set() a.c:9", "timer", "set() a.c:7") == " by the timer set() a.c:9")
        #expect(text(nil, "timer", "set() a.c:7") == " by the timer set() a.c:7")
        #expect(text(nil, "idle function") == " by an idle function")
    }

    @Test("from a callback that called the writer, both are named")
    func outer() {
        let callback = IdleWork.Callback(source: "timer", function: "fire() a.c:7")
        let known = IdleText.lines([store([work("V", writer: "set() a.c:9", callback: callback)])]).joined()
        #expect(known.contains("V: tick by set() a.c:9, from the timer fire() a.c:7, 60/s"))
        let nameless = IdleWork.Callback(source: "timer", function: nil)
        let unknown = IdleText.lines([store([work("V", writer: "set() a.c:9", callback: nameless)])]).joined()
        #expect(unknown.contains("V: tick by set() a.c:9, called by a timer, 60/s"))
    }

    @Test("on the live screen what goes on now, in one line")
    func now() {
        let all = [work(""), work("A"), work("B", nanoseconds: 24_400_000)]
        func text(_ seconds: Int64, _ stores: [ProcessStats]) -> String? {
            IdleText.now(stores, Timestamp(nanosecondsSince1970: seconds * 1_000_000_000))
        }
        let line = "without input: frames, 60/s, 1.2% of a core; B: tick, 60/s, 2.4% of a core; 1 more cause"
        #expect(text(11, [store(all)]) == line)
        #expect(text(12, [store(all)]) == nil && text(9, [store([])]) == nil)
        var ended = store(all)
        ended.connected = false
        #expect(text(9, [ended]) == nil)
    }

    @Test("in the explanation of its view")
    func sentences() {
        let store = store([work("A"), work("B"), work("")])
        #expect(
            IdleText.sentences("A", store) == [
                "It goes on without input: tick, 60/s, 1.2% of a core, for 1.00s."
            ])
        #expect(IdleText.sentences("C", store).isEmpty)
        var ended = store
        ended.connected = false
        #expect(IdleText.sentences("A", ended) == ["It went on without input: tick, 60/s, 1.2% of a core, for 1.00s."])
    }

    @Test("goes on while its process runs and it came a moment ago, and is over else")
    func over() {
        let (one, now) = (work("A"), Sample.now)
        for (seconds, connected, goesOn) in [(2, true, true), (3, true, false), (0, false, false)] {
            var (idle, process) = (one, store([one]))
            idle.latestAt = Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 - Int64(seconds) * 1_000_000_000)
            process.connected = connected
            #expect(IdleText.goesOn(idle, in: process, now) == goesOn, "\(seconds)")
        }
    }
}
