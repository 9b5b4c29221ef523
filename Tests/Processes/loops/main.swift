// SPDX-License-Identifier: MIT
// Real main loops. `loops MODE [CASE]` runs one and prints, as `NAME=VALUE` words, what it counted itself and what the
// monitor says. Cases that end with the process idle answer `state` on stdin.
//
//   glib         plain, evaluate, modal, again, thread, late-poll, removed-poll, pump, inner-wait, inner-idle, bridge, left,
//                outside, iterated, then-runloop, then-main, busy, fork, idle, ticking, cost
//   cfrunloop    plain, modal, again, rows, in-and-out, then-glib, then-main, idle, ticking
//   main         dispatchMain(): idle, moving
//   none         no main loop at all
//
// `loops stall LOOP [MILLISECONDS]` is held up on command (`Stalls/Staller.swift`), `loops busy WHAT ROUNDS` has views that keep it
// busy (`Busy/BusyViews.swift`), and `loops led WHAT MILLISECONDS` one that does so over what is called later (`Busy/LedViews.swift`).

import Glibc

let arguments = CommandLine.arguments.dropFirst()
let runCase = arguments.dropFirst().first ?? "plain"
switch arguments.first {
case "glib": GLibCases.run(runCase)
case "cfrunloop": RunLoopCases.run(runCase)
case "main": DispatchCases.run(runCase)
case "none": DispatchCases.runNothing()
case "stall": Staller.run(Array(arguments.dropFirst()))
case "busy": BusyViews.run(Array(arguments.dropFirst()))
case "led": LedViews.run(Array(arguments.dropFirst()))
default:
    say(
        "usage: loops glib|cfrunloop|main|none [CASE], loops stall LOOP [MILLISECONDS], loops busy WHAT ROUNDS, or "
            + "loops led WHAT MILLISECONDS")
    exit(EX_USAGE)
}
