// SPDX-License-Identifier: MIT
// The result of `rerenderctl check`; each form that it can be written in is an extension.

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
        let more = texts.count > listedNames ? ["and \(texts.count - listedNames) more"] : []
        return texts.prefix(listedNames) + more
    }

    /// What fails first, then the remarks, then the verdict.
    package var styledLines: [StyledLine] {
        let strict: Style = check.isStrict ? .bad : .notice
        let over = check.exceeded.flatMap { verdict -> [StyledLine] in
            let finding = exceeded(verdict)
            return [StyledLine(text: "OVER   \(finding.headline)", style: .bad)]
                + finding.details.map { StyledLine(text: "         \($0.indented)") }
        }
        let remarks = [
            ("new    ", check.unknown.map(unknown), strict), ("absent ", check.absent.map(absent), strict),
            ("slow   ", check.advice.map(advice), .notice), ("costs  ", costs, .notice),
            ("less   ", check.slack.map(slack), .dim),
        ].flatMap { margin, texts, style in
            Self.listed(texts).map { StyledLine(text: margin + $0, style: style) }
        }
        return StyledLine.gaps(check.gaps) + over + remarks
            + [StyledLine(text: summary, style: check.holds ? .good : .bad)]
    }
}
