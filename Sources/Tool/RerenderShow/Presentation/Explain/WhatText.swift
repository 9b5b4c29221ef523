// SPDX-License-Identifier: MIT
// How often a view was evaluated, and what is unknown about it.

/// The sentences of "What happens".
package enum WhatText {
    /// How often, in how many instances, for how many commits; then everything that limits the answer.
    package static func sentences(_ view: Stats, _ store: ProcessStats) -> [String] {
        if view.notSeen == true { return [NotSeenText.sentence] }
        return [evaluations(view)] + CycleText.sentences(view.key, store)
            + IdleText.sentences(view.key, store) + passes(view) + commits(view)
            + framework(view) + tooFew(view) + gaps(view, store)
    }

    private static func evaluations(_ view: Stats) -> String {
        let instances = view.instances == 0 ? "no live instance" : Counted.text(view.instances, "live instance")
        return "Its body was evaluated \(Counted.text(view.count, "time")); \(instances)."
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

    private static func framework(_ view: Stats) -> [String] {
        guard let time = view.framework else { return [] }
        return [
            "Beside its bodies, the framework took \(DurationText.short(time.layoutNanoseconds)) for "
                + "\(Counted.text(time.layouts, "layout")) of it and \(DurationText.short(time.commitNanoseconds)) for its commits."
        ]
    }

    private static func tooFew(_ view: Stats) -> [String] {
        guard view.count < Explanation.leastEvaluations else { return [] }
        return [
            "More needs at least \(Explanation.leastEvaluations) evaluations: use the view and try again."
        ]
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
                "\(Counted.text(number, "evaluation")) of this store \(verb) lost or dropped; \(views) unknown.")
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
