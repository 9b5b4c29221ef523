// SPDX-License-Identifier: MIT
// The labelled cases as a program: under a sanitizer, in release, stripped. Prints what is wrong, and ends with 1 if anything is.
//
//     corpus [cases [NAME] | lookalikes | random [SEED] | bounds [SEED] | types | stripped | reasons | threads [ROUNDS] | churn COUNT]
//     corpus writers    writers in a program of its own, and in code at the top level

import Glibc
import Observation
import Rerender
import WriterCorpus

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first != "writers" { runCauses(arguments) }

// One of the checks names the fourth closure of this file. No other may stand above them.
let writers = WriterCorpus()
try await writers.run()
let ticker = Ticker()
@MainActor func recalc() -> Int { ticker.tick += 1; return #line }
await writers.check("recalc()", file: "corpus/main.swift", reading: { _ = ticker.tick }) { recalc() }
await writers.check("closure #4 in main", file: "corpus/main.swift", reading: { _ = ticker.tick }) {
    ticker.tick += 1; return #line
}
for found in writers.cases where !found.isRight {
    print("expected: \(found.expected)\n but was: \(found.actual)")
}
let right = writers.cases.count(where: \.isRight)
print("\(right) of \(writers.cases.count) right")
exit(right == writers.cases.count ? EXIT_SUCCESS : EXIT_FAILURE)
