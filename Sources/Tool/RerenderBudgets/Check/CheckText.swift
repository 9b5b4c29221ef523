// SPDX-License-Identifier: MIT
// A check for people.

import RerenderToolBase

/// The lines that `check` shows.
struct CheckText: Sendable {
    let check: BudgetCheck

    /// The lines, broken to fit `width` columns.
    func lines(width: Int, colours: Bool) -> [String] {
        sections.flatMap { section in
            section.flatMap { line in
                Wrap.text(line.text, width: width, cutting: false).map { line.style.apply($0, colours: colours) }
            }
        }
    }

    /// What fails first, then what is said, then the verdict.
    private var sections: [[StyledLine]] {
        let words = CheckSentences(check: check)
        let strict: Style = check.isStrict ? .bad : .notice
        let exceeded = check.exceeded.flatMap { verdict -> [StyledLine] in
            let finding = words.exceeded(verdict)
            return [StyledLine(text: "OVER   \(finding.headline)", style: .bad)]
                + finding.details.map { StyledLine(text: "         \($0.indented)") }
        }
        return [
            check.gaps.map { StyledLine(text: "GAP    \(words.gap($0))", style: .bad) },
            exceeded,
            listed("new    ", check.unknown.map(words.unknown), strict),
            listed("absent ", check.absent.map(words.absent), strict),
            listed("slow   ", check.advice.map(words.advice), .notice),
            listed("less   ", check.slack.map(words.slack), .dim),
            [StyledLine(text: words.summary, style: check.holds ? .good : .bad)],
        ]
    }

    private func listed(_ margin: String, _ texts: [String], _ style: Style) -> [StyledLine] {
        let most = CheckSentences.listedNames
        let more = texts.count > most ? ["and \(texts.count - most) more"] : []
        return (texts.prefix(most) + more).map { StyledLine(text: margin + $0, style: style) }
    }
}
