// SPDX-License-Identifier: MIT
// The corpus as a program: under a sanitizer, in release, stripped. Ends with 1 if a case does not hold.

import CauseCorpus

var failed = 0
for one in Case.all {
    let failures = one.failures()
    if failures.isEmpty { continue }
    failed += 1
    print("\(one.name):")
    for failure in failures { print("  \(failure)") }
}
print("\(Case.all.count - failed) of \(Case.all.count) cases hold")
if failed > 0 { fatalExit() }
