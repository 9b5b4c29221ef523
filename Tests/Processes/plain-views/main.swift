// SPDX-License-Identifier: MIT
// Programs with views that know nothing of Rerender.
//
//     plain-views                           evaluates a view on order (`Labels.swift`)
//     plain-views polled                    the same, and waits for orders in `poll`, as a main loop does
//     plain-views jumps longjmp|exception   bodies are left by a jump (`Jumpers.swift`)

/// As frameworks have it.
protocol View {
    associatedtype Body
    var body: Body { get }
}

switch CommandLine.arguments.dropFirst().first {
case "jumps": Jumpers.run()
case "polled": Labels.run(polls: true)
default: Labels.run()
}
