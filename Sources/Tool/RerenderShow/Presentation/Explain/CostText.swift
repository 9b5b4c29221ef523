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
