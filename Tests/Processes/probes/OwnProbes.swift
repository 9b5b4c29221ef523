// SPDX-License-Identifier: MIT
// Views of a little framework. The program instruments some of them itself, in all ways there are. Prints what really ran.
//
// `probes own [ROUNDS]` evaluates them so often.

import Rerender

/// A view.
protocol View {
    associatedtype Body
    var body: Body { get }
}

/// The framework: asks for a body through the protocol.
@inline(never) func draw<Shown: View>(_ view: Shown) -> Shown.Body { view.body }

/// Counts what really ran.
enum Truth {
    nonisolated(unsafe) static var counts: [String: Int] = [:]
    static func count(_ view: String) { counts[view, default: 0] += 1 }
}

private let store = RerenderStore(name: "own")

/// Not instrumented.
struct Plain: View {
    let text: String
    var body: String {
        Truth.count("Plain")
        return text
    }
}

/// Instruments itself, without saying what it is.
struct InBody: View {
    var body: String {
        store.evaluate("InBody") {
            Truth.count("InBody")
            return draw(Plain(text: "in InBody"))
        }
    }
}

/// Instruments itself, and says what it is.
struct InBodyOf: View {
    var body: String {
        store.evaluate("InBodyOf", of: self) {
            Truth.count("InBodyOf")
            return draw(Plain(text: "in InBodyOf"))
        }
    }
}

/// Its framework instruments it.
struct Around: View {
    var body: String {
        Truth.count("Around")
        return draw(Plain(text: "in Around"))
    }
}

/// The same, where the framework does not say which view it is.
struct AroundUnknown: View {
    var body: String {
        Truth.count("AroundUnknown")
        return draw(Plain(text: "in AroundUnknown"))
    }
}

/// Not instrumented, but what is in it.
struct Holder: View {
    var body: String {
        Truth.count("Holder")
        let around = Around()
        let texts = [
            draw(InBody()), draw(InBodyOf()), store.evaluate("Around", of: around) { draw(around) },
            store.evaluate("AroundUnknown") { draw(AroundUnknown()) },
            // A part that is no view of its own, and tells what it is of.
            store.evaluate("Part", of: 1) {
                Truth.count("Part")
                return draw(Plain(text: "in Part"))
            },
        ]
        return texts.joined(separator: " ")
    }
}

/// Contains itself. Its framework instruments all but the outermost.
struct Tree: View {
    let depth: Int
    var body: String {
        Truth.count(depth == 2 ? "Tree, outermost" : "Tree")
        if depth == 0 { return "leaf" }
        let inner = Tree(depth: depth - 1)
        return store.evaluate("Tree", of: inner) { draw(inner) }
    }
}

enum OwnProbes {
    static func run(_ rounds: Int) {
        // There before the first view.
        _ = store
        for _ in 0..<rounds {
            _ = draw(Holder())
            _ = draw(Tree(depth: 2))
        }
        for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
    }
}
