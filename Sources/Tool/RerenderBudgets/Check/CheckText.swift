// SPDX-License-Identifier: MIT
// The text of a check.

import RerenderToolBase

/// The lines that `check` shows.
struct CheckText: Sendable {
    let check: BudgetCheck

    /// What fails first, then the remarks, then the verdict.
    var lines: [StyledLine] {
        let words = CheckSentences(check: check)
        let strict: Style = check.isStrict ? .bad : .notice
        let exceeded = check.exceeded.flatMap { verdict -> [StyledLine] in
            let finding = words.exceeded(verdict)
            return [StyledLine(text: "OVER   \(finding.headline)", style: .bad)]
                + finding.details.map { StyledLine(text: "         \($0.indented)") }
        }
        let remarks = [
            listed("new    ", check.unknown.map(words.unknown), strict),
            listed("absent ", check.absent.map(words.absent), strict),
            listed("slow   ", check.advice.map(words.advice), .notice),
            listed("less   ", check.slack.map(words.slack), .dim),
        ]
        return StyledLine.gaps(check.gaps) + exceeded + remarks.joined()
            + [StyledLine(text: words.summary, style: check.holds ? .good : .bad)]
    }

    private func listed(_ margin: String, _ texts: [String], _ style: Style) -> [StyledLine] {
        let most = CheckSentences.listedNames
        let more = texts.count > most ? ["and \(texts.count - most) more"] : []
        return (texts.prefix(most) + more).map { StyledLine(text: margin + $0, style: style) }
    }
}
