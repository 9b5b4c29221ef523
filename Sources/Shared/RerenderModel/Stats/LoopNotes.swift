// SPDX-License-Identifier: MIT
// The lines about main loops: what the main thread did, how often it woke up, and what other threads took.

/// Lines about the main loops of some processes: facts and no warnings.
package enum LoopNotes {
    /// In a loop that turns more often, a clock is read at each hundredth turn alone.
    private static let mostTurns = 1_000.0
    /// Of a shorter time, a share of a core says nothing.
    private static let leastCounted: UInt64 = 1_000_000_000
    /// Other threads that are named.
    private static let namedThreads = 3

    /// Two lines for each process whose main loop was counted for a second or more; not yet fitted to a width.
    ///
    /// - Parameter all: The stores of these processes, where there are more: one of a process tells of its loop, whatever the others have.
    package static func lines(_ stores: [ProcessStats], among all: [ProcessStats]? = nil) -> [String] {
        stores.flatMap { store -> [String] in
            guard let loop = store.loop, loop.totals.counted >= leastCounted else { return [] }
            let name = "\(Printable.text(store.name))[\(store.pid)]"
            let words = StoreWords((all ?? stores).filter { $0.pid == store.pid })
            return ([mainThread(loop.totals, words)] + otherThreads(loop)).map { "\(name) \($0)" }
        }
    }

    /// `main thread: 14.0% of a core (bodies 6.0%, layout 3.1%, not known 0.8%); turns 60/s, wake-ups 12/s`.
    static func mainThread(_ totals: LoopTotals, _ words: StoreWords) -> String {
        let seconds = Double(totals.counted) / 1e9
        let (turns, wakeups) = (Double(totals.turns) / seconds, Double(totals.wakeups) / seconds)
        let rates = "turns \(RateText.cell(turns)), wake-ups \(RateText.cell(wakeups))"
        guard totals.processor > 0, let all = CoreShare(totals.processor, of: totals.counted) else {
            return "main thread: \(rates); its processor time is not known"
        }
        let isShared = turns > mostTurns
        let shown = parts(totals, words).sorted { $0.processor > $1.processor }.compactMap { part -> String? in
            guard part.processor > 0, part.processor >= totals.processor / 100 else { return nil }
            return CoreShare(part.processor, of: totals.counted, isShared: isShared).map { "\(part.name) \($0.text)" }
        }
        let rest = CoreShare(totals.rest, of: totals.counted).map { ["not known \($0.text)"] } ?? []
        let split = (shown + (totals.rest == 0 ? [] : rest)).joined(separator: ", ")
        return "main thread: \(all.text) of a core" + (split.isEmpty ? "" : " (\(split))") + "; \(rates)"
    }

    /// The parts of the main thread's time by what they are called.
    static func parts(_ totals: LoopTotals, _ words: StoreWords) -> [(name: String, processor: UInt64)] {
        [
            (words.areWidgets ? "widgets" : "bodies", totals.bodies.processor), ("style", totals.style.processor),
            ("layout", totals.layout.processor), ("frame updates", totals.update.processor),
            ("snapshot", totals.snapshot.processor), ("drawing", totals.drawing.processor),
            ("sources and handlers", totals.sources.processor), ("the loop itself", totals.loop.processor),
        ]
    }

    /// Where they take 5 % of a core together.
    private static func otherThreads(_ loop: LoopStats) -> [String] {
        let busy = loop.busyThreads
        let drawing = busy.filter(\.isDrawing).map {
            "\($0.sentence(of: loop.totals.counted)), which draw the frames without a graphics card"
        }
        let others = busy.filter { !$0.isDrawing }
        let named = others.prefix(namedThreads).map { $0.sentence(of: loop.totals.counted) }
        let more = others.count - named.count
        let rest = more > 0 ? [Counted.rest(more, "name", see: "--json")] : []
        let isBusy = others.reduce(UInt64(0)) { $0.clampedSum($1.processor) } >= loop.totals.counted / 20
        let notUI = isBusy ? ["\(named.joined(separator: "; ")): it is not the UI"] + rest : []
        let all = drawing + notUI + [loop.unlistedThreads].compactMap(\.self)
        return all.isEmpty ? [] : ["other threads: " + all.joined(separator: "; ")]
    }
}

// The sentences about interactions: how long each took from input to frame, and where that time went.

/// The words for interactions. Safe to show.
package enum InteractionText {
    /// From so long on, one is slow enough to be a fault, and is numbered, without the compositor's part.
    static let slow: UInt64 = 200_000_000
    /// From so long on, one is listed.
    package static let least: UInt64 = 50_000_000

    /// `click on GtkButton#save took 310ms to the frame: on_save() app.c:12 180ms, layout 95.0ms`; nil for another fact, and for one that is
    /// no more.
    package static func sentence(_ fact: WidgetFact) -> String? {
        guard let interaction = fact.interaction, fact.numbers.nanoseconds > 0 else { return nil }
        let head =
            "\(interaction.input.rawValue) on \(Printable.text(fact.view)) took "
            + "\(DurationText.short(fact.numbers.nanoseconds)) to the frame"
        let parts = parts(fact, interaction)
        let named = parts.map { "\($0.name) \(DurationText.short($0.nanoseconds))" }.joined(separator: ", ")
        return parts.isEmpty ? head : "\(head): \(named)"
    }

    /// A line for each that was long enough and came in a time, the longest first, with its process and its counts; then one for each
    /// process that dropped slow ones. Not yet fitted to a width.
    package static func lines(
        _ stores: [ProcessStats], since: Timestamp? = nil, until: Timestamp? = nil
    ) -> [String] {
        let all = stores.flatMap { store in slowest(store, since, until).map { (store: store, fact: $0) } }
        let lines = all.sorted { $0.fact.numbers.nanoseconds > $1.fact.numbers.nanoseconds }.compactMap { store, fact in
            sentence(fact).map { text in
                let counts = [
                    Counted.text(fact.numbers.of, "write"), Counted.text(fact.numbers.count, "drawing"),
                ].joined(separator: ", ")
                return "\(Printable.text(store.name))[\(store.pid)] \(text); \(counts)"
            }
        }
        return lines + stores.compactMap { dropped($0, since, until) }
    }

    private static func slowest(_ store: ProcessStats, _ since: Timestamp?, _ until: Timestamp?) -> [WidgetFact] {
        (store.loop?.facts ?? []).filter { fact in
            guard let interaction = fact.interaction, fact.numbers.nanoseconds >= least else { return false }
            let isEarlier = since.map { interaction.at < $0 } ?? false,
                isLater = until.map { interaction.at > $0 } ?? false
            return !isEarlier && !isLater
        }
    }

    /// How many slow ones of a time are not kept; nil where all are.
    private static func dropped(_ store: ProcessStats, _ since: Timestamp?, _ until: Timestamp?) -> String? {
        guard let loop = store.loop else { return nil }
        func numbers(_ isMeant: (Timestamp) -> Bool) -> [UInt64] {
            loop.facts.filter { $0.numbers.same > 0 && $0.interaction.map { isMeant($0.at) } == true }
                .map(\.numbers.same)
        }
        let earlier = numbers { at in since.map { at < $0 } ?? false }
        let later = numbers { at in until.map { at > $0 } ?? false }
        // The time has the numbers between these at most.
        let first = earlier.max() ?? 0, last = later.min().map { $0 - 1 } ?? loop.slowInteractions
        let kept = numbers { _ in true }.count - earlier.count - later.count
        let known = first.clampedSum(UInt64(clamping: kept))
        guard last > known else { return nil }
        let most = since == nil && until == nil ? "" : "up to "
        let others = Counted.text(
            last - known, "other of 200 ms or more was dropped", "others of 200 ms or more were dropped")
        return "\(Printable.text(store.name))[\(store.pid)] \(most)\(others); the 8 slowest and the 8 newest are kept"
    }

    /// Where the time went, the largest part first; what is less than a hundredth is left out.
    private static func parts(
        _ fact: WidgetFact, _ interaction: WidgetFact.Interaction
    ) -> [(name: String, nanoseconds: UInt64)] {
        let (numbers, handlers) = (fact.numbers, fact.numbers.longestOf)
        let named = fact.writer == nil ? 0 : min(numbers.longest, handlers)
        let known: [(name: String, nanoseconds: UInt64)] = [
            (fact.writer.map { Printable.text($0) } ?? "", named),
            (named == 0 ? "sources and handlers" : "other sources and handlers", handlers - named),
            ("evaluations", interaction.evaluations), ("style", interaction.style), ("layout", interaction.layout),
            ("drawing", interaction.drawing), ("presentation", interaction.presentation),
        ]
        let sum = known.reduce(UInt64(0)) { $0.clampedSum($1.nanoseconds) }
        let all = known + [("the rest", numbers.nanoseconds - min(sum, numbers.nanoseconds))]
        return all.filter { LoopFloor.isPart($0.nanoseconds, 1, of: numbers.nanoseconds) }
            .sorted { $0.nanoseconds > $1.nanoseconds }
    }
}

extension LoopStats {
    /// How many interactions were slow, kept or not.
    package var slowInteractions: UInt64 { facts.filter { $0.interaction != nil }.map(\.numbers.same).max() ?? 0 }
}

// Parts of a core, as every surface shows them: processor time.

/// A part of a core: processor time of a second.
package struct CoreShare: Hashable, Sendable {
    /// In percents.
    package var percent: Double
    /// Whether it was shared out by the clock among what ran, and not read at its beginning and end.
    package var isShared: Bool

    package init(percent: Double, isShared: Bool = false) { (self.percent, self.isShared) = (percent, isShared) }

    /// The part of some processor time; nil where nothing was counted.
    package init?(_ processor: UInt64, of counted: UInt64, isShared: Bool = false) {
        guard counted > 0 else { return nil }
        self.init(percent: Double(processor) / Double(counted) * 100, isShared: isShared)
    }

    /// `3.1%`; `~3.1%` where it was shared out. A bound needs no sign.
    package var text: String {
        let text = PercentOfCore.text(percent)
        return isShared && !text.hasPrefix("<") ? "~" + text : text
    }
}

/// Makes processor time of time by the clock, for some processes.
///
/// One store of a process has its main loop, so that all stores at hand are needed. Where a process's processor time is not known, its time by the
/// clock stands for it.
package struct CoreShares: Sendable {
    private var loops: [Int32: LoopStats] = [:]
    private var framesRunning: [Int32: Double] = [:]

    package init(_ stores: some Sequence<ProcessStats>) {
        let all = Array(stores)
        // Those of a program that runs first, and then those of one that became it by `exec`.
        for store in all.filter(\.connected) + all.filter({ !$0.connected }) {
            if let loop = store.loop, loops[store.pid] == nil { loops[store.pid] = loop }
            if let ratio = store.frames?.running, framesRunning[store.pid] == nil { framesRunning[store.pid] = ratio }
        }
    }

    /// The main loop of a process; nil where it is not known.
    package func loop(of pid: Int32) -> LoopStats? { loops[pid] }

    /// Percents of a second by the clock in bodies.
    package func bodies(_ percent: Double, of pid: Int32) -> CoreShare {
        guard let loop = loops[pid], loop.knowsBodies else { return CoreShare(percent: percent) }
        return CoreShare(percent: percent * loop.bodiesRunning, isShared: true)
    }

    /// The same in frames.
    package func frames(_ percent: Double, of pid: Int32) -> CoreShare {
        guard let running = framesRunning[pid] else { return CoreShare(percent: percent) }
        return CoreShare(percent: percent * running, isShared: true)
    }

    /// What goes on without input; nil where it took less than a second.
    package func share(of work: IdleWork, in pid: Int32) -> CoreShare? {
        work.share.map { work.kind == .frames ? frames($0 * 100, of: pid) : bodies($0 * 100, of: pid) }
    }
}

extension LoopStats {
    /// Whether the processor time of bodies is known.
    package var knowsBodies: Bool { totals.bodies.wall > 0 && totals.bodies.processor > 0 }
}

extension FrameStats {
    /// By what the time of frames by the clock is multiplied to have processor time; nil where that is not known.
    package var running: Double? {
        let wall = updateNanoseconds.clampedSum(layoutNanoseconds).clampedSum(snapshotNanoseconds)
            .clampedSum(drawingNanoseconds)
        guard let processorNanoseconds, processorNanoseconds > 0, wall > 0 else { return nil }
        return min(1, Double(processorNanoseconds) / Double(wall))
    }
}

// The words for what a store counts: a view is evaluated, and a widget is drawn.

/// The words for the views of a store.
package struct StoreWords: Hashable, Sendable {
    /// Whether they are widgets of GTK.
    package let areWidgets: Bool

    package init(_ kind: StoreKind?) { areWidgets = kind == .widgets }

    package init(areWidgets: Bool) { self.areWidgets = areWidgets }

    /// The words for the rows of several stores: those of widgets where there are no other views.
    package init(_ stores: some Sequence<ProcessStats>) {
        let kinds = stores.map(\.kind).filter { $0 != .loop }
        areWidgets = !kinds.isEmpty && kinds.allSatisfy { $0 == .widgets }
    }

    /// What a row is.
    package var noun: String { areWidgets ? "widget" : "view" }
    /// What is counted of it.
    package var event: String { areWidgets ? "drawing" : "evaluation" }
    /// The column of its average time in `top`.
    package var time: String { areWidgets ? "DRAW" : "BODY" }
    /// What happened to it.
    package var participle: String { areWidgets ? "drawn" : "evaluated" }

    /// `3 drawings`.
    package func events(_ count: UInt64) -> String { Counted.text(count, event) }
}
