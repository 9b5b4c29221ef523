// SPDX-License-Identifier: MIT
// Uses that a review found wrong answers or crashes in.

import Observation
import Rerender
import RerenderModel

private struct WithModel {
    let pad: Int
    let ticker: Ticker
}
private struct WithNumber {
    let pad: Int
    let number: Int
}
private struct Leaf {
    var title: String
}
private struct BoxView {
    let box: Box<Int>
}
private struct TickerView {
    let ticker: Ticker
}
private final class Token {}
private protocol Numbered: AnyObject { var tick: Int { get } }
extension Ticker: Numbered {}
@Observable private final class Branch {
    weak var parent: Branch?
    var number = 0
}
private struct BranchView {
    let branch: Branch
}
private struct TokenView {
    var token: Token
}
private final class Output: Equatable {
    let store: RerenderStore
    init(_ store: RerenderStore) { self.store = store }
    static func == (lhs: Output, rhs: Output) -> Bool { lhs === rhs }
    deinit { store.ended("View", instance: 99) }
}

extension Case {
    static let hostile: [Case] = [
        Case("hostile: another type of view under the key, with something else where the model was") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", WithModel(pad: 1, ticker: ticker), .initial) { $0.ticker.tick }
            _ = advance(ticker)
            recorder.evaluate("View", WithNumber(pad: 1, number: 0x4141_4141_4141), nil) { _ in ticker.tick }
            recorder.evaluate("View", WithNumber(pad: 1, number: 0x4141_4141_4142), nil) { _ in ticker.tick }
        },
        Case("hostile: a weak property of a model") { recorder in
            let (parent, other) = (Branch(), Branch())
            let view = BranchView(branch: Branch())
            view.branch.parent = parent
            func read(_ view: BranchView) -> Int { view.branch.parent?.number ?? -1 }
            recorder.evaluate("View", view, isDescribed: false, is: .initial, body: read)
            for round in 0..<100 {
                view.branch.parent = round % 2 == 0 ? other : parent
                recorder.evaluate("View", view, isDescribed: false, is: .wrote("branch.parent"), body: read)
            }
            view.branch.parent = nil
            recorder.evaluate("View", view, isDescribed: false, is: .wrote("branch.parent"), body: read)
        },
        Case("hostile: a closure that captures an unowned reference to a protocol type and a text") { recorder in
            let ticker = Ticker(), numbered: any Numbered = ticker
            for round in 0..<10 {
                let text = "a text that is too long to lie in its own words, number \(round)"
                let read = { [unowned numbered] in numbered.tick + text.count }
                recorder.evaluate("View", One(value: read), nil) { $0.value() }
            }
            withExtendedLifetime(ticker) {}
        },
        Case("hostile: an output that calls the store when it goes") { recorder in
            for instance: InstanceID in [1, 2, 3] {
                _ = recorder.store.evaluate("View", of: Leaf(title: "a"), instance: instance, comparing: .equatable) {
                    recorder.store.ended("View", instance: 1)
                    return Output(recorder.store)
                }
            }
            for _ in 0..<3 {
                _ = recorder.store.evaluate("View", of: Leaf(title: "a"), instance: 2, comparing: .equatable) {
                    Output(recorder.store)
                }
            }
            recorder.expect(recorder.stats()?.count == 6, "not all counted")
        },
        Case("hostile: a parent that always is announced and was not evaluated since") { recorder in
            recorder.evaluate("Outer", Leaf(title: "o"), .initial) { _ in
                recorder.evaluate("View", Leaf(title: "a"), parent: "Outer", .initial) { _ in }
            }
            recorder.evaluate("View", Leaf(title: "a"), parent: "Outer", .again) { _ in }
            recorder.evaluate("Outer", Leaf(title: "o"), .again) { _ in
                recorder.evaluate("Between", Leaf(title: "b"), .initial) { _ in
                    let expected = Outcome(
                        "parent: Outer", waste: .parentOnly, chain: "Outer ← <external signal>")
                    recorder.evaluate("View", Leaf(title: "a"), parent: "Outer", expected) { _ in }
                }
            }
            recorder.evaluate("View", Leaf(title: "a"), parent: "Outer", .again) { _ in }
        },
        Case("hostile: reported reads of a view that reads nothing itself") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.reading("View") { _ = ticker.tick }
            let place = advance(ticker)
            recorder.evaluate("Outer", Leaf(title: "o"), .initial) { _ in
                recorder.evaluate("View", Leaf(title: "a"), Outcome("Ticker.tick", writer: place.text)) { _ in }
            }
        },
        Case("hostile: outputs are compared with the last evaluation's, not with one before") { recorder in
            func evaluate(_ output: Int, compares: Bool, _ expected: Outcome) {
                recorder.evaluate(
                    "View", Leaf(title: "a"), comparing: compares ? .equatable : nil, expected
                ) { _ in output }
            }
            evaluate(1, compares: true, .initial)
            evaluate(2, compares: false, .again)
            evaluate(1, compares: true, .again)
            evaluate(1, compares: true, Outcome("<external signal>", nil, waste: .sameOutput, isMeasured: true))
        },
        Case("hostile: an instance that is evaluated inside of itself") { recorder in
            func evaluate(_ title: String, inner: String?, _ expected: Outcome?) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Leaf(title: title), expected) { _ in
                        if let inner { recorder.evaluate("View", Leaf(title: inner), nil) { _ in } }
                    }
                }
            }
            evaluate("a", inner: "b", nil)
            evaluate("a", inner: nil, .external)
            evaluate("a", inner: nil, Outcome("parent: Outer", waste: .parentOnly, chain: "Outer ← <external signal>"))
        },
        Case("hostile: what happened while counting was off explains nothing") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { $0.ticker.tick }
            recorder.store.isEnabled = false
            _ = advance(view.ticker)
            recorder.store.evaluate("View", of: view) { _ = view.ticker.tick }
            recorder.store.isEnabled = true
            recorder.evaluate("View", view, .external) { $0.ticker.tick }
        },
        Case("hostile: a body that writes what it reads is not called wasted") { recorder in
            let view = TickerView(ticker: Ticker())
            func evaluate(_ expected: Outcome?) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", view, expected) { view in
                        defer { _ = advance(view.ticker) }
                        return view.ticker.tick
                    }
                }
            }
            evaluate(.initial)
            evaluate(nil)
            let unsure = Outcome("parent: Outer", nil, chain: "Outer ← <external signal>")
            evaluate(unsure)
            evaluate(unsure)
        },
        Case("hostile: a generic model's key paths are new each time") { recorder in
            let view = BoxView(box: Box(0))
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, .initial) { $0.box.content }
            for value in 1...100 { view.box.content = value }
            recorder.evaluate("View", view, Outcome("box.content")) { $0.box.content }
            view.box.content = 7
            view.box.content = 100
            recorder.evaluate("View", view, Outcome("box.content", waste: .sameValue)) { $0.box.content }
        },
        Case("hostile: an object that is nothing but its identity") { recorder in
            let (one, two) = (Token(), Token())
            recorder.evaluate("View", TokenView(token: one), .initial) { _ in }
            recorder.evaluate("View", TokenView(token: two), Outcome("token", .diff)) { _ in }
        },
    ]
}
