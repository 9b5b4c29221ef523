// SPDX-License-Identifier: MIT
// A check as JUnit: a case for each limit, and one for complete counts.

/// The JUnit document of a check.
enum CheckJUnit {
    static func document(_ check: BudgetCheck, budget: String) -> JUnitXML {
        let words = CheckSentences(check: check)
        var document = JUnitXML(suite: "rerenderctl check \(budget)")
        document.cases.append(.exactness(check.gaps))
        document.cases += check.verdicts.map { verdict in
            JUnitXML.Case(
                group: verdict.scope.displayName, name: "\(verdict.measure.rawValue) at most \(verdict.most)",
                outcome: outcome(verdict, check, words))
        }
        if check.isStrict {
            let unknown = check.unknown.map { ($0.key.shown, "is in the budget", words.unknown($0)) }
            let absent = check.absent.map { ($0.displayName, "is evaluated", words.absent($0)) }
            document.cases += (unknown + absent).map { group, name, message in
                JUnitXML.Case(group: group, name: name, outcome: .failed(message: message, details: []))
            }
        }
        return document
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
