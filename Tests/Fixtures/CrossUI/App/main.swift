// SPDX-License-Identifier: MIT
// A program with views of its own that counts their bodies itself.

import SwiftCrossUI

nonisolated(unsafe) var bodies: [String: Int] = [:]
func note(_ name: String) { bodies[name, default: 0] += 1 }

/// What the program changes from outside.
@MainActor enum Actions {
    static var all: [String: @MainActor (Int) -> Void] = [:]
}

struct Root: View {
    @State var title = "a"
    @State var rows = 3
    var body: some View {
        let _ = note("Root")
        let _ = Actions.all["title"] = { title = "t\($0)" }
        let _ = Actions.all["rows"] = { rows = 3 + $0 % 5 }
        Header(title: title)
        Rows(count: rows)
    }
}

struct Header: View {
    let title: String
    @State var count = 0
    var body: some View {
        let _ = note("Header")
        let _ = Actions.all["count"] = { count = $0 }
        Text("\(title) \(count)")
        VStack {
            Group(Part(text: "left"))
            Group(Part(text: title))
        }
    }
}

/// Has no node: `Group` shows it in its own.
struct Part: View {
    let text: String
    var body: some View {
        let _ = note("Part")
        Text(text)
    }
}

struct Rows: View {
    let count: Int
    var body: some View {
        let _ = note("Rows")
        ForEach((0..<count).map { Row(number: $0) })
    }
}

struct Row: View {
    let number: Int
    var body: some View {
        let _ = note("Row")
        Text("row \(number)")
        Badge(number: number)
    }
}

struct Badge: View {
    let number: Int
    var body: some View {
        let _ = note("Badge")
        Text("\(number)")
    }
}

@MainActor
func run() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
    let root = ViewGraphNode(for: Root(), backend: TestBackend(), environment: EnvironmentValues())
    _ = root.layout(ProposedViewSize(80, 25), EnvironmentValues())
    root.commit()
    for round in 1...rounds {
        for action in ["count", "title", "rows"] { Actions.all[action]?(round) }
    }
    // Enough for widgets that are gone to be missed.
    for round in 1...40 { Actions.all["count"]?(rounds + round) }
    for (name, count) in bodies {
        let nodes = nodeTruth[name] ?? NodeTruth()
        print("\(name)\t\(count)\t\(nodes.live)\t\(nodes.updates)\t\(nodes.layouts)\t\(nodes.commits)")
    }
}
run()
