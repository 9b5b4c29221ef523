// SPDX-License-Identifier: MIT
// A check as annotations: limits that are exceeded are errors, what is only said is a warning.

import RerenderShow

/// The annotations of a check.
extension CheckResult {
    package var annotations: [Annotation] {
        let gaps = check.gaps.map { Annotation(.error, .notExact, Printable.text($0)) }
        let over = check.exceeded.map { verdict in
            let finding = exceeded(verdict)
            let lines = [finding.headline] + finding.details.map(\.indented)
            let place = verdict.views.count == 1 ? verdict.views[0].place : ""
            return Annotation(.error, .overBudget, lines.joined(separator: "\n"), place: place)
        }
        let unknown = check.isStrict ? check.unknown : []
        let absent = check.isStrict ? check.absent : []
        return gaps + over
            + unknown.map { Annotation(.error, .notInBudget, self.unknown($0), place: $0.place) }
            + absent.map { Annotation(.error, .neverEvaluated, self.absent($0)) }
            + check.advice.map { Annotation(.warning, .slowBody, advice($0), place: $0.view.place) }
            + (check.tally.verdict?.findings ?? []).filter(\.kind.isMarked).map {
                Annotation(.warning, .costsMost, $0.text, file: $0.file, line: $0.line ?? 0)
            }
    }
}
