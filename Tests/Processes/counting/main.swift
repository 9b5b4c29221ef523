// SPDX-License-Identifier: MIT
// Instrumented processes that keep their own count of what they evaluate. The first argument says which one:
//
//     counting steady COUNT          evaluates so often at each signal, and idles between (`Steady.swift`)
//     counting chaos LEDGER THREADS  evaluates all the time, and is ended in every way (`Chaos.swift`)
//     counting copies                loads plug-ins, each with a copy of the library of its own (`Copies.swift`)
//     counting [ORDER…]              evaluates on order (`Orders.swift`)

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "steady": Steady.run(Array(arguments.dropFirst()))
case "chaos": Chaos.run(Array(arguments.dropFirst()))
case "copies": Copies.run(Array(arguments.dropFirst()))
default: Orders.run(arguments)
}
