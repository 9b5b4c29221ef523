// SPDX-License-Identifier: MIT
// Programs with probes of their own. The first argument says which one:
//
//     probes jumps longjmp|exception STEP…   bodies are left by a jump (`Jumps.swift`)
//     probes own [ROUNDS]                    views that are injected, too (`OwnProbes.swift`)

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "jumps": Jumps.run(Array(arguments.dropFirst(2)))
case "own": OwnProbes.run(arguments.dropFirst().first.flatMap(Int.init) ?? 3)
default:
    print("usage: probes jumps longjmp|exception STEP..., or probes own [ROUNDS]")
    exit(EX_USAGE)
}
