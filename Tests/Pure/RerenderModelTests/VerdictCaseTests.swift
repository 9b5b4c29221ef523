// SPDX-License-Identifier: MIT
import RerenderModel
import Testing

/// What a verdict says of cases that people reported, beside what each rule's thresholds are.
@Suite("The verdict on reported cases") struct VerdictCaseTests {
    private static let start = Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)
    private static let second: UInt64 = 1_000_000_000

    /// Twelve seconds of a main loop, with input that is known.
    private static func loop(_ change: (inout LoopStats) -> Void = { _ in }) -> LoopStats {
        var totals = LoopTotals()
        (totals.counted, totals.isInputKnown) = (12 * second, 1)
        var loop = LoopStats(totals)
        change(&loop)
        return loop
    }

    /// Ten seconds without input in which 55 frames a second were drawn, each another one.
    private static let frames: QuietStretch = {
        var frames = QuietStretch()
        (frames.nanoseconds, frames.processor, frames.frames) = (10 * second, 600_000_000, 550)
        frames.latestAt = Timestamp(nanosecondsSince1970: start.nanosecondsSince1970 + 12_000_000_000)
        return frames
    }()

    /// A widget that asked for all of these.
    private static func asker(_ view: String, hidden: String? = nil) -> WidgetFact {
        var fact = WidgetFact(.asker, view: view)
        fact.hidden = hidden
        (fact.numbers.count, fact.numbers.of, fact.numbers.processor) = (550, 550, 600_000_000)
        return fact
    }

    private static func store(_ loop: LoopStats? = nil, kind: StoreKind = .widgets) -> ProcessStats {
        var store = ProcessStats(pid: 7, name: "cases", store: "widgets", storeNumber: 0, startedAt: start)
        (store.mainLoop, store.kind, store.loop, store.evaluations) = (.glib, kind, loop, 1)
        return store
    }

    private func verdict(_ store: ProcessStats) throws -> Verdict {
        try #require(VerdictBuilder.verdict(of: [store]))
    }

    // MARK: Nothing

    @Test("sizes that are set to what they are: a timer that runs ten times a second, and costs next to nothing")
    func sizes() throws {
        var timer = LoopRow(.timer, name: "size_same()", place: "cases.c:82")
        (timer.numbers.count, timer.numbers.processor, timer.numbers.interval) = (119, 2_000_000, 100_000_000)
        let loop = Self.loop {
            ($0.totals.turns, $0.totals.wakeups, $0.totals.processor) = (125, 122, 40_000_000)
            $0.rows = [timer]
        }
        let found = try verdict(Self.store(loop))
        #expect(found.findings.map(\.text) == ["Nothing to fix"] && found.first?.kind == .nothing)
    }

    @Test("a service without windows and without evaluations, of which the main loop is known")
    func service() throws {
        var store = Self.store(Self.loop { $0.totals.isInputKnown = 0 }, kind: .loop)
        store.evaluations = 0
        #expect(try verdict(store).first?.text == "Nothing to fix")
        store.loop = nil
        #expect(try verdict(store).first?.text == "Nothing to fix is known: nothing was evaluated")
    }

    @Test("a program that took long until its main loop turned is said to have, and has no row for that in tables")
    func start() throws {
        var start = LoopRow(.source, name: "a source", of: LoopRow.start)
        (start.numbers.count, start.numbers.wall, start.numbers.longest) = (1, 2_510_000_000, 2_510_000_000)
        var loop = Self.loop { ($0.totals.turns, $0.totals.processor, $0.rows) = (3, 40_000_000, [start]) }
        func first() throws -> Verdict.Finding { try #require(try verdict(Self.store(loop)).first) }
        #expect(
            try first().text
                == "Nothing to fix. 2.51s passed before the main loop was seen to turn; what ran is not known")
        #expect(try first().kind == .nothing && start.calls == nil)
        #expect(SourceRow.all([Self.store(loop)]).isEmpty)
        loop.totals.busy = Self.frames
        #expect(try first().text.contains("a source") == false, "it is no part of what keeps the loop busy")
        // Of a span or after a reset, it was before.
        loop.totals.busy = QuietStretch()
        loop.rows[0].numbers = LoopRow.Numbers()
        #expect(try first().text == "Nothing to fix" && SourceRow.all([Self.store(loop)]).isEmpty)
    }

    // MARK: Widgets that are not visible

    @Test(
        "a spinner that is not visible is said to be that, with the reason",
        arguments: [
            "its page of GtkStack is not shown", "its opacity is 0", "the opacity of GtkBox is 0",
            "the GtkRevealer around it is closed", "it is outside of the visible area of GtkScrolledWindow",
            "it is outside of its window", "something opaque covers it", "its window is minimised",
            "its window is suspended", "its window is not shown", "it is hidden", "the GtkBox around it is hidden",
            "it has no size", "it is in no window",
        ])
    func hidden(reason: String) throws {
        let loop = Self.loop {
            ($0.totals.frames, $0.totals.busy) = (Self.frames, Self.frames)
            $0.facts = [Self.asker("GtkSpinner#busy", hidden: reason)]
        }
        let found = try verdict(Self.store(loop))
        #expect(
            found.findings.map(\.text) == [
                "GtkSpinner#busy is not visible (\(reason)), and asks for 55 frames a second, 6.0% of a core"
            ])
        let first = try #require(found.first)
        #expect(first.kind == .hiddenWidget && first.view == "GtkSpinner#busy" && first.count == 550)
        #expect(first.nanosecondsPerSecond == 60_000_000 && first.short == "GtkSpinner#busy: not visible, 6.0%")
        #expect(first.command == "rerenderctl explain 'GtkSpinner#busy'")
    }

    @Test("what another program wrote into a reason or a name reaches no terminal")
    func hostile() throws {
        let loop = Self.loop {
            $0.totals.frames = Self.frames
            $0.facts = [Self.asker("Gtk\u{1B}Spinner", hidden: "its \u{7}page")]
        }
        let first = try #require(try verdict(Self.store(loop)).first)
        #expect(first.kind == .hiddenWidget && !first.text.contains("\u{1B}") && !first.text.contains("\u{7}"))
        #expect(first.command == nil, "what cannot be printed cannot be typed")
    }

    @Test("each that asked for half of the frames is named, and one that can be seen beside them is not")
    func several() throws {
        let loop = Self.loop {
            $0.totals.frames = Self.frames
            $0.facts = [
                Self.asker("First", hidden: "its opacity is 0"), Self.asker("Seen"),
                Self.asker("Second", hidden: "it is hidden"),
            ]
        }
        let found = try verdict(Self.store(loop))
        #expect(Set(found.findings.map(\.view)) == ["First", "Second"] && found.more == 0)
    }

    @Test("several of one key and one reason are one finding, with how many they are")
    func alike() throws {
        var loop = Self.loop { $0.totals.frames = Self.frames }
        let bone = Self.asker("GtkBox#bone", hidden: "the opacity of GtkBox is 0")
        loop.facts = [bone, bone, Self.asker("GtkBox#bone", hidden: "it is hidden"), bone]
        loop.facts[1].numbers.processor = 700_000_000
        let found = try verdict(Self.store(loop))
        #expect(
            found.findings.map(\.text) == [
                "3 GtkBox#bone are not visible (the opacity of GtkBox is 0), "
                    + "and ask for 55 frames a second, 7.0% of a core",
                "GtkBox#bone is not visible (it is hidden), and asks for 55 frames a second, 6.0% of a core",
            ])
        #expect(found.more == 0 && found.count(of: .hiddenWidget) == 2 && found.first?.count == 550)
    }

    @Test("several that cannot be seen for one reason are one finding, with the one that costs most and how many more")
    func together() throws {
        var loop = Self.loop { $0.totals.frames = Self.frames }
        let names = ["Inbox", "Drafts", "Sent", "Sent"]
        loop.facts = names.map { Self.asker("GtkSpinner#\($0)", hidden: "its opacity is 0") }
        loop.facts[1].numbers.processor = 700_000_000
        func text() throws -> [String] { try verdict(Self.store(loop)).findings.map(\.text) }
        let why = "not visible (its opacity is 0), and ask for 55 frames a second"
        #expect(try text() == ["GtkSpinner#Drafts and 3 more are \(why), 7.0% of a core"])
        loop.facts[3].numbers.processor = 710_000_000
        #expect(try text() == ["2 GtkSpinner#Sent and 2 more are \(why), 7.1% of a core"])
        for index in loop.facts.indices { loop.facts[index].writer = "startLoading() mailbox.js:18" }
        #expect(try text().first?.hasSuffix(": startLoading() mailbox.js:18 made it spin") == true)
    }

    @Test("a widget that cannot be seen and asked for all frames has what the loop takes for them, which is told once")
    func wholeCost() throws {
        func findings(frames: UInt64) throws -> [Verdict.Finding] {
            var fact = Self.asker("GtkProgressBar#build", hidden: "it is hidden")
            (fact.numbers.count, fact.numbers.processor) = (frames, 150_000_000)
            return try verdict(
                Self.store(
                    Self.loop {
                        ($0.totals.frames, $0.totals.busy, $0.facts) = (Self.frames, Self.frames, [fact])
                    })
            ).findings
        }
        let all = try findings(frames: 495)
        #expect(all.map(\.kind) == [.hiddenWidget] && all[0].nanosecondsPerSecond == 60_000_000)
        let most = try findings(frames: 494)
        #expect(most.map(\.kind) == [.hiddenWidget, .busy] && most[0].nanosecondsPerSecond == 15_000_000)
    }

    @Test("what is called meanwhile is said of a widget that cannot be seen, where nothing else is known of its frames")
    func pulse() throws {
        var timer = LoopRow(.timer, name: "pulse_progress()", place: "buildbar.c:10")
        timer.numbers.count = 264
        var loop = Self.loop { $0.totals.frames = Self.frames }
        (loop.rows, loop.facts) = ([timer], [Self.asker("GtkProgressBar#build", hidden: "it is hidden")])
        let first =
            "GtkProgressBar#build is not visible (it is hidden), and asks for 55 frames a second, 6.0% of a core"
        func text() throws -> String? { try verdict(Self.store(loop)).first?.text }
        #expect(try text() == first + "; the timer pulse_progress() buildbar.c:10 is called 22 times a second")
        loop.rows[0].numbers.count = 219
        #expect(try text() == first)
    }

    @Test("what widgets drew for nothing in frames that are named is no second finding")
    func namedFrames() throws {
        var work = IdleWork(.evaluations, latestAt: Self.frames.latestAt)
        (work.view, work.reason) = ("GtkStack#icon_stack", "layout")
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (550, 550, 20_000_000)
        (work.latest.wasted, work.latestDuration) = (550, 10 * Self.second)
        var store = Self.store(
            Self.loop {
                $0.totals.frames = Self.frames
                $0.facts = [Self.asker("GtkStack/GtkSpinner#refreshing_spinner", hidden: "its page is not shown")]
            })
        store.idleWork = [work]
        #expect(try verdict(store).findings.map(\.kind) == [.hiddenWidget])
        store.loop?.facts = []
        #expect(try verdict(store).findings.map(\.kind) == [.waste], "nothing else names it")
    }

    // MARK: Parts of GTK's own widgets

    /// What ten seconds without input had 622 evaluations of.
    private static func work(
        _ view: String, _ reason: String, wasted: UInt64 = 373, writer: String? = nil
    ) -> IdleWork {
        var work = IdleWork(.evaluations, latestAt: frames.latestAt)
        (work.view, work.reason, work.writer) = (view, reason, writer)
        (work.latest.own, work.latest.count, work.latest.nanoseconds) = (622, 622, 2_000_000)
        (work.latest.wasted, work.latestDuration) = (wasted, 10 * second)
        return work
    }

    @Test("a part of GTK's own widget that follows what the program scrolls is no fault, and one that it writes to is")
    func toolkitParts() throws {
        func kinds(_ work: IdleWork..., kind: StoreKind = .widgets) throws -> [Verdict.Kind] {
            var store = Self.store(Self.loop(), kind: kind)
            store.idleWork = work
            return try verdict(store).findings.map(\.kind)
        }
        let text = Self.work("GtkTextView", "adjustment value", wasted: 0)
        let trough = Self.work("GtkRange/trough", "layout")
        #expect(try kinds(trough, Self.work("GtkScrollbar/GtkRange", "adjustment value"), text) == [.nothing])
        #expect(try kinds(Self.work("Shop/slider", "style"), Self.work("GtkScrollbar", "layout")) == [.nothing])
        #expect(try kinds(trough, Self.work("GtkButton/GtkLabel", "style")) == [.waste])
        #expect(try kinds(Self.work("GtkRange/trough", "queue_draw")) == [.waste])
        #expect(try kinds(Self.work("GtkScale/slider", "layout", writer: "tick() a.c:3")) == [.waste])
        #expect(try kinds(Self.work("GtkScrollbar/GtkRange#volume", "layout")) == [.waste])
        #expect(try kinds(trough, kind: .views) == [.waste], "a view that is called so")
        var called = trough
        called.callback = IdleWork.Callback(source: "timer", function: "tick() a.c:3")
        #expect(try kinds(called) == [.waste])
    }

    @Test("frames are for what the program scrolls, and not for the scrollbar beside it")
    func scrolled() throws {
        var loop = Self.loop {
            ($0.totals.frames, $0.totals.busy) = (Self.frames, Self.frames)
            $0.facts = [Self.asker("GtkTextView"), Self.asker("GtkScrollbar/GtkRange")]
        }
        loop.facts[0].writer = "add_line() log.c:4"
        let first = "6.0% of a core without input, 55 frames a second for "
        #expect(
            try verdict(Self.store(loop)).findings.map(\.text) == [
                first + "GtkTextView by add_line() log.c:4, each drawn anew"
            ])
        loop.facts.removeFirst()
        #expect(
            try verdict(Self.store(loop)).first?.text == first + "GtkScrollbar/GtkRange, each drawn anew",
            "where nothing else asked")
    }

    // MARK: Rows that are made anew

    @Test("frames that new rows ask for come of making them anew, which is one fault with all that it costs")
    func renewed() throws {
        var rows = WidgetFact(.anew, view: "GtkListBox/GtkListBoxRow")
        (rows.parent, rows.writer) = ("GtkListBox#processes", "add_row() procmon.c:8")
        (rows.numbers.count, rows.numbers.of, rows.numbers.nanoseconds) = (11, 60, 81_300_000)
        (rows.numbers.processor, rows.numbers.duration) = (71_000_000, 10 * Self.second)
        var row = WidgetFact(.asker, view: "GtkListBox/GtkListBoxRow")
        (row.numbers.count, row.numbers.of) = (18, 210)
        var loop = Self.loop {
            $0.totals.frames = Self.frames
            ($0.totals.frames.frames, $0.totals.frames.sameFrames) = (210, 190)
            $0.totals.frames.processor = 290_000_000
            $0.totals.busy = $0.totals.frames
            var timer = LoopRow(.timer, name: "refresh_processes()", place: "procmon.c:10")
            timer.numbers.processor = 84_000_000
            $0.rows = [timer]
            $0.facts = [rows, row, row, row]
        }
        let made =
            "60 or more instances of GtkListBox/GtkListBoxRow in GtkListBox#processes are made anew each time by add_row() "
            + "procmon.c:8: 11 times, 81.3ms"
        let found = try verdict(Self.store(loop))
        #expect(
            found.findings.map(\.text) == [
                made + "; 21 frames a second come of that, 90% of them draw the same, 2.2% of a core"
            ])
        #expect(found.first?.kind == .madeAnew)
        #expect(found.first?.short == "add_row() procmon.c:8: made anew, 2.9%")
        // Each asks for too few, or another widget does, too.
        loop.facts = [rows, row, row]
        #expect(try verdict(Self.store(loop)).findings.map(\.kind) == [.sameFrames, .madeAnew])
        loop.facts = [rows, row, row, row, Self.asker("GtkSpinner")]
        (loop.facts[4].numbers.count, loop.facts[4].numbers.of) = (60, 210)
        let both = try verdict(Self.store(loop)).findings
        #expect(both.map(\.kind) == [.sameFrames, .madeAnew] && both.last?.text == made)
    }

    // MARK: Late frames

    /// A clock that has all of a window drawn each second: 13 frames, the first of them late.
    private static func clock(late: Int) -> ProcessStats {
        var totals = FrameTotals()
        for number in 0..<13 {
            var frame = MeasuredFrame(
                update: 1_000_000, layout: 0, snapshot: 0, drawing: 159_000_000, interval: 16_000_000,
                isIntervalTold: true)
            frame.processor = number < late ? 27_000_000 : 1_000_000
            totals.add(frame)
        }
        var labels = work("GtkButton/GtkLabel", "queue_draw", writer: "redraw_all() clock.c:4")
        labels.latest.wasted = nil
        var (window, time) = (labels, labels)
        (window.view, window.latest.own, window.latest.count) = ("GtkWindow", 10, 10)
        (time.view, time.writer) = ("GtkLabel#clock", "on_second() clock.c:5")
        (time.latest.own, time.latest.count) = (10, 10)
        var busy = frames
        (busy.processor, busy.frames) = (240_000_000, 10)
        var store = Self.store(Self.loop { $0.totals.busy = busy })
        (store.frames, store.idleWork) = (FrameStats(totals), [window, labels, time])
        return store
    }

    @Test("frames that are mostly late have the function that had most of it drawn, and no window")
    func lateFrames() throws {
        let led = "; redraw_all() clock.c:4 led to 98% of 642 drawings without input"
        let found = try verdict(Self.clock(late: 11))
        #expect(
            found.findings.map(\.text) == [
                "11 of 13 frames were late by their own processor time; the longest of all frames took 160ms" + led
            ])
        let first = try #require(found.first)
        #expect(first.view == "GtkButton/GtkLabel" && first.source == "redraw_all() clock.c:4")
        #expect(first.short == "redraw_all() clock.c:4: 11 late frames")
        let few = try verdict(Self.clock(late: 6))
        #expect(few.findings.map(\.kind) == [.lateFrames, .busy] && few.first?.source == nil)
        #expect(few.first?.short == "6 late frames")
    }

    @Test("late frames for a layout have the widget that asks for it, and the function that wrote to that one")
    func layoutOfLateFrames() throws {
        var cells = Self.work("GtkLabel", "size for GtkLabel#countdown", writer: "update_countdown() timetable.c:26")
        (cells.latest.wasted, cells.latest.own, cells.latest.count) = (nil, 3_200, 3_200)
        var countdown = Self.work("GtkLabel#countdown", "property label", writer: "update_countdown() timetable.c:26")
        (countdown.latest.wasted, countdown.latest.own, countdown.latest.count) = (nil, 80, 100)
        func first(_ work: IdleWork...) throws -> Verdict.Finding {
            var store = Self.clock(late: 11)
            store.idleWork = work
            return try #require(try verdict(store).first)
        }
        let late = "11 of 13 frames were late by their own processor time; the longest of all frames took 160ms; "
        let led = "led to 100% of 3,300 drawings without input"
        let found = try first(countdown, cells)
        #expect(
            found.text
                == late + "update_countdown() timetable.c:26 \(led), for a layout that GtkLabel#countdown asks for")
        #expect(found.view == "GtkLabel#countdown" && found.source == "update_countdown() timetable.c:26")
        // Without the function, the widget is known.
        (cells.writer, countdown.writer) = (nil, nil)
        let asked = try first(countdown, cells)
        #expect(
            asked.text == late
                + "the layout that GtkLabel#countdown asks for led to 96% of 3,300 drawings without input")
        #expect(asked.view == "GtkLabel#countdown" && asked.source == nil)
        cells.reason += " and others"
        #expect(try first(countdown, cells).view == nil, "which of them is not known")
    }

    @Test("a part of GTK's own widgets that another widget's layout has drawn is not the program's doing")
    func layoutOfPart() throws {
        func kinds(_ reason: String) throws -> [Verdict.Kind] {
            var store = Self.store(nil)
            store.idleWork = [Self.work("GtkRange/trough", reason, writer: "bind_row() gallery.c:35")]
            return try verdict(store).findings.map(\.kind)
        }
        #expect(try kinds("layout for GtkListView") == [.nothing])
        #expect(try kinds("property value") == [.waste])
    }

    @Test("micro-hangs in frames that are mostly late have that function where no view took much of them")
    func microHangsInLateFrames() throws {
        func text(late: Int) throws -> String? {
            var store = Self.clock(late: late)
            store.hangs.addMicro(nanoseconds: 1_500_000_000)
            store.loop?.totals.drawing.add(wall: 800_000_000, processor: 0)
            return try verdict(store).first?.text
        }
        let first = "Micro-hangs blocked the main loop for 12% of the time: 1.50s of 12.0s"
        #expect(try text(late: 7) == first + "; redraw_all() clock.c:4 led to 98% of 642 drawings without input")
        #expect(try text(late: 6) == first)
    }

    @Test("micro-hangs in a window's frames have the function that had most of it drawn")
    func microHangsOfWindow() throws {
        func text(inFrames: UInt64, _ view: ViewKey = "GtkWindow") throws -> String? {
            var store = Self.clock(late: 0)
            var window = Stats(key: view)
            window.count = 9
            window.hangs.addMicro(nanoseconds: 1_400_000_000)
            store.hangs.addMicro(nanoseconds: 1_500_000_000)
            store.loop?.totals.drawing.add(wall: inFrames, processor: 0)
            store.views = [window]
            return try verdict(store).first?.text
        }
        let first = "Micro-hangs blocked the main loop for 12% of the time: 1.50s of 12.0s, 1.40s of it by "
        let led = "; redraw_all() clock.c:4 led to 98% of 642 drawings without input"
        #expect(try text(inFrames: 700_000_000) == first + "GtkWindow" + led)
        #expect(try text(inFrames: 699_000_000) == first + "GtkWindow")
        #expect(try text(inFrames: 900_000_000, "GtkDrawingArea#map") == first + "GtkDrawingArea#map")
    }

    // MARK: Cycles

    private static func cycle(_ over: String?) -> Cycle {
        Cycle(
            steps: [.init(name: "Row", writer: "tick() Row.swift:4")], rounds: 4_800, latestRounds: 4_801,
            latestNanoseconds: 10 * second, latestAt: start, over: over)
    }

    @Test(
        "a view that is evaluated at the loop's speed by what its last evaluation led to is in a cycle over that",
        arguments: [
            ("a queue", " over a queue"), ("an idle function", " over an idle function"), ("a Task", " over a Task"),
            (nil, ""),
        ] as [(String?, String)])
    func cycles(over: String?, words: String) throws {
        var store = Self.store(kind: .views)
        store.cycles = [Self.cycle(over)]
        let first = try #require(try verdict(store).first)
        #expect(first.text == "Row is in a cycle\(words): Row → Row, 4,800 rounds, 480/s")
        #expect(first.kind == .cycle && first.kind.isMarked && first.count == 4_800 && first.short == "Row: a cycle")
        #expect(first.command == "rerenderctl explain Row")
    }

    @Test("it explains what keeps the loop busy")
    func explainedByCycle() throws {
        var store = Self.store(
            Self.loop {
                $0.totals.busy = Self.frames
                $0.totals.busy.processor = 8 * Self.second
            }, kind: .views)
        store.cycles = [Self.cycle("a Task")]
        #expect(try verdict(store).findings.map(\.kind) == [.cycle])
        store.cycles = []
        #expect(try verdict(store).findings.map(\.kind) == [.busy])
        // One that settled within a millisecond explains nothing.
        var settled = Self.cycle("a queue")
        settled.latestNanoseconds = 999_999
        store.cycles = [settled]
        #expect(try verdict(store).findings.map(\.kind) == [.busy])
    }

    // MARK: Hangs

    @Test("a handler in which the program was closing is no fault, and one before it is")
    func closing() throws {
        func hang(_ milliseconds: UInt64, isExcused: Bool) -> Hang {
            var hang = Hang(id: 1, pid: 7, process: "cases", startedAt: Self.start, turn: 1)
            (hang.durationNanoseconds, hang.open, hang.source) = (milliseconds * 1_000_000, false, "save() cases.c:9")
            if isExcused { hang.ended = .exited }
            return hang
        }
        var (store, sources, all) = (Self.store(), [SourceHangs](), HangTotals())
        func tell(_ hang: Hang) {
            sources.add(hang)
            all.add(hang)
            (store.hangsOfSources, store.hangsOfNoView) = (sources, all)
        }
        tell(hang(1_500, isExcused: true))
        #expect(try verdict(store).first?.kind == .nothing)
        tell(hang(400, isExcused: false))
        #expect(try verdict(store).findings.map(\.text) == ["save() cases.c:9 blocked the main loop once, for 400ms"])
    }

    @Test("a source is said to have blocked the loop for what it took itself, and for no more")
    func ownOfSource() throws {
        var (store, sources) = (Self.store(), [SourceHangs]())
        func tell(_ milliseconds: UInt64, own: UInt64?) throws -> [String] {
            var hang = Hang(id: 1, pid: 7, process: "cases", startedAt: Self.start, turn: 1)
            (hang.durationNanoseconds, hang.open, hang.source) = (milliseconds * 1_000_000, false, "count() a.c:4")
            hang.sourceNanoseconds = own.map { $0 * 1_000_000 }
            sources.add(hang)
            store.hangsOfSources = sources
            return try verdict(store).findings.map(\.text)
        }
        #expect(try tell(284, own: 197) == ["count() a.c:4 took 197ms of a hang of 284ms"])
        #expect(try tell(300, own: 290) == ["count() a.c:4 blocked the main loop 2×, longest 300ms"])
        #expect(try tell(416, own: 13) == ["count() a.c:4 took 500ms of 3 hangs of 1.00s, the longest 416ms"])
        sources = []
        #expect(try tell(284, own: nil) == ["count() a.c:4 blocked the main loop once, for 284ms"])
        #expect(try tell(300, own: 260) == ["count() a.c:4 blocked the main loop 2×, longest 300ms"])
    }

    @Test("work of 140 ms is a micro-hang, also where other programs make a hang of it")
    func starved() throws {
        var row = LoopRow(.timer, name: "next_thumbnail()", place: "thumbs.c:7")
        row.numbers.micro = 280_000_000
        var source = SourceHangs(name: "next_thumbnail() thumbs.c:5")
        for _ in 0..<12 {
            source.totals.add(nanoseconds: 300_000_000, starvedNanoseconds: 160_000_000, isStarved: true)
        }
        var store = Self.store(Self.loop { $0.rows = [row] })
        store.hangsOfSources = [SourceHangs(name: "other() a.c:1"), source]
        store.hangs.addMicro(nanoseconds: 1_960_000_000)
        #expect(
            try verdict(store).findings.map(\.text) == [
                "Micro-hangs blocked the main loop for 16% of the time: 1.96s of 12.0s, "
                    + "1.96s of it by the timer next_thumbnail() thumbs.c:7"
            ])
    }

    @Test("hangs of one function are one finding, whatever line of it is known, and those of closures are not")
    func lines() {
        func names(_ told: String...) -> [String] {
            var sources: [SourceHangs] = []
            for name in told {
                var hang = Hang(id: 1, pid: 7, process: "cases", startedAt: Self.start, turn: 1)
                (hang.durationNanoseconds, hang.open, hang.source) = (300_000_000, false, name)
                sources.add(hang)
            }
            return sources.map { "\($0.name) \($0.totals.count)" }
        }
        #expect(
            names("Win.load() a.py:25", "Win.load() a.py:20", "Win.load() b.py:20") == [
                "Win.load() a.py:25 2", "Win.load() b.py:20 1",
            ])
        #expect(names("a.js:4", "a.js:9", "<lambda>() a.py:1", "<lambda>() a.py:2").count == 4)
        #expect(names("GtkButton#go: clicked", "GtkButton#go: activate").count == 2)
    }
}
