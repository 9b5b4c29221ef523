// SPDX-License-Identifier: MIT
// A program that counts the bodies of its views itself. With `HAS_NO_VIEWS`, it has those of the framework alone.

import SwiftCrossUI

nonisolated(unsafe) var bodies: [String: Int] = [:]
func note(_ name: String) { bodies[name, default: 0] += 1 }

/// What the program changes from outside.
@MainActor enum Actions {
    static var all: [String: @MainActor (Int) -> Void] = [:]
}

@MainActor
func act(_ action: String, _ number: Int) {
    Actions.all[action]?(number)
    runUpdates()
}

@MainActor
func run() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    #if HAS_NO_VIEWS
        let view = VStack { Group(Text("alone")) }
    #else
        if CommandLine.arguments.contains("panel") { return runPanel(rounds) }
        let view = Root()
    #endif
    let root = ViewGraphNode(for: view, backend: TestBackend(), environment: EnvironmentValues())
    _ = root.layout(ProposedViewSize(80, 25), EnvironmentValues())
    root.commit()
    for round in 1...rounds {
        for action in ["count", "title", "rows"] { act(action, round) }
    }
    // Enough for widgets that are gone to be missed.
    for round in 1...40 { act("count", rounds + round) }
    #if HAS_LOOP
        withExtendedLifetime(root) { runLoop() }
    #endif
    printCounts()
}

#if !HAS_NO_VIEWS
    /// Each round writes what is published, the environment, state to what it is, and state twice in one handler.
    @MainActor
    func runPanel(_ rounds: Int) {
        let root = ViewGraphNode(for: Panel(), backend: TestBackend(), environment: EnvironmentValues())
        func show(_ colour: Int) {
            var environment = EnvironmentValues()
            environment.colour = colour
            _ = root.layout(ProposedViewSize(80, 25), environment)
            root.commit()
        }
        show(0)
        for round in 1...rounds {
            act("publish", round)
            show(round)
            for action in ["same", "both"] { act(action, round) }
        }
        withExtendedLifetime(root) { printCounts() }
    }
#endif

@MainActor
func printCounts() {
    for (name, count) in bodies {
        let nodes = nodeTruth[name] ?? NodeTruth()
        print("\(name)\t\(count)\t\(nodes.live)\t\(nodes.updates)\t\(nodes.layouts)\t\(nodes.commits)")
    }
}
run()
