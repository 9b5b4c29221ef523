// SPDX-License-Identifier: MIT
// Views whose bodies are equal but for a name: the optimiser makes one function of them.

/// Counts what really ran.
enum Truth {
    nonisolated(unsafe) static var counts: [String: Int] = [:]
    @inline(never) static func count(_ view: String) { counts[view, default: 0] += 1 }
}

/// What is shown.
protocol View {
    associatedtype Body
    var body: Body { get }
}

struct First: View {
    let number: Int
    @inline(never) var body: String {
        Truth.count("First")
        return "number \(number) of \(number + 1)"
    }
}

struct Second: View {
    let number: Int
    @inline(never) var body: String {
        Truth.count("Second")
        return "number \(number) of \(number + 1)"
    }
}

struct Third: View {
    let number: Int
    @inline(never) var body: String {
        Truth.count("Third")
        return "number \(number) of \(number + 1)"
    }
}

/// Does not know the type.
@inline(never) func shown(_ view: any View) -> String { "\(view.body)" }

let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 3
let views: [any View] = [First(number: 1), Second(number: 2), Third(number: 3), Third(number: 4)]
for _ in 0..<rounds {
    for view in views { print(shown(view)) }
}
for (view, count) in Truth.counts.sorted(by: { $0.key < $1.key }) { print("\(view)\t\(count)") }
