// SPDX-License-Identifier: MIT
// Inputs that a bridge names because it has no view's value.

import Rerender
import RerenderModel
import Testing

private struct Size {
    var width = 1
    var height = 1
}
private final class Thing {
    var count = 1
}

@Suite("Named inputs")
struct NamedInputTests {
    private let store = RerenderStore(name: "named input tests")
    private let external = "<external signal>"

    /// The reason of one more evaluation.
    private func reason(_ evaluate: () -> Void) -> String {
        let before = rows
        evaluate()
        return rows.filter { $0.value > before[$0.key] ?? 0 }.map(\.key).joined(separator: " / ")
    }

    private var rows: [String: UInt64] {
        let all = store.stats.first { $0.key.rawValue == "View" }?.reasons ?? []
        return Dictionary(all.map { ($0.reason, $0.count) }) { $0 + $1 }
    }

    private var wasted: [WasteKind: UInt64] { store.stats.first { $0.key.rawValue == "View" }?.wasted.kinds ?? [:] }

    @Test("are compared as stored properties of these names")
    func names() {
        func evaluate(_ title: String, _ size: Size, _ list: [Int] = [1]) -> String {
            reason { store.evaluate("View", inputs: [("title", title), ("size", size), ("list", list)]) {} }
        }
        #expect(evaluate("a", Size()) == "initial")
        #expect(evaluate("b", Size()) == "title")
        #expect(evaluate("b", Size(width: 2)) == "size.width")
        #expect(evaluate("c", Size(width: 3, height: 2)) == "title, size.width, size.height")
        #expect(evaluate("c", Size(width: 3, height: 2), [1, 2]) == "list")
    }

    @Test("allow to infer waste where they are equal, and only where all are known")
    func waste() {
        func evaluate(_ inputs: [(String, Any)]) -> String { reason { store.evaluate("View", inputs: inputs) {} } }
        #expect(evaluate([("title", "a")]) == "initial")
        #expect(evaluate([("title", "a")]) == external)
        #expect(wasted == [.sameInputs: 1])
        #expect(evaluate([("title", "a"), ("count", 1)]) == external, "what count was before is not known")
        #expect(evaluate([("count", 1), ("title", "b")]) == "title", "in another order")
        #expect(evaluate([("title", "b")]) == external, "what became of count is not known")
        #expect(reason { store.evaluate("View") {} } == external)
        #expect(evaluate([("title", "c")]) == external, "of the one before nothing is known")
        #expect(wasted == [.sameInputs: 1])
        let thing = Thing()
        #expect(evaluate([("title", thing)]) == "title", "of another type")
        #expect(evaluate([("title", thing)]) == external)
        #expect(wasted == [.sameInputs: 1], "an object with variables proves nothing")
        #expect(evaluate([("title", Thing())]) == "title")
        withExtendedLifetime(thing) {}
    }

    @Test("stand beside the view's own properties")
    func beside() {
        func evaluate(_ size: Size, _ title: String) -> String {
            reason { store.evaluate("View", of: size, inputs: [("title", title)]) {} }
        }
        #expect(evaluate(Size(), "a") == "initial")
        #expect(evaluate(Size(width: 2), "a") == "width")
        #expect(evaluate(Size(width: 2), "b") == "title")
        #expect(evaluate(Size(width: 3), "c") == "width, title")
        #expect(evaluate(Size(width: 3), "c") == external)
        #expect(wasted == [.sameInputs: 1])
        #expect(reason { store.evaluate("View", of: Size(width: 3)) {} } == external)
        #expect(wasted == [.sameInputs: 1], "the title may have changed")
    }

    @Test("are not asked for by a store that is off")
    func off() {
        store.isEnabled = false
        func inputs() -> [(String, Any)] {
            Issue.record("asked for")
            return []
        }
        store.evaluate("View", inputs: inputs()) {}
    }
}
