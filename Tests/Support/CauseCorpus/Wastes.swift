// SPDX-License-Identifier: MIT
// Evaluations that were not needed, and evaluations that only look so.

import Observation
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
@Observable private final class Acting { var action: () -> Int = { 1 } }
private struct ActingView {
    let model: Acting
}
private final class Counter { var count = 1 }
private struct CounterView {
    let counter: Counter
}
@Observable private final class Ignoring {
    var tick = 0
    @ObservationIgnored var cache = 1
}
private struct IgnoringView {
    let model: Ignoring
}
/// Equal by its number alone.
private struct Article: Equatable {
    var number: Int
    var name: String
    static func == (a: Article, b: Article) -> Bool { a.number == b.number }
}
@Observable private final class Basket {
    var article = Article(number: 1, name: "a")
    var articles = [Article(number: 1, name: "a")]
    var chosen: Article? = Article(number: 1, name: "a")
    var count = 1
    var texts = ["a"]
    var leaf = Leaf(title: "a")
}
@Observable private final class CounterModel {
    var counter = Counter()
    var number = 1
}
private struct CounterModelView {
    let model: CounterModel
}

extension Case {
    static let wastes: [Case] = [
        Case("waste: a value that is equal by the app's own ==, in a model that the view does not hold") { recorder in
            let basket = Basket(), renamed = Article(number: 1, name: "b")
            func evaluate(_ key: String, _ truth: Truth, _ read: () -> String) {
                recorder.evaluate(key, Leaf(title: "a"), isDescribed: false, is: truth) { _ in read() }
            }
            func evaluateAll(_ truth: Truth) {
                evaluate("one", truth) { basket.article.name }
                evaluate("many", truth) { basket.articles[0].name }
                evaluate("none or one", truth) { basket.chosen?.name ?? "" }
            }
            evaluateAll(.initial)
            basket.article = renamed
            basket.articles = [renamed]
            basket.chosen = renamed
            evaluateAll(.open)
        },
        Case("waste: a value of a kind that hides nothing, in a model that the view does not hold") { recorder in
            let basket = Basket()
            func read() -> String { "\(basket.count)\(basket.texts)\(basket.leaf.title)" }
            recorder.evaluate("View", Leaf(title: "a"), is: .initial) { _ in read() }
            recorder.evaluate("View", Leaf(title: "a"), is: .same) { _ in read() }
        },
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
            let digest = OutputComparison<String>.digest { $0.count }
            recorder.evaluate("View", Leaf(title: "a"), comparing: digest, .initial) { $0.title }
            let same = Outcome("title", .diff, waste: .sameOutput, isMeasured: true)
            recorder.evaluate("View", Leaf(title: "b"), comparing: digest, same) { $0.title }
            recorder.evaluate("View", Leaf(title: "bb"), comparing: digest, Outcome("title", .diff)) {
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
        Case("waste: only a closure is new and does the same, under a parent") { recorder in
            func evaluate(_ number: Int, _ expected: Outcome) {
                recorder.evaluate("Outer", Leaf(title: "o"), nil) { _ in
                    recorder.evaluate("View", Action(title: "a", onTap: { print(number) }), expected) { _ in }
                }
            }
            let chain = "Outer ← <external signal>"
            evaluate(1, .initial)
            evaluate(1, Outcome("parent: Outer", waste: .closureIdentity, chain: chain))
            evaluate(2, Outcome("parent: Outer", chain: chain))
            evaluate(2, Outcome("parent: Outer", waste: .closureIdentity, chain: chain))
        },
        Case("waste: a closure of another function, or with a variable, is none") { recorder in
            var number = 1
            let first = Action(title: "a", onTap: {}), second = Action(title: "a", onTap: { print() })
            let counting = Action(title: "a", onTap: { number += 1 })
            recorder.evaluate("View", first, .initial) { _ in }
            recorder.evaluate("View", first, .again) { _ in }
            recorder.evaluate("View", second, .external) { _ in }
            recorder.evaluate("View", second, .again) { _ in }
            recorder.evaluate("View", counting, .external) { _ in }
            counting.onTap()
            recorder.evaluate("View", counting, .external) { _ in }
        },
        Case("waste: an action of a model that is written is no same value") { recorder in
            let model = Acting()
            let view = ActingView(model: model)
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, .initial) { $0.model.action() }
            model.action = { 2 }
            recorder.evaluate("View", view, Outcome("model.action")) { $0.model.action() }
        },
        Case("waste: an object with variables behind the same reference is not the same content") { recorder in
            let (reference, ignoring) = (Counter(), Ignoring())
            recorder.evaluate("View", CounterView(counter: reference), .initial) { $0.counter.count }
            reference.count = 2
            recorder.evaluate("View", CounterView(counter: reference), .external) { $0.counter.count }
            recorder.evaluate("Ignoring", IgnoringView(model: ignoring), .initial) { $0.model.cache }
            ignoring.cache = 2
            recorder.evaluate("Ignoring", IgnoringView(model: ignoring), .external) { $0.model.cache }
        },
        Case("waste: a model's value that holds an object with variables is not known to be the same") { recorder in
            let holder = CounterModel()
            let view = CounterModelView(model: holder)
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, .initial) { $0.model.counter.count + $0.model.number }
            recorder.evaluate("View", view, .external) { $0.model.counter.count }
            holder.counter.count = 2
            recorder.evaluate("View", view, .external) { $0.model.counter.count }
            let counter = holder.counter
            holder.counter = counter
            // Observation does not call a write of the same object one.
            recorder.evaluate("View", view, .external) { $0.model.number }
            recorder.evaluate("View", view, .again) { $0.model.number }
        },
        Case("waste: nothing to compare, nothing to infer") { recorder in
            struct Clock {}
            recorder.evaluate("View", Clock(), .initial) { _ in }
            recorder.evaluate("View", Clock(), .external) { _ in }
            recorder.expect(recorder.stats()?.wasted.unjudged == 1, "\(recorder.stats()?.wasted.unjudged ?? 9)")
        },
        Case("waste: evaluated four times with equal inputs") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            for _ in 0..<3 { recorder.evaluate("View", Leaf(title: "a"), .again) { _ in } }
            let waste = recorder.stats()?.wasted
            let isInferred = waste?.inferred == 3 && waste?.measured == 0 && waste?.unjudged == 0
            recorder.expect(isInferred, "\(String(describing: waste))")
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
        Case("waste: again in a turn of the host, whose commit shows the latest") { recorder in
            recorder.store.evaluatesAgain("View")
            recorder.evaluate("View", Leaf(title: "a"), .initial) { _ in }
            recorder.store.evaluatesAgain("View")
            let again = Outcome("title", .diff, waste: .twiceInATurn)
            recorder.evaluate("View", Leaf(title: "b"), again) { _ in }
            recorder.store.evaluatesAgain("View")
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
