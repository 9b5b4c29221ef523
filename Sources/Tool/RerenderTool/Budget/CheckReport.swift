// SPDX-License-Identifier: MIT
// The result of `rerenderctl check` in every form.

/// A check in all its forms.
struct CheckReport: Report {
    let check: BudgetCheck
    /// The path of the budget.
    let budget: String

    func lines(width: Int, colours: Bool) -> [String] { CheckText(check: check).lines(width: width, colours: colours) }
    func json() throws -> String { try CheckJSON(check, budget: budget).text() }
    var markdown: String { CheckMarkdown(check: check, budget: budget).text }
    var junit: JUnitXML { CheckJUnit.document(check, budget: budget) }
}
