// SPDX-License-Identifier: MIT
// Advice against the most expensive kind of waste of a view.

/// The sentences of "What helps".
package enum AdviceText {
    /// One sentence for a view that is fine, else the cure of what costs most; then the advice of a guess.
    ///
    /// - Parameter isInCycle: Whether it leads back to itself, which comes first.
    package static func sentences(_ view: Stats, _ hint: CauseHint? = nil, isInCycle: Bool = false) -> [String] {
        let cures = WasteText.kinds(view.wasted).first.map {
            ["\(Counted.text($0.count, "evaluation")) \(cure($0.kind))"]
        }
        let other = cures ?? (isInCycle && view.wasted.count == 0 ? [] : untyped(view))
        return (isInCycle ? [cycle] : []) + other + slow(view) + (hint.map { [$0.advice] } ?? [])
    }

    /// Gives the sentences for any view of these stores, as `explain` does; none for one that was evaluated too seldom.
    package static func ofViews(in stores: [ProcessStats]) -> (ProcessStats, Stats) -> [String] {
        let hints = CauseHints(StatsOrder.count.ranked(stores))
        return { store, view in
            guard view.count >= Explanation.leastEvaluations else { return [] }
            let hint = hints.hint(RankedView(store: store, view: view))
            return sentences(view, hint, isInCycle: CycleText.has(view.key, store))
        }
    }

    private static let cycle =
        "To end the cycle, leave out one of the writes in it, or write only where the value is another one."

    private static func untyped(_ view: Stats) -> [String] {
        if view.wasted.count > 0 { return ["The kind of waste was not reported."] }
        guard !isSlow(view) else { return [] }
        return ["Nothing to do: no known waste, and the body is fast."]
    }

    private static func slow(_ view: Stats) -> [String] {
        guard isSlow(view) else { return [] }
        return [
            "The body itself is slow (\(DurationText.short(own(view))) on average): move work out of it, "
                + "and cache what it computes."
        ]
    }

    /// Whether most of its evaluations take long, without the bodies inside of them.
    private static func isSlow(_ view: Stats) -> Bool { Style.bodyTime(own(view), of: view) != .plain }

    /// The average self time.
    private static func own(_ view: Stats) -> UInt64 { view.ownNanoseconds / max(1, view.count) }

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
