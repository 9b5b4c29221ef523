// SPDX-License-Identifier: MIT
// The lines below an open row.

/// Everything that is known of one view, in the order in which one asks: why, what for, at what cost, where, what to do.
struct TopDetail: Sendable {
    let row: RankedView
    /// The view's hangs, newest first.
    let hangs: [Hang]
    /// Where a value that a parent passed may come from.
    let hint: CauseHint?
    /// What it took lately.
    let load: ViewLoad?
    let now: Timestamp

    private static let shownHangs = 3

    /// In blocks with a label each.
    var blocks: [TopBlock] {
        let view = row.view
        let times = [
            "body: " + Self.times(view.body),
            view.selfNanoseconds.map { "without the bodies inside of it: total " + DurationText.short($0) },
            "including Rerender's overhead: " + Self.times(view.total),
        ].compactMap(\.self)
        let help = view.count < Explanation.leastEvaluations ? [] : AdviceText.sentences(view, hint)
        let sentences = [
            ("now", load.map { [$0.sentence + "."] } ?? []), ("waste", CostText.waste(view, of: row.store.kind)),
            ("time", times),
            ("where", [place(view)]), ("hangs", hangTexts(view)), ("count", WhatText.sentences(view, row.store)),
            ("help", help),
        ]
        // The guess comes below the reason that it is about.
        return [TopBlock("why", ReasonText.paragraphs(view, hint))] + sentences.map { TopBlock($0, texts: $1) }
    }

    private static func times(_ timing: Timing) -> String {
        // The longest since a moment is known only where it is longer than all before.
        let longest = timing.maxNanoseconds == 0 ? "" : "longest \(DurationText.short(timing.maxNanoseconds)), "
        return "last \(DurationText.short(timing.lastNanoseconds)), "
            + "average \(DurationText.short(timing.averageNanoseconds)), " + longest
            + "total \(DurationText.short(timing.totalNanoseconds))"
    }

    private func place(_ view: Stats) -> String {
        let file = view.file.isEmpty ? "unknown place" : Printable.text("\(view.file):\(view.line)")
        return "\(file), in \(StoreLabels.full(row.store))" + (row.store.connected ? "" : " (ended)")
    }

    private func hangTexts(_ view: Stats) -> [String] {
        let counted =
            "\(Counted.text(view.hangs.count, "hang")) attributed to it, the last "
            + "\(DurationText.short(view.hangs.lastNanoseconds)), the longest "
            + "\(DurationText.short(view.hangs.worstNanoseconds))"
        return (view.hangs.count == 0 ? [] : [counted])
            + hangs.prefix(Self.shownHangs).map { HangText(hang: $0, now: now).headline.text }
    }
}
