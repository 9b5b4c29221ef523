// SPDX-License-Identifier: MIT
// Writes a budget as text that can be reviewed. Equal budgets give equal text.

import FoundationEssentials
import RerenderModel

/// Writes budgets.
enum BudgetText {
    private struct Document: Encodable {
        let version = Budget.currentVersion
        let total: Limits
        let views: [String: Limits]
    }

    private struct Limits: Encodable {
        let bodyP95Nanoseconds, evaluations, hangs: UInt64?
        let note: String?
        let wasted: UInt64?

        init(_ limits: Budget.Limits, note: String? = nil) {
            (bodyP95Nanoseconds, self.note) = (limits.bodyP95Nanoseconds, note)
            (evaluations, hangs) = (limits.most[.evaluations], limits.most[.hangs])
            wasted = limits.most[.wasted]
        }
    }

    /// The file's bytes: keys sorted, a line end last.
    static func of(_ budget: Budget) throws -> [UInt8] {
        let views = budget.views.map { ($0.pattern.text, Limits($0.limits, note: $0.note)) }
        let document = Document(total: Limits(budget.total), views: Dictionary(views) { first, _ in first })
        return Array(try StatsExport.encoder().encode(document)) + [UInt8(ascii: "\n")]
    }
}
