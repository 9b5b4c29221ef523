// SPDX-License-Identifier: MIT
// What a view costs, and how much of it was wasted.

/// The sentences of "What it costs".
package enum CostText {
    /// Time in the body, the wasted part of it by kind, and hangs; `latest` is the latest that is attributed to the view, `kind` that of its
    /// store. Percentiles of a span are not known.
    package static func sentences(
        _ view: Stats, of kind: StoreKind?, latest: Hang? = nil, hasPercentiles: Bool = true
    ) -> [String] {
        [body(view, StoreWords(kind), hasPercentiles)] + waste(view, of: kind) + frames(view) + hangs(view, latest)
    }

    /// How much was wasted, and by kind.
    package static func waste(_ view: Stats, of kind: StoreKind?) -> [String] {
        let unknown = unjudged(view, kind)
        // That none is known would say little where it is not known whether there is any.
        let known = view.wasted.count == 0 && unknown != nil ? nil : wasteTotal(view, StoreWords(kind))
        return [[known, unknown].compactMap(\.self).joined(separator: " ")] + kinds(view)
    }

    private static func body(_ view: Stats, _ words: StoreWords, _ hasPercentiles: Bool) -> String {
        let times = [view.body.totalNanoseconds, view.body.averageNanoseconds].map(DurationText.short)
        let p95 = DurationText.atMost(view.body.p95Nanoseconds)
        let isAlone = view.ownNanoseconds == view.body.totalNanoseconds
        let without = "without the \(words.areWidgets ? "widgets" : "bodies") inside of it,"
        let own = isAlone ? "" : ", \(DurationText.short(view.ownNanoseconds)) of that \(without)"
        // Of very few, a percentile would be less than what each of them took.
        let isTold = hasPercentiles && view.count >= Explanation.leastEvaluations
        let most = isTold ? "; 95% of \(words.event)s took at most \(p95)" : ""
        return
            "Its \(words.areWidgets ? "drawing" : "body") took \(times[0]) in total\(own) and \(times[1]) on average\(most)."
    }

    private static func wasteTotal(_ view: Stats, _ words: StoreWords) -> String {
        let waste = view.wasted
        guard waste.count > 0 else { return "No wasted \(words.event) is known." }
        guard waste.measured == 0 || waste.inferred == 0 else { return apart(view, words) }
        let share = share(waste.count, of: view)
        let time = waste.nanoseconds == 0 ? "" : " and \(DurationText.short(waste.nanoseconds)) of that"
        let known: [String] = [
            waste.measured == 0 ? "" : "\(Counted.grouped(waste.measured)) measured: same output as before",
            waste.inferred == 0 ? "" : "\(Counted.grouped(waste.inferred)) inferred",
        ].filter { !$0.isEmpty }
        let verb = waste.count == 1 ? "was" : "were"
        let wasted = "\(words.events(waste.count)) (\(share))\(time) \(verb) wasted"
        return ([wasted] + known).joined(separator: "; ") + "."
    }

    /// A pass is never waste: where there are some, the share is that of the updates.
    private static func share(_ wasted: UInt64, of view: Stats) -> String {
        let share = Percent.text(wasted, of: view.updates)
        return view.updates < view.count ? share + " of its updates" : share
    }

    /// What is measured and what is inferred are never one number.
    private static func apart(_ view: Stats, _ words: StoreWords) -> String {
        func part(_ count: UInt64, _ nanoseconds: UInt64) -> String {
            let time = nanoseconds == 0 ? "" : " and \(DurationText.short(nanoseconds)) of that"
            return "\(words.events(count)) (\(share(count, of: view)))\(time)"
        }
        let waste = view.wasted
        let measured = part(waste.measured, waste.measuredNanoseconds)
        let inferred = part(waste.inferred, waste.inferredNanoseconds)
        let verb = waste.measured == 1 ? "was" : "were"
        return "\(measured) \(verb) measured as wasted: same output as before. Another "
            + "\(inferred) \(waste.inferred == 1 ? "was" : "were") inferred to be wasted."
    }

    private static func unjudged(_ view: Stats, _ kind: StoreKind?) -> String? {
        guard let count = view.wasted.unjudged, count > 0 else { return nil }
        let why =
            switch kind {
            case .views: "to measure it, pass comparing:"
            case .injectedViews: "to measure it, call the library and pass comparing:"
            // A widget of GTK has no probe that anything could be passed to.
            case .widgets, .loop, nil: "not compared"
            }
        let noun = view.updates < view.count ? "update" : StoreWords(kind).event
        return "Waste is unknown for \(Counted.grouped(count)) of \(Counted.text(view.updates, noun)) (\(why))."
    }

    private static func kinds(_ view: Stats) -> [String] {
        let kinds = WasteText.kinds(view.wasted)
        guard kinds.count > 1 else { return [] }
        return [
            "By kind: "
                + kinds.map { "\($0.kind.rawValue) \(Counted.grouped($0.count))\(time($0.nanoseconds))" }
                .joined(separator: ", ") + "."
        ]
    }

    /// Nothing where an app does not tell the time of each kind.
    private static func time(_ nanoseconds: UInt64) -> String {
        nanoseconds == 0 ? "" : " (\(DurationText.short(nanoseconds)))"
    }

    private static func frames(_ view: Stats) -> [String] {
        guard let count = view.framesOverInterval, count > 0 else { return [] }
        return ["It had most of \(Counted.text(count, "frame")) over the interval between two frames."]
    }

    private static func hangs(_ view: Stats, _ latest: Hang?) -> [String] {
        guard view.hangs.count > 0 else { return [] }
        let worst = DurationText.short(view.hangs.worstNanoseconds)
        let hangs = "\(Counted.text(view.hangs.count, "hang")) of the main loop"
        return ["\(hangs) \(view.hangs.count == 1 ? "was" : "were") attributed to it, the longest \(worst)."]
            + starved(view.hangs) + (latest.map { [sentence($0)] } ?? [])
    }

    /// In how many of several the machine did not run the app; of one, the sentence about the latest says so.
    private static func starved(_ hangs: HangTotals) -> [String] {
        guard hangs.starved > 0, hangs.count > 1 else { return [] }
        // Of those that are excused, it is not counted.
        let least = hangs.excused == 0 ? "In" : "In at least"
        return ["\(least) \(Counted.grouped(hangs.starved)) of them the thread had no processor for most of the time."]
    }

    /// The view's part in a hang, and what stands beside it.
    private static func sentence(_ hang: Hang) -> String {
        let share = hang.share ?? 0
        let duration = hang.durationNanoseconds
        let phase = (hang.phase ?? .body).rawValue
        let place = phase == HangPhase.body.rawValue ? "" : ", in \(phase)"
        var parts = ["it had \(Percent.text(share, of: duration)) of \(DurationText.short(duration))\(place)"]
        if let view = hang.viewAtThreshold {
            let what = hang.isInBodyAtThreshold ? "its \(phase)" : view.displayName
            parts.append("\(what) ran when the threshold was crossed")
        } else if hang.ended == .normally, !hang.guess {
            parts.append("nothing was evaluated or drawn when the threshold was crossed")
        }
        if hang.starvedNanoseconds >= duration / 20, hang.starvedNanoseconds > 0 {
            parts.append("the thread had no processor for \(Percent.text(hang.starvedNanoseconds, of: duration))")
        }
        return "In the latest, \(parts.joined(separator: "; "))."
    }
}

extension WasteText {
    /// The kinds that occurred: those that took most time first, then the most frequent.
    static func kinds(_ waste: Waste) -> [(kind: WasteKind, count: UInt64, nanoseconds: UInt64)] {
        let kinds =
            WasteKind.allCases.map { ($0, waste.kinds[$0] ?? 0, waste.kindNanoseconds[$0] ?? 0) }
            .filter { $0.1 > 0 } as [(kind: WasteKind, count: UInt64, nanoseconds: UInt64)]
        // Stable: equal ones stay in the order of the cases.
        return kinds.sorted { ($0.nanoseconds, $0.count) > ($1.nanoseconds, $1.count) }
    }
}

// What `explain` says of a widget that asks for frames. One that is not visible may be in no view: it was never drawn.

/// The sentences about what a main loop's facts say of a widget.
package enum FactText {
    /// How many frames it asked for, in which function, and why it cannot be seen, as far as that is known.
    static func sentences(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        let quiet = store.loop?.totals.isInputKnown == 0 ? "" : " without input"
        let texts = askers(of: view, store).map { fact in
            let all = Counted.text(fact.numbers.of, "frame")
            let writer = fact.writer.map { " in \(Printable.text($0))" } ?? ""
            let hidden = fact.hidden.map { ", and is not visible: \(Printable.text($0))" } ?? ""
            return "It asked for \(Counted.grouped(fact.numbers.count)) of \(all)\(quiet)\(writer)\(hidden)."
        }
        // Widgets of one key may say the same of themselves.
        return texts.enumerated().filter { place, text in !texts[..<place].contains(text) }.map(\.element)
    }

    /// Its slowest interaction, where that was long enough to be listed.
    static func interaction(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        let own = (store.loop?.facts ?? []).filter {
            $0.view == view.rawValue && $0.numbers.nanoseconds >= InteractionText.least
        }
        let slowest = own.filter { $0.interaction != nil }.max { $0.numbers.nanoseconds < $1.numbers.nanoseconds }
        guard let text = slowest.flatMap({ InteractionText.sentence($0) }) else { return [] }
        return ["Its slowest interaction: \(text)."]
    }

    /// Against frames that a visible widget asked for until the end, or asks for now.
    static func advice(_ view: ViewKey, _ store: ProcessStats) -> [String] {
        guard let loop = store.loop, loop.totals.frames.isLong(at: store.connected ? nil : loop.endedAt),
            askers(of: view, store).contains(where: { $0.hidden == nil && $0.numbers.count >= $0.numbers.of / 2 })
        else { return [] }
        return ["It asks for most of the frames: end its animation, or what writes to it, when nothing has to change."]
    }

    private static func askers(of view: ViewKey, _ store: ProcessStats) -> [WidgetFact] {
        (store.loop?.facts ?? []).filter { $0.kind == .asker && $0.view == view.rawValue }
    }

    /// Widgets that the facts of a store name, and no view of its process.
    package static func keys(of store: ProcessStats, beside stores: [ProcessStats]) -> [ViewKey] {
        let named = Set((store.loop?.facts ?? []).map { ViewKey(rawValue: $0.view) })
        let views = named.isEmpty ? [] : stores.filter { $0.pid == store.pid }.flatMap(\.views)
        return named.subtracting(views.map(\.key)).sorted()
    }

    /// The store with a view of that key, if its facts name it and it has no view: with nothing counted.
    package static func store(_ store: ProcessStats, with view: ViewKey) -> ProcessStats {
        let isNamed = store.views.isEmpty && keys(of: store, beside: [store]).contains(view)
        return isNamed ? store.with(views: [Stats(key: view)]) : store
    }
}

extension CoreShares {
    /// A store with what is known of its process's main loop. One store alone has that, and its facts are of widgets of any store.
    package func whole(_ store: ProcessStats) -> ProcessStats {
        var whole = store
        whole.loop = store.loop ?? loop(of: store.pid)
        return whole
    }
}
