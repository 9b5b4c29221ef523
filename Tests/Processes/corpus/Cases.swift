// SPDX-License-Identifier: MIT
// Runs the labelled cases and prints those that do not hold.

import CauseCorpus

/// Whether all cases hold. Without names, as in a stripped program, an answer may say less than the label, never else.
func checkCases(areNamesKnown: Bool = true) -> Bool {
    var failed = 0
    for one in Case.all {
        let failures = one.failures(areNamesKnown: areNamesKnown)
        if failures.isEmpty { continue }
        failed += 1
        print("\(one.name):")
        for failure in failures { print("  \(failure)") }
    }
    print("\(Case.all.count - failed) of \(Case.all.count) cases hold")
    return failed == 0
}
