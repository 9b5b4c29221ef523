// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

/// What the first line says where a loop is busy beside faults, or for several functions.
@Suite("The words for what is busy") struct BusyTextTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
    private static let second: UInt64 = 1_000_000_000

    /// Ten seconds with so many frames or turns in each, and a part of a core.
    private func stretch(
        frames: UInt64 = 0, same: UInt64 = 0, unpainted: UInt64 = 0, turns: UInt64 = 0, empty: UInt64 = 0, share: Double
    ) -> QuietStretch {
        var stretch = QuietStretch()
        stretch.nanoseconds = 10 * Self.second
        stretch.processor = UInt64(share * 1e10)
        (stretch.frames, stretch.turns) = (10 * frames, 10 * turns)
        (stretch.sameFrames, stretch.unpainted) = (stretch.frames * same / 100, stretch.frames * unpainted / 100)
        (stretch.pollsWithoutWait, stretch.emptyTurns) = (stretch.turns, stretch.turns * empty / 100)
        return stretch
    }

    private func loop(rows: [LoopRow] = [], _ change: (inout LoopTotals) -> Void) -> LoopStats {
        var totals = LoopTotals()
        (totals.counted, totals.isInputKnown) = (10 * Self.second, 1)
        change(&totals)
        totals.turns = max(totals.busy.turns, totals.spinning.turns)
        return LoopStats(totals, rows: rows)
    }

    private func row(
        _ kind: LoopRow.Kind, _ name: String, count: UInt64 = 0, processor: UInt64 = 0, descriptor: UInt64 = 0
    ) -> LoopRow {
        var row = LoopRow(kind, name: name, place: "a.c:1")
        (row.numbers.count, row.numbers.processor, row.numbers.descriptor) = (count, processor, descriptor)
        return row
    }

    private func asker(_ view: String, _ frames: QuietStretch, processor: UInt64 = 0) -> WidgetFact {
        var fact = WidgetFact(.asker, view: view)
        (fact.numbers.count, fact.numbers.of) = (frames.frames, frames.frames)
        (fact.numbers.processor, fact.numbers.duration) = (processor, frames.nanoseconds)
        return fact
    }

    private func texts(_ loop: LoopStats, views: [Stats] = []) -> [String] {
        var store = ProcessStats(pid: 7, name: "shop", store: "main", storeNumber: 0, startedAt: Self.start)
        (store.mainLoop, store.kind, store.loop, store.views) = (.glib, .widgets, loop, views)
        store.evaluations = 1
        return (VerdictBuilder.verdict(of: [store])?.findings ?? []).map { $0.kind.mark + $0.text }
    }

    @Test("names functions that the loop calls in most of its turns, where none takes much")
    func called() {
        let busy = stretch(turns: 1_000, share: 0.5)
        let rows = [
            row(.idle, "step_a()", count: 9_000), row(.idle, "step_b()", count: 8_000),
            row(.timer, "rare()", count: 99),
        ]
        #expect(
            texts(loop(rows: rows) { $0.busy = busy }) == [
                "· 50.0% of a core without input, 1.0k turns a second, most of them for the idle function step_a() a.c:1 "
                    + "and the idle function step_b() a.c:1"
            ])
        let empty = stretch(turns: 1_000, empty: 95, share: 0.5)
        #expect(
            texts(loop(rows: [rows[2]]) { $0.busy = empty })
                == ["· 50.0% of a core without input, 1.0k turns a second, 95% for nothing"])
    }

    @Test("a loop that is woken a hundred times a second has a line, however little that takes")
    func woken() {
        func known(_ wakeups: UInt64, turns: UInt64 = 950, of row: LoopRow, share: Double = 0.004) -> LoopStats {
            loop(rows: [row, self.row(.idle, "an idle function of GTK", processor: 900)]) {
                ($0.spinning, $0.processor) = (stretch(turns: turns, share: share), 1_000)
                $0.spinning.pollsWithoutWait = 0
                $0.spinning.wakeups = 10 * wakeups
            }
        }
        let probed = row(.idle, "probe_finished()", count: 9_400)
        let line = "· 0.4% of a core without input, 940 wake-ups a second, most of them for the idle function "
        #expect(texts(known(940, of: probed)) == [line + "probe_finished() a.c:1"])
        var woken = known(940, of: probed)
        var waker = row(.wakeup, "scan_ports()", count: 9_400)
        waker.thread = "scanner"
        woken.rows.append(waker)
        #expect(texts(woken) == [line + "probe_finished() a.c:1; scan_ports() a.c:1 on thread scanner wakes it"])
        #expect(texts(known(99, of: probed)) == ["Nothing to fix"])
        #expect(texts(known(940, of: row(.idle, "rare()", count: 3_000))) == ["Nothing to fix"])
        let third = texts(known(940, of: row(.idle, "third()", count: 3_400))).first
        #expect(third?.hasSuffix(", 940 wake-ups a second, 35% of them for the idle function third() a.c:1") == true)
        woken.totals.isInputKnown = 0
        #expect(texts(woken) == ["Nothing to fix"], "data may have come")
        (woken.totals.isInputKnown, woken.totals.frames) = (1, stretch(frames: 60, share: 0.004))
        #expect(texts(woken) == ["Nothing to fix"], "frames have rules of their own")
        // How often stands beside what took most, too.
        let bus = row(.idle, "on_packet()", count: 2_800, processor: 400)
        var often = loop(rows: [bus]) { ($0.busy, $0.processor) = (stretch(turns: 290, share: 0.02), 1_000) }
        often.totals.busy.wakeups = 2_800
        #expect(
            texts(often) == [
                "· 2.0% of a core without input, 280 wake-ups a second, 40% of the main thread's time in the idle function on_packet() a.c:1"
            ])
    }

    @Test("names frames where the time is in them, and no timer for its turns alone")
    func framesBeforeTurns() {
        let busy = stretch(turns: 24, share: 0.7)
        let timer = row(.timer, "update_status()", count: 120, processor: 920_000)
        func known(inFrames: UInt64) -> LoopStats {
            loop(rows: [timer, row(.tick, "spin_wheel()", count: 110, processor: 500_000)]) {
                ($0.busy, $0.processor, $0.snapshot.processor) = (busy, 7 * Self.second, inFrames / 2)
                ($0.bodies.processor, $0.drawing.processor) = (inFrames / 4, inFrames / 4)
            }
        }
        var drawn = known(inFrames: 6 * Self.second)
        let first = "· 70.0% of a core without input, 24 turns a second"
        drawn.facts = [asker("GtkDrawingArea#wheel", stretch(frames: 11, share: 0.6))]
        drawn.facts[0].writer = "spin_wheel() a.c:1"
        #expect(texts(drawn) == [first + ", most of it in frames for GtkDrawingArea#wheel by spin_wheel() a.c:1"])
        drawn.facts = []
        #expect(texts(drawn) == [first + ", most of it in frames"])
        // Elsewhere the thread took more than half of what is busy: so nothing is known.
        #expect(texts(known(inFrames: 3 * Self.second)) == [first])
        // A function that takes a tenth stands behind the frames.
        drawn.rows.append(row(.idle, "validate()", processor: 2 * Self.second))
        #expect(
            texts(drawn) == [
                first + ", most of it in frames; 28% of the main thread's time in the idle function validate() a.c:1"
            ])
    }

    @Test("names what samples tell of, with how many they are, and who wakes the loop")
    func sampledAndWoken() {
        let busy = stretch(turns: 1_000, share: 1)
        var source = row(.sampled, "poll_queue()", count: 19, processor: 9 * Self.second)
        source.numbers.turns = 20
        #expect(
            texts(loop(rows: [source]) { ($0.busy, $0.processor) = (busy, 10 * Self.second) }) == [
                "· 100.0% of a core without input, ~90% of the main thread's time in the source poll_queue() a.c:1 "
                    + "(19 of 20 samples)"
            ])
        source.numbers.processor = Self.second / 2
        #expect(
            texts(loop(rows: [source]) { ($0.busy, $0.processor) = (busy, 10 * Self.second) }) == [
                "· 100.0% of a core without input, 1.0k turns a second: poll_queue() a.c:1 is what it calls in 19 of 20 "
                    + "samples"
            ])
        var wakes = row(.wakeup, "feed()", count: 500)
        wakes.thread = "pump"
        let few = stretch(turns: 100, empty: 100, share: 0.05)
        #expect(
            texts(loop(rows: [wakes]) { $0.busy = few }) == [
                "· 5.0% of a core without input, 100 turns a second, 100% for nothing: feed() a.c:1 on thread pump wakes it"
            ])
        wakes.numbers.count = 499
        #expect(
            texts(loop(rows: [wakes]) { $0.busy = few }) == [
                "· 5.0% of a core without input, 100 turns a second, 100% for nothing"
            ])
    }

    @Test("says of frames what they took themselves, and what else the loop did where that is more")
    func framesAndMore() {
        let frames = stretch(frames: 60, same: 70, unpainted: 30, share: 0.8)
        let rows = [row(.idle, "validate()", processor: 6 * Self.second)]
        var known = loop(rows: rows) { ($0.frames, $0.busy, $0.processor) = (frames, frames, 8 * Self.second) }
        known.facts = [asker("GtkTextView", frames, processor: 3 * Self.second)]
        #expect(
            texts(known) == [
                "! 60 frames a second without input, 100% of them paint nothing or draw the same, 30.0% of a core: GtkTextView asks for them",
                "· 80.0% of a core without input, 60 frames a second for GtkTextView, 100% of them for nothing; "
                    + "75% of the main thread's time in the idle function validate() a.c:1",
            ])
        known.facts = [asker("GtkTextView", frames, processor: 5 * Self.second)]
        #expect(texts(known).count == 1, "the fault takes half of it")
    }

    @Test("what is busy stands behind each fault, however little that costs")
    func first() {
        var anew = WidgetFact(.anew, view: "Row")
        (anew.numbers.of, anew.numbers.count) = (20, 3)
        (anew.numbers.processor, anew.numbers.duration) = (499_000_000, 10 * Self.second)
        func kinds(_ processor: UInt64) -> [Character?] {
            anew.numbers.processor = processor
            var known = loop { $0.busy = stretch(turns: 50, share: 0.5) }
            known.facts = [anew]
            return texts(known).map(\.first)
        }
        #expect(kinds(1_000_000) == ["!", "·"])
        #expect(kinds(500_000_000) == ["!", "·"])
    }

    @Test(
        "frames that cannot be compared are not called different, and a machine without a graphics card has threads that draw"
    )
    func drawn() {
        let frames = stretch(frames: 60, share: 0.1)
        var known = loop { ($0.frames, $0.busy) = (frames, frames) }
        known.facts = [asker("GtkDrawingArea", frames)]
        known.threads = ThreadTime.grouped(
            [("llvmpipe-0", 2_000_000_000), ("llvmpipe-1", 2_000_000_000)], atFirst: [:])
        #expect(known.threads.map(\.name) == ["llvmpipe-*"] && known.threads[0].count == 2)
        let first =
            "· 10.0% of a core without input and 40.0% in threads that draw without a graphics card, "
            + "60 frames a second for GtkDrawingArea, "
        #expect(texts(known) == [first + "each drawn anew"])
        known.rows = [row(.idle, "an idle function of GTK", processor: Self.second)]
        #expect(texts(known) == [first + "each drawn anew"], "GTK calls it for each frame")
        var view = Stats(key: "GtkDrawingArea")
        (view.count, view.wasted.unjudged) = (600, 599)
        #expect(texts(known, views: [view]) == [first + "and whether they differ is not known"])
    }

    @Test("what was compared of a sample of frames is said from five on, with the part that is known otherwise")
    func compared() {
        func text(_ compared: UInt64, same: UInt64, unpainted: UInt64 = 0) -> String? {
            var frames = stretch(frames: 60, unpainted: unpainted, share: 0.1)
            (frames.compared, frames.comparedSame) = (compared, same)
            (frames.likely, frames.likelySame) = (600, 600 * same / compared)
            var known = loop { ($0.frames, $0.busy) = (frames, frames) }
            known.facts = [asker("GtkDrawingArea", frames)]
            var view = Stats(key: "GtkDrawingArea")
            (view.count, view.wasted.unjudged) = (600, 599)
            return texts(known, views: [view]).first
        }
        let first = "· 10.0% of a core without input, 60 frames a second for GtkDrawingArea, "
        #expect(text(4, same: 0) == first + "and whether they differ is not known")
        #expect(text(5, same: 0) == first + "all of 5 that were compared differ")
        #expect(text(40, same: 30) == first + "30 of 40 that were compared draw the same")
        #expect(text(19, same: 19) == first + "all of 19 that were compared draw the same")
        #expect(
            text(19, same: 19, unpainted: 50)
                == first + "50% of them for nothing, and all of 19 others that were compared draw the same")
        let fault = "! 60 frames a second without input, "
        let end = " that were compared draw the same, 10.0% of a core: GtkDrawingArea asks for them"
        #expect(text(20, same: 20) == fault + "all of 20" + end)
        #expect(text(40, same: 38) == fault + "38 of 40" + end)
        let both = fault + "50% of them for nothing, and all of 20 others" + end
        #expect(text(20, same: 20, unpainted: 50) == both)
    }

    @Test("frames that several widgets ask for are not said to be one's, and those that differ are other ones")
    func shared() {
        var frames = stretch(frames: 47, same: 59, share: 0.031)
        (frames.compared, frames.likely) = (77, 106)
        var known = loop { ($0.frames, $0.busy) = (frames, frames) }
        known.facts = [asker("GtkLabel#byqueue", frames), asker("Meter/GtkDrawingArea#kid", frames)]
        (known.facts[0].numbers.count, known.facts[1].numbers.count) = (287, 193)
        let first = "· 3.1% of a core without input, 47 frames a second for GtkLabel#byqueue"
        let end = ", 58% of them for nothing, and all of 77 others that were compared differ"
        #expect(texts(known) == [first + " and others" + end])
        known.facts[0].numbers.count = 423
        #expect(texts(known) == [first + end], "nine of ten")
        let same = stretch(frames: 47, same: 100, share: 0.031)
        (known.totals.frames, known.facts[0].numbers.count) = (same, 287)
        #expect(
            texts(known).first
                == "! 47 frames a second without input, 100% of them draw the same, 3.1% of a core: GtkLabel#byqueue asks for 61% of them"
        )
    }

    @Test("the cursor of a text is no finding before fifteen seconds, and hides nothing that takes more")
    func cursor() {
        var frames = stretch(frames: 35, unpainted: 48, share: 0.021)
        func known(_ view: String, busy: QuietStretch? = nil) -> [String] {
            var known = loop { ($0.frames, $0.busy) = (frames, busy ?? frames) }
            known.facts = [asker(view, frames)]
            return texts(known)
        }
        #expect(known("GtkSearchEntry/GtkText") == ["Nothing to fix"])
        #expect(known("Window/GtkTextView") == ["Nothing to fix"])
        #expect(known("GtkLabel").count == 1 && known("GtkLabel").first?.first == "·")
        let more = stretch(frames: 35, turns: 46, share: 0.3)
        #expect(
            known("GtkSearchEntry/GtkText", busy: more)
                == ["· 30.0% of a core without input, 46 turns a second"])
        frames.nanoseconds = 15 * Self.second
        #expect(known("GtkSearchEntry/GtkText").first?.first == "·")
    }

    @Test("a descriptor that is ready for nothing that its function waits for is named, with that function")
    func hungUp() {
        var turns = stretch(turns: 9_000, empty: 100, share: 1)
        turns.row = 1
        let known = loop(rows: [row(.descriptor, "read_line()", descriptor: 9)]) { $0.spinning = turns }
        #expect(
            texts(known) == [
                "! The main loop turns 9.0k times a second and dispatches nothing, 100.0% of a core: descriptor 8 of "
                    + "read_line() a.c:1 is ready, but not for what that function waits for: its other end may be closed"
            ])
    }
}
