// SPDX-License-Identifier: MIT
// A check as test cases: one for each limit, one for the numbers being all there.

/// The JUnit document of a check.
enum CheckJUnit {
    static func document(_ check: BudgetCheck, budget: String) -> JUnitXML {
        let words = CheckSentences(check: check)
        var document = JUnitXML(suite: "rerenderctl check \(budget)")
        document.cases.append(exactness(check, words))
        document.cases += check.verdicts.map { verdict in
            JUnitXML.Case(
                group: verdict.scope.displayName, name: "\(verdict.measure.rawValue) at most \(verdict.most)",
                outcome: outcome(verdict, check, words))
        }
        if check.isStrict {
            document.cases += check.unknown.map { view in
                JUnitXML.Case(
                    group: view.key.shown, name: "is in the budget",
                    outcome: .failed(message: words.unknown(view), details: []))
            }
            document.cases += check.absent.map { pattern in
                JUnitXML.Case(
                    group: pattern.displayName, name: "is evaluated",
                    outcome: .failed(message: words.absent(pattern), details: []))
            }
        }
        return document
    }

    private static func exactness(_ check: BudgetCheck, _ words: CheckSentences) -> JUnitXML.Case {
        let outcome: JUnitXML.Outcome =
            check.isExact
            ? .passed : .failed(message: "the numbers are not exact", details: check.gaps.map(words.gap))
        return JUnitXML.Case(group: "rerender", name: "every evaluation is counted", outcome: outcome)
    }

    private static func outcome(
        _ verdict: BudgetCheck.Verdict, _ check: BudgetCheck, _ words: CheckSentences
    ) -> JUnitXML.Outcome {
        if verdict.isExceeded {
            let finding = words.exceeded(verdict)
            return .failed(message: finding.headline, details: finding.details.map(\.indented))
        }
        if case .line(let pattern) = verdict.scope, check.absent.contains(pattern) {
            return .skipped(words.absent(pattern))
        }
        return .passed
    }
}
