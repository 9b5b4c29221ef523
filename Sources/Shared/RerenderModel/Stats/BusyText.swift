// SPDX-License-Identifier: MIT
// The words for what keeps a process busy.

/// Says what a main loop, its frames and its widgets cost. Safe to show.
enum BusyText {
    // MARK: Frames

    /// `55 frames a second without input, 99% of them paint nothing, 4.4% of a core: the tick callback tick_only() of GtkLabel#ticker asks for them`.
    ///
    /// Where that is known of a sample: `20 frames a second without input, all of 23 that were compared draw the same, 16.9% of a core`.
    static func sameFrames(
        _ frames: QuietStretch, _ asker: WidgetFact?, _ loop: LoopStats, share: Double
    ) -> String {
        let quiet = loop.totals.isInputKnown == 0 ? "" : " without input"
        let why =
            asker.map { ": \(who($0, loop))" } ?? mostOf(loop).map { ", \($0)" }
            ?? meanwhile(frames, loop)
        return "\(rate(frames, frames.frames, "frame"))\(quiet), \(useless(frames)), \(core(share))\(why)"
    }

    /// `99% of them paint nothing`.
    private static func useless(_ frames: QuietStretch) -> String {
        guard areSeen(frames) else { return compared(frames) }
        let arePainted = LoopFloor.isPart(frames.sameFrames, 10, of: frames.frames)
        let areUnpainted = LoopFloor.isPart(frames.unpainted, 10, of: frames.frames)
        let what = !arePainted ? "paint nothing" : areUnpainted ? "paint nothing or draw the same" : "draw the same"
        return "\(Percent.text(frames.seenUseless, of: frames.frames)) of them \(what)"
    }

    /// Whether nearly all frames are known to be for nothing without a look at pixels.
    private static func areSeen(_ frames: QuietStretch) -> Bool {
        LoopFloor.isPart(frames.seenUseless, 90, of: frames.frames)
    }

    /// `all of 23 that were compared draw the same`, behind the part of frames that is known to be for nothing otherwise: none of these is
    /// compared, so that the words speak of others then.
    private static func compared(_ frames: QuietStretch) -> String {
        let seen = LoopFloor.isPart(frames.seenUseless, 10, of: frames.frames) ? "\(forNothing(frames)), and " : ""
        let others = seen.isEmpty ? "" : " others"
        let (same, all) = (frames.comparedSame, Counted.grouped(frames.compared) + others)
        let part = same == 0 || same >= frames.compared ? "all" : Counted.grouped(same)
        return "\(seen)\(part) of \(all) that were compared \(same == 0 ? "differ" : "draw the same")"
    }

    private static func forNothing(_ frames: QuietStretch) -> String {
        "\(Percent.text(frames.seenUseless, of: frames.frames)) of them for nothing"
    }

    /// So many frames whose pixels were compared are worth a word.
    private static let leastCompared: UInt64 = 5

    /// What is known of frames that are not called useless.
    private static func different(_ frames: QuietStretch, isNotCompared: Bool) -> String {
        if !areSeen(frames), frames.compared >= leastCompared { return compared(frames) }
        if frames.seenUseless > 0 { return forNothing(frames) }
        return isNotCompared ? "and whether they differ is not known" : "each drawn anew"
    }

    /// `GtkSpinner#busy is not visible (its page of GtkStack is not shown), and asks for 55 frames a second, 6.0% of a core`; of several widgets
    /// `3 GtkBox#bone are not visible`, `GtkSpinner#inbox and 2 more are not visible`. Behind a spinner stands who made it spin: what asks for
    /// its frames is GTK. Where nothing is known of another widget, it is what the loop calls meanwhile.
    static func hidden(
        _ fact: WidgetFact, among all: [WidgetFact], _ frames: QuietStretch, _ loop: LoopStats, share: Double
    ) -> String {
        let why = fact.hidden.map { " (\(Printable.text($0)))" } ?? ""
        let asked = Double(fact.numbers.count) / Double(max(1, fact.numbers.of))
        let each = number(frames.perSecond(frames.frames) * min(1, asked))
        let isSpinner = fact.view.prefix { $0 != "#" }.hasSuffix("Spinner")
        let writer = fact.writer.map { Printable.text($0) }
        let asking = isSpinner ? "" : writer.map { " in \($0)" } ?? ""
        let spun = writer.map { isSpinner ? ": \($0) made it spin" : "" }
        let alike = all.count { $0.view == fact.view }, others = all.count - alike
        let name = (alike > 1 ? "\(alike) " : "") + Printable.text(fact.view)
        let (are, ask) = all.count == 1 ? ("is", "asks") : ("are", "ask")
        return "\(name)\(others > 0 ? " and \(others) more" : "") \(are) not visible\(why), and \(ask) for \(each) "
            + "frames a second\(asking), \(core(share))\(spun ?? (isSpinner ? "" : meanwhile(frames, loop)))"
    }

    /// Who asks for frames, and how as far as that is known: the function that wrote may be a tick callback, a timer's, or any other.
    private static func who(_ asker: WidgetFact, _ loop: LoopStats) -> String {
        let view = Printable.text(asker.view)
        let part = Percent.text(asker.numbers.count, of: asker.numbers.of)
        let them = asksForAll(asker) ? "them" : "\(part) of them"
        let isTick = loop.rows.contains { row in
            row.kind == .tick && asker.writer.map { $0 == row.name || $0.hasPrefix("\(row.name) ") } == true
        }
        if let writer = asker.writer, isTick {
            return "the tick callback \(Printable.text(writer)) of \(view) asks for \(them)"
        }
        let layout = loop.facts.first { $0.kind == .layout && $0.view == asker.view }
        if let layout, LoopFloor.isPart(layout.numbers.count, 50, of: asker.numbers.count) {
            return "\(view) is laid out for \(them)\(by(layout.writer == nil ? asker : layout))\(moved(layout))"
        }
        return "\(view) asks for \(them)\(asker.writer.map { " in \(Printable.text($0))" } ?? "")"
    }

    /// Whether it asked for nearly all of the frames.
    private static func asksForAll(_ asker: WidgetFact) -> Bool {
        LoopFloor.isPart(asker.numbers.count, 90, of: asker.numbers.of)
    }

    /// ` for GtkVideo#v by show() v.c:4`, with ` and others` where it did not ask for nearly all of the frames; empty where none is known.
    private static func whom(_ asker: WidgetFact?) -> String {
        guard let asker else { return "" }
        return " for \(Printable.text(asker.view))\(by(asker))\(asksForAll(asker) ? "" : " and others")"
    }

    static func lateFrames(_ late: UInt64, _ frames: FrameStats) -> String {
        // Of a span of time, the longest frame may not be known.
        let longest =
            frames.longestNanoseconds == 0
            ? "" : "; the longest of all frames took \(DurationText.short(frames.longestNanoseconds))"
        let count = "\(Counted.grouped(late)) of \(Counted.text(frames.count, "frame"))"
        return "\(count) were late by their own processor time\(longest)"
    }

    /// `; redraw_all() clock.c:4 led to 99% of 8,366 drawings without input`; of a layout with `, for a layout that GtkLabel#countdown asks for`.
    static func ledTo(_ writer: DrawingWriter?) -> String {
        guard let writer else { return "" }
        let part = "\(Percent.text(writer.drawings, of: writer.all)) of \(Counted.text(writer.all, "drawing"))"
        let name = writer.function ?? "the layout that \(Printable.text(writer.name)) asks for"
        let layout = writer.asker.map { ", for a layout that \($0) asks for" } ?? ""
        return "; \(name) led to \(part) without input\(layout)"
    }

    // MARK: The loop

    /// - Parameter waker: Who wakes the loop from another thread, where no source keeps it awake.
    static func spinning(_ turns: QuietStretch, _ row: LoopRow?, _ waker: LoopRow? = nil) -> String {
        let each = "\(number(turns.perSecond(turns.turns))) times a second"
        if let row, row.kind == .sampled {
            return "The main loop turns \(each), \(core(turns.share)): \(isCalled(row))"
        }
        if turns.emptyTurns >= turns.sameTurns {
            let source = row.map { ": \(keepsAwake($0))" } ?? waker.map { ": \(wakes($0))" } ?? ""
            return "The main loop turns \(each) and dispatches nothing, \(core(turns.share))\(source)"
        }
        guard let row else { return "The main loop turns \(each) for one source, \(core(turns.share))" }
        guard row.isUnread else {
            let what = row.kind == .descriptor ? "called" : "due"
            return "In each turn, \(row.words) is \(what): \(each), \(core(turns.share))"
        }
        let which = row.numbers.descriptor > 0 ? "descriptor \(row.numbers.descriptor - 1)" : "a descriptor"
        let state = row.isClosed ? "whose other end was closed" : "which stays readable"
        return "\(row.function) is called in each turn for \(which), \(state): \(each), \(core(turns.share))"
    }

    /// What has a loop turn that dispatches nothing.
    private static func keepsAwake(_ row: LoopRow) -> String {
        guard row.kind == .descriptor else { return "\(row.words) says that it is due" }
        let which = row.numbers.descriptor > 0 ? "descriptor \(row.numbers.descriptor - 1)" : "a descriptor"
        return
            "\(which) of \(row.function) is ready, but not for what that function waits for: its other end may be closed"
    }

    /// `look_at_queue() poller.c:30 is what it calls in 19 of 20 samples`.
    private static func isCalled(_ row: LoopRow) -> String { "\(row.function) is what it calls in \(row.samples)" }

    /// `feed_loop() poller.c:33 on thread event-pump wakes it`, `run_gui_loop() pump.c:9 turns it and does not wait`.
    private static func wakes(_ row: LoopRow) -> String {
        guard let thread = row.thread else { return "\(row.function) turns it and does not wait" }
        return "\(row.function) on thread \(Printable.text(thread)) wakes it"
    }

    static func microHangs(
        _ nanoseconds: UInt64, of all: UInt64, _ whose: (name: String, nanoseconds: UInt64)?
    ) -> String {
        // A function's time has the wait for a processor in it.
        let part =
            whose.map { ", \(DurationText.short(min($0.nanoseconds, nanoseconds))) of it by \($0.name)" } ?? ""
        return "Micro-hangs blocked the main loop for \(Percent.text(nanoseconds, of: all)) of the time: "
            + "\(DurationText.short(nanoseconds)) of \(DurationText.short(all))\(part)"
    }

    // MARK: Widgets

    static func layouts(_ fact: WidgetFact, share: Double) -> String {
        let numbers = fact.numbers
        let each = number(Double(numbers.count) / (Double(max(1, numbers.duration)) / 1e9))
        return
            "\(Printable.text(fact.view)) is laid out \(each) times a second\(by(fact))\(moved(fact)): \(core(share))"
    }

    static func layout(_ fact: WidgetFact) -> String {
        "After one input, \(Printable.text(fact.view)) was laid out for \(DurationText.short(fact.numbers.longest)) of "
            + "\(DurationText.short(fact.numbers.longestOf))\(by(fact))"
    }

    /// `200 layouts of 4 views took 160ms, 1.6% of a core, and their bodies 4.00µs, the largest part by Panel: 41.0ms`.
    static func layoutsOfViews(_ sum: LayoutSum, _ most: ViewCosts, isShared: Bool) -> String {
        let (name, isOne) = (most.key.displayName, sum.views == 1)
        let part = isOne ? "" : ", the largest part by \(name): \(DurationText.short(most.layoutNanoseconds))"
        return
            "\(Counted.text(sum.count, "layout")) of \(isOne ? name : Counted.text(sum.views, "view")) took "
            + "\(DurationText.short(sum.nanoseconds)), \(core(Double(sum.perSecond) / 1e9, isShared: isShared)), "
            + "and \(isOne ? "its" : "their") bodies \(DurationText.short(sum.bodies))\(part)"
    }

    static func madeAnew(_ fact: WidgetFact) -> String {
        let parent = fact.parent.map { " in \(Printable.text($0))" } ?? ""
        return
            "\(Counted.grouped(fact.numbers.of)) or more instances of \(Printable.text(fact.view))\(parent) are made anew each time"
            + "\(by(fact)): \(Counted.grouped(fact.numbers.count)) times, \(DurationText.short(fact.numbers.nanoseconds))"
    }

    /// `; 21 frames a second come of that, 90% of them draw the same, 2.2% of a core`; empty where none do.
    static func framesOfThat(_ frames: QuietStretch?, share: Double) -> String {
        guard let frames else { return "" }
        return "; \(rate(frames, frames.frames, "frame")) come of that, \(useless(frames)), \(core(share))"
    }

    private static func moved(_ fact: WidgetFact) -> String {
        LoopFloor.isPart(fact.numbers.same, 90, of: fact.numbers.count) ? ", and nothing moved" : ""
    }

    private static func by(_ fact: WidgetFact) -> String { fact.writer.map { " by \(Printable.text($0))" } ?? "" }

    // MARK: Waste

    static func wasteOfMany(_ process: ProcessCosts, _ largest: ViewCosts) -> String {
        let (waste, isShared) = (process.waste, process.isShared)
        let unnamed = waste.unnamed
        let count = "\(Counted.grouped(unnamed.count)) of \(Counted.text(unnamed.updates, process.event))"
        let sign = waste.inferred > 0 ? "~" : ""
        return
            "\(Counted.text(unnamed.views, process.noun)) wasted \(sign)\(DurationText.short(unnamed.nanoseconds)) in \(count), "
            + "\(core(Double(unnamed.perSecond) / 1e9, isShared: isShared)), the largest part by "
            + largest.key.displayName
    }

    static func wasteWithoutInput(
        _ most: IdleWork, of count: Int, rate: Double, wasted: Double, share: Double, in process: ProcessCosts
    ) -> String {
        let others = count > 1 ? " and \(Counted.text(count - 1, "other")) are" : " is"
        let part = Percent.text(UInt64(min(1, max(0, wasted / max(1, rate))) * 10_000), of: 10_000)
        let writer = most.writer.map { " ← \(Printable.text($0))" } ?? most.callback.map { by($0) } ?? ""
        let verb = process.words.participle
        return "\(Printable.text(most.view))\(others) \(verb) \(number(rate)) times a second without input, "
            + "\(part) of these needlessly, \(core(share, isShared: process.isShared)): \(Printable.text(most.reason))\(writer)"
    }

    /// Of what is known alone by what the main loop called: ` by the timer gtk_widget_queue_draw()`.
    private static func by(_ callback: IdleWork.Callback) -> String {
        callback.function.map { " by the \(Printable.text(callback.source)) \(Printable.text($0))" } ?? ""
    }

    // MARK: Busy

    /// `14.0% of a core without input, 60 frames a second for GtkVideo#v, each drawn anew`.
    ///
    /// - Parameters:
    ///   - isUnknown: Whether what the widget draws cannot be compared.
    ///   - hasViews: Whether bodies may be more than what widgets draw.
    static func busy(
        _ loop: LoopStats, _ frames: QuietStretch?, _ asker: WidgetFact?, isUnknown isNotCompared: Bool, hasViews: Bool
    ) -> String {
        let busy = loop.totals.busy
        let isKnown = loop.totals.isInputKnown != 0
        let unknown = isKnown ? "" : "; whether input came is not known"
        let first = "\(core(busy.share))\(isKnown ? " without input" : "")"
        if let frames {
            let same = different(frames, isNotCompared: isNotCompared)
            let other = mostOf(loop).map { "; \($0)" } ?? ""
            return
                "\(first)\(drawn(loop)), \(rate(frames, frames.frames, "frame"))\(whom(asker)), \(same)\(other)\(unknown)"
        }
        let turns = "\(number(busy.perSecond(busy.turns))) turns a second"
        if areFramesMost(loop, asker) {
            let other = mostOf(loop).map { "; \($0)" } ?? ""
            return "\(first)\(drawn(loop)), \(turns), most of it in frames\(whom(asker))\(other)\(unknown)"
        }
        if let most = mostOf(loop) { return "\(first)\(wakeups(busy).map { ", \($0)" } ?? ""), \(most)\(unknown)" }
        if loop.totals.bodies.processor > loop.totals.processor / 2 {
            return "\(first), \(turns), most of it in \(hasViews ? "bodies" : "what widgets draw")\(unknown)"
        }
        let why = loop.sampled.map { ": \(isCalled($0))" } ?? (loop.turner ?? loop.waker).map { ": \(wakes($0))" } ?? ""
        if LoopFloor.isPart(busy.emptyTurns, 90, of: busy.turns) {
            return "\(first), \(turns), \(Percent.text(busy.emptyTurns, of: busy.turns)) for nothing\(why)\(unknown)"
        }
        return "\(first), \(turns)\(mostOften(called(loop), loop) ?? why)\(unknown)"
    }

    /// `0.8% of a core without input, 950 wake-ups a second, most of them for the idle function probed() scan.c:12`; nil where wake-ups are
    /// few, or no function is called in most turns.
    static func woken(_ loop: LoopStats) -> String? {
        let turns = loop.totals.spinning
        guard let wakeups = wakeups(turns), let most = mostOften(frequent(loop), loop) else { return nil }
        return "\(core(turns.share)) without input, \(wakeups)\(most)"
    }

    /// `950 wake-ups a second`; nil where there are few.
    private static func wakeups(_ stretch: QuietStretch) -> String? {
        stretch.perSecond(stretch.wakeups) < LoopFloor.wakeupsEachSecond
            ? nil : rate(stretch, stretch.wakeups, "wake-up")
    }

    /// Whether half of what is busy is in frames, for sure: all that the thread did elsewhere since the beginning is less.
    private static func areFramesMost(_ loop: LoopStats, _ asker: WidgetFact?) -> Bool {
        let totals = loop.totals
        let parts = [totals.style, totals.layout, totals.update, totals.snapshot, totals.drawing]
        let own = parts.reduce(UInt64(0)) { $0.clampedSum($1.processor) }
        guard own > 0 else { return false }
        // What a widget draws is a body, too.
        let all = asker == nil ? own : own.clampedSum(totals.bodies.processor)
        let rest = totals.processor - min(all, totals.processor)
        return totals.processor > 0 && rest <= totals.busy.processor / 2
    }

    /// ` and 22% in threads that draw`, where there is no graphics card.
    private static func drawn(_ loop: LoopStats) -> String {
        let share = loop.drawingShare
        return share < LoopFloor.share
            ? "" : " and \(CoreShare(percent: share * 100).text) in threads that draw without a graphics card"
    }

    /// The function that took most, or else the one that is called in most turns, in most samples, or that wakes the loop.
    static func named(_ loop: LoopStats) -> LoopRow? {
        largest(loop) ?? called(loop).first ?? loop.sampled ?? loop.waker
    }

    /// Functions that the loop calls in a third of its turns or more, most calls first.
    static func frequent(_ loop: LoopStats) -> [LoopRow] {
        loop.rows.filter {
            $0.thread == nil && $0.kind != .others && $0.calls != nil && !$0.isOfFrames && !$0.isOwn
                && LoopFloor.isPart($0.numbers.count, 33, of: loop.totals.turns)
        }.sorted { ($0.numbers.count, $1.name) > ($1.numbers.count, $0.name) }
    }

    /// The same; none where most of the thread's time is neither in these functions nor in the loop itself: they do not keep it busy then.
    private static func called(_ loop: LoopStats) -> [LoopRow] {
        let rows = frequent(loop)
        let taken = rows.reduce(loop.totals.loop.processor) { $0.clampedSum($1.numbers.processor) }
        let isTheirs = loop.totals.processor == 0 || LoopFloor.isPart(taken, 50, of: loop.totals.processor)
        return isTheirs ? rows : []
    }

    /// `, most of them for the idle function step_a() a.c:3 and the idle function step_b() a.c:9; feed() a.c:20 on thread pump wakes it`; of
    /// less than half `, 40% of them`.
    private static func mostOften(_ rows: [LoopRow], _ loop: LoopStats) -> String? {
        let names = rows.prefix(2).map(\.words).joined(separator: " and ")
        let calls = rows.prefix(2).reduce(UInt64(0)) { $0.clampedSum($1.numbers.count) }, turns = loop.totals.turns
        let part = LoopFloor.isPart(calls, 50, of: turns) ? "most" : Percent.text(calls, of: turns)
        return rows.isEmpty ? nil : ", \(part) of them for \(names)\(loop.waker.map { "; \(wakes($0))" } ?? "")"
    }

    // MARK: Parts

    /// What took most of the functions that the loop calls: a tenth of the thread's time or more, and more than bodies.
    static func largest(_ loop: LoopStats) -> LoopRow? {
        // Where frames are counted, they say more than the clock that begins them.
        let hasFrames = loop.totals.frames.frames > 0
        let rows = loop.rows.filter {
            $0.thread == nil && $0.kind != .others && !$0.isOwn && !(hasFrames && $0.isFrameClock)
        }
        guard let most = rows.max(by: { $0.numbers.processor < $1.numbers.processor }),
            LoopFloor.isPart(most.numbers.processor, 10, of: max(loop.totals.processor, most.numbers.processor)),
            most.numbers.processor > loop.totals.bodies.processor
        else { return nil }
        return most
    }

    /// `90% of the main thread's time in the timer css_same() cases.c:18`; by samples `~90%`, and how many.
    private static func mostOf(_ loop: LoopStats) -> String? {
        guard let most = largest(loop) else { return nil }
        let all = max(loop.totals.processor, most.numbers.processor)
        let (sign, samples) = most.kind == .sampled ? ("~", " (\(most.samples))") : ("", "")
        let part = sign + Percent.text(most.numbers.processor, of: all)
        return "\(part) of the main thread's time in \(most.words)\(samples)"
    }

    /// `; the timer tick() a.c:8 is called 48 times a second`: a function of the program, a third as often as frames that nothing is known to
    /// have asked for, or more: one call may lead to some frames. Empty without such a function.
    private static func meanwhile(_ frames: QuietStretch, _ loop: LoopStats) -> String {
        let seconds = Double(max(1, loop.totals.counted)) / 1e9
        let rows = loop.rows.filter {
            $0.thread == nil && $0.place?.hasPrefix("in ") == false && $0.kind != .handler && !$0.isOfFrames
                && Double($0.numbers.count) / seconds * 3 >= frames.perSecond(frames.frames)
        }
        let most = rows.max { ($0.numbers.count, $1.name) < ($1.numbers.count, $0.name) }
        guard let most else { return "" }
        return "; \(most.words) is called \(number(Double(most.numbers.count) / seconds)) times a second"
    }

    private static func rate(_ stretch: QuietStretch, _ count: UInt64, _ noun: String) -> String {
        "\(number(stretch.perSecond(count))) \(noun)s a second"
    }

    /// `55`, `9.9`, `485k`.
    private static func number(_ rate: Double) -> String { RateText.number(rate) }

    private static func core(_ share: Double, isShared: Bool = false) -> String {
        "\(CoreShare(percent: share * 100, isShared: isShared).text) of a core"
    }
}
