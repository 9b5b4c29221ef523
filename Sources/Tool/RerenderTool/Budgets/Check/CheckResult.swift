// SPDX-License-Identifier: MIT
// The result of `rerenderctl check`, and the sentences that all its forms share.

package import RerenderShow

/// A check in all its forms.
package struct CheckResult: ResultDocument {
    let check: BudgetCheck
    /// The path of the budget.
    let budget: String

    package init(check: BudgetCheck, budget: String) {
        (self.check, self.budget) = (check, budget)
    }

    /// The most views that are named below a limit of several.
    static let namedViews = 3
    /// The most names in a list of views or lines.
    static let listedNames = 20

    package var gaps: [String] { check.gaps }
    package var jsonDocument: some Encodable { CheckJSON(check, budget: budget) }

    /// The first texts, and how many there are besides.
    static func listed(_ texts: [String]) -> [String] {
        let more = texts.count - listedNames
        let rest = more > 0 ? [Counted.rest(more, "entry", "entries", see: "--json")] : []
        return texts.prefix(listedNames) + rest
    }

    /// What fails first, then the remarks, then the verdict.
    package var styledLines: [StyledLine] {
        let strict: Style = check.isStrict ? .bad : .notice
        let over = check.exceeded.flatMap { verdict -> [StyledLine] in
            let finding = exceeded(verdict)
            return [StyledLine(text: "OVER   \(finding.headline)", style: .bad)]
                + finding.details.map { StyledLine(text: "         \($0.indented)") }
        }
        let faults = check.faults.flatMap { found -> [StyledLine] in
            let finding = fault(found)
            return [StyledLine(text: "FAULT  \(finding.headline)", style: .bad)]
                + finding.details.map { StyledLine(text: "         \($0.indented)") }
        }
        let remarks = [
            ("new    ", check.unknown.map(unknown), strict), ("absent ", check.absent.map(absent), strict),
            ("slow   ", check.advice.map(advice), .notice), ("costs  ", costs, .notice),
            ("less   ", check.slack.map(slack), .dim),
        ].flatMap { margin, texts, style in
            Self.listed(texts).map { StyledLine(text: margin + $0, style: style) }
        }
        return StyledLine.gaps(check.gaps) + over + faults + remarks
            + [StyledLine(text: summary, style: check.holds ? .good : .bad)]
    }
}

/// The findings of a check in words; every text is safe to print.
extension CheckResult {
    /// One finding.
    struct Statement: Hashable, Sendable {
        /// The line that states the finding.
        var headline: String
        /// Where, why, and by whom.
        var details: [Detail] = []
    }

    /// A line below a finding.
    struct Detail: Hashable, Sendable {
        var text: String
        /// 1 where it belongs to the line above that has 0.
        var level = 0

        /// With blanks for its level.
        var indented: String { String(repeating: "  ", count: level) + text }
    }

    /// "FormView: 5 evaluations, at most 1 allowed (4 too many)", with reasons and writers.
    func exceeded(_ verdict: BudgetCheck.Verdict) -> Statement {
        let counted = verdict.measure.text(verdict.counted)
        let headline =
            "\(verdict.scope.displayName): \(counted), at most \(verdict.measure.number(verdict.most)) allowed "
            + "(\(verdict.measure.number(verdict.excess)) too \(verdict.measure == .processor ? "much" : "many"))"
        // A single view is named by the headline already; of several, each needs its name.
        let isAlone = verdict.views.count == 1 && verdict.scope != .total
        let named = verdict.views.prefix(Self.namedViews)
        let rest = verdict.views.count - named.count
        let more = rest > 0 ? [Detail(text: Counted.rest(rest, "view", see: "--json"))] : []
        let details = named.flatMap { view -> [Detail] in
            if isAlone { return evidence(view, verdict.measure).map { Detail(text: $0) } }
            let head = "\(view.key.shown): \(verdict.measure.text(view.amounts[verdict.measure]))"
            let isSaid = verdict.scope == .total && isExceeded(view, verdict.measure)
            return [Detail(text: head)]
                + (isSaid ? [] : evidence(view, verdict.measure).map { Detail(text: $0, level: 1) })
        }
        let process = check.tally.quiet.processes[verdict.measure].map { [Detail(text: "in \($0)")] } ?? []
        return Statement(headline: headline, details: details + more + process)
    }

    /// Whether the line of a view says already what there is to say of it.
    private func isExceeded(_ view: KeyTally, _ measure: Measure) -> Bool {
        check.exceeded.contains { verdict in
            verdict.scope != .total && verdict.measure == measure
                && verdict.views.prefix(Self.namedViews).contains { $0.key == view.key }
        }
    }

    /// Where a view is, what kind of waste it has, and its causes.
    private func evidence(_ view: KeyTally, _ measure: Measure) -> [String] {
        var lines = view.place.isEmpty ? [] : ["at \(Printable.text(view.place))"]
        if measure == .hangs { return lines }
        if measure == .wasted { lines += Self.kinds(view) }
        let causes = check.tally.causes(of: view)
        // A summary line for one reason would save nothing.
        let named = causes.count == Tally.namedCauses + 1 ? causes.count : Tally.namedCauses
        lines += causes.prefix(named).map { "why: \($0.text)" }
        let rest = causes.dropFirst(named)
        if !rest.isEmpty {
            let evaluations = rest.reduce(UInt64(0)) { $0.clampedSum($1.count) }
            lines.append("why: \(Counted.grouped(evaluations)) for \(Counted.text(rest.count, "other reason"))")
        }
        return lines
    }

    private static func kinds(_ view: KeyTally) -> [String] {
        let kinds = WasteKind.allCases.compactMap { kind in
            view.kinds[kind].map { count in
                "\(Counted.grouped(count)) \(kind.rawValue)\(kind.isMeasured ? "" : " (inferred)")"
            }
        }
        return kinds.isEmpty ? [] : ["wasted as: \(kinds.joined(separator: ", "))"]
    }

    /// "FieldRow: 95% of its bodies took up to 812µs, recommended: 500µs".
    func advice(_ advice: BudgetCheck.Advice) -> String {
        "\(advice.view.key.shown): 95% of its bodies took up to "
            + "\(DurationText.short(advice.view.bodyP95Nanoseconds)), "
            + "recommended: \(DurationText.short(advice.advisedNanoseconds))"
    }

    /// "TipRow: 4 evaluations, 2 wasted, no hangs; not in the budget".
    func unknown(_ view: KeyTally) -> String {
        "\(view.key.shown): \(view.amounts.text); not in the budget"
    }

    func absent(_ pattern: KeyPattern) -> String {
        pattern.key == nil
            ? "\(pattern.displayName): in the budget, but no matching view was evaluated"
            : "\(pattern.displayName): in the budget, but never evaluated"
    }

    /// "2 findings of the kind "hangs"", with the sentences of those that are named.
    func fault(_ fault: FoundFault) -> Statement {
        Statement(headline: fault.text, details: fault.findings.map { Detail(text: $0) })
    }

    /// What costs most, where something does. That there is nothing to fix would contradict a budget that does not hold.
    var costs: [String] { check.tally.verdict?.costs ?? [] }

    /// "FormView: 1 evaluation of 5 allowed".
    func slack(_ verdict: BudgetCheck.Verdict) -> String {
        "\(verdict.scope.displayName): \(verdict.measure.text(verdict.counted)) of "
            + "\(verdict.measure.number(verdict.most)) allowed"
    }

    /// The verdict over all in one line.
    var summary: String {
        let counted = "\(check.tally.amounts.text) in \(Counted.text(check.tally.processes, "process", "processes"))"
        if check.holds { return "The budget holds: \(counted)." }
        return "The budget does not hold: \(Counted.list(faultNames)); \(counted)."
    }

    private var faultNames: [String] {
        var faults: [String] = []
        if !check.exceeded.isEmpty { faults.append("\(Counted.text(check.exceeded.count, "limit")) exceeded") }
        if !check.faults.isEmpty {
            let kinds = check.faults.map { "\"\($0.kind.rawValue)\"" }
            faults.append("there are findings of the \(kinds.count == 1 ? "kind" : "kinds") \(Counted.list(kinds))")
        }
        if !check.isExact { faults.append("the counts are NOT EXACT") }
        if check.isStrict, !check.unknown.isEmpty {
            faults.append(Counted.text(check.unknown.count, "unknown view"))
        }
        if check.isStrict, !check.absent.isEmpty {
            faults.append("\(Counted.text(check.absent.count, "entry", "entries")) without a view")
        }
        return faults
    }

    package var faults: [String] {
        var lines: [String] = []
        if let first = check.exceeded.first {
            let finding = exceeded(first)
            let others = check.exceeded.count - 1
            lines = [finding.headline] + finding.details.map { "  " + $0.indented }
            if others > 0 { lines.append(Counted.rest(others, "exceeded limit", see: "--json")) }
        }
        for found in check.faults {
            let finding = fault(found)
            lines += [finding.headline] + finding.details.map { "  " + $0.indented }
        }
        guard check.isStrict else { return lines }
        return lines + check.unknown.prefix(Self.namedViews).map(unknown)
            + check.absent.prefix(Self.namedViews).map(absent)
    }

    /// That the check does not hold, in a few words.
    package var verdict: String { "the budget does not hold." }
}

extension ViewKey {
    /// As it may be shown in a sentence, where nothing at all would be overlooked.
    package var shown: String { rawValue.isEmpty ? "\"\"" : displayName }
}

// Compares a run with a budget. Pure: it prints nothing.

/// What came of holding a run against a budget.
package struct BudgetCheck: Sendable {
    /// Whose limits they are.
    enum Scope: Hashable, Sendable {
        case total
        case line(KeyPattern)

        /// As it may be shown.
        var displayName: String {
            switch self {
            case .total: "in total"
            case .line(let pattern): pattern.displayName
            }
        }
    }

    /// One limit and what was counted.
    struct Verdict: Hashable, Sendable {
        let scope: Scope
        let measure: Measure
        let most: UInt64
        let counted: UInt64
        /// The views that were counted, most of the measure first.
        let views: [KeyTally]

        var isExceeded: Bool { counted > most }
        /// How many too many; 0 where it holds.
        var excess: UInt64 { isExceeded ? counted - most : 0 }
    }

    /// A time that is longer than advised.
    package struct Advice: Hashable, Sendable {
        let pattern: KeyPattern
        let view: KeyTally
        let advisedNanoseconds: UInt64
    }

    /// Every limit of the budget, its total first and then by line.
    let verdicts: [Verdict]
    package let advice: [Advice]
    /// Views that were seen and are in no line, by key.
    package let unknown: [KeyTally]
    /// Lines of which no view was seen.
    let absent: [KeyPattern]
    /// Why the counts are not exact; empty where they are.
    package let gaps: [String]
    /// Whether views in no line, and lines without a view, fail the check.
    package let isStrict: Bool
    /// Faults for which the check fails, whatever the budget says.
    package let faults: [FoundFault]
    package let tally: Tally

    /// Holds a run against a budget.
    ///
    /// - Parameters:
    ///   - gaps: What else is known to be missing from the numbers.
    ///   - faults: Faults that were found, and for which it fails.
    package init(
        _ budget: Budget, _ tally: Tally, gaps: [String] = [], isStrict: Bool = false, faults: [FoundFault] = []
    ) {
        let viewsByLine = LineIndex(budget.views).grouped(tally.seen)
        let lines = budget.views.enumerated().map { ($1, viewsByLine[$0] ?? []) }
        verdicts =
            Self.verdicts(.total, budget.total, tally.amounts, tally.seen)
            + lines.flatMap { line, views in
                Self.verdicts(.line(line.pattern), line.limits, views.amounts, views)
            }
        advice = lines.flatMap { line, views -> [Advice] in
            guard let advised = line.limits.bodyP95Nanoseconds else { return [] }
            return views.filter { $0.bodyP95Nanoseconds > advised }
                .map { Advice(pattern: line.pattern, view: $0, advisedNanoseconds: advised) }
        }
        absent = lines.filter(\.1.isEmpty).map(\.0.pattern)
        unknown = viewsByLine[nil] ?? []
        let isUnknown = !tally.quiet.areKnown && budget.total.most.keys.contains { Measure.withoutInput.contains($0) }
        self.gaps =
            (tally.processes == 0 ? [Self.nothing] : isUnknown ? [Self.noLoop] : []) + tally.gaps + gaps
        self.faults = faults
        self.isStrict = isStrict
        self.tally = tally
    }

    private static let nothing =
        "no instrumented process was seen (release builds have no probes, and RERENDER=0 "
        + "disables them)"

    private static let noLoop = "what goes on without input is not known: no process told of its main loop"

    private static func verdicts(
        _ scope: Scope, _ limits: Budget.Limits, _ amounts: Amounts, _ views: [KeyTally]
    ) -> [Verdict] {
        Measure.allCases.compactMap { measure in
            limits.most[measure].map { most in
                let counted = views.filter { $0.amounts[measure] > 0 }.sorted {
                    let (lhs, rhs) = ($0.amounts[measure], $1.amounts[measure])
                    return lhs != rhs ? lhs > rhs : $0.key < $1.key
                }
                return Verdict(
                    scope: scope, measure: measure, most: most, counted: amounts[measure], views: counted)
            }
        }
    }

    /// Limits that do not hold, the largest excess first; those of views before the total's, which say less.
    var exceeded: [Verdict] {
        // Stable: equal ones stay in the order of the budget.
        let exceeded = verdicts.filter(\.isExceeded).sorted { $0.excess > $1.excess }
        return exceeded.filter { $0.scope != .total } + exceeded.filter { $0.scope == .total }
    }

    /// Limits with counts below them, except entries without a view.
    var slack: [Verdict] {
        verdicts.filter { verdict in
            if case .line(let pattern) = verdict.scope, absent.contains(pattern) { return false }
            // What goes on without input differs from run to run.
            return verdict.counted < verdict.most && Measure.ofViews.contains(verdict.measure)
        }
    }

    /// Whether every number is there.
    package var isExact: Bool { gaps.isEmpty }

    /// Whether the run is within the budget, and known to be.
    package var holds: Bool {
        exceeded.isEmpty && isExact && faults.isEmpty && (!isStrict || unknown.isEmpty && absent.isEmpty)
    }
}

extension [KeyTally] {
    /// All of them together.
    package var amounts: Amounts { reduce(into: Amounts()) { $0.add($1.amounts) } }
}
