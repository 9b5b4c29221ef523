// SPDX-License-Identifier: MIT
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
