// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

/// What a verdict says of a process's main loop: each rule with its thresholds on both sides, and the programs that people reported.
@Suite("The verdict on a main loop") struct LoopRulesTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
    private static let second: UInt64 = 1_000_000_000

    private static func after(_ seconds: Double) -> Timestamp {
        Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + Int64(seconds * 1e9))
    }

    /// A row of so many seconds, with a part of a core.
    private static func stretch(_ seconds: UInt64 = 6, share: Double = 0.05) -> QuietStretch {
        var stretch = QuietStretch()
        stretch.nanoseconds = seconds * second
        stretch.latestAt = after(Double(seconds))
        stretch.processor = UInt64(Double(seconds) * share * 1e9)
        return stretch
    }

    /// Frames of so many seconds, and how many of a hundred were for nothing.
    private static func frames(
        _ seconds: UInt64 = 6, each: UInt64 = 55, same: UInt64 = 0, unpainted: UInt64 = 0, share: Double = 0.05
    ) -> QuietStretch {
        var frames = stretch(seconds, share: share)
        frames.frames = seconds * each
        (frames.sameFrames, frames.unpainted) = (frames.frames * same / 100, frames.frames * unpainted / 100)
        return frames
    }

    private static func turns(
        _ seconds: UInt64 = 6, each: UInt64 = 485_000, noWait: UInt64 = 100, empty: UInt64 = 0, same: UInt64 = 0,
        row: UInt64 = 1, share: Double = 0.98, awake: UInt64? = nil
    ) -> QuietStretch {
        var turns = stretch(seconds, share: share)
        turns.turns = seconds * each
        turns.pollsWithoutWait = turns.turns * noWait / 100
        turns.wakeups = turns.turns - turns.turns * (awake ?? noWait) / 100
        (turns.emptyTurns, turns.sameTurns, turns.row) = (turns.turns * empty / 100, turns.turns * same / 100, row)
        return turns
    }

    private static func loop(
        _ change: (inout LoopTotals) -> Void = { _ in }, rows: [LoopRow] = [], facts: [WidgetFact] = []
    ) -> LoopStats {
        var totals = LoopTotals()
        (totals.counted, totals.isInputKnown) = (10 * second, 1)
        change(&totals)
        return LoopStats(totals, rows: rows, facts: facts)
    }

    private static func asker(
        _ view: String, _ frames: QuietStretch, part: UInt64 = 100, hidden: String? = nil, writer: String? = nil
    ) -> WidgetFact {
        var fact = WidgetFact(.asker, view: view)
        (fact.hidden, fact.writer) = (hidden, writer)
        (fact.numbers.count, fact.numbers.of) = (frames.frames * part / 100, frames.frames)
        return fact
    }

    private static func store(_ loop: LoopStats?, views: [Stats] = [], connected: Bool = false) -> ProcessStats {
        var store = ProcessStats(pid: 7, name: "shop", store: "main", storeNumber: 0, startedAt: start)
        (store.mainLoop, store.connected, store.kind, store.loop) = (.glib, connected, .widgets, loop)
        store.views = views
        store.evaluations = max(1, views.reduce(0) { $0 + $1.count })
        store.lastRenderedAt = after(10)
        return store
    }

    private func verdict(_ loop: LoopStats, now: Timestamp? = nil, connected: Bool = false) -> Verdict? {
        VerdictBuilder.verdict(of: [Self.store(loop, connected: connected)], .live, now: now)
    }

    private func kind(_ loop: LoopStats) -> Verdict.Kind? { verdict(loop)?.first?.kind }

    // MARK: Public cases

    @Test("the spinner of gnome-calendar that is in a page which is not shown")
    func hiddenSpinner() throws {
        let frames = Self.frames(24, same: 99, share: 0.044)
        let fact = Self.asker(
            "GcalCalendarButton/GtkSpinner#refreshing_spinner", frames, hidden: "its page of GtkStack is not shown")
        let found = try #require(verdict(Self.loop({ $0.frames = frames }, facts: [fact])))
        #expect(
            found.findings.map(\.text) == [
                "GcalCalendarButton/GtkSpinner#refreshing_spinner is not visible (its page of GtkStack is not shown), and asks for 55 frames a second, 4.4% of a core"
            ])
        #expect(found.first?.kind == .hiddenWidget && found.first?.kind.isMarked == true)
        #expect(found.first?.command == "rerenderctl explain 'GcalCalendarButton/GtkSpinner#refreshing_spinner'")
    }

    @Test("a tick callback that keeps the frame clock awake, and paints nothing")
    func bareTick() {
        let frames = Self.frames(each: 60, unpainted: 100, share: 0.03)
        let fact = Self.asker("GtkLabel#ticker", frames, writer: "tick_only() cases.c:19")
        let row = LoopRow(.tick, name: "tick_only()", place: "cases.c:19", of: "GtkLabel#ticker")
        #expect(
            verdict(Self.loop({ $0.frames = frames }, rows: [row], facts: [fact]))?.first?.text
                == "60 frames a second without input, 100% of them paint nothing, 3.0% of a core: the tick callback tick_only() cases.c:19 of GtkLabel#ticker asks for them"
        )
    }

    @Test("says of frames for nothing how they are asked for: not each function that writes is a tick callback")
    func askers() {
        let frames = Self.frames(each: 10, same: 100, share: 0.03)
        func text(_ facts: WidgetFact..., rows: [LoopRow] = []) -> String? {
            var loop = Self.loop({ ($0.frames, $0.processor) = (frames, 100) }, rows: rows)
            loop.facts = facts
            return verdict(loop)?.first?.text
        }
        let first = "10 frames a second without input, 100% of them draw the same, 3.0% of a core"
        let area = Self.asker("GtkDrawingArea", frames, writer: "redraw() a.c:3")
        #expect(text(area) == first + ": GtkDrawingArea asks for them in redraw() a.c:3")
        #expect(text(Self.asker("GtkSpinner", frames)) == first + ": GtkSpinner asks for them")
        let fixed = Self.asker("GtkFixed", frames, writer: "move_same() cases.c:16")
        var layout = WidgetFact(.layout, view: "GtkFixed")
        (layout.numbers.count, layout.numbers.same) = (60, 59)
        #expect(
            text(fixed, layout) == first
                + ": GtkFixed is laid out for them by move_same() cases.c:16, and nothing moved")
        layout.numbers.count = 29
        #expect(text(fixed, layout) == first + ": GtkFixed asks for them in move_same() cases.c:16")
        // None that asked for less than half of them.
        var timer = LoopRow(.timer, name: "css_same()", place: "cases.c:18")
        timer.numbers.processor = 60
        let other = Self.asker("GtkLabel", frames, part: 49)
        #expect(
            text(other, rows: [timer])
                == first + ", 60% of the main thread's time in the timer css_same() cases.c:18")
        timer.numbers.processor = 9
        #expect(text(other, rows: [timer]) == first)
        timer.numbers.count = 33
        #expect(text(other, rows: [timer]) == first)
        timer.numbers.count = 34
        #expect(text(other, rows: [timer]) == first + "; the timer css_same() cases.c:18 is called 3.4 times a second")
        // GTK's clock and the HUD's timer are no answer.
        var clock = LoopRow(.timer, name: "[gtk] gdk_frame_clock_paint_idle")
        var own = LoopRow(.timer, name: "on_update()", place: "in librerender-gtk.so")
        (clock.numbers.processor, clock.numbers.count, own.numbers.processor, own.numbers.count) = (90, 600, 80, 600)
        #expect(text(other, rows: [clock, own]) == first)
    }

    @Test("a visible spinner that draws another picture each time is busy, and no fault")
    func shownSpinner() throws {
        let frames = Self.frames(share: 0.14)
        let loop = Self.loop(
            {
                ($0.frames, $0.busy) = (frames, frames)
            }, facts: [Self.asker("GtkSpinner#busy", frames)])
        let first = try #require(verdict(loop)?.first)
        #expect(
            first.text == "14.0% of a core without input, 55 frames a second for GtkSpinner#busy, each drawn anew")
        #expect(first.kind == .busy && !first.kind.isMarked)
    }

    @Test("a source that is always due and never ready, an idle function that stays, a descriptor that is not read")
    func spins() {
        let pump = LoopRow(.source, name: "never()", place: "cases.c:22", of: "pump")
        #expect(
            verdict(Self.loop({ $0.spinning = Self.turns(empty: 100) }, rows: [pump]))?.first?.text
                == "The main loop turns 485k times a second and dispatches nothing, 98.0% of a core: the source pump (never() cases.c:22) says that it is due"
        )
        let idle = LoopRow(.idle, name: "idle_stays()", place: "cases.c:33")
        #expect(
            verdict(Self.loop({ $0.spinning = Self.turns(same: 100) }, rows: [idle]))?.first?.text
                == "In each turn, the idle function idle_stays() cases.c:33 is due: 485k times a second, 98.0% of a core"
        )
        var unread = LoopRow(.descriptor, name: "not_read()", place: "cases.c:34")
        (unread.numbers.descriptor, unread.numbers.count, unread.numbers.unread) = (8, 100, 100)
        #expect(
            verdict(Self.loop({ $0.spinning = Self.turns(noWait: 0, same: 100, awake: 100) }, rows: [unread]))?.first?
                .text
                == "not_read() cases.c:34 is called in each turn for descriptor 7, which stays readable: 485k times a second, 98.0% of a core"
        )
        unread.of = LoopRow.closedEnd
        #expect(
            verdict(Self.loop({ $0.spinning = Self.turns(noWait: 0, same: 100, awake: 100) }, rows: [unread]))?.first?
                .text
                == "not_read() cases.c:34 is called in each turn for descriptor 7, whose other end was closed: 485k times a second, 98.0% of a core"
        )
    }

    @Test("a source that nine of ten samples are in keeps a loop awake whose sources are not all seen")
    func sampled() throws {
        func loop(_ count: UInt64, noWait: UInt64 = 100, isInputKnown: UInt64 = 1) -> LoopStats {
            var row = LoopRow(.sampled, name: "look_at_queue()", place: "poller.c:30")
            (row.numbers.count, row.numbers.turns, row.numbers.polls) = (count, 20, 200)
            let turns = Self.turns(noWait: noWait, row: 0)
            return Self.loop({ ($0.spinning, $0.isInputKnown) = (turns, isInputKnown) }, rows: [row])
        }
        let first = try #require(verdict(loop(19))?.first)
        #expect(
            first.text
                == "The main loop turns 485k times a second, 98.0% of a core: look_at_queue() poller.c:30 is what it calls in 19 of 20 samples"
        )
        #expect(first.kind == .spinning && first.source == "look_at_queue() poller.c:30")
        #expect(kind(loop(18)) == .spinning && kind(loop(17)) == .nothing && kind(loop(0)) == .nothing)
        #expect(kind(loop(19, noWait: 89)) == .nothing)
        #expect(kind(loop(19, isInputKnown: 0)) == .nothing, "data may have come")
    }

    @Test("who wakes a loop for nothing from another thread is named, also where the loop sleeps each time")
    func woken() throws {
        func loop(_ wakeups: UInt64, each: UInt64 = 2_000, empty: UInt64 = 100, awake: UInt64 = 0) -> LoopStats {
            var row = LoopRow(.wakeup, name: "feed_loop()", place: "poller.c:33", thread: "event-pump")
            row.numbers.count = wakeups
            let turns = Self.turns(each: each, noWait: 0, empty: empty, row: 0, share: 0.03, awake: awake)
            return Self.loop({ ($0.spinning, $0.turns) = (turns, turns.turns) }, rows: [row])
        }
        let first = try #require(verdict(loop(12_000))?.first)
        #expect(
            first.text
                == "The main loop turns 2.0k times a second and dispatches nothing, 3.0% of a core: feed_loop() poller.c:33 on thread event-pump wakes it"
        )
        #expect(first.kind == .spinning && first.source == "feed_loop() poller.c:33")
        #expect(first.short == "feed_loop() poller.c:33: the loop is kept awake, 3.0%")
        #expect(kind(loop(6_000)) == .spinning && kind(loop(5_999)) == .nothing)
        #expect(kind(loop(12_000, each: 199)) == .nothing && kind(loop(12_000, empty: 89)) == .nothing)
        #expect(
            verdict(loop(5_999, awake: 100))?.first?.text
                == "The main loop turns 2.0k times a second and dispatches nothing, 3.0% of a core")
    }

    @Test("who turns a loop without waiting is named before a source that is due")
    func turned() throws {
        func loop(_ count: UInt64) -> LoopStats {
            var row = LoopRow(.wakeup, name: "run_gui_loop()", place: "pump.c:9")
            row.numbers.count = count
            let turns = Self.turns(each: 2_000, noWait: 100, empty: 100, row: 1, share: 0.4)
            let due = LoopRow(.source, name: "GDK X11 Event source (:0)")
            return Self.loop({ ($0.spinning, $0.turns) = (turns, turns.turns) }, rows: [due, row])
        }
        let first = try #require(verdict(loop(12_000))?.first)
        #expect(
            first.text
                == "The main loop turns 2.0k times a second and dispatches nothing, 40.0% of a core: run_gui_loop() pump.c:9 turns it and does not wait"
        )
        #expect(first.source == "run_gui_loop() pump.c:9")
        #expect(verdict(loop(10_000))?.first?.source == "GDK X11 Event source (:0)")
    }

    @Test("rows that are made anew, and moves that move nothing")
    func facts() {
        var rows = WidgetFact(.anew, view: "GtkListBoxRow")
        (rows.parent, rows.writer) = ("GtkListBox", "rebuild() cases.c:38")
        (rows.numbers.count, rows.numbers.of, rows.numbers.nanoseconds) = (4, 263, 120_000_000)
        #expect(
            verdict(Self.loop(facts: [rows]))?.first?.text
                == "263 or more instances of GtkListBoxRow in GtkListBox are made anew each time by rebuild() cases.c:38: 4 times, 120ms"
        )
        var moves = WidgetFact(.layout, view: "GtkFixed")
        moves.writer = "move_same() cases.c:16"
        (moves.numbers.count, moves.numbers.same, moves.numbers.duration) = (99, 99, 10 * Self.second)
        (moves.numbers.processor, moves.numbers.of) = (230_000_000, 400_000_000)
        #expect(
            verdict(Self.loop(facts: [moves]))?.first?.text
                == "GtkFixed is laid out 9.9 times a second by move_same() cases.c:16, and nothing moved: 2.3% of a core"
        )
    }

    @Test(
        "layouts that a framework computes for its views are a fault where they take more than bodies; those of a start are none"
    )
    func layoutsOfViews() {
        func views(_ layouts: UInt64, _ nanoseconds: UInt64, body: UInt64 = 1_000) -> [Stats] {
            (0..<4 as Range<UInt64>).map { number in
                var view = Stats(key: ViewKey(rawValue: "Panel\(number)"))
                (view.count, view.selfNanoseconds) = (60, body)
                view.framework = FrameworkTime(
                    layouts: layouts, layoutNanoseconds: nanoseconds + number, commitNanoseconds: 0)
                return view
            }
        }
        func texts(_ views: [Stats], _ kind: StoreKind = .injectedViews) -> [String] {
            var store = Self.store(nil, views: views)
            store.kind = kind
            return VerdictBuilder.verdict(of: [store])?.findings.map { $0.kind.mark + $0.text } ?? []
        }
        #expect(
            texts(views(50, 40_000_000)) == [
                "! 200 layouts of 4 views took 160ms, 1.6% of a core, and their bodies 4.00µs, the largest part by Panel3: 40.0ms"
            ])
        #expect(
            texts([views(50, 400_000_000)[3]]) == [
                "! 50 layouts of Panel3 took 400ms, 4.0% of a core, and its bodies 1.00µs"
            ])
        #expect(texts(views(29, 40_000_000)) == ["Nothing to fix"], "as when a program starts")
        #expect(texts(views(50, 24_000_000)) == ["Nothing to fix"], "less than 1 % of a core")
        #expect(texts(views(50, 40_000_000, body: 41_000_000)) == ["Nothing to fix"], "the bodies take more")
        #expect(texts(views(50, 40_000_000), .widgets) == ["Nothing to fix"], "their facts tell of it")
    }

    @Test("rows that are made anew come before their layout, which takes longer")
    func rowsBeforeLayout() {
        var rows = WidgetFact(.anew, view: "GtkListBoxRow")
        (rows.parent, rows.writer) = ("GtkListBox", "rebuild() cases.c:28")
        (rows.numbers.count, rows.numbers.of) = (4, 263)
        (rows.numbers.processor, rows.numbers.duration) = (80_000_000, 6 * Self.second)
        var layout = WidgetFact(.layout, view: "GtkWindow")
        (layout.numbers.processor, layout.numbers.of, layout.numbers.duration) = (
            240_000_000, 300_000_000, 6 * Self.second
        )
        for (view, writer, isLater) in [
            ("GtkBox", "rebuild() cases.c:27", true), ("GtkListBox", nil, true), ("GtkBox", "other() a.c:1", false),
            ("GtkBox", nil, false),
        ] as [(String, String?, Bool)] {
            (layout.view, layout.writer) = (view, writer)
            let kinds = verdict(Self.loop(facts: [layout, rows]))?.findings.map(\.kind)
            #expect(kinds == (isLater ? [.madeAnew, .layout] : [.layout, .madeAnew]))
        }
    }

    @Test("equal style sheets are no fault: their time is in the timer's function")
    func styles() {
        var timer = LoopRow(.timer, name: "css_same()", place: "cases.c:18")
        timer.numbers.processor = 900_000_000
        let loop = Self.loop(
            {
                ($0.busy, $0.processor) = (Self.stretch(share: 0.1), 1_000_000_000)
            }, rows: [timer])
        #expect(
            verdict(loop)?.findings.map(\.text) == [
                "10.0% of a core without input, 90% of the main thread's time in the timer css_same() cases.c:18"
            ])
    }

    @Test("a synchronous call over D-Bus is the handler's, and is told once")
    func call() throws {
        var hang = Hang(id: 1, pid: 7, process: "shop", startedAt: Self.start, turn: 1)
        (hang.durationNanoseconds, hang.view, hang.handler, hang.open) = (
            3 * Self.second, "GtkButton#go", "clicked", false
        )
        (hang.source, hang.call) = ("on_clicked() cases.c:44", "g_dbus_connection_call_sync()")
        hang.shares = [.init(view: "GtkButton#go", handler: "clicked", phase: .handler, nanoseconds: 3 * Self.second)]
        hang.phase = .handler
        var button = Stats(key: "GtkButton#go")
        button.hangs.add(hang)
        var store = Self.store(nil, views: [button])
        var sources: [SourceHangs] = []
        sources.add(hang)
        store.hangsOfSources = sources
        let found = try #require(VerdictBuilder.verdict(of: [store]))
        #expect(
            found.findings.map(\.text) == [
                "on_clicked() cases.c:44 blocked the main loop once, for 3.00s, in g_dbus_connection_call_sync() (GtkButton#go: clicked)"
            ])
        #expect(found.more == 0 && found.first?.short == "on_clicked() cases.c:44: 1 hang, 3.00s")
    }

    @Test("a drawing area that draws the same picture again: what was compared of a sample is said")
    func sampledPicture() {
        var frames = Self.frames(each: 20, share: 0.169)
        (frames.compared, frames.comparedSame) = (23, 23)
        (frames.likely, frames.likelySame) = (80, 80)
        let fact = Self.asker("GtkDrawingArea#centre", frames, writer: "poll_pipe() sameimage.c:11")
        #expect(
            verdict(Self.loop({ $0.frames = frames }, facts: [fact]))?.first?.text
                == "20 frames a second without input, all of 23 that were compared draw the same, 16.9% of a core: GtkDrawingArea#centre asks for them in poll_pipe() sameimage.c:11"
        )
    }

    // MARK: Thresholds

    @Test(
        "frames are a fault from ten a second, five seconds and nine of ten for nothing on",
        arguments: [
            (UInt64(5), UInt64(10), UInt64(90), true), (4, 55, 100, false), (5, 9, 100, false), (60, 55, 89, false),
        ])
    func sameFrames(seconds: UInt64, each: UInt64, same: UInt64, isFound: Bool) {
        let frames = Self.frames(seconds, each: each, same: same)
        #expect((kind(Self.loop { $0.frames = frames }) == .sameFrames) == isFound)
        // Measured: it does not matter whether input is known.
        let unknown = Self.loop {
            ($0.frames, $0.isInputKnown) = (frames, 0)
        }
        #expect((kind(unknown) == .sameFrames) == isFound)
    }

    @Test(
        "samples stand for other frames from 20 on that were compared, and for twice as many as they were taken of",
        arguments: [
            (UInt64(20), UInt64(120), UInt64(108), true), (19, 120, 120, false), (20, 120, 107, false),
            (20, 60, 60, true), (20, 59, 59, false), (20, 120, UInt64.max, true), (20, 0, 0, false),
        ])
    func samples(compared: UInt64, likely: UInt64, same: UInt64, isFound: Bool) {
        var frames = Self.frames(each: 20)
        (frames.compared, frames.comparedSame, frames.likely, frames.likelySame) = (compared, compared, likely, same)
        #expect((kind(Self.loop { $0.frames = frames }) == .sameFrames) == isFound)
    }

    @Test("samples say nothing of frames that are known otherwise")
    func samplesAndOthers() {
        // Of 120 frames 60 painted nothing. Of the others, 40 draw the same by what was compared: 100 are useless, and 108 would be a fault.
        var frames = Self.frames(each: 20, unpainted: 50)
        (frames.compared, frames.comparedSame, frames.likely, frames.likelySame) = (30, 20, 60, 40)
        #expect(frames.useless == 100 && kind(Self.loop { $0.frames = frames }) != .sameFrames)
        frames.likelySame = 48
        #expect(frames.useless == 108 && kind(Self.loop { $0.frames = frames }) == .sameFrames)
    }

    @Test(
        "a widget that is not visible is one from half of the frames on, and where input is unknown from measured waste on"
    )
    func hidden() {
        let frames = Self.frames()
        for (part, isFound) in [(UInt64(50), true), (49, false)] {
            let fact = Self.asker("GtkSpinner", frames, part: part, hidden: "its opacity is 0")
            #expect((kind(Self.loop({ $0.frames = frames }, facts: [fact])) == .hiddenWidget) == isFound)
        }
        // Its seconds began elsewhere than the loop's.
        var longer = Self.asker("GtkSpinner", frames, hidden: "its opacity is 0")
        (longer.numbers.processor, longer.numbers.duration) = (480_000_000, 8 * Self.second)
        #expect(
            verdict(Self.loop({ $0.frames = frames }, facts: [longer]))?.first?.text
                == "GtkSpinner is not visible (its opacity is 0), and asks for 55 frames a second, 6.0% of a core")
        longer.writer = "set_syncing() mail.c:26"
        #expect(
            verdict(Self.loop({ $0.frames = frames }, facts: [longer]))?.first?.text
                == "GtkSpinner is not visible (its opacity is 0), and asks for 55 frames a second, 6.0% of a core: set_syncing() mail.c:26 made it spin"
        )
        for (same, isFound) in [(UInt64(90), true), (50, false)] {
            let frames = Self.frames(same: same)
            let fact = Self.asker("GtkSpinner", frames, hidden: "its opacity is 0")
            let loop = Self.loop(
                {
                    ($0.frames, $0.isInputKnown) = (frames, 0)
                }, facts: [fact])
            #expect((kind(loop) == .hiddenWidget) == isFound)
        }
    }

    @Test(
        "a loop spins from 200 turns a second, nine of ten without a wait and for nothing or one source on",
        arguments: [
            (UInt64(200), UInt64(90), UInt64(90), UInt64(0), true), (200, 90, 0, 90, true), (200, 100, 45, 45, true),
            (199, 100, 100, 0, false), (400, 89, 100, 0, false), (400, 100, 89, 0, false),
        ])
    func spinning(each: UInt64, noWait: UInt64, empty: UInt64, same: UInt64, isFound: Bool) {
        let turns = Self.turns(each: each, noWait: noWait, empty: empty, same: same)
        #expect((kind(Self.loop { $0.spinning = turns }) == .spinning) == isFound)
    }

    @Test(
        "a poll for a descriptor has a time-out, so that a loop which does not sleep spins only for what is known to be for nothing",
        arguments: [
            (UInt64(90), UInt64(90), UInt64(0), true), (89, 90, 0, false), (90, 89, 0, false), (90, 0, 90, true),
            (89, 0, 90, false),
        ])
    func polls(awake: UInt64, unread: UInt64, empty: UInt64, isFound: Bool) {
        var row = LoopRow(.descriptor, name: "f()")
        (row.numbers.count, row.numbers.unread) = (100, unread)
        let turns = Self.turns(noWait: 0, empty: empty, same: 100 - empty, awake: awake)
        for isKnown in [UInt64(0), 1] {
            let loop = Self.loop(
                {
                    ($0.spinning, $0.isInputKnown) = (turns, isKnown)
                }, rows: [row])
            #expect((kind(loop) == .spinning) == isFound)
        }
    }

    @Test("a descriptor that is read in each turn does not stay readable")
    func read() {
        let row = LoopRow(.descriptor, name: "read()", place: "a.c:3")
        #expect(
            verdict(Self.loop({ $0.spinning = Self.turns(same: 100) }, rows: [row]))?.first?.text
                == "In each turn, the function read() a.c:3 is called: 485k times a second, 98.0% of a core")
    }

    @Test("where input is unknown, a loop that dispatches something spins if that leaves its descriptor unread")
    func unknownInput() {
        for (kind, unread, empty, isFound) in [
            (LoopRow.Kind.idle, UInt64(0), UInt64(0), false), (.descriptor, 90, 0, true), (.descriptor, 89, 0, false),
            (.idle, 0, 100, true),
        ] {
            var row = LoopRow(kind, name: "f()")
            (row.numbers.count, row.numbers.unread) = (100, unread)
            let loop = Self.loop(
                {
                    ($0.spinning, $0.isInputKnown) = (Self.turns(empty: empty, same: 100 - empty), 0)
                }, rows: [row])
            #expect((self.kind(loop) == .spinning) == isFound)
        }
    }

    @Test("what ended by itself within 15 s is no finding, while the program lives")
    func caret() {
        for (seconds, later, isFound) in [(UInt64(10), 2.0, true), (10, 3, false), (15, 600, true)] {
            let frames = Self.frames(seconds, same: 100)
            let now = Self.after(Double(seconds) + later)
            let found = verdict(Self.loop { $0.frames = frames }, now: now, connected: true)
            #expect(found?.has(.sameFrames) == isFound)
            let ended = verdict(Self.loop { $0.frames = frames }, now: now)
            #expect(ended?.has(.sameFrames) == true, "its end ended it")
        }
    }

    @Test("busy is from 1 % of a core and five seconds on, and nothing else is below")
    func busy() {
        for (seconds, share, expected) in [
            (UInt64(5), 0.01, Verdict.Kind.busy), (4, 0.5, .nothing), (60, 0.009, .nothing),
        ] {
            #expect(kind(Self.loop { $0.busy = Self.stretch(seconds, share: share) }) == expected)
        }
        let unknown = Self.loop {
            ($0.busy, $0.isInputKnown) = (Self.stretch(share: 0.5), 0)
        }
        #expect(
            verdict(unknown)?.first?.text == "50.0% of a core, 0 turns a second; whether input came is not known")
    }

    @Test(
        "layouts are a fault from 16 ms after an input, or 1 % of a core on, and more than half of what they belong to")
    func layouts() {
        for (longest, of, isFound) in [
            (UInt64(16_000_000), UInt64(30_000_000), true), (15_999_999, 16_000_000, false),
            (16_000_000, 32_000_000, false),
        ] {
            var fact = WidgetFact(.layout, view: "Root")
            (fact.numbers.count, fact.numbers.longest, fact.numbers.longestOf) = (1, longest, of)
            #expect((kind(Self.loop(facts: [fact])) == .layout) == isFound)
        }
        // One layout has no duration.
        var once = WidgetFact(.layout, view: "Root")
        (once.numbers.count, once.numbers.processor) = (1, 20_000_000)
        (once.numbers.longest, once.numbers.longestOf) = (20_000_000, 30_000_000)
        let found = verdict(Self.loop({ $0.spinning = Self.turns(empty: 100) }, facts: [once]))
        #expect(found?.findings.map(\.kind) == [.spinning, .layout])
        #expect(found?.findings.last?.short == "Root: layout" && found?.findings.last?.nanosecondsPerSecond == nil)
        for (processor, of, seconds, isFound) in [
            (UInt64(50_000_000), UInt64(90_000_000), UInt64(5), true), (49_000_000, 50_000_000, 5, false),
            (50_000_000, 100_000_000, 5, false), (50_000_000, 60_000_000, 4, false),
        ] {
            var fact = WidgetFact(.layout, view: "Root")
            (fact.numbers.count, fact.numbers.processor, fact.numbers.of) = (9, processor, of)
            fact.numbers.duration = seconds * Self.second
            #expect((kind(Self.loop(facts: [fact])) == .layout) == isFound)
        }
    }

    @Test("made anew is a fault from 20 instances and three turns on")
    func anew() {
        for (instances, turns, isFound) in [(UInt64(20), UInt64(3), true), (19, 9, false), (500, 2, false)] {
            var fact = WidgetFact(.anew, view: "Row")
            (fact.numbers.of, fact.numbers.count) = (instances, turns)
            #expect((kind(Self.loop(facts: [fact])) == .madeAnew) == isFound)
        }
    }

    @Test("late frames are a fault from three and 1 % on, by their own processor time")
    func lateFrames() {
        for (late, count, isFound) in [(3, 300, true), (2, 2, false), (3, 301, false)] {
            var totals = FrameTotals()
            for number in 0..<count {
                var frame = MeasuredFrame(
                    update: 20_000_000, layout: 0, snapshot: 0, drawing: 0, interval: 16_000_000, isIntervalTold: true)
                frame.processor = number < late ? 17_000_000 : 1_000_000
                totals.add(frame)
            }
            var store = Self.store(nil)
            store.frames = FrameStats(totals)
            #expect(VerdictBuilder.verdict(of: [store])?.has(.lateFrames) == isFound)
        }
        var early = MeasuredFrame(
            update: 0, layout: 0, snapshot: 0, drawing: 0, interval: 16_000_000, isIntervalTold: true)
        (early.processor, early.isEarly) = (90_000_000, true)
        #expect(!early.isLate)
    }

    @Test("micro-hangs are a fault where they are a tenth of ten seconds or more, with what a view took of them")
    func microHangs() throws {
        func store(_ milliseconds: UInt64, of seconds: Double) -> ProcessStats {
            var view = Stats(key: "Canvas")
            view.count = 9
            view.hangs.addMicro(nanoseconds: milliseconds * 800_000)
            var store = Self.store(nil, views: [view])
            (store.kind, store.lastRenderedAt) = (.views, Self.after(seconds))
            store.hangs.addMicro(nanoseconds: milliseconds * 1_000_000)
            return store
        }
        let found = try #require(VerdictBuilder.verdict(of: [store(4_500, of: 10)])?.first)
        #expect(
            found.text == "Micro-hangs blocked the main loop for 45% of the time: 4.50s of 10.0s, 3.60s of it by Canvas"
        )
        #expect(found.kind == .microHangs && found.command == "rerenderctl hangs")
        var starved = store(4_500, of: 10)
        starved.views[0].hangs.addMicro(nanoseconds: 2_000_000_000)
        #expect(
            VerdictBuilder.verdict(of: [starved])?.first?.text.hasSuffix("4.50s of 10.0s, 4.50s of it by Canvas")
                == true)
        var known = store(4_500, of: 10)
        var loop = Self.loop()
        loop.totals.counted = 10_000_000_000
        var row = LoopRow(.timer, name: "refresh()", place: "downloads.c:12")
        row.numbers.micro = 4_100_000_000
        loop.rows = [row]
        known.loop = loop
        #expect(
            VerdictBuilder.verdict(of: [known])?.first?.text.hasSuffix(
                "4.10s of it by the timer refresh() downloads.c:12")
                == true)
        #expect(VerdictBuilder.verdict(of: [store(1_000, of: 10)])?.has(.microHangs) == true)
        #expect(VerdictBuilder.verdict(of: [store(999, of: 10)])?.has(.microHangs) == false)
        #expect(VerdictBuilder.verdict(of: [store(1_800, of: 4)])?.has(.microHangs) == false, "of too little time")
    }

    // MARK: Hangs and waste

    @Test("a hang in which the program was closing is no fault")
    func closing() {
        var store = Self.store(nil)
        var hangs = HangTotals()
        hangs.add(nanoseconds: 415_000_000, isExcused: true)
        store.hangsOfNoView = hangs
        #expect(VerdictBuilder.verdict(of: [store])?.first?.kind == .nothing)
        hangs.add(nanoseconds: 300_000_000)
        store.hangsOfNoView = hangs
        #expect(
            VerdictBuilder.verdict(of: [store])?.findings.map(\.text) == [
                "In functions that are not known, the main loop was blocked once, for 300ms"
            ])
    }

    @Test("a view is blamed with what it took itself, and ranked by that")
    func own() {
        func view(_ key: ViewKey, _ hangs: (length: UInt64, own: UInt64)...) -> Stats {
            var view = Stats(key: key)
            for hang in hangs { view.hangs.add(nanoseconds: hang.length * 1_000_000, own: hang.own * 1_000_000) }
            return view
        }
        let store = Self.store(
            nil, views: [view("V0", (522, 117)), view("B", (507, 350), (300, 100)), view("C", (400, 320))])
        #expect(
            VerdictBuilder.verdict(of: [store])?.findings.map(\.text) == [
                "B took 450ms of 2 hangs of 807ms, the longest 507ms", "C blocked the main loop once, for 400ms",
                "V0 took 117ms of a hang of 522ms",
            ])
    }

    @Test("waste is summed over views: thirty that waste less than 1 % each are one fault")
    func sums() throws {
        func views(_ count: Int, _ nanoseconds: UInt64) -> [Stats] {
            (0..<count).map { number in
                var view = Stats(key: ViewKey(rawValue: "Row\(number)"), file: "App/Row.swift", line: 3)
                view.count = 61
                (view.wasted.count, view.wasted.measured) = (60, 60)
                view.wasted.nanoseconds = nanoseconds + UInt64(number == 0 ? 1 : 0)
                return view
            }
        }
        let found = try #require(VerdictBuilder.verdict(of: [Self.store(nil, views: views(30, 54_000_000))]))
        #expect(
            found.findings.map(\.text) == [
                "30 widgets wasted 1.62s in 1,800 of 1,830 drawings, 16.2% of a core, the largest part by Row0"
            ])
        let below = try #require(VerdictBuilder.verdict(of: [Self.store(nil, views: views(3, 31_000_000))])?.first)
        #expect(
            below.text
                == "Nothing to fix. 98% of 183 drawings were needless, 0.9% of a core in all: the largest part by Row0 (App/Row.swift:3)"
        )
        // Most of a body's time by the clock was none of a processor.
        var loop = Self.loop()
        loop.totals.bodies.add(wall: 100, processor: 5)
        #expect(VerdictBuilder.verdict(of: [Self.store(loop, views: views(30, 54_000_000))])?.has(.waste) == false)
    }

    @Test("where it began is named with its place: the view that reads the clock")
    func root() {
        var total = Stats(key: "CartTotal", file: "Shop/Views.swift", line: 90)
        total.count = 3_531
        (total.wasted.count, total.wasted.measured, total.wasted.nanoseconds) = (3_215, 3_215, 30_000_000)
        total.reasons = [
            ReasonCount(
                reason: "parent: Shop", count: 3_531, attribution: .exact,
                chains: [.init(chain: "Shop ← ticker.tick", count: 3_500), .init(chain: Reason.other, count: 9_000)])
        ]
        let shop = Stats(key: "Shop", file: "Shop/Views.swift", line: 37)
        #expect(
            VerdictBuilder.verdict(of: [Self.store(nil, views: [total, shop])])?.findings.map(\.text) == [
                "Nothing to fix. 91% of 3,531 drawings were needless, 0.3% of a core in all: Shop reads ticker.tick (Shop/Views.swift:37)"
            ])
    }

    @Test(
        "a third of ten evaluations a second with a cause of their own is a fault, however little they cost",
        arguments: [
            (UInt64(100), UInt64(34), true), (100, 32, false), (80, 80, false),
        ])
    func ownCauses(own: UInt64, wasted: UInt64, isFound: Bool) {
        var work = IdleWork(.evaluations, latestAt: Self.after(10))
        (work.view, work.reason, work.writer) = ("Row", "tick", "set() A.swift:1")
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (own, own, 1_000)
        (work.latest.wasted, work.latestDuration) = (wasted, 10 * Self.second)
        var store = Self.store(nil)
        store.idleWork = [work]
        #expect(VerdictBuilder.verdict(of: [store])?.has(.waste) == isFound)
        work.latest.wasted = nil
        store.idleWork = [work]
        #expect(VerdictBuilder.verdict(of: [store])?.has(.waste) == false, "not counted")
    }

    @Test("a function that the main loop calls is named where the one that wrote is not known")
    func calledWithoutWriter() throws {
        var work = IdleWork(.evaluations, latestAt: Self.after(10))
        (work.view, work.reason) = ("GtkLabel#byqueue", "queue_draw")
        work.callback = IdleWork.Callback(source: "timer", function: "gtk_widget_queue_draw()")
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (300, 300, 1_000)
        (work.latest.wasted, work.latestDuration) = (300, 10 * Self.second)
        func text(_ work: IdleWork) throws -> String {
            var store = Self.store(nil)
            store.idleWork = [work]
            return try #require(VerdictBuilder.verdict(of: [store])?.first?.text)
        }
        #expect(try text(work).hasSuffix(": queue_draw by the timer gtk_widget_queue_draw()"))
        work.callback?.function = nil
        #expect(try text(work).hasSuffix(": queue_draw"))
        work.writer = "set() a.c:1"
        #expect(try text(work).hasSuffix(": queue_draw ← set() a.c:1"))
    }

    @Test("says in the same sentence what cannot be known")
    func unknown() {
        var store = Self.store(nil)
        store.gaps = ["the protocol View of SwiftCrossUI is not the one that rerender knows"]
        #expect(
            VerdictBuilder.verdict(of: [store])?.first?.text
                == "Nothing to fix is known: the protocol View of SwiftCrossUI is not the one that rerender knows")
        store.mainLoop = .none
        #expect(VerdictBuilder.verdict(of: [store])?.first?.text.contains("SwiftCrossUI") == true, "before the loop")
        var view = Stats(key: "Badge")
        (view.count, view.wasted.unjudged) = (1_647, 1_607)
        var stripped = Self.store(nil, views: [view])
        stripped.kind = .injectedViews
        #expect(
            VerdictBuilder.verdict(of: [stripped])?.first?.text
                == "Nothing to fix is known: of 1,607 of 1,647 evaluations it is unknown whether they were needed")
    }

    @Test("says of a program that was attached to who names what has no name, and no more where all have one")
    func attached() {
        let frames = Self.frames(each: 60, unpainted: 100, share: 0.03)
        func text(_ facts: [WidgetFact]) -> String? {
            var store = Self.store(Self.loop({ $0.frames = frames }, facts: facts))
            store.gaps = [ProcessStats.attached]
            return VerdictBuilder.verdict(of: [store])?.first?.text
        }
        let first =
            "60 frames a second without input, 100% of them paint nothing, 3.0% of a core: GtkLabel asks for them"
        #expect(text([Self.asker("GtkLabel", frames)]) == "\(first); \(ProcessStats.attached)")
        #expect(text([Self.asker("GtkLabel", frames, writer: "tick() a.c:3")]) == "\(first) in tick() a.c:3")
        var quiet = Self.store(Self.loop())
        quiet.gaps = [ProcessStats.attached]
        #expect(VerdictBuilder.verdict(of: [quiet])?.first?.text == "Nothing to fix", "all was counted")
    }

    @Test("other threads are told from 5 % of a core on, and are not the UI")
    func threads() {
        for (processor, isFound) in [(UInt64(500_000_000), true), (499_000_000, false)] {
            var loop = Self.loop()
            loop.threads = [ThreadTime(name: "gldisplay-event", count: 58, atFirst: 50, processor: processor)]
            #expect((kind(loop) == .busy) == isFound)
            loop.totals.counted = 5 * Self.second - 1
            #expect(kind(loop) == .nothing, "of too little time")
        }
        var loop = Self.loop()
        loop.threads = ThreadTime.grouped(
            [("b", 1), ("gldisplay-event", 2_400_000_000), ("gldisplay-event", 2_400_000_000)],
            atFirst: ["gldisplay-event": 1])
        #expect(loop.threads.map(\.name) == ["gldisplay-event", "b"])
        #expect(
            verdict(loop)?.first?.text
                == "48.0% of a core is in 2 threads \"gldisplay-event\", 1 more than at the first frame: it is not the UI"
        )
        #expect(verdict(loop)?.first?.short == "threads gldisplay-event: busy, 48.0%", "the main loop is not")
    }

    @Test("threads that have ended, or were not read, are told as that")
    func unlisted() {
        var loop = Self.loop { ($0.processor, $0.process) = (Self.second, 2 * Self.second) }
        let text = " of a core is in other threads, whose names are not known"
        #expect(loop.unlistedThreads == "10.0%" + text && kind(loop) == .nothing)
        loop.totals.process = 3 * Self.second
        #expect(verdict(loop)?.first?.text == "20.0%" + text && kind(loop) == .busy)
        loop.endedAt = Self.after(10)
        #expect(loop.unlistedThreads == "20.0%" + text && kind(loop) == .nothing)
        loop.totals.process = 2 * Self.second
        loop.threads = [ThreadTime(name: "a", count: 1, atFirst: 1, processor: 500_000_000)]
        #expect(loop.unlistedThreads == "5.0% of a core is in threads that have ended")
        loop.threads[0].processor += 1
        #expect(loop.unlistedThreads == nil)
    }

    @Test("what ended by itself within 15 seconds is no finding of a process that ended later")
    func endedBefore() {
        var loop = Self.loop { $0.busy = Self.stretch(6, share: 0.5) }
        #expect(kind(loop) == .busy, "when it ended is not known")
        loop.endedAt = Self.after(8)
        #expect(kind(loop) == .busy)
        loop.endedAt = Self.after(8.001)
        #expect(kind(loop) == .nothing)
    }

    @Test("what threads ran before a reset is no part of what they ran since")
    func threadsSince() {
        func thread(_ name: String, _ processor: UInt64) -> ThreadTime {
            ThreadTime(name: name, count: 1, atFirst: 1, processor: processor)
        }
        let before = [thread("a", 30), thread("gone", 9)]
        let now = [thread("a", 31), thread("b", 2)]
        #expect(ThreadTime.since(before, now) == [thread("b", 2), thread("a", 1)])
        #expect(ThreadTime.since([], now) == now)
        #expect(ThreadTime.since([thread("a", 99)], now).map(\.processor) == [2, 0], "another thread has the name")
    }

    @Test("ranks hangs, micro-hangs, processor time, waste, and what is busy after all faults")
    func ranks() {
        let kinds: [Verdict.Kind] = [.hangs, .microHangs, .spinning, .waste, .busy, .notJudged, .nothing]
        #expect(kinds.map(\.isMarked) == [true, true, true, true, false, false, false])
        #expect(kinds.map(\.isFinding) == [true, true, true, true, true, true, false])
        var loop = Self.loop({ $0.spinning = Self.turns(empty: 100) })
        var rows = WidgetFact(.anew, view: "Row")
        (rows.numbers.of, rows.numbers.count) = (20, 3)
        loop.facts = [rows]
        loop.totals.busy = Self.stretch(share: 0.9)
        #expect(verdict(loop)?.findings.map(\.kind) == [.spinning, .madeAnew], "busy has a known fault")
    }

    @Test("after an exec, the loop of the program that runs is judged", arguments: [false, true])
    func exec(isReversed: Bool) {
        func stores(old: LoopStats, new: LoopStats) -> [ProcessStats] {
            var ran = Self.store(new, connected: true)
            ran.startedAt = Self.after(1)
            let stores = [Self.store(old), ran]
            return isReversed ? stores.reversed() : stores
        }
        func kind(_ stores: [ProcessStats]) -> Verdict.Kind? {
            VerdictBuilder.verdict(of: stores, .live, now: Self.after(8))?.first?.kind
        }
        let (quiet, busy) = (Self.loop(), Self.loop { $0.busy = Self.stretch(6, share: 0.5) })
        #expect(kind(stores(old: busy, new: quiet)) == .nothing && kind(stores(old: quiet, new: busy)) == .busy)
        #expect(CoreShares(stores(old: busy, new: quiet)).loop(of: 7) == quiet)
        #expect(CoreShares(stores(old: quiet, new: busy)).loop(of: 7) == busy)
        // What the program that runs did may have ended by itself since.
        let later = VerdictBuilder.verdict(of: stores(old: quiet, new: busy), .live, now: Self.after(60))
        #expect(later?.first?.kind == .nothing)
    }
}
