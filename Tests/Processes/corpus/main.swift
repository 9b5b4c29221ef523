// SPDX-License-Identifier: MIT
// The corpus as a program: under a sanitizer, in release, stripped. Ends with 1 if something does not hold.

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let holds: Bool
switch (arguments.first ?? "cases", arguments.count > 1 ? Int(arguments[1]) : nil) {
case ("cases", nil): holds = checkCases()
case ("stripped", nil): holds = checkCases(areNamesKnown: false)
case ("reasons", nil): holds = printReasons()
case ("threads", let rounds): holds = checkThreads(rounds: rounds ?? 2_000)
case ("churn", let count?) where count >= 10: holds = churn(count)
default:
    print("usage: corpus [cases | stripped | reasons | threads [ROUNDS] | churn COUNT]")
    exit(EX_USAGE)
}
exit(holds ? EXIT_SUCCESS : EXIT_FAILURE)
