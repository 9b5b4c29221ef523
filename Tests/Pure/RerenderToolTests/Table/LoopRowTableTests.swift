// SPDX-License-Identifier: MIT
// What is shown of main loops: lines above tables, the table of sources and handlers, and its CSV.

import RerenderModel
import Testing

@testable import RerenderShow
@testable import ToolSupport

@Suite("Main loops in tables")
struct LoopRowTableTests {
    private var store: ProcessStats {
        var store = Sample.shop
        store.loop = LoopSamples.loop
        return store
    }

    private func screen(_ stores: [ProcessStats], width: Int = 120, sources: Bool = false) -> String {
        var screen = StatsScreen(export: Sample.export(stores), health: nil, order: .count, limit: nil)
        screen.showsSources = sources
        return screen.lines(width: width, colours: false).joined(separator: "\n")
    }

    @Test("What the main thread did, how often it woke up, and who else took 5 % of a core stand above the table")
    func notes() {
        #expect(
            LoopNotes.lines([store]) == [
                "shop[4711] main thread: 14.0% of a core (bodies 6.0%, layout 3.0%, sources and handlers 2.5%, "
                    + "the loop itself 1.7%, not known 0.8%); turns 60/s, wake-ups 12/s",
                "shop[4711] other threads: 48.0% of a core is in 58 threads \"gldisplay-event\", 8 more than at the first "
                    + "frame: it is not the UI",
            ])
        #expect(LoopNotes.lines([Sample.shop]).isEmpty)
        var widgets = store
        widgets.kind = .widgets
        #expect(LoopNotes.lines([widgets])[0].contains("(widgets 6.0%, layout 3.0%"), "a widget has no body")
        #expect(LoopNotes.lines([widgets, Sample.shop])[0].contains("(bodies 6.0%"), "and here are views, too")
        var few = store
        few.loop?.threads[0].processor = 400_000_000
        let ended = "shop[4711] other threads: 44.0% of a core is in threads that have ended"
        #expect(LoopNotes.lines([few]).dropFirst() == [ended])
        few.loop?.totals.process = 1_800_000_000
        #expect(LoopNotes.lines([few]).count == 1, "4 % of a core")
        few.loop?.totals.processor = 0
        #expect(LoopNotes.lines([few])[0].hasSuffix("wake-ups 12/s; its processor time is not known"))
        var fast = store
        fast.loop?.totals.turns = 10_001
        #expect(LoopNotes.lines([fast])[0].contains("14.0% of a core (bodies ~6.0%"), "shared out by the clock")
        fast.loop?.totals.counted = 999_999_999
        #expect(LoopNotes.lines([fast]).isEmpty, "a share of a core of less than a second says nothing")
    }

    @Test("The table has what is called, how often and what it takes, those that take most first and others last")
    func table() {
        let lines = LoopRowTable.lines([store], limit: nil, width: 120, colours: false)
        #expect(lines.count == 4 && lines[0].hasPrefix("WHAT") && lines[0].contains("SOURCE"))
        #expect(lines[1].hasPrefix("handler") && lines[1].contains("on_clicked() cases.c:41"))
        #expect(lines[1].contains(" 2.0%") && lines[1].contains("1.0/s"))
        #expect(lines[2].hasPrefix("timer") && lines[2].contains("~0.5%") && lines[2].contains("10/s"))
        #expect(lines[3].hasPrefix("others"))
        let few = LoopRowTable.lines([store], limit: 1, width: 120, colours: false)
        #expect(few[2] == "… 1 of 3 sources and handlers shown; all of them: rerenderctl stats --sources")
        for width in 40...160 {
            let isFitting = LoopRowTable.lines([store], limit: nil, width: width, colours: false).allSatisfy {
                DisplayWidth.of($0) <= width
            }
            #expect(isFitting, "\(width)")
        }
    }

    @Test("It stands below the views, alone where it is asked for, and alone in a program without views")
    func screens() {
        let whole = screen([store])
        #expect(whole.contains("CartTotal") && whole.contains("on_clicked() cases.c:41"))
        let sources = screen([store], sources: true)
        #expect(!sources.contains("CartTotal ") && sources.contains("on_clicked() cases.c:41"))
        #expect(screen([Sample.shop], sources: true).hasSuffix("no main loop told of one."))
        var loop = Sample.store("geany", kind: .loop)
        loop.loop = LoopSamples.loop
        let alone = screen([loop])
        #expect(alone.contains("geany[4711]/main: connected, no views, main loop glib"))
        #expect(alone.contains("tick() clock.c:31") && !alone.contains("KEY"))
    }

    @Test("What the longest call certainly waited stands beside it, as for Python's lock, from 100 ms on")
    func waits() {
        func lines(longest: UInt64, processor: UInt64, thread: String? = nil) -> [String] {
            var row = LoopRow(.timer, name: "innocent()", place: "gil2.py:9", thread: thread)
            (row.numbers.count, row.numbers.longest, row.numbers.processor) = (106, longest, processor)
            var store = store
            store.loop?.rows = [row]
            return LoopRowTable.lines([store], limit: nil, width: 120, colours: false)
        }
        let waited = lines(longest: 1_650_000_000, processor: 29_100_000)
        #expect(waited[0].contains("MAX") && waited[0].contains("WAIT"))
        #expect(waited[1].contains("1.65s") && waited[1].contains("1.62s"))
        #expect(lines(longest: 129_100_000, processor: 29_100_000)[0].contains("WAIT"))
        #expect(!lines(longest: 129_099_999, processor: 29_100_000)[0].contains("WAIT"))
        #expect(!lines(longest: 150_000_000, processor: 900_000_000)[0].contains("WAIT"), "it may have run")
        #expect(!lines(longest: 1_650_000_000, processor: 0, thread: "gdbus")[0].contains("WAIT"), "not known")
    }

    @Test("A source that samples tell of has no number of calls, and is gone once they tell of another one")
    func sampled() {
        var row = LoopRow(.sampled, name: "poll_queue()", place: "a.c:3")
        (row.numbers.count, row.numbers.turns, row.numbers.polls) = (19, 20, 20)
        (row.numbers.processor, row.numbers.isShared) = (1_000_000_000, 1)
        var store = store
        store.loop?.rows = [row]
        let lines = LoopRowTable.lines([store], limit: nil, width: 120, colours: false)
        #expect(lines.count == 2 && lines[1].hasPrefix("source") && lines[1].contains("poll_queue() a.c:3"))
        #expect(lines[1].contains("~10.0%") && !lines[1].contains("19") && !lines[1].contains("/s"))
        store.loop?.rows[0].numbers.count = 0
        #expect(SourceRow.all([store]).isEmpty)
    }

    @Test("A part of a core is processor time, with a sign where it was shared out")
    func shares() {
        let shares = CoreShares([store])
        #expect(shares.bodies(4, of: 4_711).text == "~3.0%" && shares.bodies(4, of: 7).text == "4.0%")
        var other = Sample.store("shop", store: "widgets", number: 1)
        var work = IdleWork(.evaluations, latestAt: Sample.now)
        (work.view, work.reason) = ("Clock", "tick")
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (61, 61, 61_000_000)
        (work.all, work.latestDuration) = (work.latest, 1_000_000_000)
        other.idleWork = [work]
        #expect(IdleText.lines([store, other])[0].contains("60/s, ~4.5% of a core"), "the loop is another store's")
    }
}
