// SPDX-License-Identifier: MIT
// Parents that have several instances: the one that is named explains, and no other.

import Rerender
import RerenderModel
import Synchronization

private struct Leaf {
    var title: String
}

private func parent(_ key: String, _ chain: String) -> Outcome {
    Outcome("parent: \(key)", .exact, waste: .parentOnly, chain: chain)
}

extension Recorder {
    /// Evaluates a card whose only input is its title.
    fileprivate func card(_ instance: InstanceID, _ title: String, _ expected: Outcome?, line: UInt = #line) {
        evaluate("Card", Leaf(title: title), instance: instance, expected, line: line) { _ in }
    }

    /// Evaluates the cell of a card, after the card's own body.
    fileprivate func cell(
        _ instance: InstanceID, of card: InstanceID?, _ expected: Outcome, parent: ViewKey = "Card", line: UInt = #line
    ) {
        evaluate(
            "Cell", Leaf(title: "c"), instance: instance, parent: parent, parentInstance: card, expected, line: line
        ) { _ in }
    }
}

extension Case {
    static let parentInstances: [Case] = [
        Case("parent instance: the chain is that instance's") { recorder in
            for instance: InstanceID in [1, 2] {
                recorder.card(instance, "a", .initial)
                recorder.cell(instance, of: instance, .initial)
            }
            recorder.card(1, "b", Outcome("title", .diff))
            recorder.store.invalidate("Card", instance: 2, cause: "theme", writer: "f()")
            recorder.card(2, "a", Outcome("theme", .announced, writer: "f()"))
            recorder.cell(1, of: 1, parent("Card", "Card ← title"))
            recorder.cell(2, of: 2, parent("Card", "Card ← theme"))
        },
        Case("parent instance: another instance's evaluation explains nothing") { recorder in
            for instance: InstanceID in [1, 2] {
                recorder.card(instance, "a", .initial)
                recorder.cell(instance, of: instance, .initial)
            }
            recorder.card(1, "b", Outcome("title", .diff))
            recorder.cell(2, of: 2, .again)
            recorder.cell(1, of: 1, parent("Card", "Card ← title"))
            recorder.cell(1, of: 1, .again)
        },
        Case("parent instance: of several, one that is not named explains nothing") { recorder in
            recorder.card(1, "a", .initial)
            recorder.cell(1, of: nil, .initial)
            recorder.card(1, "b", Outcome("title", .diff))
            recorder.cell(1, of: nil, parent("Card", "Card ← title"))
            recorder.card(2, "a", .initial)
            recorder.card(1, "c", Outcome("title", .diff))
            recorder.cell(1, of: nil, .again)
            recorder.store.ended("Card", instance: 2)
            recorder.card(1, "d", Outcome("title", .diff))
            recorder.cell(1, of: nil, parent("Card", "Card ← title"))
        },
        Case("parent instance: one that nobody knows explains nothing") { recorder in
            recorder.card(1, "a", .initial)
            recorder.cell(1, of: 7, .initial)
            recorder.card(1, "b", Outcome("title", .diff))
            recorder.cell(1, of: 7, .again)
            recorder.cell(1, of: 7, .again, parent: "Nobody")
        },
        Case("parent instance: a child that moves to another card is explained by that one") { recorder in
            for instance: InstanceID in [1, 2] { recorder.card(instance, "a", .initial) }
            recorder.cell(1, of: 1, .initial)
            recorder.cell(1, of: 2, .again)
            recorder.card(2, "b", Outcome("title", .diff))
            recorder.cell(1, of: 2, parent("Card", "Card ← title"))
        },
        Case("parent instance: a running body is that of its own instance") { recorder in
            func card(_ instance: InstanceID, _ title: String, cellOf named: InstanceID?, _ cell: Outcome) {
                recorder.evaluate("Card", Leaf(title: title), instance: instance, nil) { _ in
                    recorder.cell(1, of: named, cell)
                }
            }
            recorder.card(2, "a", .initial)
            card(1, "a", cellOf: 1, .initial)
            card(1, "b", cellOf: nil, parent("Card", "Card ← title"))
            // The body that runs is the first card's; the second was not evaluated.
            card(1, "c", cellOf: 2, .again)
            recorder.cell(1, of: 1, .again)
        },
        Case("parent instance: a view in an instance of itself, as in a tree") { recorder in
            func node(_ instance: InstanceID, in around: InstanceID?, _ title: String, _ expected: Outcome) {
                recorder.evaluate(
                    "Node", Leaf(title: title), instance: instance, parent: "Node", parentInstance: around, expected
                ) { _ in }
            }
            node(1, in: nil, "a", .initial)
            node(2, in: 1, "b", .initial)
            node(3, in: 2, "c", .initial)
            node(1, in: 1, "d", Outcome("title", .diff))
            node(1, in: 1, "d", .again)
            node(2, in: 1, "b", parent("Node", "Node ← <external signal>"))
            node(3, in: 2, "c", parent("Node", "Node ← Node ← <external signal>"))
        },
        Case("parent instance: long keys that end differently are two parents") { recorder in
            let start = String(repeating: "k", count: 1_100)
            for ending in ["a", "b"] {
                recorder.evaluate(start + ending, Leaf(title: "a"), nil) { _ in }
            }
            func child(_ expected: Outcome?) {
                recorder.evaluate(
                    "Cell", Leaf(title: "c"), parent: ViewKey(rawValue: start + "a"), expected
                ) { _ in }
            }
            child(.initial)
            recorder.evaluate(start + "b", Leaf(title: "b"), nil) { _ in }
            child(.again)
            recorder.evaluate(start + "a", Leaf(title: "b"), nil) { _ in }
            child(nil)
            let reasons = recorder.stats("Cell")?.reasons.map(\.reason) ?? []
            recorder.expect(reasons.contains { $0.hasPrefix("parent: kkk") }, "\(reasons)")
        },
    ]
}
