// SPDX-License-Identifier: MIT
// A finding with its view, reasons, writers and versions, as Markdown for a bug tracker.

import RerenderShow

/// What somebody who gets a report of a bug asks for first.
struct IssueReport: Sendable {
    /// What the user calls the view; empty where the finding is of none.
    let name: String
    /// What was found; nil where the user named a view that no finding names.
    let finding: Verdict.Finding?
    /// The view that it is about; nil where it is of none, or where that was never evaluated.
    let view: Stats?
    /// The store of the view, whose other views do not matter; nil without a view.
    let store: ProcessStats?
    /// Versions and the system, a sentence each.
    let facts: [String]

    /// The most reasons that are listed, and the most writers of each.
    private static let most = (reasons: 8, writers: 3)

    /// The document, a line end last.
    var markdown: Markdown { (lines + [""]).joined(separator: "\n") }

    private var lines: [Markdown] {
        let title: [Markdown] = ["### \(finding.map { MangledNames.readable($0.text) } ?? name)", ""]
        let system: [Markdown] = ["**Versions and system**", ""]
        return title + row + happening + reasons + system + Markdown.items(facts)
    }

    private var row: [Markdown] {
        guard let view, let store else { return [] }
        let isWidget = store.kind == .widgets
        let wasted =
            view.wasted.count == 0 ? "0" : "\(Counted.grouped(view.wasted.count)) (\(share(view.wasted.count)))"
        let cells: [Markdown] = [
            .code(view.key.displayName), Markdown(Counted.grouped(view.count)), Markdown(wasted),
            Markdown(DurationText.short(view.ownNanoseconds)), Markdown(Counted.grouped(view.instances)),
            Markdown(Counted.grouped(view.hangs.count)),
        ]
        let header: [Markdown] = [
            isWidget ? "widget" : "view", isWidget ? "drawn" : "evaluated", "wasted", "self", "instances", "hangs",
        ]
        let place: [Markdown] = view.file.isEmpty ? [] : ["At \(.code("\(view.file):\(view.line)")).", ""]
        return Markdown.table(header, [cells], isNumeric: true) + [""] + place
    }

    private func share(_ count: UInt64) -> String { Percent.text(count, of: view?.updates ?? 0) }

    /// How often it runs, and what goes on without input.
    private var happening: [Markdown] {
        guard let view, let store else { return [] }
        return Markdown.items(WhatText.sentences(view, store)) + [""]
    }

    private var reasons: [Markdown] {
        guard let view, !view.reasons.isEmpty else { return [] }
        let all = view.reasons.sorted(by: ReasonCount.byCount)
        let items = all.prefix(Self.most.reasons).flatMap { reason -> [Markdown] in
            let share = Percent.text(reason.count, of: view.count)
            let name = MangledNames.readable(reason.reason)
            let head: Markdown = "- \(Counted.grouped(reason.count)) (\(share)) \(.code(name))"
            let writers = reason.writers.prefix(Self.most.writers).map { writer -> Markdown in
                let name = writer.writer == Reason.other ? "others" : MangledNames.readable(writer.writer)
                return "  - written by \(.code(name)) (\(Counted.grouped(writer.count)))"
            }
            return [head] + writers
        }
        let left = all.count - Self.most.reasons
        let more: [Markdown] = left > 0 ? ["- \(Counted.text(left, "more reason"))"] : []
        return ["**Why**", ""] + items + more + [""]
    }
}
