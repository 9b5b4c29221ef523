// SPDX-License-Identifier: MIT
// A program that counts the bodies of its views itself.

import SwiftCrossUI

nonisolated(unsafe) var bodies: [String: Int] = [:]
func note(_ name: String) { bodies[name, default: 0] += 1 }

/// What the program changes from outside.
@MainActor enum Actions {
    static var all: [String: @MainActor (Int) -> Void] = [:]
}

struct Root: View {
    @State var heading = "a"
    var body: Pair<Header, Row> {
        note("Root")
        Actions.all["heading"] = { heading = "t\($0)" }
        return Pair(Header(text: heading), Row(number: 1))
    }
}

struct Header: View {
    let text: String
    @State var count = 0
    var body: Pair<Text, Text> {
        note("Header")
        Actions.all["count"] = { count = $0 }
        return Pair(Text(text), Text("\(count)"))
    }
}

struct Row: View {
    let number: Int
    var body: Text {
        note("Row")
        return Text("row \(number)")
    }
}

@MainActor
func run() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    let root = ViewGraphNode(for: Root(), TestBackend())
    _ = root.layout()
    root.commit()
    for round in 1...rounds {
        for action in ["count", "heading"] { Actions.all[action]?(round) }
    }
    #if HAS_LOOP
        withExtendedLifetime(root) { runLoop() }
    #endif
    for (name, count) in bodies {
        let nodes = nodeTruth[name] ?? NodeTruth()
        print("\(name)\t\(count)\t\(nodes.live)\t\(nodes.updates)\t\(nodes.layouts)\t\(nodes.commits)")
    }
}
run()
