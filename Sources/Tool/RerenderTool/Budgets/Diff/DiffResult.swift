// SPDX-License-Identifier: MIT
// The result of `rerenderctl diff` in all its forms: sentences, JSON, Markdown, JUnit and annotations.

package import RerenderShow

/// A comparison in all its forms.
package struct DiffResult: ResultDocument {
    let diff: ExportDiff
    /// The paths of the exports.
    let old: String
    let new: String

    package init(diff: ExportDiff, old: String, new: String) {
        (self.diff, self.old, self.new) = (diff, old, new)
    }

    /// The most views that are shown of a kind.
    static let listedViews = 50
    /// The most reasons that are shown of a view.
    static let listedReasons = 5

    package var gaps: [String] { diff.gaps }
    package var jsonDocument: some Encodable { DiffJSON(diff) }

    /// The views by kind of change, then the summary.
    package var styledLines: [StyledLine] {
        let changes = ExportDiff.Kind.allCases.flatMap(lines)
        let hangs = hangsOfNoView.map { StyledLine(text: "hangs  \($0)", style: .notice) }
        let costs = costs.map { StyledLine(text: "costs  \($0)", style: .notice) }
        return StyledLine.gaps(diff.gaps) + changes + hangs + costs + [StyledLine(text: summary)]
    }

    private func lines(_ kind: ExportDiff.Kind) -> [StyledLine] {
        let changes = diff.changes.filter { $0.kind == kind }
        let margin = Fit.pad(kind == .otherReasons ? "why" : kind.rawValue, 7, toTheRight: false)
        let style: Style =
            switch kind {
            case .new, .more: .bad
            case .fewer, .gone: .good
            case .otherReasons: .notice
            }
        let shown = changes.prefix(Self.listedViews).flatMap { change in
            [StyledLine(text: margin + headline(change), style: style)]
                + details(change).map { StyledLine(text: "         \($0)") }
        }
        let rest = changes.count - Self.listedViews
        return shown + (rest > 0 ? [StyledLine(text: margin + Counted.rest(rest, "view", see: "--json"))] : [])
    }
}

/// The findings of a comparison in words; every text is safe to print.
extension DiffResult {
    /// "FormView: 1 → 5 evaluations, 0 → 4 wasted"; "…, 0 → 4 wasted (0 → 3 of them inferred)".
    func headline(_ change: ExportDiff.Change) -> String {
        let (old, new) = (change.old.inferred, change.new.inferred)
        let inferred = old == new ? "" : " (\(Counted.grouped(old)) → \(Counted.grouped(new)) of them inferred)"
        let amounts = Measure.ofViews.compactMap { measure -> String? in
            let (old, new) = (change.old[measure], change.new[measure])
            let more = measure == .wasted ? inferred : ""
            guard old != new || measure == .evaluations || !more.isEmpty else { return nil }
            return old == new
                ? "\(Counted.grouped(new)) \(measure.rawValue)\(more)"
                : "\(Counted.grouped(old)) → \(Counted.grouped(new)) \(measure.rawValue)\(more)"
        }
        return "\(change.key.shown): \(amounts.joined(separator: ", "))"
    }

    /// Where the view is, and the reasons that differ.
    func details(_ change: ExportDiff.Change) -> [String] {
        let place = change.place.isEmpty ? [] : ["at \(Printable.text(change.place))"]
        let reasons = change.reasons.prefix(Self.listedReasons).map(reason)
        let rest = change.reasons.count - reasons.count
        return place + reasons + (rest > 0 ? [Counted.rest(rest, "reason", see: "--json")] : [])
    }

    /// "model.text: 0 → 4, written by FormModel.text.setter Form.swift:20".
    private func reason(_ change: ExportDiff.ReasonChange) -> String {
        "\(Printable.text(change.reason)): \(Counted.grouped(change.old)) → \(Counted.grouped(change.new))"
            + Cause.origin(chain: change.chain, writer: change.writer)
    }

    /// Hangs of no view, where their number differs; at most one text.
    var hangsOfNoView: [String] {
        let (old, new) = diff.hangsOfNoView
        return old == new ? [] : ["hangs without a view: \(Counted.grouped(old)) → \(Counted.grouped(new))"]
    }

    /// What costs most now, where something does.
    var costs: [String] { diff.verdict?.costs ?? [] }

    /// Everything in one line.
    var summary: String {
        let counts = ExportDiff.Kind.allCases.compactMap { kind -> String? in
            let count = diff.changes.count { $0.kind == kind }
            guard count > 0 else { return nil }
            return kind == .otherReasons ? "\(count) for other reasons" : "\(Counted.grouped(count)) \(kind.rawValue)"
        }
        let changes = counts.isEmpty ? "nothing differs" : counts.joined(separator: ", ")
        let total = "\(diff.old.text) → \(diff.new.text)"
        return "\(Counted.text(diff.changes.count + diff.same, "view")): \(changes). \(total)."
    }

    package var faults: [String] {
        let increased = diff.increased
        let first = increased.first.map { [headline($0)] + details($0).map { "  " + $0 } } ?? []
        let more = increased.count > 1 ? [Counted.rest(increased.count - 1, "view", see: "--json")] : []
        return first + more + (diff.hangsOfNoView.new > diff.hangsOfNoView.old ? hangsOfNoView : [])
    }

    package var verdict: String {
        guard diff.isIncreased else { return "the exports cannot be compared: their counts are NOT EXACT." }
        return diff.increased.isEmpty
            ? "there are more hangs than before."
            : "\(Counted.text(diff.increased.count, "view")) cost more than before."
    }
}

/// The Markdown that `diff --markdown` writes, its JUnit document and its annotations.
extension DiffResult {
    package var markdownLines: [Markdown] {
        let mark = diff.isIncreased ? "❌" : diff.isExact ? "✅" : "⚠️"
        let hangs = hangsOfNoView.flatMap { ["- \($0)", ""] as [Markdown] }
        return ["### \(mark) Render comparison", "", Markdown(summary), ""] + Markdown.gaps(diff.gaps)
            + markdownTable + hangs + markdownDetails
            + (costs.isEmpty
                ? [] : Markdown.folded("Costs most (\(costs.count))", Markdown.items(costs)))
    }

    private var shown: [ExportDiff.Change] { Array(diff.changes.prefix(Self.listedViews)) }

    private var markdownTable: [Markdown] {
        guard !shown.isEmpty else { return [] }
        let rows = shown.map { change in
            [Markdown.code(change.key.shown), Markdown(change.kind.rawValue)]
                + Measure.ofViews.map { Self.cell(change.old[$0], change.new[$0]) }
        }
        let rest = diff.changes.count - shown.count
        return Markdown.table(["view", "", "evaluations", "wasted", "hangs"], rows, isNumeric: false)
            + (rest > 0 ? ["", Markdown(Counted.rest(rest, "view", see: "--json"))] : []) + [""]
    }

    private var markdownDetails: [Markdown] {
        let lines = shown.filter { !$0.reasons.isEmpty }.flatMap { change -> [Markdown] in
            ["- \(.code(change.key.shown))"] + details(change).map { "  - \($0)" }
        }
        return lines.isEmpty ? [] : Markdown.folded("Reasons and writers", lines)
    }

    private static func cell(_ old: UInt64, _ new: UInt64) -> Markdown {
        old == new ? Markdown(Counted.grouped(new)) : "\(Counted.grouped(old)) → \(Counted.grouped(new))"
    }

    /// A case for each view that differs, which fails where it has more of something.
    package var junit: JUnitXML {
        let suite = ["rerenderctl diff", old, new].joined(separator: " ")
        var document = JUnitXML(suite: suite, cases: [.exactness(diff.gaps)], output: costs)
        document.cases += diff.changes.map { change in
            let isMore = change.kind == .new || change.kind == .more
            return JUnitXML.Case(
                group: change.key.shown, name: "costs no more than before",
                outcome: isMore ? .failed(message: headline(change), details: details(change)) : .passed)
        }
        document.cases += hangsOfNoView.map { hangs in
            let isMore = diff.hangsOfNoView.new > diff.hangsOfNoView.old
            return JUnitXML.Case(
                group: "rerender", name: "no more hangs without a view",
                outcome: isMore ? .failed(message: hangs, details: []) : .passed)
        }
        return document
    }

    /// What costs more than before, where it does; an increase is a fault only where `--fail-on-increase` says so.
    package var annotations: [Annotation] {
        diff.gaps.map { Annotation(.error, .notExact, Printable.text($0)) }
            + diff.increased.map { change in
                let lines = [headline(change)] + details(change)
                return Annotation(.warning, .costsMore, lines.joined(separator: "\n"), place: change.place)
            }
    }
}

/// The document that `diff --json` prints; more fields may be added within version 1.
struct DiffJSON: Encodable, Sendable {
    let version = 1
    let exact: Bool
    let gaps: [String]
    let increased: Int
    let same: Int
    let old: Amounts
    let new: Amounts
    let hangsOfNoView: Counts
    let changes: [ExportDiff.Change]
    let verdict: Verdict?

    /// A count before and after.
    struct Counts: Encodable, Sendable {
        let old: UInt64
        let new: UInt64
    }

    init(_ diff: ExportDiff) {
        (exact, gaps, increased, same) = (diff.isExact, diff.gaps, diff.increased.count, diff.same)
        (old, new, changes) = (diff.old, diff.new, diff.changes)
        verdict = diff.verdict
        hangsOfNoView = Counts(old: diff.hangsOfNoView.old, new: diff.hangsOfNoView.new)
    }
}
