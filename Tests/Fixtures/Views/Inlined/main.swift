// SPDX-License-Identifier: MIT
// A view whose body the optimiser calls past the witness table, and one that is in outputs and never shown.

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

struct Card: View {
    let round: Int
    let isLast: Bool
    var body: some View {
        Truth.count("Card")
        return Stack(Frame(badge: Badge(number: round)), Section(isOpen: isLast, content: Late()))
    }
}

/// `never` keeps the section closed.
let arguments = CommandLine.arguments.dropFirst()
for round in 0..<3 { print(draw(Card(round: round, isLast: round == 2 && !arguments.contains("never")))) }
for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
