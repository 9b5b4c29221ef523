// SPDX-License-Identifier: MIT
// A view whose body the optimiser calls past the witness table, and one that is in outputs and never shown.

import Glibc

// Compiled as one module with the framework, there is nothing to import.
#if !OWN
    import Kit
#endif

/// Counts what really ran.
enum Truth {
    nonisolated(unsafe) static var counts: [String: Int] = [:]
    static func count(_ view: String) { counts[view, default: 0] += 1 }
}

/// Its body is asked for where its type is known.
struct Badge: View {
    let number: Int
    var body: some View {
        Truth.count("Badge")
        return Text("\(number)")
    }
}

/// Without optimisation this asks the witness table; with it, a copy of this is made for each type.
func shown<Content: View>(_ view: Content) -> String { draw(view.body) }

/// Draws its content itself. It has no body.
struct Frame: Primitive {
    let badge: Badge
    func render() -> String { "[" + shown(badge) + "]" }
}

/// Is in an output from the first round on, and shown in the last.
struct Late: View {
    var body: some View {
        Truth.count("Late")
        return Text("late")
    }
}

/// Keeps its content closed until it is opened.
struct Section: Primitive {
    let isOpen: Bool
    let content: any View
    func render() -> String { isOpen ? draw(Erased(content)) : "closed" }
}

/// Is in one output of many, and never shown.
struct Rare: View {
    var body: some View { Text("rare") }
}

/// The same, and in an object.
struct Hidden: View {
    var body: some View { Text("hidden") }
}

/// Holds a view that it was made with.
final class Drawer {
    let content: any View
    init(_ content: any View) { self.content = content }
}

/// The same, in a dictionary.
struct Listed: View {
    var body: some View { Text("listed") }
}

/// The same, in an error.
struct Refused: View {
    var body: some View { Text("refused") }
}

/// The same, in a closure.
struct Captured: View {
    var body: some View { Text("captured") }
}

struct Refusal: Error { let view: any View }

/// Shows nothing of what it has.
struct Store: Primitive {
    let rare: Rare?
    let drawer: Drawer?
    let list: [String: any View]
    let error: (any Error)?
    let action: () -> String
    func render() -> String { "" }
}

/// An action that uses the view that it is made with.
func action(with view: any View, _ round: Int) -> () -> String { { "\(view) in \(round)" } }

struct Card: View {
    let round: Int
    let isLast: Bool
    var body: some View {
        Truth.count("Card")
        return Stack(
            Frame(badge: Badge(number: round)), Section(isOpen: isLast, content: Late()),
            Store(
                rare: round == 1001 ? Rare() : nil, drawer: round == 2003 ? Drawer(Hidden()) : nil,
                list: round == 700 ? ["listed": Listed()] : [:], error: round == 800 ? Refusal(view: Refused()) : nil,
                action: action(with: round == 900 ? Captured() : Text("none"), round)))
    }
}

/// `never` keeps the section closed, `many` draws more often, and `lines` draws for each line of its input.
let arguments = CommandLine.arguments.dropFirst()
let rounds = arguments.contains("many") ? 3000 : arguments.contains("lines") ? 0 : 3
for round in 0..<rounds {
    let text = draw(Card(round: round, isLast: round == rounds - 1 && !arguments.contains("never")))
    if round < 3 { print(text) }
}
while arguments.contains("lines"), readLine() != nil {
    print(draw(Card(round: 0, isLast: false)))
    fflush(nil)
}
for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
