// SPDX-License-Identifier: MIT
// Parts of the daemon by themselves, and an app that speaks its wire. The first argument says which one:
//
//     daemon-lab priority [--embedded] [--spin]   a thread that obtains priority (`Priority.swift`)
//     daemon-lab notifier                         notifications of hangs (`Notifier.swift`)
//     daemon-lab wire …                           an app without the library, and crowds of them (`WireApp.swift`)

import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "priority": Priority.run(arguments)
case "notifier": Notifier.run()
case "wire" where arguments.count > 1: try WireApp.run(Array(arguments.dropFirst()))
default:
    print("usage: daemon-lab priority [--embedded] [--spin], or daemon-lab notifier, or daemon-lab wire ARGUMENT...")
    exit(EX_USAGE)
}
