// SPDX-License-Identifier: MIT
// Makes a budget from a run, or updates one.

/// Makes budgets from runs.
package enum BudgetUpdate {
    /// The budget that this run keeps exactly.
    ///
    /// Of an old budget its globs stay, and so do notes, advised times and which measures a line limits; numbers become
    /// the run's. Lines of keys that were not seen go, and views in no line get one.
    package static func budget(from tally: Tally, old: Budget?) -> Budget {
        var budget = Budget()
        budget.total = old?.total.refreshed(tally.amounts) ?? .exactly(tally.amounts)
        let lines = old?.views ?? []
        let viewsByLine = LineIndex(lines).grouped(tally.seen)
        for view in viewsByLine[nil] ?? [] {
            budget.views.append(Budget.Line(pattern: KeyPattern(exactly: view.key), limits: .exactly(view.amounts)))
        }
        for (index, line) in lines.enumerated() {
            let views = viewsByLine[index] ?? []
            guard !views.isEmpty || line.pattern.key == nil else { continue }
            var line = line
            line.limits = line.limits.refreshed(views.amounts)
            budget.views.append(line)
        }
        budget.views.sort { $0.pattern < $1.pattern }
        return budget
    }
}
