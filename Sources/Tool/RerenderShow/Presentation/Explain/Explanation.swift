// SPDX-License-Identifier: MIT
// Explains one view in sentences and lists, and first how often it was evaluated, and what is unknown about it.

/// Everything that `explain` says of a view.
package struct Explanation: Sendable {
    package let view: Stats
    /// The store that it is in; its views do not matter.
    package let store: ProcessStats
    /// Where a value that a parent passed may come from.
    package var hint: CauseHint?
    /// The latest hang that is attributed to the view.
    package var latestHang: Hang?
    /// What other views are evaluated for that is read here.
    package var passing = PassedValues.Passing()
    /// Of all stores of the process; nil where this one is alone.
    package var shares: CoreShares?
    /// What would bring names that are missing, as sentences without a full stop.
    package var names: [String] = []
    /// Shown in the place of all sections: what leads into the view.
    package var sources: Section?
    /// The time that is counted, ready to be printed: `since "tap Add"`.
    package var span = Self.allTime

    package init(view: Stats, store: ProcessStats, hint: CauseHint? = nil, latestHang: Hang? = nil) {
        (self.view, self.store, self.hint, self.latestHang) = (view, store, hint, latestHang)
    }

    /// The time that is counted where no other one was chosen.
    package static let allTime = "since the start or the last reset"

    /// With fewer evaluations shares and averages mean nothing.
    package static let leastEvaluations: UInt64 = 3

    /// A title and its paragraphs.
    package struct Section: Hashable, Sendable {
        var title: String
        var paragraphs: [Paragraph]
    }

    /// A sentence or an entry of a list.
    package struct Paragraph: Hashable, Sendable {
        package var text: String
        /// Blanks before its first line; the lines that follow have two more.
        package var indent = 2

        package init(_ text: String, indent: Int = 2) {
            self.text = text
            self.indent = indent
        }
    }

    /// The lines, each at most `width` columns wide, without line ends.
    package func lines(width: Int, colours: Bool) -> [String] {
        let key = Style.bold.apply(Fit.middle(view.key.displayName, width), colours: colours)
        return [key] + place(width).map { Style.dim.apply($0, colours: colours) }
            + (sources.map { [$0] } ?? sections).flatMap { [""] + Self.lines($0, width, colours) }
    }

    private static func lines(_ section: Section, _ width: Int, _ colours: Bool) -> [String] {
        let title = Style.bold.apply(Fit.end(section.title, width), colours: colours)
        return [title]
            + section.paragraphs.flatMap { paragraph in
                // Long numbers indent the lines below them; a narrow terminal has no room for this.
                let indent = min(paragraph.indent, width / 4)
                let blanks = String(repeating: " ", count: indent)
                let room = max(1, width - indent)
                return Wrap.lines(paragraph.text, width: room, indent: 2).map { blanks + $0 }
            }
    }

    private func place(_ width: Int) -> [String] {
        let file = view.file.isEmpty ? "" : ", \(Printable.text(view.file)):\(view.line)"
        let ended = store.connected ? "" : ", ended"
        return Wrap.lines("in \(StoreLabels.full(store))\(ended)\(file)", width: width, indent: 2)
    }

    /// What is known, in the order in which one asks: what, why, at what cost, what if, what to do.
    package var sections: [Section] {
        let what = Section("What happens", WhatText.sentences(view, store, shares, span: span))
        let why = Section(title: "Why", paragraphs: ReasonText.paragraphs(view, of: store.kind, hint, span: span))
        let advice = AdviceText.sentences(view, hint, in: store, passing: passing) + names.map { $0 + "." }
        let helps = Section("What helps", advice)
        // One evaluation may cost more than thousands.
        guard view.count >= Self.leastEvaluations || view.isCostlyOnce else {
            let isAsked = !FactText.sentences(view.key, store).isEmpty
            return [what] + (view.count == 0 ? [] : [why]) + (isAsked ? [helps] : [])
        }
        let moved = Section(title: "If a child read it", paragraphs: RemainingText.paragraphs(view))
        let costs = CostText.sentences(view, of: store.kind, latest: latestHang, hasPercentiles: span == Self.allTime)
        return [what, why, Section("What it costs", costs)]
            + (moved.paragraphs.isEmpty ? [] : [moved])
            + [helps]
    }
}

extension Stats {
    /// Whether it costs so much that `explain` tells its time and hangs, however seldom it was evaluated.
    var isCostlyOnce: Bool { hangs.count > 0 || ownNanoseconds >= 16_000_000 }
}

extension Stats {
    /// Whether no evaluation has an instance, as in an injected program whose framework is not known.
    fileprivate func hasUnknownInstances(in store: ProcessStats) -> Bool {
        // The first evaluation of all needs no judgement.
        store.kind == .injectedViews && instances == 0 && count > 0 && framework == nil && commits == 0
            && (wasted.unjudged ?? 0).clampedSum(1) >= count
    }
}

extension Explanation.Section {
    fileprivate init(_ title: String, _ sentences: [String]) {
        self.init(title: title, paragraphs: sentences.map { .init($0) })
    }
}

/// The sentences of "What happens".
package enum WhatText {
    /// How often, in how many instances, for how many commits; then everything that limits the answer.
    ///
    /// - Parameters:
    ///   - shares: Of all stores of the process; nil where this one is alone.
    ///   - span: The time that is counted.
    package static func sentences(
        _ view: Stats, _ store: ProcessStats, _ shares: CoreShares? = nil, span: String = Explanation.allTime
    ) -> [String] {
        if view.notSeen == true { return [NotSeenText.sentence] }
        let facts = FactText.sentences(view.key, store)
        let isDrawn = view.count > 0 || facts.isEmpty
        let words = StoreWords(store.kind)
        let first = isDrawn ? evaluations(view, store, words) : "It has not been drawn \(span)."
        let few = facts.isEmpty ? tooFew(view, words) : []
        return [first] + facts + FactText.interaction(view.key, store) + CycleText.sentences(view.key, store)
            + IdleText.sentences(view.key, store, shares) + passes(view) + commits(view)
            + framework(view) + few + gaps(view, store)
    }

    private static func evaluations(_ view: Stats, _ store: ProcessStats, _ words: StoreWords) -> String {
        let instances =
            view.instances > 0
            ? Counted.text(view.instances, "live instance")
            : view.hasUnknownInstances(in: store) ? "its instances are unknown" : "no live instance"
        let end = store.connected || view.hasUnknownInstances(in: store) ? "" : " at the end"
        let what = words.areWidgets ? "It was drawn" : "Its body was evaluated"
        let least = view.mayBeMore == true ? "at least " : ""
        return "\(what) \(least)\(Counted.text(view.count, "time")); \(instances)\(end)."
    }

    /// Evaluations that no cause of the app's asked for.
    private static func passes(_ view: Stats) -> [String] {
        guard let passes = view.passes, passes > 0 else { return [] }
        return [
            "\(Counted.grouped(passes)) of these \(passes == 1 ? "was a further pass" : "were further passes") of the same "
                + "update, as its framework asks for; it was updated \(Counted.text(view.updates, "time"))."
        ]
    }

    private static func commits(_ view: Stats) -> [String] {
        guard view.commits > 0, view.count > 0 else { return [] }
        let ratio = decimals(view.count, over: view.commits)
        return [
            "The framework committed \(Counted.text(view.commits, "update")) of it: \(ratio) evaluations per commit."
        ]
    }

    /// What the framework took beside bodies, or the toolkit beside drawing.
    private static func framework(_ view: Stats) -> [String] {
        guard let time = view.framework else { return [] }
        let (layouts, duration) = (Counted.grouped(time.layouts), DurationText.short(time.layoutNanoseconds))
        return [
            time.layouts == 0 ? nil : "Layout: \(layouts)×, \(duration).",
            time.commitNanoseconds == 0 ? nil : "Commits: \(DurationText.short(time.commitNanoseconds)).",
        ].compactMap(\.self)
    }

    private static func tooFew(_ view: Stats, _ words: StoreWords) -> [String] {
        guard view.count < Explanation.leastEvaluations else { return [] }
        let least = "at least \(words.events(Explanation.leastEvaluations))"
        if view.isCostlyOnce { return ["Shares and averages need \(least): they say little."] }
        return ["More needs \(least): use the \(words.noun) and try again."]
    }

    private static func gaps(_ view: Stats, _ store: ProcessStats) -> [String] {
        var texts: [String] = []
        if view.forgotten > 0 {
            let many = view.forgotten != 1
            texts.append(
                "The previous values of \(Counted.text(view.forgotten, "instance")) were dropped to save memory, so "
                    + "\(many ? "their" : "its") next evaluation is not explained.")
        }
        let number = store.lost.clampedSum(store.dropped)
        if number > 0 {
            let (verb, views) = number == 1 ? ("was", "its view is") : ("were", "their views are")
            texts.append(
                "\(StoreWords(store.kind).events(number)) of this store \(verb) lost or dropped; \(views) unknown.")
        }
        texts += (store.gaps ?? []).map { gap in
            "\(gap == ProcessStats.attached ? "Of this program" : "Of this store"): \(Printable.text(gap))."
        }
        return texts
    }

    /// The quotient with two decimals, cut: `1.04`.
    private static func decimals(_ number: UInt64, over divisor: UInt64) -> String {
        let (whole, rest) = number.quotientAndRemainder(dividingBy: divisor)
        let hundredths = UInt64(Double(rest) / Double(divisor) * 100)
        return "\(Counted.grouped(whole))." + Fit.zeros(min(hundredths, 99), 2)
    }
}
