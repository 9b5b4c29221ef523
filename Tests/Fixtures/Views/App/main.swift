// SPDX-License-Identifier: MIT
// Views of every kind, with counters of their own: what Rerender counts from outside must be the same.

// Compiled as one module with the framework, the app has nothing to import.
#if !OWN
    import Base
    import Kit
#endif

/// Counts what really ran.
enum Truth {
    nonisolated(unsafe) static var counts: [String: Int] = [:]
    static func count(_ view: String) { counts[view, default: 0] += 1 }
}

struct Leaf: View {
    let number: Int
    var body: some View {
        Truth.count("Leaf")
        return Text("\(number)")
    }
}

struct Card<Inner: View>: View {
    let inner: Inner
    var body: some View {
        Truth.count("Card")
        return Stack(inner, Leaf(number: 1))
    }
}

struct Three<First: View, Second: View, Third: View>: View {
    let first: First, second: Second, third: Third
    var body: some View {
        Truth.count("Three")
        return Stack(first, second, third)
    }
}

enum Outer {
    struct Inner: View {
        var body: some View {
            Truth.count("Outer.Inner")
            return Text("inner")
        }
    }
}

extension Outer.Inner {
    struct Deep: View {
        var body: some View {
            Truth.count("Outer.Inner.Deep")
            return Text("deep")
        }
    }
}

private struct Badge: View {
    var body: some View {
        Truth.count("Badge (main.swift)")
        return Text("main")
    }
}

class Model: View {
    var name: String { "model" }
    var body: Text {
        Truth.count(self is Special ? "Special" : "Model")
        return Text(name)
    }
}

final class Special: Model {
    override var name: String { "special" }
}

struct Optionally<Wrapped> {
    let wrapped: Wrapped
}

extension Optionally: View where Wrapped: View {
    var body: some View {
        Truth.count("Optionally")
        return wrapped
    }
}

#if OWN
    extension Price: View {}
#else
    extension Price: @retroactive View {}
#endif

extension Price {
    /// The amount.
    public var body: some View {
        Truth.count("Base.Price")
        return Text("\(cents)")
    }
}

enum Choice: View {
    case first, second(Int)
    var body: some View {
        Truth.count("Choice")
        return Text("choice")
    }
}

extension Array {
    struct Cell: View {
        var body: some View {
            Truth.count("Array.Cell")
            return Text("cell")
        }
    }
}

struct Root: View {
    let round: Int
    var body: some View {
        Truth.count("Root")
        return Stack(
            Leaf(number: round), Card(inner: Leaf(number: 2)), Card(inner: Text("text")),
            Three(first: Leaf(number: 3), second: Outer.Inner(), third: Outer.Inner.Deep()), Badge(),
            Erased(otherBadge()), Model(), Special(), Optionally(wrapped: Leaf(number: 4)), Price(cents: 5),
            Choice.second(round), Erased(Choice.first), [Int].Cell())
    }
}

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
for round in 0..<rounds { print(draw(Root(round: round))) }
for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
