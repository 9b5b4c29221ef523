// SPDX-License-Identifier: MIT
// What a process's main loop, its frames and its widgets tell: faults, and work without a known fault.

/// From when on something is a fault, or busy. `docs/reference/findings.md` has these numbers.
enum LoopFloor {
    /// Frames, and evaluations with a cause of their own, in a second. A timer of 100 ms comes a little less often.
    static let eachSecond = 9.5
    /// Turns in a second.
    static let turnsEachSecond = 200.0
    /// Wake-ups in a second that are worth a word.
    static let wakeupsEachSecond = 100.0
    /// The part of a core.
    static let share = 0.01
    /// The same for threads without a name: those of the library are among them.
    static let unnamedShare = 0.2
    /// Micro-hangs are a tenth of so long or more.
    static let microHangs: UInt64 = 10_000_000_000
    /// A layout after one input.
    static let layout: UInt64 = 16_000_000
    /// Layouts of a view, on average: a program that starts lays each of its views out some times.
    static let layoutsOfView: UInt64 = 30
    /// Instances made anew in a turn, and turns.
    static let instances: UInt64 = 20
    static let turns: UInt64 = 3
    /// Late frames.
    static let lateFrames: UInt64 = 3

    /// Whether a part is so many percent of all or more.
    static func isPart(_ part: UInt64, _ percent: UInt64, of all: UInt64) -> Bool {
        all > 0 && UInt128(part) * 100 >= UInt128(all) * UInt128(percent)
    }
}

/// Judges what is a process's own. Each rule says nothing where its figures were not collected.
struct LoopRules {
    private let process: ProcessCosts
    private let loop: LoopStats?

    init(_ process: ProcessCosts) { (self.process, loop) = (process, process.loop) }

    /// Whether something went on without input for long enough to be judged.
    var sawEnough: Bool {
        guard let totals = loop?.totals else { return false }
        return [totals.frames, totals.spinning, totals.busy].contains { $0.isLong(at: process.now) }
    }

    /// All findings, each with what it is ranked by.
    var findings: [VerdictBuilder.Candidate] {
        let hidden = hiddenWidgets
        let frames = hidden.isEmpty ? [sameFrames].compactMap(\.self) : hidden
        let faults = frames + [spinning, layoutsOfViews].compactMap(\.self) + facts
        let waste = wasteWithoutInput(areFramesNamed: !frames.isEmpty || renewed != nil) ?? wasteOfMany
        let late = lateFrames(below: facts.map(\.cost).min())
        let all = [microHangs, waste].compactMap(\.self) + interactions + faults + [late].compactMap(\.self)
        let named = faults + [late].compactMap(\.self).filter { $0.finding.source != nil }
        let busy: VerdictBuilder.Candidate? = self.busy.map { isExplained(by: named) ? nil : $0 } ?? woken
        return all + [busy, threads].compactMap(\.self)
    }

    /// Whether faults and waste take half of what the loop takes without input.
    private func isExplained(by faults: [VerdictBuilder.Candidate]) -> Bool {
        let known = faults.reduce(process.waste.perSecond) { $0.clampedSum($1.cost) }
        return process.hasCycle || Double(known) / 1e9 * 2 >= loop?.totals.busy.share ?? 0
    }

    /// - Parameters:
    ///   - cost: What it is ranked by; nil of what takes a part of a core, which is that.
    ///   - isOfBodies: Whether that is time in bodies, which may be shared out by the clock.
    private func candidate(
        _ kind: Verdict.Kind, _ text: String, cost: UInt64? = nil, share: Double = 0, count: UInt64 = 0,
        view: String? = nil, source: String? = nil, isOfBodies: Bool = false
    ) -> VerdictBuilder.Candidate {
        var finding = Verdict.Finding(kind, of: process)
        (finding.text, finding.count, finding.source) = (text, count, source)
        finding.view = view.map { ViewKey(rawValue: $0) }
        finding.isShared = isOfBodies && process.isShared ? true : nil
        if cost == nil { finding.nanosecondsPerSecond = UInt64(max(0, min(share, 1e6)) * 1e9) }
        return VerdictBuilder.Candidate(finding: finding, cost: cost ?? finding.nanosecondsPerSecond ?? 0)
    }

    // MARK: (b) Micro-hangs

    private var microHangs: VerdictBuilder.Candidate? {
        let (nanoseconds, all) = process.micro
        guard all >= LoopFloor.microHangs, LoopFloor.isPart(nanoseconds, 10, of: all) else { return nil }
        let view = process.microView.flatMap { LoopFloor.isPart($0.nanoseconds, 20, of: nanoseconds) ? $0 : nil }
        // A function of the program says more than the view that it is of.
        let rows = (loop?.rows ?? []).filter { $0.thread == nil && !$0.isOfFrames && !$0.isOwn }.map { row in
            (row: row, micro: row.numbers.micro.clampedSum(process.microNanoseconds(inHangsOf: row.function)))
        }
        let most = rows.max { $0.micro < $1.micro }.flatMap {
            LoopFloor.isPart($0.micro, 20, of: nanoseconds) ? $0 : nil
        }
        let row = most?.row
        let whose =
            most.map { (name: $0.row.words, $0.micro) } ?? view.map { (name: $0.key.displayName, $0.nanoseconds) }
        // A window draws what is in it: who had it drawn says more.
        let writer = row == nil ? drawingWriter(of: view, nanoseconds) : nil
        let text = BusyText.microHangs(nanoseconds, of: all, whose) + BusyText.ledTo(writer)
        var made = candidate(
            .microHangs, text, cost: nanoseconds, view: writer?.most.view ?? view?.key.rawValue,
            source: row?.function ?? writer?.function)
        made.finding.nanoseconds = nanoseconds
        return made
    }

    /// Who had a window drawn, where frames are half or more of what it took; or, where no view took much, of all micro-hangs, and most
    /// frames were late. Nil for other widgets.
    private func drawingWriter(of window: (key: ViewKey, nanoseconds: UInt64)?, _ all: UInt64) -> DrawingWriter? {
        let isMeant = window.map { $0.key.rawValue.prefix { $0 != "#" }.hasSuffix("Window") } ?? areMostLate
        guard !process.hasViews, let loop, isMeant else { return nil }
        let parts = [loop.totals.bodies, loop.totals.layout, loop.totals.snapshot, loop.totals.drawing]
        let inFrames = parts.reduce(UInt64(0)) { $0.clampedSum($1.wall) }
        return LoopFloor.isPart(inFrames, 50, of: window?.nanoseconds ?? all) ? process.drawingWriter : nil
    }

    private var areMostLate: Bool { process.frames.map { LoopFloor.isPart($0.late ?? 0, 50, of: $0.count) } ?? false }

    // MARK: (c), (d) Frames

    /// Seconds with frames that lasted long enough.
    private var frames: QuietStretch? {
        guard let frames = loop?.totals.frames, frames.isLong(at: process.now),
            frames.perSecond(frames.frames) >= LoopFloor.eachSecond, !isOfCursor(frames)
        else { return nil }
        return frames
    }

    /// Whether half of what is busy is in frames for a text cursor, which may stop by itself: it blinks for ten seconds. About half of the
    /// frames of a cursor paint nothing; a text whose frames all do has another cause.
    private func isOfCursor(_ busy: QuietStretch) -> Bool {
        guard let loop, let asker, asker.isCursor, busy.nanoseconds < QuietStretch.leastOver else { return false }
        let frames = loop.totals.frames
        guard !LoopFloor.isPart(frames.useless, 90, of: frames.frames) else { return false }
        return share(of: frames, asker, loop) * 2 >= busy.share
    }

    private var areFramesTheSame: Bool {
        frames.map { LoopFloor.isPart($0.useless, 90, of: $0.frames) } ?? false
    }

    /// Who asked for most of the frames; nil where no one asked for half of them.
    private var asker: WidgetFact? {
        let askers = (loop?.facts ?? []).filter {
            $0.kind == .asker && LoopFloor.isPart($0.numbers.count, 50, of: $0.numbers.of)
        }
        // A part of GTK's own widget follows what changed that one.
        let own = askers.filter { !$0.isOfToolkitPart }
        return (own.isEmpty ? askers : own).max { ($0.numbers.count, $1.view) < ($1.numbers.count, $0.view) }
    }

    /// What is made anew that the same frames are drawn for: instances of it ask for them, each for a few. Nil where that is not known.
    private var renewed: WidgetFact? {
        guard let loop, areFramesTheSame, asker == nil else { return nil }
        let askers = loop.facts.filter { $0.kind == .asker }
        let all = askers.reduce(UInt64(0)) { $0.clampedSum($1.numbers.count) }
        let frames = askers.reduce(UInt64(0)) { max($0, $1.numbers.of) }
        return loop.facts.first { fact in
            guard fact.isMadeAnew else { return false }
            let own = askers.reduce(UInt64(0)) { $0.clampedSum($1.view == fact.view ? $1.numbers.count : 0) }
            return LoopFloor.isPart(own, 90, of: all) && LoopFloor.isPart(own, 25, of: frames)
        }
    }

    private var sameFrames: VerdictBuilder.Candidate? {
        guard let loop, let frames, areFramesTheSame, renewed == nil else { return nil }
        let share = share(of: frames, asker, loop)
        let function = asker == nil ? BusyText.largest(loop) : nil
        var made = candidate(
            .sameFrames, BusyText.sameFrames(frames, asker, loop, share: share), share: share, count: frames.frames,
            view: asker?.view, source: function?.function ?? asker?.writer)
        // What is named for the frames, and is no part of them.
        let more = Double(function?.numbers.processor ?? 0) / Double(max(1, loop.totals.counted))
        made.cost = made.cost.clampedSum(UInt64(max(0, min(more, 1e6)) * 1e9))
        return made
    }

    /// The part of a core that frames take: all of what the loop takes in their seconds but what it calls otherwise, or what they took
    /// themselves, if that is more.
    private func share(of frames: QuietStretch, _ asker: WidgetFact?, _ loop: LoopStats) -> Double {
        let others = loop.rows.filter { $0.thread == nil && !$0.isOfFrames }.reduce(UInt64(0)) {
            $0.clampedSum($1.numbers.processor)
        }
        let left = frames.share - Double(others) / Double(max(1, loop.totals.counted))
        guard let asker, asker.numbers.duration > 0 else { return max(0, left) }
        return max(left, Double(asker.numbers.processor) / Double(asker.numbers.duration))
    }

    private var hiddenWidgets: [VerdictBuilder.Candidate] {
        guard let loop, let frames, loop.totals.isInputKnown != 0 || areFramesTheSame else { return [] }
        let hidden = loop.facts.filter {
            $0.kind == .asker && $0.hidden != nil && LoopFloor.isPart($0.numbers.count, 50, of: $0.numbers.of)
        }
        // Several that cannot be seen for one reason ask for the same frames: they are one finding.
        var groups: [[WidgetFact]] = []
        for fact in hidden {
            let index = groups.firstIndex { $0.first?.isSaidAs(fact) == true }
            if let index { groups[index].append(fact) } else { groups.append([fact]) }
        }
        return groups.compactMap { group in
            guard let fact = group.max(by: { $0.numbers.processor < $1.numbers.processor }) else { return nil }
            // Its frames are counted by seconds of its own. Where all are, so is what the loop takes for them.
            let numbers = fact.numbers, length = numbers.duration > 0 ? numbers.duration : frames.nanoseconds
            let own = Double(numbers.processor) / Double(length)
            let isAll = LoopFloor.isPart(numbers.count, 90, of: numbers.of)
            let share = isAll ? max(own, self.share(of: frames, nil, loop)) : own > 0 ? own : frames.share
            return candidate(
                .hiddenWidget, BusyText.hidden(fact, among: group, frames, loop, share: share), share: share,
                count: fact.numbers.count, view: fact.view, source: fact.writer)
        }
    }

    // MARK: (e) A loop that is kept awake

    private var spinning: VerdictBuilder.Candidate? {
        guard let loop else { return nil }
        let turns = loop.totals.spinning
        let worked = turns.emptyTurns.clampedSum(turns.sameTurns)
        let isKnown = LoopFloor.isPart(worked, 90, of: turns.turns)
        let turner = loop.turner
        let row = turner != nil ? nil : isKnown ? loop.row(turns) : sampled
        guard turns.isLong(at: process.now), turns.perSecond(turns.turns) >= LoopFloor.turnsEachSecond,
            isKnown || (row ?? turner) != nil
        else { return nil }
        let isEmpty = LoopFloor.isPart(turns.emptyTurns, 90, of: turns.turns)
        let isMeasured = isEmpty || row?.isUnread == true
        // A loop that another thread wakes sleeps for a moment each time.
        let waker = isEmpty && row == nil ? turner ?? loop.waker : nil
        guard loop.totals.isInputKnown != 0 || isMeasured,
            waker?.thread != nil || neverSleeps(turns, isMeasured: isMeasured)
        else { return nil }
        return candidate(
            .spinning, BusyText.spinning(turns, row, waker), share: turns.share, count: turns.turns,
            source: (row ?? waker)?.function)
    }

    /// The source that nine of ten samples were in. Where sources are not seen, no turn is known to dispatch nothing, or one alone.
    private var sampled: LoopRow? {
        loop?.sampled.flatMap { LoopFloor.isPart($0.numbers.count, 90, of: $0.numbers.turns) ? $0 : nil }
    }

    /// Whether nine of ten polls came back at once: because some source was due, or, where the turns are known to be for nothing, because a
    /// descriptor was ready. A poll for a descriptor has a time-out, and does not wait for it.
    private func neverSleeps(_ turns: QuietStretch, isMeasured: Bool) -> Bool {
        if LoopFloor.isPart(turns.pollsWithoutWait, 90, of: turns.turns) { return true }
        let awake = turns.turns - min(turns.wakeups, turns.turns)
        return isMeasured && LoopFloor.isPart(awake, 90, of: turns.turns)
    }

    // MARK: (f) Waste that no view has alone

    /// Views that waste enough together, though each wastes too little for a finding.
    private var wasteOfMany: VerdictBuilder.Candidate? {
        let unnamed = process.waste.unnamed
        guard unnamed.perSecond >= VerdictFloor.nanosecondsPerSecond, let largest = process.waste.largest else {
            return nil
        }
        var made = candidate(
            .waste, BusyText.wasteOfMany(process, largest), cost: unnamed.perSecond, count: unnamed.count,
            view: largest.key.rawValue, isOfBodies: true)
        (made.finding.nanoseconds, made.finding.nanosecondsPerSecond) = (unnamed.nanoseconds, unnamed.perSecond)
        return made
    }

    /// Evaluations with a cause of their own. A third was not needed.
    ///
    /// - Parameter areFramesNamed: Whether a finding has the frames in which widgets drew for nothing.
    private func wasteWithoutInput(areFramesNamed: Bool) -> VerdictBuilder.Candidate? {
        let judged = process.work.filter {
            $0.work.latest.wasted != nil && !($0.isOfWidgets && (areFramesNamed || $0.work.isOfToolkitPart))
        }.map { $0.work }
        let rate = judged.reduce(0.0) { $0 + ($1.perSecond ?? 0) }
        let wasted = judged.reduce(0.0) { $0 + $1.wastedPerSecond }
        guard rate >= LoopFloor.eachSecond, wasted * 3 >= rate,
            let most = judged.max(by: { $0.wastedPerSecond < $1.wastedPerSecond })
        else { return nil }
        let share = judged.reduce(0.0) { $0 + ($1.share ?? 0) } * process.running
        let text = BusyText.wasteWithoutInput(
            most, of: judged.count, rate: rate, wasted: wasted, share: share, in: process)
        return candidate(
            .waste, text, share: share, count: judged.reduce(UInt64(0)) { $0.clampedSum($1.latest.wasted ?? 0) },
            view: most.view, isOfBodies: true)
    }

    // MARK: (h), (i) Widgets

    private var facts: [VerdictBuilder.Candidate] {
        loop?.facts.compactMap { fact -> VerdictBuilder.Candidate? in
            switch fact.kind {
            case .asker, .interaction: nil
            case .layout: layout(fact)
            case .anew: madeAnew(fact)
            }
        } ?? []
    }

    private func layout(_ fact: WidgetFact) -> VerdictBuilder.Candidate? {
        guard !fact.isOfToolkitPart else { return nil }
        let numbers = fact.numbers
        let isLong = numbers.longest >= LoopFloor.layout && numbers.longest > numbers.longestOf / 2
        let share = Self.share(fact)
        let isBusy =
            numbers.duration >= QuietStretch.least && share >= LoopFloor.share && numbers.processor > numbers.of / 2
        guard isLong || isBusy else { return nil }
        let text = isBusy ? BusyText.layouts(fact, share: share) : BusyText.layout(fact)
        var made = candidate(.layout, text, share: share, count: numbers.count, view: fact.view, source: fact.writer)
        // Of one after an input, a part of a core says nothing.
        if !isBusy { made.finding.nanosecondsPerSecond = nil }
        return made
    }

    /// What a framework computes for views, where that takes more than their bodies.
    private var layoutsOfViews: VerdictBuilder.Candidate? {
        let sum = process.layouts
        guard let most = sum.largest, sum.perSecond >= VerdictFloor.nanosecondsPerSecond, sum.nanoseconds > sum.bodies,
            sum.count / sum.views >= LoopFloor.layoutsOfView
        else { return nil }
        return candidate(
            .layout, BusyText.layoutsOfViews(sum, most, isShared: process.isShared),
            share: Double(sum.perSecond) / 1e9, count: sum.count, view: most.key.rawValue, isOfBodies: true)
    }

    private func madeAnew(_ fact: WidgetFact) -> VerdictBuilder.Candidate? {
        guard fact.isMadeAnew else { return nil }
        // Frames for what is new come of that, too.
        let drawn = renewed == fact ? frames : nil
        let share = drawn.flatMap { frames in loop.map { self.share(of: frames, nil, $0) } } ?? 0
        var made = candidate(
            .madeAnew, BusyText.madeAnew(fact) + BusyText.framesOfThat(drawn, share: share),
            share: Self.share(fact) + share, count: fact.numbers.count, view: fact.view, source: fact.writer)
        // What is new is laid out: that comes of it, and is named behind it.
        let led = loop?.facts.filter { $0.kind == .layout && Self.hasLed(fact, to: $0) } ?? []
        made.cost = led.reduce(made.cost) { $0.clampedSum(UInt64(max(0, min(Self.share($1), 1e6)) * 1e9)) }
        return made
    }

    /// The part of a core that is known of a fact: of a second at least, since what happened once has no duration.
    private static func share(_ fact: WidgetFact) -> Double {
        Double(fact.numbers.processor) / Double(max(1_000_000_000, fact.numbers.duration))
    }

    /// Whether a layout is of what was made anew: around it, or of the same function, in whatever line.
    private static func hasLed(_ anew: WidgetFact, to layout: WidgetFact) -> Bool {
        func function(_ writer: String?) -> Substring? {
            writer.map { writer in writer.lastIndex(of: " ").map { writer[..<$0] } ?? writer[...] }
        }
        if let parent = anew.parent, parent == layout.view { return true }
        return anew.writer != nil && function(anew.writer) == function(layout.writer)
    }

    // MARK: (k) From input to frame

    /// The slowest interaction of each widget that had a slow one. What the compositor takes is not the program's.
    private var interactions: [VerdictBuilder.Candidate] {
        let slow = (loop?.facts ?? []).filter { fact in
            fact.interaction.map { fact.numbers.nanoseconds >= InteractionText.slow.clampedSum($0.presentation) }
                ?? false
        }
        return Dictionary(grouping: slow, by: \.view).compactMap { view, facts -> VerdictBuilder.Candidate? in
            guard let longest = facts.max(by: { $0.numbers.nanoseconds < $1.numbers.nanoseconds }),
                let text = InteractionText.sentence(longest)
            else { return nil }
            let time = longest.numbers.nanoseconds
            var made = candidate(
                .interactions, text, cost: time, count: UInt64(facts.count), view: view, source: longest.writer)
            made.finding.nanoseconds = time
            return made
        }.sorted { ($0.cost, $1.finding.text) > ($1.cost, $0.finding.text) }
    }

    // MARK: (j) Late frames

    /// - Parameter named: The least cost of what made frames long, with whose doing it is: that comes first.
    private func lateFrames(below named: UInt64?) -> VerdictBuilder.Candidate? {
        guard let frames = process.frames, let late = frames.late, late >= LoopFloor.lateFrames,
            LoopFloor.isPart(late, 1, of: frames.count)
        else { return nil }
        let share = loop.map { Double(frames.processorNanoseconds ?? 0) / Double(max(1, $0.totals.counted)) } ?? 0
        // Of a few among many, what was drawn without input tells nothing.
        let writer = areMostLate ? process.drawingWriter : nil
        var made = candidate(
            .lateFrames, BusyText.lateFrames(late, frames) + BusyText.ledTo(writer), share: share, count: late,
            view: writer?.most.view, source: writer?.function)
        if let named { made.cost = min(made.cost, named) }
        return made
    }

    // MARK: Busy

    private var busy: VerdictBuilder.Candidate? {
        guard let loop else { return nil }
        let busy = loop.totals.busy
        guard busy.isLong(at: process.now), busy.share >= LoopFloor.share, !isOfCursor(busy) else { return nil }
        let isUnknown = asker.map { process.isNotCompared(ViewKey(rawValue: $0.view)) } ?? false
        let text = BusyText.busy(loop, frames, asker, isUnknown: isUnknown, hasViews: process.hasViews)
        return candidate(
            .busy, text, share: busy.share, view: asker?.view,
            source: asker == nil ? BusyText.named(loop)?.function : nil)
    }

    /// A loop that is woken often for what it calls, however little that takes. Frames have rules of their own.
    private var woken: VerdictBuilder.Candidate? {
        guard let loop, frames == nil, spinning == nil, loop.totals.isInputKnown != 0 else { return nil }
        let turns = loop.totals.spinning
        guard turns.isLong(at: process.now), let text = BusyText.woken(loop) else { return nil }
        return candidate(.busy, text, share: turns.share, source: BusyText.frequent(loop).first?.function)
    }

    /// Other threads are the program's choice, and their time is no part of the loop's.
    private var threads: VerdictBuilder.Candidate? {
        // What a program's start takes of a second says nothing.
        guard let loop, loop.totals.counted >= QuietStretch.least else { return nil }
        let counted = Double(loop.totals.counted)
        // Where frames were drawn, threads without a name may be those that draw them without a graphics card.
        let others = Double(loop.totals.others) / counted
        if loop.threads.isEmpty, loop.endedAt == nil, process.frames == nil, others >= LoopFloor.unnamedShare {
            return loop.unlistedThreads.map { candidate(.busy, $0, share: others) }
        }
        guard let first = loop.busyThreads.first(where: { !$0.isDrawing }),
            Double(first.processor) >= ThreadTime.leastShare * counted
        else { return nil }
        return candidate(
            .busy, "\(first.sentence(of: loop.totals.counted)): it is not the UI",
            share: Double(first.processor) / counted, source: "threads \(Printable.text(first.name))")
    }
}

extension WidgetFact {
    /// Whether enough instances of it are made anew, often enough.
    fileprivate var isMadeAnew: Bool {
        kind == .anew && numbers.of >= LoopFloor.instances && numbers.count >= LoopFloor.turns
    }

    /// Whether it is of a text that is typed, and no function of the program is known to have asked.
    fileprivate var isCursor: Bool {
        writer == nil && ["GtkText", "GtkTextView", "GtkSourceView"].contains(PathName.last(of: view))
    }

    /// Whether the same is said of another widget.
    fileprivate func isSaidAs(_ other: WidgetFact) -> Bool { (hidden, writer) == (other.hidden, other.writer) }
}

extension IdleWork {
    /// Whether it is of a part that GTK makes of its own widgets, and no function of the program is known to have led to it. GTK's own calls of
    /// `gtk_widget_queue_draw` are not seen: that reason is the program's doing. A layout that another widget asked for is not.
    fileprivate var isOfToolkitPart: Bool {
        let isWritten = writer != nil || callback?.function != nil || reason == "queue_draw"
        return (!isWritten || Reason.layoutAsker(reason) != nil) && WidgetFact.isToolkitPart(view)
    }

    /// How many evaluations of the view a second were measured not to be needed.
    var wastedPerSecond: Double {
        guard let perSecond, let wasted = latest.wasted, latest.own > 0 else { return 0 }
        return perSecond * Double(min(wasted, latest.own)) / Double(latest.own)
    }
}
