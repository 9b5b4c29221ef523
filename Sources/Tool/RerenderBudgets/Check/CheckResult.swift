// SPDX-License-Identifier: MIT
// The result of `rerenderctl check` in every form.

package import RerenderToolBase

/// A check in all its forms.
package struct CheckResult: ResultDocument {
    let check: BudgetCheck
    /// The path of the budget.
    let budget: String

    package init(check: BudgetCheck, budget: String) {
        (self.check, self.budget) = (check, budget)
    }

    package var styledLines: [StyledLine] { CheckText(check: check).lines }
    package var jsonDocument: some Encodable { CheckJSON(check, budget: budget) }
    package var markdown: String { CheckMarkdown(check: check, budget: budget).text }
    package var junit: JUnitXML { CheckJUnit.document(check, budget: budget) }
}
