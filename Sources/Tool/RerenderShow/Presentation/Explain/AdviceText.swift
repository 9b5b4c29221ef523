// SPDX-License-Identifier: MIT
// Advice against the most expensive kind of waste of a view.

/// The sentences of "What helps".
package enum AdviceText {
    /// One sentence for a view that is fine, else the cure of what costs most; then the advice of a guess.
    ///
    /// - Parameters:
    ///   - store: The store that it is in; nil where a cycle, work without input and layouts do not matter.
    ///   - passing: What other views are evaluated for that is read here.
    package static func sentences(
        _ view: Stats, _ hint: CauseHint? = nil, in store: ProcessStats? = nil,
        passing: PassedValues.Passing = PassedValues.Passing()
    ) -> [String] {
        let words = StoreWords(store?.kind)
        let cycle = store.map { CycleText.has(view.key, $0) } == true ? [Self.cycle] : []
        let cures = WasteText.kinds(view.wasted).first.map {
            ["\(words.events($0.count)) \(words.areWidgets ? cure($0.kind, ofWidget: view) : cure($0.kind, of: view))"]
        }
        let ofStore = store.map {
            facts(view, in: $0) + FactText.advice(view.key, $0) + layouts(view, in: $0) + idle(view, in: $0)
        }
        let costs = cycle + (ofStore ?? []) + passing.advice
        let isFine = costs.isEmpty || view.wasted.count > 0
        let other = cures ?? (isFine ? untyped(view, words, isAttached: store?.isAttached == true) : [])
        return cycle + other + slow(view, words) + costs.dropFirst(cycle.count) + (hint.map { [$0.advice] } ?? [])
    }

    /// Gives the sentences for any view of these stores, as `explain` does; none for one that was evaluated too seldom.
    package static func ofViews(in stores: [ProcessStats]) -> (ProcessStats, Stats) -> [String] {
        let rows = StatsOrder.count.ranked(stores)
        let (hints, passed, shares) = (CauseHints(rows), PassedValues(rows), CoreShares(stores))
        return { own, view in
            let store = shares.whole(own)
            let isKnown = view.count >= Explanation.leastEvaluations || view.isCostlyOnce
            guard isKnown || !FactText.sentences(view.key, store).isEmpty else { return [] }
            let row = RankedView(store: store, view: view)
            return sentences(view, hints.hint(row), in: store, passing: passed.passing(by: row))
        }
    }

    private static let cycle =
        "To end the cycle, leave out one of the writes in it, or write only where the value is another one."

    /// Against what the main loop's facts say of the widget.
    private static func facts(_ view: Stats, in store: ProcessStats) -> [String] {
        let facts = (store.loop?.facts ?? []).filter { $0.view == view.key.rawValue }
        return facts.compactMap { fact in
            switch fact.kind {
            case .anew where fact.numbers.of >= 20 && fact.numbers.count >= 3:
                "\(Counted.grouped(fact.numbers.of)) or more instances were made anew \(Counted.grouped(fact.numbers.count)) times: "
                    + "keep them, and change only those whose data changed."
            case .asker where fact.hidden != nil && fact.numbers.count * 2 >= fact.numbers.of:
                "It asks for frames and is not visible: end its animation, or what writes to it, while it is not shown."
            case .layout where fact.numbers.same * 10 >= fact.numbers.count * 9 && fact.numbers.count >= 10:
                "In \(Counted.grouped(fact.numbers.same)) of \(Counted.text(fact.numbers.count, "layout")) nothing moved: "
                    + "set a size or a place only where it is another one."
            case .anew, .asker, .layout, .interaction: nil
            }
        }
    }

    /// Layouts that cost more than the bodies, and a frame each, 1 % of a core, or as much as a micro-hang in all.
    private static func layouts(_ view: Stats, in store: ProcessStats) -> [String] {
        guard let time = view.framework, time.layouts > 0 else { return [] }
        let (all, each) = (time.layoutNanoseconds, time.layoutNanoseconds / time.layouts)
        let isOften = store.countedNanoseconds.map { all / 100 >= $0 / 10_000 } ?? false
        guard all > view.ownNanoseconds, each >= frame || isOften || all >= 100_000_000, all >= frame else { return [] }
        return [
            "Its layouts cost more than its bodies: \(DurationText.short(all)) for \(Counted.text(time.layouts, "layout")), "
                + "\(DurationText.short(each)) each. Fewer come if its size does not change with what it shows, and if "
                + "there are fewer views below one that changes its size."
        ]
    }

    /// The time between two frames at 60 a second.
    private static let frame: UInt64 = 16_000_000

    /// What goes on without input ten times a second or more, for long.
    private static func idle(_ view: Stats, in store: ProcessStats) -> [String] {
        let all = (store.idleWork ?? []).filter { work in
            work.kind == .evaluations && work.view == view.key.rawValue && work.isLong(at: nil)
        }
        guard let most = all.max(by: { ($0.perSecond ?? 0) < ($1.perSecond ?? 0) }), let rate = most.perSecond,
            rate >= leastRate
        else { return [] }
        return [
            "It is \(StoreWords(store.kind).participle) \(RateText.cell(rate)) without input (\(IdleText.cause(most))): end "
                + "what leads to that when nothing has to change, or write only where the value is another one."
        ]
    }

    private static let leastRate = 10.0

    private static func untyped(_ view: Stats, _ words: StoreWords, isAttached: Bool) -> [String] {
        if view.wasted.count > 0 { return ["The kind of waste was not reported."] }
        guard !isSlow(view) else { return [] }
        if isLong(view) { return ["Nothing to do is known: so few \(words.event)s tell little of its time."] }
        let known = "no known waste, and \(words.areWidgets ? "its drawing" : "the body") is fast"
        // Who had it drawn may have no name.
        return [isAttached ? "Nothing to do is known: \(known); \(ProcessStats.attached)." : "Nothing to do: \(known)."]
    }

    private static func slow(_ view: Stats, _ words: StoreWords) -> [String] {
        guard isSlow(view) else { return [] }
        let time = DurationText.short(own(view))
        return [
            words.areWidgets
                ? "Its drawing itself is slow (\(time) on average): draw less of it, or keep what is drawn as a texture."
                : "The body itself is slow (\(time) on average): move work out of it, and cache what it computes."
        ]
    }

    /// Whether most of its evaluations take long, without the bodies inside of them.
    private static func isLong(_ view: Stats) -> Bool { Style.bodyTime(own(view), of: view) != .plain }

    /// The same of enough evaluations: the first of an instance is no measure of the others.
    private static func isSlow(_ view: Stats) -> Bool {
        let first = view.reasons.first { $0.reason == Reason.initial }?.count ?? 0
        return isLong(view) && (view.isCostlyOnce || view.count - min(first, view.count) >= leastSlow)
    }

    private static let leastSlow: UInt64 = 3

    /// The average self time.
    private static func own(_ view: Stats) -> UInt64 { view.ownNanoseconds / max(1, view.count) }

    /// Goes on after "12 drawings".
    private static func cure(_ kind: WasteKind, ofWidget view: Stats) -> String {
        guard kind == .sameOutput else { return cure(kind) }
        let main = view.mainReason.flatMap { Reason.passedOn($0.reason.reason) }
        if let main, main.isChild {
            let name = ViewKey(rawValue: String(main.view)).displayName
            return "drew the same as before, because \(name) in it was drawn: look there."
        }
        return
            "drew the same as before: find above what asks for them, and have it ask only when something that is seen "
            + "has changed."
    }

    /// The same of a view. A framework with nodes evaluates all views below one that is evaluated: no view can skip that.
    private static func cure(_ kind: WasteKind, of view: Stats) -> String {
        guard let time = view.framework, time.layouts > 0 else { return cure(kind) }
        return switch kind {
        case .parentOnly:
            "happened only because a parent was evaluated, and its framework evaluates all that is below one: move the state that "
                + "changes there, with what reads it, out of the parent into a view of its own."
        case .sameInputs:
            "had the same inputs as before, and no other cause is known: find out who evaluates the view; if it reads a global "
                + "variable, a clock or a file, its output may be another one."
        case .sameOutput, .sameValue, .newIdentity, .closureIdentity, .twiceInATurn: cure(kind)
        }
    }

    /// Goes on after "12 evaluations".
    private static func cure(_ kind: WasteKind) -> String {
        switch kind {
        case .sameOutput:
            "gave the same output as before: read the changing value in the child view that shows it; split the view; "
                + "or compare its inputs, to skip it when they are equal."
        case .sameValue:
            "followed a write of an unchanged value: compare before writing (if new != old)."
        case .newIdentity:
            "followed an equal value with a new identity: keep the object or collection instead of creating it in "
                + "the parent's body."
        case .closureIdentity:
            "followed only a closure that was made anew with equal captures: create it once and reuse it, or move it out "
                + "of the view's inputs."
        case .parentOnly:
            "happened only because a parent was evaluated: pass the view only what it needs, or let it read the "
                + "observable itself instead of the parent."
        case .twiceInATurn:
            "came twice in one turn of the main loop: write state before the evaluation, not in handlers that run "
                + "because of it (onAppear, onChange)."
        case .sameInputs:
            "had the same inputs as before, and no other cause is known: find out who evaluates the view, and skip it when "
                + "its inputs are equal; if it reads a global variable, a clock or a file, measure the output instead."
        }
    }
}

// Finds views that read a value which only other views show.

/// Values that a view reads and passes on, and what other views are evaluated for that.
///
/// The opposite of ``CauseHints``: these tell a view who reads what it was passed.
package struct PassedValues: Sendable {
    /// What other views are evaluated for.
    package struct Passing: Hashable, Sendable {
        /// The value with most of it, as the view reads it.
        package fileprivate(set) var path = ""
        package fileprivate(set) var views: UInt64 = 0
        package fileprivate(set) var evaluations: UInt64 = 0
        /// The most of them that may have been wasted.
        package fileprivate(set) var wasted: UInt64 = 0
        /// Whether names alone tell that it is this value.
        package fileprivate(set) var isGuess = false

        package init() {}

        fileprivate mutating func add(_ count: UInt64, of view: Stats, isGuess: Bool) {
            views += 1
            evaluations = evaluations.clampedSum(count)
            wasted = wasted.clampedSum(min(view.wasted.count, count))
            self.isGuess = self.isGuess || isGuess
        }

        /// Whether enough was evaluated for it, and a third of that may have been wasted.
        var isWorthAWord: Bool { evaluations >= Self.leastEvaluations && wasted >= evaluations / 3 && wasted > 0 }

        private static let leastEvaluations: UInt64 = 10

        /// What helps against it; none where little would be won.
        var advice: [String] {
            guard isWorthAWord else { return [] }
            let value = Printable.text(path)
            let others = Counted.text(views, "other view")
            let what =
                isGuess
                ? "If what it passes on is \(value), \(others) \(views == 1 ? "is" : "are") evaluated for that"
                : "It reads \(value), and \(others) \(views == 1 ? "is" : "are") evaluated for that"
            return [
                "\(what): \(Counted.text(evaluations, "time")), up to \(Counted.grouped(wasted)) of these for nothing. "
                    + "Read it in the view that shows it, not here."
            ]
        }
    }

    private struct Reader: Hashable, Sendable {
        let store: StoreID
        let key: ViewKey
    }

    /// By view and by the value that it reads.
    private var found: [Reader: [String: Passing]] = [:]

    /// Learns from the rows at hand. Linear in their reasons and chains.
    package init(_ rows: [RankedView]) {
        let hints = CauseHints(rows)
        for row in rows {
            let store = StoreID(row.store)
            if let hint = hints.hint(row) {
                add(hint.path, Reader(store: store, key: hint.reader), hint.reason.count, row.view, isGuess: true)
            }
            // Reasons of widgets are words, and no values.
            guard row.store.kind != .widgets else { continue }
            var begun: [Reader: [String: UInt64]] = [:]
            for chain in row.view.reasons.flatMap(\.chains) {
                guard let origin = chain.origin, Self.isValue(origin.reason) else { continue }
                let reader = Reader(store: store, key: origin.view)
                begun[reader, default: [:]][origin.reason] =
                    (begun[reader]?[origin.reason] ?? 0).clampedSum(chain.count)
            }
            for (reader, paths) in begun {
                for (path, count) in paths { add(path, reader, count, row.view, isGuess: false) }
            }
        }
    }

    /// What is evaluated for a value that the view reads, most first.
    package func passing(by row: RankedView) -> Passing {
        let all = found[Reader(store: StoreID(row.store), key: row.view.key)] ?? [:]
        return all.values.max { ($0.evaluations, $1.path) < ($1.evaluations, $0.path) } ?? Passing()
    }

    private mutating func add(_ path: String, _ reader: Reader, _ count: UInt64, _ view: Stats, isGuess: Bool) {
        // A view that leads to itself passes nothing on.
        guard reader.key != view.key else { return }
        found[reader, default: [:]][path, default: Passing()].path = path
        found[reader]?[path]?.add(count, of: view, isGuess: isGuess)
    }

    /// Whether a reason names one value: no `initial`, no `<external signal>`, no `closure identity`.
    private static func isValue(_ reason: String) -> Bool {
        !FixedReason.allCases.contains { $0.text == reason } && !reason.isEmpty && !reason.contains(" ")
    }
}
