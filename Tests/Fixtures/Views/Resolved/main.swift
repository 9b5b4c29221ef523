// SPDX-License-Identifier: MIT
// Views whose bodies are asked for through their tables and, where the type is known, past them; and one that is shown through its table alone.

/// Counts what really ran.
enum Truth {
    nonisolated(unsafe) static var counts: [String: Int] = [:]
    static func count(_ view: String) { counts[view, default: 0] += 1 }
}

/// What is shown.
protocol View {
    associatedtype Body
    var body: Body { get }
}

struct Badge: View {
    let number: Int
    @inline(__always) var body: String {
        Truth.count("Badge")
        return "badge \(number)"
    }
}

struct Card: View {
    let number: Int
    @inline(never) var body: String {
        Truth.count("Card")
        return "card \(number)"
    }
}

struct Row: View {
    var body: String {
        Truth.count("Row")
        return "row"
    }
}

/// Does not know the type.
@inline(never) func shown(_ view: any View) -> String { "\(view.body)" }

/// Knows the types.
@inline(never) func known(_ badge: Badge) -> String { "[\(badge.body)]" }
@inline(never) func known(_ card: Card) -> String { "(\(card.body))" }

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
let views: [any View] = [Badge(number: 1), Card(number: 2), Row()]
for round in 0..<rounds {
    for view in views { print(shown(view)) }
    print(known(Badge(number: round)), known(Card(number: round)))
}
for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
