// SPDX-License-Identifier: MIT
// Explains one view in sentences and lists.

/// Everything that `explain` says of a view.
package struct Explanation: Sendable {
    package let view: Stats
    /// The store that it is in; its views do not matter.
    package let store: ProcessStats
    /// Where a value that a parent passed may come from.
    package var hint: CauseHint?
    /// The latest hang that is attributed to the view.
    package var latestHang: Hang?

    package init(view: Stats, store: ProcessStats, hint: CauseHint? = nil, latestHang: Hang? = nil) {
        (self.view, self.store, self.hint, self.latestHang) = (view, store, hint, latestHang)
    }

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
            + sections.flatMap { [""] + Self.lines($0, width, colours) }
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
        let what = Section("What happens", WhatText.sentences(view, store))
        let why = Section(title: "Why", paragraphs: ReasonText.paragraphs(view, hint))
        guard view.count >= Self.leastEvaluations else { return [what] + (view.count == 0 ? [] : [why]) }
        let moved = Section(title: "If a child read it", paragraphs: RemainingText.paragraphs(view))
        return [what, why, Section("What it costs", CostText.sentences(view, of: store.kind, latest: latestHang))]
            + (moved.paragraphs.isEmpty ? [] : [moved])
            + [Section("What helps", AdviceText.sentences(view, hint, isInCycle: CycleText.has(view.key, store)))]
    }
}

extension Explanation.Section {
    fileprivate init(_ title: String, _ sentences: [String]) {
        self.init(title: title, paragraphs: sentences.map { .init($0) })
    }
}
