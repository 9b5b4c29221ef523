// SPDX-License-Identifier: MIT
// Evaluations that were not needed, and evaluations that only look so.

import Rerender
import RerenderModel

private struct Leaf {
    var title: String
}
private struct TickerView {
    let ticker: Ticker
}
private struct Action {
    var title: String
    let onTap: () -> Void
}

extension Case {
    static let wastes: [Case] = [
        Case("waste: the same value written again") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", TickerView(ticker: ticker), .initial) { $0.ticker.style.value }
            var place = restyle(ticker, 1)
            recorder.evaluate(
                "View", TickerView(ticker: ticker), Outcome("ticker.style", waste: .sameValue, writer: place.text)
            ) { $0.ticker.style.value }
            place = restyle(ticker, 2)
            recorder.evaluate("View", TickerView(ticker: ticker), Outcome("ticker.style", writer: place.text)) {
                $0.ticker.style.value
            }
        },
        Case("waste: a value written there and back") { recorder in
            let ticker = Ticker()
            recorder.store.recordsWriters = false
            recorder.evaluate("View", TickerView(ticker: ticker), .initial) { $0.ticker.tick }
            _ = advance(ticker)
            _ = rewind(ticker)
            recorder.evaluate("View", TickerView(ticker: ticker), Outcome("ticker.tick", waste: .sameValue)) {
                $0.ticker.tick
            }
        },
        Case("waste: a value of a model that the view does not hold is not known") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in ticker.style.value }
            let place = restyle(ticker, 1)
            recorder.evaluate("View", Leaf(title: "a"), Outcome("Ticker.style", writer: place.text)) { _ in
                ticker.style.value
            }
        },
        Case("waste: the same value, but a property changed too") { recorder in
            struct Both {
                let ticker: Ticker
                var title: String
            }
            let ticker = Ticker()
            recorder.evaluate("View", Both(ticker: ticker, title: "a"), .initial) { $0.ticker.style.value }
            let place = restyle(ticker, 1)
            var expected = Outcome("ticker.style", writer: place.text)
            expected.withoutNames = "title"
            recorder.evaluate("View", Both(ticker: ticker, title: "b"), expected) { $0.ticker.style.value }
        },
        Case("waste: measured by equality outranks what the inputs show") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, .initial) { $0.title.count }
            let same = Outcome("title", .diff, waste: .sameOutput, isMeasured: true)
            recorder.evaluate("View", Leaf(title: "b"), comparing: .equatable, same) { $0.title.count }
            recorder.evaluate("View", Leaf(title: "cc"), comparing: .equatable, Outcome("title", .diff)) {
                $0.title.count
            }
        },
        Case("waste: measured by a digest") { recorder in
            func digest(_ text: String) -> Int { text.count }
            recorder.evaluate("View", Leaf(title: "a"), comparing: .digest(digest), .initial) { $0.title }
            let same = Outcome("title", .diff, waste: .sameOutput, isMeasured: true)
            recorder.evaluate("View", Leaf(title: "b"), comparing: .digest(digest), same) { $0.title }
            recorder.evaluate("View", Leaf(title: "bb"), comparing: .digest(digest), Outcome("title", .diff)) {
                $0.title
            }
        },
        Case("waste: another output, though only the parent is known, is none") { recorder in
            nonisolated(unsafe) var hidden = 0
            func evaluate(_ expected: Outcome) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Leaf(title: "a"), comparing: .equatable, expected) { _ in hidden }
                }
            }
            evaluate(.initial)
            hidden = 1
            evaluate(Outcome("parent: Outer", chain: "Outer ← <external signal>"))
            evaluate(
                Outcome("parent: Outer", waste: .sameOutput, isMeasured: true, chain: "Outer ← <external signal>"))
        },
        Case("waste: only a closure is new, under a parent") { recorder in
            var taps = 0
            func evaluate(_ number: Int, _ expected: Outcome) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Action(title: "a", onTap: { taps += number }), expected) { _ in }
                }
            }
            evaluate(1, .initial)
            evaluate(
                2, Outcome("parent: Outer", waste: .closureIdentity, chain: "Outer ← <external signal>"))
        },
        Case("waste: the framework says that its commit changed nothing") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.committed("View", changed: true)
            recorder.evaluate("View", Leaf(title: "b"), Outcome("title", .diff)) { _ in }
            recorder.store.committed("View", changed: false)
            let waste = recorder.stats()?.wasted
            recorder.expect(waste?.measured == 1 && waste?.inferred == 0, "\(String(describing: waste))")
            recorder.expect(waste?.kinds[.sameOutput] == 1, "kinds \(waste?.kinds ?? [:])")
        },
        Case("waste: the framework's commit outranks an inference") { recorder in
            func evaluate() {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Leaf(title: "a"), nil) { _ in }
                }
            }
            evaluate()
            evaluate()
            recorder.expect(recorder.stats()?.wasted.kinds[.parentOnly] == 1, "not inferred")
            recorder.store.committed("View", changed: true)
            recorder.expect(recorder.stats()?.wasted.count == 0, "\(String(describing: recorder.stats()?.wasted))")
            recorder.expect(recorder.stats()?.wasted.nanoseconds == 0, "time is left")
        },
        Case("waste: twice in a turn of the main loop") { recorder in
            recorder.store.turnBegan()
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "b"), Outcome("title", .diff, waste: .twiceInATurn)) { _ in }
            recorder.store.committed("View")
            recorder.evaluate("View", Leaf(title: "c"), Outcome("title", .diff)) { _ in }
            recorder.store.turnBegan()
            recorder.evaluate("View", Leaf(title: "d"), Outcome("title", .diff)) { _ in }
        },
        Case("waste: again in a turn of the host, whose commit shows the latest") { recorder in
            recorder.store.evaluatesAgain("View", handler: "nobody knows the view yet")
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.evaluatesAgain("View", handler: "onAppear of View")
            let again = Outcome("title", .diff, waste: .twiceInATurn, writer: "onAppear of View")
            recorder.evaluate("View", Leaf(title: "b"), again) { _ in }
            recorder.store.evaluatesAgain("View", handler: "onAppear of View")
            recorder.evaluate("View", Leaf(title: "c"), again) { _ in }
            recorder.store.committed("View", changed: true)
            recorder.expect(recorder.stats()?.wasted.kinds == [.twiceInATurn: 2], "the first two were not seen")
            recorder.evaluate("View", Leaf(title: "d"), Outcome("title", .diff)) { _ in }
            recorder.store.committed("View", changed: true)
            recorder.expect(recorder.stats()?.wasted.inferred == 2, "\(String(describing: recorder.stats()?.wasted))")
        },
        Case("waste: again in a turn of the host, whose commit changes nothing") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.committed("View", changed: true)
            recorder.evaluate("View", Leaf(title: "b"), Outcome("title", .diff)) { _ in }
            recorder.store.evaluatesAgain("View")
            recorder.evaluate("View", Leaf(title: "a"), Outcome("title", .diff, waste: .twiceInATurn)) { _ in }
            recorder.store.committed("View", changed: false)
            recorder.expect(recorder.stats()?.wasted.kinds == [.sameOutput: 2], "both were for nothing")
        },
        Case("waste: again only after a commit is none") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.committed("View", changed: true)
            recorder.store.evaluatesAgain("View")
            recorder.evaluate("View", Leaf(title: "b"), Outcome("title", .diff)) { _ in }
        },
        Case("waste: time and counts add up") { recorder in
            for _ in 0..<10 {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Leaf(title: "a"), nil) { _ in }
                }
            }
            guard let stats = recorder.stats() else { return recorder.expect(false, "no statistics") }
            recorder.expect(stats.wasted.count == 9 && stats.wasted.inferred == 9, "\(stats.wasted)")
            recorder.expect(stats.wasted.nanoseconds <= stats.body.totalNanoseconds, "more wasted than spent")
            recorder.expect(stats.reasons.reduce(0) { $0 + $1.count } == stats.count, "reasons do not add up")
        },
    ]
}
