// SPDX-License-Identifier: MIT
// The lines below an open row.

import RerenderPresentation
import RerenderToolBase

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

    /// Longer lines are hard to read.
    private static let widest = 140
    private static let shownHangs = 3

    /// The lines, each at most `width` columns wide.
    func lines(width: Int) -> [TopLine] {
        blocks.flatMap { block in
            block.paragraphs.enumerated().flatMap { number, paragraph in
                Self.lines(number == 0 ? block.label : "", paragraph, width)
            }
        }
    }

    private static func lines(_ label: String, _ paragraph: Explanation.Paragraph, _ width: Int) -> [TopLine] {
        let isNarrow = width < 60
        let indent = isNarrow ? 2 : 4
        // The paragraphs of `explain` begin two columns to the right of its margin.
        let own = max(0, min(paragraph.indent - 2, width / 12))
        let start = indent + (isNarrow ? 6 : 7) + own
        let room = max(8, min(width, widest) - start)
        return Wrap.lines(paragraph.text, width: room, indent: 2).enumerated().map { number, text in
            var line = TopLine(width)
            line.pad(to: indent)
            if number == 0 { line.add(label, .dim) }
            line.pad(to: start)
            line.add(text)
            return line
        }
    }

    private var blocks: [(label: String, paragraphs: [Explanation.Paragraph])] {
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
        // The guess comes below its reason, which is the first or follows `initial`.
        return [("why", ReasonText.paragraphs(view, hint))] + sentences.map { ($0, $1.map { .init($0) }) }
    }

    private static func times(_ timing: Timing) -> String {
        "last \(DurationText.short(timing.lastNanoseconds)), average \(DurationText.short(timing.averageNanoseconds)), "
            + "longest \(DurationText.short(timing.maxNanoseconds)), total \(DurationText.short(timing.totalNanoseconds))"
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

extension TopModel {
    /// The detail lines of the open row, if its data is known.
    var detailLines: [TopLine] {
        guard let row = expandedRow, let sample else { return [] }
        let hangs = sample.hangsOfProcess.filter { $0.isBlamed(on: row.view.key, of: row.store) }
        let detail = TopDetail(
            row: row, hangs: hangs, hint: CauseHints(sample.rows).hint(row), load: rates.load(of: TopRowID(row)),
            now: sample.at)
        return detail.lines(width: size.columns)
    }
}
