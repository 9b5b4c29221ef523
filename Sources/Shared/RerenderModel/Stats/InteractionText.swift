// SPDX-License-Identifier: MIT
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
