// SPDX-License-Identifier: MIT
// A check as JUnit: a case for each limit, and one for complete counts.

/// The JUnit document of a check.
extension CheckResult {
    package var junit: JUnitXML {
        var document = JUnitXML(suite: "rerenderctl check \(budget)", cases: [.exactness(check.gaps)], output: costs)
        document.cases += check.verdicts.map { verdict in
            JUnitXML.Case(
                group: verdict.scope.displayName, name: "\(verdict.measure.rawValue) at most \(verdict.most)",
                outcome: outcome(verdict))
        }
        if check.isStrict {
            let new = check.unknown.map { ($0.key.shown, "is in the budget", unknown($0)) }
            let unused = check.absent.map { ($0.displayName, "is evaluated", absent($0)) }
            document.cases += (new + unused).map { group, name, message in
                JUnitXML.Case(group: group, name: name, outcome: .failed(message: message, details: []))
            }
        }
        return document
    }

    private func outcome(_ verdict: BudgetCheck.Verdict) -> JUnitXML.Outcome {
        if verdict.isExceeded {
            let finding = exceeded(verdict)
            return .failed(message: finding.headline, details: finding.details.map(\.indented))
        }
        if case .line(let pattern) = verdict.scope, check.absent.contains(pattern) {
            return .skipped(absent(pattern))
        }
        return .passed
    }
}
