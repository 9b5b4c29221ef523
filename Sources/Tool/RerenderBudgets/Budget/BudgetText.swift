// SPDX-License-Identifier: MIT
// Writes a budget as text that can be reviewed. Equal budgets give equal text.

import RerenderQuery

/// Writes budgets.
enum BudgetText {
    /// The file's bytes: keys sorted, a line end last.
    static func of(_ budget: Budget) -> [UInt8] {
        var json = JSONText(.pretty)
        json.object { json in
            json.key("total")
            json.limits(budget.total, note: nil)
            json.member("version", Budget.currentVersion)
            json.key("views")
            json.object { json in
                for line in budget.views.sorted(by: { $0.pattern < $1.pattern }) {
                    json.key(line.pattern.text)
                    json.limits(line.limits, note: line.note)
                }
            }
        }
        json.endLine()
        return json.take()
    }
}

extension JSONText {
    fileprivate mutating func limits(_ limits: Budget.Limits, note: String?) {
        object { json in
            if let time = limits.bodyP95Nanoseconds { json.member("bodyP95Nanoseconds", time) }
            if let most = limits.most[.evaluations] { json.member(Measure.evaluations.rawValue, most) }
            if let most = limits.most[.hangs] { json.member(Measure.hangs.rawValue, most) }
            if let note { json.member("note", note) }
            if let most = limits.most[.wasted] { json.member(Measure.wasted.rawValue, most) }
        }
    }
}
