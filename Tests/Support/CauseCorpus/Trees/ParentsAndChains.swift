// SPDX-License-Identifier: MIT
// Parents, their instances, and the chain to the first cause.

import Rerender

private struct Leaf { var title: String }
private struct Shown { let ticker: Ticker; var title = "a" }

extension Case {
    static let parents = CaseList.make("parents") { list in
        list.one("a child of a parent whose model was written") { recorder in
            let ticker = Ticker()
            func evaluate(_ outer: Truth, _ child: Truth) {
                recorder.evaluate("Outer", Shown(ticker: ticker), is: outer) { view in
                    _ = view.ticker.tick
                    recorder.evaluate(Leaf(title: "a"), is: child)
                }
            }
            evaluate(.initial, .initial)
            evaluate(
                .wrote("ticker.tick", advance(ticker)), .same.under("Outer", from: "ticker.tick").wasted(.parentOnly))
            evaluate(.same, .same.under("Outer", from: Truth.external).wasted(.parentOnly))
        }
        list.one("the chain is that of the parent's instance") { recorder in
            let tickers = [Ticker(), Ticker()]
            func evaluate(_ index: Int, title: String, _ card: Truth, _ child: Truth) {
                recorder.evaluate(
                    "Card", Shown(ticker: tickers[index], title: title), instance: InstanceID(UInt64(index)), is: card
                ) { view in
                    _ = view.ticker.tick
                    recorder.evaluate("Row", Leaf(title: "a"), instance: InstanceID(UInt64(index)), is: child) { _ in }
                }
            }
            evaluate(0, title: "a", .initial, .initial)
            evaluate(1, title: "a", .initial, .initial)
            evaluate(
                0, title: "a", .wrote("ticker.tick", advance(tickers[0])), .same.under("Card", from: "ticker.tick"))
            evaluate(1, title: "b", .changed("title"), .same.under("Card", from: "title"))
            evaluate(0, title: "b", .changed("title"), .same.under("Card", from: "title"))
            evaluate(
                1, title: "b", .wrote("ticker.tick", advance(tickers[1])), .same.under("Card", from: "ticker.tick"))
        }
        list.one("three levels") { recorder in
            func evaluate(_ title: String, _ truths: [Truth]) {
                recorder.evaluate("A", Leaf(title: title), is: truths[0]) { _ in
                    recorder.evaluate("B", Leaf(title: "b"), is: truths[1]) { _ in
                        recorder.evaluate("C", Leaf(title: "c"), is: truths[2]) { _ in }
                    }
                }
            }
            evaluate("a", [.initial, .initial, .initial])
            var second = Truth.same.under("B")
            second.chain = "B ← A ← title"
            evaluate("b", [.changed("title"), .same.under("A", from: "title"), second])
        }
        list.one("the child's own change comes before the parent") { recorder in
            let titles = ["a", "b", "b", "c"]
            let truths: [Truth] = [.initial, .changed("title"), .same, .changed("title")]
            recorder.children(titles.map { Leaf(title: $0) }, are: truths.map { $0.under("Outer") })
        }
        list.one("a child that is the first of a parent of many") { recorder in
            for round in 0..<3 {
                recorder.evaluate("Outer", Leaf(title: "\(round)"), is: round == 0 ? .initial : .changed("title")) {
                    _ in
                    for row in 0...round {
                        let isNew = row == round
                        recorder.evaluate(
                            Leaf(title: "\(row)"), instance: InstanceID(UInt64(row)),
                            is: isNew ? .initial : .same.under("Outer", from: "title"))
                    }
                }
            }
        }
        list.one("a view in itself") { recorder in
            func evaluate(_ depth: Int, _ innermost: Truth) {
                let truth = depth == 0 ? innermost : nil
                recorder.evaluate("View", Leaf(title: "\(depth)"), instance: InstanceID(UInt64(depth)), is: truth) {
                    _ in
                    if depth > 0 { evaluate(depth - 1, innermost) }
                }
            }
            evaluate(3, .initial)
            evaluate(3, .same.under("View"))
        }
        list.one("a view of the same key in itself, without instances") { recorder in
            // One instance inside of itself: what the inner one had is not what the outer one had.
            for round in 0..<3 {
                recorder.evaluate("View", Leaf(title: "a"), is: nil) { _ in
                    recorder.evaluate("View", Leaf(title: "\(round)"), is: nil) { _ in }
                }
            }
            let waste = recorder.stats()?.wasted
            recorder.expect(waste?.count == 0, "\(waste?.count ?? 0) called wasted")
        }
        list.one("an announced parent that was evaluated") { recorder in
            recorder.evaluate("Card", Leaf(title: "a"), is: .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: .initial) { _ in }
            recorder.evaluate("Card", Leaf(title: "b"), is: .changed("title")) { _ in }
            recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: .same.under("Card", from: "title")) { _ in }
            // Card was not evaluated since.
            recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: .same) { _ in }
        }
        list.one("an announced parent that does not exist") { recorder in
            recorder.evaluate("View", Leaf(title: "x"), parent: "Nobody", is: .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "x"), parent: "Nobody", is: .same) { _ in }
            recorder.evaluate("View", Leaf(title: "y"), parent: "Nobody", is: .changed("title")) { _ in }
        }
        list.one("an announced parent beside one that runs") { recorder in
            recorder.evaluate("Card", Leaf(title: "a"), is: .initial) { _ in }
            func evaluate(_ truth: Truth) {
                recorder.evaluate("Outer", Leaf(title: "o"), is: nil) { _ in
                    recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: truth) { _ in }
                }
            }
            evaluate(.initial)
            recorder.evaluate("Card", Leaf(title: "b"), is: .changed("title")) { _ in }
            evaluate(.same.under("Card", from: "title"))
        }
        list.one("an announced parent that is evaluated only later") { recorder in
            recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: .initial) { _ in }
            recorder.evaluate("Card", Leaf(title: "a"), is: .initial) { _ in }
            recorder.evaluate("View", Leaf(title: "x"), parent: "Card", is: .same.under("Card", from: "initial")) { _ in
            }
        }
        list.one("a parent that throws after its child") { recorder in
            struct Refused: Error {}
            for round in 0..<2 {
                try? recorder.store.evaluate("Outer", of: Leaf(title: "\(round)")) {
                    recorder.evaluate(Leaf(title: "a"), is: round == 0 ? .initial : .same.under("Outer", from: "title"))
                    throw Refused()
                }
            }
            recorder.evaluate(Leaf(title: "a"), is: .same)
        }
        list.one("a parent of another store") { recorder in
            let other = RerenderStore(name: "other")
            for round in 0..<2 {
                other.evaluate("Outer", of: Leaf(title: "\(round)")) {
                    recorder.evaluate(Leaf(title: "a"), is: round == 0 ? .initial : .same.under("Outer"))
                }
            }
        }
        list.one("a key with an arrow in it") { recorder in
            for round in 0..<2 {
                recorder.evaluate("A ← B", Leaf(title: "\(round)"), is: round == 0 ? .initial : .changed("title")) {
                    _ in
                    recorder.evaluate(Leaf(title: "a"), is: round == 0 ? .initial : .same.under("A ← B", from: "title"))
                }
            }
        }
    }

    static let announcements = CaseList.make("announced") { list in
        list.one("a cause, its writer, and nothing after it") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.store.invalidate("View", cause: "count", writer: "tap() Shop/Cart.swift:7")
            recorder.evaluate(Leaf(title: "a"), is: .announced("count", by: "tap() Shop/Cart.swift:7"))
            recorder.evaluate(Leaf(title: "a"), is: .same)
        }
        list.one("two causes, one twice") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for cause in ["count", "filter", "count"] { recorder.store.invalidate("View", cause: cause) }
            recorder.evaluate(Leaf(title: "a"), is: .announced("count, filter"))
        }
        list.one("long causes that begin alike are told apart") { recorder in
            let start = String(repeating: "a long cause ", count: 25)
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for end in ["one", "two", "one"] {
                recorder.store.invalidate("View", cause: start + end)
                recorder.evaluate(Leaf(title: "a"), is: nil)
            }
            let counts = recorder.stats()?.reasons.filter { $0.reason.hasPrefix("a long cause") }.map(\.count) ?? []
            recorder.expect(counts == [2, 1], "\(counts)")
        }
        list.one("long reasons of the caller's that begin alike are told apart") { recorder in
            let start = String(repeating: "é", count: 200)
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for end in ["one", "two", "one"] {
                recorder.evaluate("View", Leaf(title: "a"), reason: start + end, is: nil) { _ in }
            }
            let counts = recorder.stats()?.reasons.filter { $0.reason.hasPrefix("éé") }.map(\.count) ?? []
            recorder.expect(counts == [2, 1], "\(counts)")
        }
        list.one("a reason of 256 bytes is as it is") { recorder in
            let text = String(repeating: "x", count: 256)
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            recorder.evaluate("View", Leaf(title: "a"), reason: text, is: .announced(text)) { _ in }
        }
        list.one("an announced cause outranks a write and a change") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", Shown(ticker: ticker), is: .initial) { $0.ticker.tick }
            _ = advance(ticker)
            recorder.store.invalidate("View", cause: "state")
            recorder.evaluate("View", Shown(ticker: ticker, title: "b"), is: .announced("state")) { $0.ticker.tick }
            // All that was before is over.
            recorder.evaluate("View", Shown(ticker: ticker, title: "b"), is: .same) { $0.ticker.tick }
        }
        list.one("the caller's reason outranks all, and ends the others") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", Shown(ticker: ticker), is: .initial) { $0.ticker.tick }
            _ = advance(ticker)
            recorder.store.invalidate("View", cause: "state")
            recorder.evaluate("View", Shown(ticker: ticker), reason: "tap", is: .announced("tap")) { $0.ticker.tick }
            recorder.evaluate("View", Shown(ticker: ticker), is: .same) { $0.ticker.tick }
        }
        list.one("a write outranks a change, which outranks the parent") { recorder in
            let ticker = Ticker()
            func evaluate(_ title: String, _ truth: Truth) {
                recorder.evaluate("Outer", Leaf(title: "o"), is: nil) { _ in
                    recorder.evaluate("View", Shown(ticker: ticker, title: title), is: truth.under("Outer")) {
                        $0.ticker.tick
                    }
                }
            }
            evaluate("a", .initial)
            var both = Truth.wrote("ticker.tick", advance(ticker))
            both.lesser = ["title"]
            evaluate("b", both)
            evaluate("c", .changed("title"))
            evaluate("c", .same)
        }
        list.one("for one instance") { recorder in
            for instance: InstanceID in [1, 2] { recorder.evaluate(Leaf(title: "a"), instance: instance, is: .initial) }
            recorder.store.invalidate("View", instance: 2, cause: "count")
            recorder.evaluate(Leaf(title: "a"), instance: 1, is: .same)
            recorder.evaluate(Leaf(title: "a"), instance: 2, is: .announced("count"))
        }
        list.one("for an instance that ended and came again") { recorder in
            recorder.evaluate(Leaf(title: "a"), instance: 1, is: .initial)
            recorder.store.invalidate("View", instance: 1, cause: "count")
            recorder.store.ended("View", instance: 1)
            recorder.evaluate(Leaf(title: "a"), instance: 1, is: .initial)
            recorder.evaluate(Leaf(title: "a"), instance: 1, is: .same)
        }
        list.one("a child of one whose cause was announced") { recorder in
            func evaluate(_ outer: Truth, _ child: Truth) {
                recorder.evaluate("Outer", Leaf(title: "o"), is: outer) { _ in
                    recorder.evaluate(Leaf(title: "a"), is: child)
                }
            }
            evaluate(.initial, .initial)
            recorder.store.invalidate("Outer", cause: "state")
            evaluate(.announced("state"), .same.under("Outer", from: "state"))
        }
        list.one("from another thread, while the body runs") { recorder in
            recorder.evaluate("View", Leaf(title: "a"), is: .initial) { _ in
                recorder.store.invalidate("View", cause: "state")
            }
            recorder.evaluate("View", Leaf(title: "a"), is: nil) { _ in }
            recorder.evaluate("View", Leaf(title: "a"), is: .same) { _ in }
        }
        list.one("texts that look like the library's own") { recorder in
            recorder.evaluate(Leaf(title: "a"), is: .initial)
            for text in ["initial", "parent: Outer", "other", "<external signal>"] {
                let before = recorder.stats()?.count
                recorder.store.invalidate("View", cause: text)
                recorder.evaluate(Leaf(title: "a"), is: nil)
                recorder.expect(recorder.stats()?.wasted.count == 0, "\(text) is wasted")
                recorder.expect(recorder.stats()?.count == (before ?? 0) + 1, "not counted")
            }
        }
    }
}
