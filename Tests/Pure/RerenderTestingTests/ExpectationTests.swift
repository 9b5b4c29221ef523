// SPDX-License-Identifier: MIT
// Expectations as a user's tests make them: those that hold, and those that must not.

import Observation
import Rerender
import RerenderTesting
import Synchronization
import Testing

@Observable
private final class Ticker {
    var tick = 0

    func advance() { tick += 1 }
}

private struct CartView {
    let ticker: Ticker
}

@Suite("Expectations on evaluations")
struct ExpectationTests {
    private let store = RerenderStore(name: "tests")

    /// Each in a turn of its own. The turn is the process's: once another test told of one, evaluations that tell of none
    /// would all be in that one, and count as wasted.
    private func evaluate(_ key: String, _ times: Int = 1) {
        for _ in 0..<times {
            store.turnBegan()
            store.evaluate(key) {}
        }
    }

    /// Runs a block in which an expectation must fail once, and returns what it says.
    private func failure(line: Int? = nil, _ body: () throws -> Void) throws -> String {
        let texts = Mutex<[(text: String, line: Int?)]>([])
        try withKnownIssue {
            try body()
        } matching: { issue in
            texts.withLock { texts in
                texts.append((issue.comments.map(\.rawValue).joined(), issue.sourceLocation?.line))
            }
            return true
        }
        let all = texts.withLock { $0 }
        #expect(all.count == 1)
        if let line { #expect(all.first?.line == line) }
        return all.first?.text ?? ""
    }

    @Test("that hold return the block's value, and count the block alone")
    func holds() {
        evaluate("Cart", 5)
        let value = expectEvaluations(of: "Cart", in: store, exactly: 2) { () -> Int in
            evaluate("Cart", 2)
            evaluate("Row", 3)
            return 7
        }
        #expect(value == 7)
        expectEvaluations(of: "Cart", in: store, exactly: 0) { evaluate("Row") }
        expectEvaluations(of: "Cart", in: store, atMost: 2) { evaluate("Cart", 2) }
        expectEvaluations(of: "Cart", in: store, atMost: 2) {}
        expectEvaluations(of: "Cart", in: store, atLeast: 2) { evaluate("Cart", 2) }
        expectEvaluations(of: "Cart", in: store, atLeast: 2) { evaluate("Cart", 3) }
        expectNoWaste(of: "New", in: store) { evaluate("New") }
        evaluate("Cart")
    }

    @Test(
        "that do not hold fail with what was expected and counted",
        arguments: [
            (2, 1, "exactly 1"), (0, 1, "exactly 1"), (3, -2, "at most 2"), (1, 102, "at least 2"),
            (0, 101, "at least 1"),
        ])
    func fails(times: Int, limit: Int, expected: String) throws {
        let text = try failure {
            switch limit {
            case ..<0: expectEvaluations(of: "Cart", in: store, atMost: -limit) { evaluate("Cart", times) }
            case 100...: expectEvaluations(of: "Cart", in: store, atLeast: limit - 100) { evaluate("Cart", times) }
            default: expectEvaluations(of: "Cart", in: store, exactly: limit) { evaluate("Cart", times) }
            }
        }
        let counted = times == 1 ? "1 evaluation" : "\(times) evaluations"
        #expect(text.hasPrefix("Cart: \(counted), expected \(expected)\n"), "\(text)")
    }

    @Test(
        "the failure has the view, the counts, the reasons, the writers, and what else happened, at the caller's line")
    func parts() throws {
        let ticker = Ticker()
        let view = CartView(ticker: ticker)
        func render() {
            store.evaluate("Shop", of: view) { _ = ticker.tick }
            _ = store.evaluate("Cart", of: view, comparing: .equatable) { ticker.tick > 100 }
        }
        render()
        let line = #line + 2
        let text = try failure(line: line) {
            expectEvaluations(of: "Cart", in: store, exactly: 1) {
                for _ in 0..<2 {
                    ticker.advance()
                    render()
                }
            }
        }
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 7, "\(text)")
        #expect(lines[0] == "Cart: 2 evaluations, expected exactly 1")
        #expect(lines[1].hasPrefix("  view      Cart at RerenderTestingTests/ExpectationTests.swift:"))
        #expect(lines[1].hasSuffix(", 1 instance"))
        #expect(lines[2] == "  expected  exactly 1 in this block")
        #expect(lines[3] == "  counted   2 evaluations, 2 wasted (2 same output)")
        #expect(lines[4].hasPrefix("  why       2 ticker.tick, written by Ticker.advance() "), "\(lines[4])")
        #expect(lines[4].contains("ExpectationTests.swift:"))
        #expect(lines[5] == "  also      Shop 2")
        #expect(lines[6] == "  store     tests")
    }

    @Test("a parent's evaluation has the writer of what the parent was evaluated for")
    func parents() throws {
        let ticker = Ticker()
        let view = CartView(ticker: ticker)
        func render() {
            store.turnBegan()
            store.evaluate("Shop", of: view) {
                _ = ticker.tick
                store.evaluate("Row", of: 1) {}
            }
        }
        render()
        let text = try failure {
            expectNoWaste(in: store) {
                ticker.advance()
                render()
            }
        }
        #expect(text.hasPrefix("Row: 1 of 1 evaluation wasted (inferred)\n"), "\(text)")
        #expect(text.contains("1 parent: Shop, began with Shop ← ticker.tick, written by Ticker.advance() "), "\(text)")
        #expect(text.contains("counted   1 evaluation, 1 wasted (1 parent only, inferred)"))
    }

    @Test("equal inputs without a cause are waste, and of what cannot be judged no waste cannot be expected")
    func sameInputs() throws {
        struct Row {
            var title = "a"
        }
        final class Box { var count = 1 }
        struct BoxView {
            let box: Box
        }
        let view = BoxView(box: Box())
        func render(_ title: String) {
            store.turnBegan()
            store.evaluate("Row", of: Row(title: title)) {}
        }
        func renderBox() {
            store.turnBegan()
            store.evaluate("Box", of: view) { _ = view.box.count }
        }
        render("a")
        renderBox()
        let text = try failure { expectNoWaste(in: store) { for _ in 0..<3 { render("a") } } }
        #expect(text.hasPrefix("Row: 3 of 3 evaluations wasted (inferred)\n"), "\(text)")
        #expect(text.contains("3 wasted (3 same inputs, inferred)"), "\(text)")
        let unjudged = try failure { expectNoWaste(of: "Box", in: store) { for _ in 0..<3 { renderBox() } } }
        #expect(unjudged.hasPrefix("Box: 3 of 3 evaluations could not be judged: use comparing:\n"), "\(unjudged)")
        expectNoWaste(in: store) { render("b") }
        expectNoWaste(of: "Box", in: store) {
            store.turnBegan()
            store.evaluate("Box", of: BoxView(box: Box())) {}
        }
    }

    @Test("waste of one view, and not of the others")
    func wasteOfOne() throws {
        func render(_ key: String) { _ = store.evaluate(key, comparing: .equatable) { 1 } }
        render("A")
        render("B")
        expectNoWaste(of: "B", in: store) { render("A") }
        #expect(try failure { expectNoWaste(of: "A", in: store) { render("A") } }.hasPrefix("A: 1 of 1"))
    }

    @Test("what the block throws comes through with its type, and nothing is expected then")
    func throwing() {
        struct Wrong: Error {}
        func typed() throws(Wrong) {
            try expectEvaluations(of: "Cart", in: store, exactly: 1) { () throws(Wrong) in throw Wrong() }
        }
        #expect(throws: Wrong.self) { try typed() }
    }

    @Test("a block that waits stays on its actor")
    @MainActor
    func waits() async throws {
        var rendered = 0  // not Sendable: the block may not leave the actor
        let value = await expectEvaluations(of: "Cart", in: store, exactly: 2) { () async -> String in
            rendered += 1
            evaluate("Cart")
            await Task.yield()
            MainActor.assertIsolated()
            evaluate("Cart")
            return "done"
        }
        #expect(value == "done" && rendered == 1)
        await expectNoWaste(in: store) { await Task.yield() }
        await expectEvaluations(of: "Cart", in: store, atMost: 1) { await Task.yield() }
        await withKnownIssue {
            await expectEvaluations(of: "Cart", in: store, atLeast: 1) { await Task.yield() }
        }
    }

    @Test("a store that is switched off, or reset inside the block, fails and says so")
    func silent() throws {
        store.isEnabled = false
        let off = try failure { expectEvaluations(of: "Cart", in: store, exactly: 0) { evaluate("Cart") } }
        #expect(off.contains("counts nothing here") && off.contains("isEnabled"))
        store.isEnabled = true
        let later = try failure { expectNoWaste(in: store) { store.isEnabled = false } }
        #expect(later.contains("isEnabled"))
        store.isEnabled = true
        let reset = try failure {
            expectEvaluations(of: "Cart", in: store, exactly: 1) {
                evaluate("Cart", 5)
                store.reset()
                evaluate("Cart")
            }
        }
        #expect(reset.contains("was reset inside the block"))
        expectEvaluations(of: "Cart", in: store, exactly: 1) { evaluate("Cart") }
    }

    @Test("a hostile key cannot command the terminal")
    func hostile() throws {
        let text = try failure {
            expectEvaluations(of: "\u{1B}[31m\n", in: store, exactly: 0) { evaluate("\u{1B}[31m\n") }
        }
        #expect(!text.unicodeScalars.contains("\u{1B}") && text.hasPrefix("\\u{1b}[31m\\u{a}: 1 evaluation"))
    }
}
