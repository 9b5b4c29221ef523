// SPDX-License-Identifier: MIT
// Runs the labelled cases and prints those that do not hold.

import CauseCorpus

/// Whether no answer is wrong, and few are unknown. Without names, as in a stripped program, an answer may say less than the label,
/// never else.
func checkCases(_ cases: [Case] = Case.all, areNamesKnown: Bool = true) -> Bool {
    var all = Tally()
    for one in cases { all.add(case: one.name, one.tally(areNamesKnown: areNamesKnown)) }
    return report(all, of: "cases", allowsUnknown: !areNamesKnown)
}

/// Runs random programs and prints what was wrong; or the one of a seed, which is printed, too.
func checkRandomPrograms(seed: Int?) -> Bool {
    var all = Tally()
    for number in seed.map({ $0..<($0 + 1) }) ?? 0..<200 {
        let program = RandomProgram(seed: UInt64(number))
        all.add(program.run(isTold: seed == nil))
        if seed != nil { print(program) }
    }
    return report(all, of: "evaluations of random programs")
}

/// Runs programs that go to the bounds of what is kept; or the one of a seed.
func checkBoundPrograms(seed: Int?) -> Bool {
    var all = Tally()
    for number in seed.map({ $0..<($0 + 1) }) ?? 0..<BoundProgram.count {
        let program = BoundProgram(seed: number)
        all.add(program.run())
        if seed != nil { print(program) }
    }
    return report(all, of: "answers to programs at bounds")
}

/// Prints what came of cases, and returns whether that is good enough. `Scripts/corpus` compares the lines of two builds.
func report(_ tally: Tally, of what: String, allowsUnknown: Bool = false) -> Bool {
    for text in tally.wrong { print("wrong: \(text)") }
    for text in tally.unknown { print("unknown: \(text)") }
    print(tally.summary(of: what))
    return allowsUnknown ? tally.wrong.isEmpty : tally.holds
}
