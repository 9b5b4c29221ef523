// SPDX-License-Identifier: MIT
// Compares two exports by view and by reason.

package import RerenderModel
package import RerenderShow

/// What differs between an old export and a new one.
package struct ExportDiff: Sendable {
    /// How a view differs.
    package enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
        /// It was not evaluated before.
        case new
        /// It has more of something than before: evaluations, wasted ones, or hangs.
        case more
        /// It has less of something, and more of nothing.
        case fewer
        /// It is not evaluated any more.
        case gone
        /// It has as much of everything, for other reasons.
        case otherReasons = "other reasons"
    }

    /// One view.
    package struct Change: Hashable, Encodable, Sendable {
        package let kind: Kind
        package let key: ViewKey
        /// Where its probe is now, or was.
        package let place: String
        package let old: Amounts
        package let new: Amounts
        /// Reasons whose counts differ, the largest difference first.
        package let reasons: [ReasonChange]
    }

    /// One reason of a view, with its chain and writer from the export that has more of it; nil where unknown.
    package struct ReasonChange: Hashable, Encodable, Sendable {
        let old: UInt64
        let new: UInt64
        let reason: String
        let chain: String?
        let writer: String?
    }

    /// By kind in the order of ``Kind``, then the largest difference in evaluations first, then by key.
    let changes: [Change]
    /// Views that are in both with the same numbers and reasons.
    package let same: Int
    package let old: Amounts
    package let new: Amounts
    /// Hangs that no view is blamed for.
    let hangsOfNoView: (old: UInt64, new: UInt64)
    /// What costs most in the new one, whether it did before or not; nil where that is not known.
    package let verdict: Verdict?
    /// Why the numbers of either are not all there.
    package let gaps: [String]

    /// Compares two exports; linear in their sizes.
    package init(old: Tally, new: Tally) {
        let keys = Set(old.seen.map(\.key)).union(new.seen.map(\.key))
        let changes = keys.compactMap { Self.change($0, old, new) }
        self.changes = Kind.allCases.flatMap { kind in changes.filter { $0.kind == kind }.sorted(by: Self.isAbove) }
        same = keys.count - changes.count
        (self.old, self.new) = (old.amounts, new.amounts)
        hangsOfNoView = (old.hangsOfNoView, new.hangsOfNoView)
        verdict = new.verdict
        gaps = Self.gaps("OLD", old) + Self.gaps("NEW", new)
    }

    private static func gaps(_ name: String, _ tally: Tally) -> [String] {
        let nothing = tally.processes == 0 ? ["it contains no process"] : []
        return (nothing + tally.gaps).map { "\(name): \($0)" }
    }

    /// Views with more of something than before, the new ones among them.
    var increased: [Change] { changes.filter { $0.kind == .new || $0.kind == .more } }

    /// Whether any count increased: in a view, or hangs without a view.
    package var isIncreased: Bool { !increased.isEmpty || hangsOfNoView.new > hangsOfNoView.old }

    /// Whether both exports hold everything that was counted.
    package var isExact: Bool { gaps.isEmpty }

    private static func isAbove(_ lhs: Change, _ rhs: Change) -> Bool {
        let (leftSize, rightSize) = (
            distance(lhs.old.evaluations, lhs.new.evaluations), distance(rhs.old.evaluations, rhs.new.evaluations)
        )
        return leftSize != rightSize ? leftSize > rightSize : lhs.key < rhs.key
    }

    private static func distance(_ lhs: UInt64, _ rhs: UInt64) -> UInt64 { lhs > rhs ? lhs - rhs : rhs - lhs }

    /// Nil where nothing differs.
    private static func change(_ key: ViewKey, _ oldTally: Tally, _ newTally: Tally) -> Change? {
        let (old, new) = (oldTally.views[key], newTally.views[key])
        let (before, after) = (old?.amounts.compared ?? Amounts(), new?.amounts.compared ?? Amounts())
        let reasons = Self.reasons(old, new, oldTally, newTally)
        let kind: Kind? =
            if before == Amounts() {
                .new
            } else if after == Amounts() {
                .gone
            } else if Measure.ofViews.contains(where: { after[$0] > before[$0] }) {
                .more
            } else if before != after {
                .fewer
            } else {
                reasons.isEmpty ? nil : .otherReasons
            }
        guard let kind else { return nil }
        return Change(
            kind: kind, key: key, place: new?.place ?? old?.place ?? "", old: before, new: after, reasons: reasons)
    }

    private static func reasons(
        _ old: KeyTally?, _ new: KeyTally?, _ oldTally: Tally, _ newTally: Tally
    ) -> [ReasonChange] {
        let texts = Set((old?.reasons ?? []).map(\.reason)).union((new?.reasons ?? []).map(\.reason))
        let changes = texts.compactMap { text -> ReasonChange? in
            let (before, after) = (old?.reason(text), new?.reason(text))
            let (oldCount, newCount) = (before?.count ?? 0, after?.count ?? 0)
            guard oldCount != newCount else { return nil }
            let cause = newCount > oldCount ? after.map(newTally.cause) : before.map(oldTally.cause)
            return cause.map {
                ReasonChange(old: oldCount, new: newCount, reason: $0.reason, chain: $0.chain, writer: $0.writer)
            }
        }
        return changes.sorted {
            let (left, right) = (distance($0.old, $0.new), distance($1.old, $1.new))
            return left != right ? left > right : $0.reason < $1.reason
        }
    }
}

// The result of `rerenderctl diff` in all its forms: sentences, JSON, Markdown, JUnit and annotations.

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
