// SPDX-License-Identifier: MIT
// Evaluations that a parent, a bridge or the caller explains, and which explanation comes first.

import Rerender
import RerenderModel

private struct Leaf {
    var title: String
}
private struct TickerView {
    let ticker: Ticker
}

private func parent(_ key: String, _ chain: String, waste: WasteKind? = .parentOnly) -> Outcome {
    Outcome("parent: \(key)", .exact, waste: waste, chain: chain)
}

extension Case {
    static let parentsAndAnnouncements: [Case] = [
        Case("parent: a child whose inputs are as they were") { recorder in
            let ticker = Ticker()
            func dashboard(_ expected: Outcome?, _ child: Outcome?) {
                recorder.evaluate("Dashboard", TickerView(ticker: ticker), expected) { view in
                    _ = view.ticker.tick
                    recorder.evaluate("Row", Leaf(title: "a"), child) { _ in }
                }
            }
            dashboard(.initial, .initial)
            let place = advance(ticker)
            dashboard(
                Outcome("ticker.tick", writer: place.text), parent("Dashboard", "Dashboard ← ticker.tick"))
        },
        Case("parent: the chain reaches the first cause over three levels") { recorder in
            let ticker = Ticker()
            func list(_ row: Outcome?, _ cell: Outcome?) {
                recorder.evaluate("List", Leaf(title: "l"), nil) { _ in
                    recorder.evaluate("Row", Leaf(title: "r"), row) { _ in
                        recorder.evaluate("Cell", Leaf(title: "c"), cell) { _ in }
                    }
                }
            }
            func dashboard(_ row: Outcome?, _ cell: Outcome?) {
                recorder.evaluate("Dashboard", TickerView(ticker: ticker), nil) { view in
                    _ = view.ticker.tick
                    list(row, cell)
                }
            }
            dashboard(.initial, .initial)
            _ = advance(ticker)
            dashboard(
                parent("List", "List ← Dashboard ← ticker.tick"),
                parent("Row", "Row ← List ← Dashboard ← ticker.tick"))
        },
        Case("parent: a child whose input changed has that reason") { recorder in
            recorder.evaluate("Outer", Leaf(title: "o"), .initial) { _ in
                recorder.evaluate("Row", Leaf(title: "a"), .initial) { _ in }
            }
            recorder.evaluate("Outer", Leaf(title: "o"), .again) { _ in
                recorder.evaluate("Row", Leaf(title: "b"), Outcome("title", .diff)) { _ in }
            }
        },
        Case("parent: a child whose inputs are not known is not said to be wasted") { recorder in
            for expected in [Outcome.initial, Outcome("parent: Outer", nil, chain: "Outer ← <external signal>")] {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    let before = recorder.stats("Row")
                    recorder.store.evaluate("Row") {}
                    recorder.check("Row", since: before, expected)
                }
            }
        },
        Case("parent: an announced parent that was evaluated before") { recorder in
            recorder.evaluate("Outer", Leaf(title: "o"), .initial) { _ in }
            recorder.evaluate("Row", Leaf(title: "a"), parent: "Outer", .initial) { _ in }
            recorder.evaluate("Outer", Leaf(title: "p"), Outcome("title", .diff)) { _ in }
            recorder.evaluate("Row", Leaf(title: "a"), parent: "Outer", parent("Outer", "Outer ← title")) { _ in }
        },
        Case("parent: an announced parent that was not evaluated since") { recorder in
            recorder.evaluate("Outer", Leaf(title: "o"), .initial) { _ in }
            recorder.evaluate("Row", Leaf(title: "a"), parent: "Outer", .initial) { _ in }
            recorder.evaluate("Row", Leaf(title: "a"), parent: "Outer", .again) { _ in }
        },
        Case("announced: a cause with its writer") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.invalidate("View", cause: "count", writer: "tap() Shop/Cart.swift:7")
            recorder.evaluate(
                "View", Leaf(title: "a"), Outcome("count", .announced, writer: "tap() Shop/Cart.swift:7")
            ) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), .again) { _ in }
        },
        Case("announced: several causes are joined") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.invalidate("View", cause: "count", writer: "f()")
            recorder.store.invalidate("View", cause: "filter", writer: "f()")
            recorder.evaluate("View", Leaf(title: "a"), Outcome("count, filter", .announced, writer: "f()")) { _ in }
        },
        Case("announced: for one instance of several, and for all") { recorder in
            for instance: InstanceID in [1, 2] {
                recorder.evaluate("View", Leaf(title: "a"), instance: instance, .initial) { _ in }
            }
            recorder.store.invalidate("View", instance: 2, cause: "count", writer: "f()")
            recorder.evaluate("View", Leaf(title: "a"), instance: 1, .again) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), instance: 2, Outcome("count", .announced, writer: "f()")) { _ in
            }
            recorder.store.invalidate("View", cause: "theme", writer: "f()")
            for instance: InstanceID in [1, 2] {
                recorder.evaluate(
                    "View", Leaf(title: "a"), instance: instance, Outcome("theme", .announced, writer: "f()")
                ) { _ in }
            }
        },
        Case("announced: before the first evaluation it is nothing") { recorder in
            recorder.store.invalidate("View", cause: "count", writer: "f()")
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), .again) { _ in }
        },
        Case("order: the caller's reason, an announced cause, an observed write, a property, the parent") { recorder in
            struct Both {
                let ticker: Ticker
                var title: String
            }
            let ticker = Ticker()
            func evaluate(_ title: String, reason: String? = nil, _ expected: Outcome) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Both(ticker: ticker, title: title), reason: reason, expected) {
                        $0.ticker.tick
                    }
                }
            }
            evaluate("a", .initial)
            recorder.store.invalidate("View", cause: "state", writer: "f()")
            var place = advance(ticker)
            evaluate("b", reason: "tap", Outcome("tap", .announced))
            recorder.store.invalidate("View", cause: "state", writer: "f()")
            place = advance(ticker)
            evaluate("c", Outcome("state", .announced, writer: "f()"))
            place = advance(ticker)
            evaluate("d", Outcome("ticker.tick", writer: place.text))
            evaluate("e", Outcome("title", .diff))
            evaluate("e", parent("Outer", "Outer ← <external signal>"))
        },
    ]
}
