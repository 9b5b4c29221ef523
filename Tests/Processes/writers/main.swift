// SPDX-License-Identifier: MIT
// Writers in a program of its own: the corpus, and code at the top level.
// Prints what was named wrong; ends with 1 if anything was.

import Glibc
import Observation
import Rerender
import WriterCorpus

let order = CommandLine.arguments.dropFirst()
if order.count == 2, let count = Int(order[2]) {
    switch order[1] {
    case "emit": emitWrites(count)
    case "cost": measure(count)
    case "fill": fill(count)
    default: print("usage: writers [emit COUNT | cost COUNT | fill COUNT]")
    }
    exit(EXIT_SUCCESS)
}

let corpus = WriterCorpus()
try await corpus.run()
let ticker = Ticker()
@MainActor func recalc() -> Int { ticker.tick += 1; return #line }
await corpus.check("recalc()", file: "writers/main.swift", reading: { _ = ticker.tick }) { recalc() }
await corpus.check("closure #4 in main", file: "writers/main.swift", reading: { _ = ticker.tick }) {
    ticker.tick += 1; return #line
}
for found in corpus.cases where !found.isRight {
    print("expected: \(found.expected)\n but was: \(found.actual)")
}
let right = corpus.cases.count(where: \.isRight)
print("\(right) of \(corpus.cases.count) right")
exit(right == corpus.cases.count ? EXIT_SUCCESS : EXIT_FAILURE)
