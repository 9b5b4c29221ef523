// SPDX-License-Identifier: MIT
// The cases of causes by their names on the command line.

import CauseCorpus
import Glibc

/// Runs what the arguments name, and ends the process.
func runCauses(_ arguments: [String]) -> Never {
    let name = arguments.count > 1 ? arguments[1] : ""
    let holds: Bool
    switch (arguments.first ?? "cases", Int(name)) {
    // One alone: the way to look at one that ends the process.
    case ("cases", nil): holds = checkCases(Case.all.filter { name.isEmpty || $0.name.hasPrefix(name) })
    case ("stripped", nil): holds = checkCases(areNamesKnown: false)
    case ("lookalikes", nil): holds = checkCases(Case.lookalikes)
    case ("random", let seed): holds = checkRandomPrograms(seed: seed)
    case ("bounds", let seed): holds = checkBoundPrograms(seed: seed)
    case ("types", nil): holds = checkTypes()
    case ("reasons", nil): holds = printReasons()
    case ("threads", let rounds): holds = checkThreads(rounds: rounds ?? 2_000)
    case ("churn", let count?) where count >= 10: holds = churn(count)
    default:
        print(
            "usage: corpus [cases [NAME] | lookalikes | random [SEED] | bounds [SEED] | types | stripped | reasons | threads [ROUNDS] | churn COUNT | writers]"
        )
        exit(EX_USAGE)
    }
    exit(holds ? EXIT_SUCCESS : EXIT_FAILURE)
}
