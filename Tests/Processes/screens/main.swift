// SPDX-License-Identifier: MIT
// Programs with views on a screen. The first argument says which one:
//
//     screens turns CALLOUT     the turns of a render loop on the main run loop (`Turns`)
//     screens redraws           views that are redrawn on order (`Redraws`)
//     screens reasons           why the loop evaluates views without probes (`LoopReasons.swift`)
//     screens release           what the debugging tools draw and count (`ReleaseScreen.swift`)
//     screens window SCENARIO   the window of the demo, with the trait GTK (`Window`)
//     screens hud               a window with the HUD, with the trait GTK (`HUD`)

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
let argument = arguments.count > 1 ? arguments[1] : ""
switch arguments.first {
case "turns": Turns.run(argument)
case "redraws": Program.run()
case "reasons": LoopReasons.run()
case "release": ReleaseScreen.run()
case "window": WindowProgram.run(argument)
case "hud": HUDHost.run()
default:
    print("usage: screens turns CALLOUT, or screens redraws|reasons|release|hud, or screens window SCENARIO")
    exit(EX_USAGE)
}
