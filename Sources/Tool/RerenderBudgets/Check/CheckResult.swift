// SPDX-License-Identifier: MIT
// The result of `rerenderctl check` in every form.

/// A check in all its forms.
package struct CheckResult: ResultDocument {
    package let check: BudgetCheck
    /// The path of the budget.
    package let budget: String

    package init(check: BudgetCheck, budget: String) {
        (self.check, self.budget) = (check, budget)
    }

    package func lines(width: Int, colours: Bool) -> [String] {
        CheckText(check: check).lines(width: width, colours: colours)
    }
    package func json() throws -> String { try CheckJSON(check, budget: budget).text() }
    package var markdown: String { CheckMarkdown(check: check, budget: budget).text }
    package var junit: JUnitXML { CheckJUnit.document(check, budget: budget) }
}
