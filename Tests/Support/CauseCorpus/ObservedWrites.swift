// SPDX-License-Identifier: MIT
// Writes to observed properties: which property of which model, and who wrote it.

import Dispatch
import Observation
import Rerender
import RerenderModel

private struct TickerView {
    let ticker: Ticker
}
private struct TwoTickers {
    var left: Ticker
    var right: Ticker
}
private struct OptionalView {
    var ticker: Ticker?
}
private struct ListView {
    var tickers: [Ticker]
}
private struct TurboView {
    let turbo: Turbo
}
private struct BoxView<Value> {
    let box: Box<Value>
}
private final class Counter {
    let ticker = Ticker()
}
private final class Shop {
    let counter = Counter()
    let tickers = [Ticker(), Ticker()]
    var current = Ticker()
}
private struct ShopView {
    let shop: Shop
}
private struct NoModel {
    var number = 1
}
private struct Nested {
    var inner: TickerView
}

private func by(_ reason: String, _ place: Place, waste: WasteKind? = nil) -> Outcome {
    Outcome(reason, .exact, waste: waste, writer: place.text)
}

/// One model, one write between two evaluations.
private func write(
    _ name: String, _ reason: String, reading: @escaping @Sendable (Ticker) -> Int,
    _ write: @escaping @Sendable (Ticker) -> Place, line: UInt = #line
) -> Case {
    Case("observed: \(name)") { recorder in
        let ticker = Ticker()
        recorder.evaluate("View", TickerView(ticker: ticker), .initial, line: line) { reading($0.ticker) }
        let place = write(ticker)
        recorder.evaluate("View", TickerView(ticker: ticker), by(reason, place), line: line) { reading($0.ticker) }
    }
}

/// Runs a write on another thread, to its end.
private func elsewhere(_ write: @escaping () -> Place) -> Place {
    nonisolated(unsafe) let write = write
    nonisolated(unsafe) var place = Place("")
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        place = write()
        done.signal()
    }
    done.wait()
    return place
}

extension Case {
    static let observedWrites: [Case] = [
        write("a property of a model", "ticker.tick", reading: { $0.tick }, { advance($0) }),
        write("a property of a model's model", "ticker.engine.rpm", reading: { $0.engine.rpm }) {
            rev($0.engine, to: 9)
        },
        write("a replaced model in the middle", "ticker.engine", reading: { $0.engine.rpm }) {
            // Not as below: the optimiser would make one function of the two, and nobody could tell which it was.
            let engine = Engine()
            engine.rpm = 1
            return swapEngine($0, engine)
        },
        write("a computed property that reads another", "ticker.tick", reading: { $0.twice }, { advance($0) }),
        write("a string", "ticker.name", reading: { $0.name.utf8.count }) { rename($0, "b") },
        Case("observed: three levels down") { recorder in
            let ticker = Ticker()
            let view = TickerView(ticker: ticker)
            recorder.evaluate("View", view, .initial) { $0.ticker.engine.piston.stroke }
            ticker.engine.piston.stroke = 4
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, nil) { $0.ticker.engine.piston.stroke }
            recorder.expect(
                recorder.stats()?.lastReason == "ticker.engine.piston.stroke", "\(recorder.stats()?.lastReason ?? "")")
        },
        Case("observed: a private property") { recorder in
            let ticker = Ticker()
            recorder.store.recordsWriters = false
            recorder.evaluate("View", TickerView(ticker: ticker), .initial) { $0.ticker.secret }
            ticker.bump(3)
            recorder.evaluate("View", TickerView(ticker: ticker), Outcome("ticker.hidden")) { $0.ticker.secret }
        },
        Case("observed: what was not read is no cause") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", TickerView(ticker: ticker), .initial) { $0.ticker.tick }
            _ = rename(ticker, "other")
            recorder.evaluate("View", TickerView(ticker: ticker), .again) { $0.ticker.tick }
        },
        Case("observed: two models of one type, told apart") { recorder in
            let view = TwoTickers(left: Ticker(), right: Ticker())
            recorder.evaluate("View", view, .initial) { $0.left.tick + $0.right.tick }
            var place = advance(view.right)
            recorder.evaluate("View", view, by("right.tick", place)) { $0.left.tick + $0.right.tick }
            place = advance(view.left)
            recorder.evaluate("View", view, by("left.tick", place)) { $0.left.tick + $0.right.tick }
        },
        Case("observed: the same model by two ways has the first name") { recorder in
            let ticker = Ticker()
            let view = TwoTickers(left: ticker, right: ticker)
            recorder.evaluate("View", view, .initial) { $0.left.tick + $0.right.tick }
            let place = advance(ticker)
            recorder.evaluate("View", view, by("left.tick", place)) { $0.left.tick + $0.right.tick }
        },
        Case("observed: models that change places have their new names") { recorder in
            let (one, two) = (Ticker(), Ticker())
            recorder.evaluate("View", TwoTickers(left: one, right: two), .initial) { $0.left.tick + $0.right.tick }
            recorder.evaluate("View", TwoTickers(left: two, right: one), Outcome("left, right", .diff)) {
                $0.left.tick + $0.right.tick
            }
            let place = advance(one)
            recorder.evaluate("View", TwoTickers(left: two, right: one), by("right.tick", place)) {
                $0.left.tick + $0.right.tick
            }
        },
        Case("observed: a replaced model's writes are the new one's only") { recorder in
            let (old, new) = (Ticker(), Ticker())
            recorder.evaluate("View", OptionalView(ticker: old), .initial) { $0.ticker?.tick }
            recorder.evaluate("View", OptionalView(ticker: new), Outcome("ticker", .diff)) { $0.ticker?.tick }
            _ = advance(old)
            recorder.evaluate("View", OptionalView(ticker: new), .again) { $0.ticker?.tick }
            let place = advance(new)
            recorder.evaluate("View", OptionalView(ticker: new), by("ticker.tick", place)) { $0.ticker?.tick }
        },
        Case("observed: one model of a dictionary, and one in an enum") { recorder in
            enum Phase { case loading, loaded(Ticker) }
            struct Tables {
                let byName: [String: Ticker]
                let phase: Phase
            }
            let (one, two, three) = (Ticker(), Ticker(), Ticker())
            let view = Tables(byName: ["one": one, "two": two], phase: .loaded(three))
            func read(_ view: Tables) -> Int {
                let sum = view.byName.values.reduce(0) { $0 + $1.tick }
                if case .loaded(let ticker) = view.phase { return sum + ticker.tick }
                return sum
            }
            recorder.evaluate("View", view, .initial, body: read)
            for ticker in [one, two] {
                let place = advance(ticker)
                recorder.evaluate("View", view, by("byName[].tick", place), body: read)
            }
            let place = advance(three)
            recorder.evaluate("View", view, by("phase.tick", place), body: read)
            recorder.evaluate("View", Tables(byName: [:], phase: .loading), Outcome("byName, phase", .diff), body: read)
        },
        Case("observed: one model of an array") { recorder in
            let view = ListView(tickers: [Ticker(), Ticker(), Ticker()])
            recorder.evaluate("View", view, .initial) { $0.tickers.map(\.tick) }
            let place = advance(view.tickers[1])
            recorder.evaluate("View", view, by("tickers[].tick", place)) { $0.tickers.map(\.tick) }
        },
        Case("observed: a model in a nested struct") { recorder in
            let view = Nested(inner: TickerView(ticker: Ticker()))
            recorder.evaluate("View", view, .initial) { $0.inner.ticker.tick }
            let place = advance(view.inner.ticker)
            recorder.evaluate("View", view, by("inner.ticker.tick", place)) { $0.inner.ticker.tick }
        },
        Case("observed: a model behind constants of an object that is not read") { recorder in
            let view = ShopView(shop: Shop())
            recorder.evaluate("View", view, .initial) { $0.shop.counter.ticker.tick + $0.shop.tickers[1].tick }
            var place = advance(view.shop.counter.ticker)
            recorder.evaluate("View", view, by("shop.counter.ticker.tick", place)) {
                $0.shop.counter.ticker.tick + $0.shop.tickers[1].tick
            }
            place = advance(view.shop.tickers[1])
            recorder.evaluate("View", view, by("shop.tickers[].tick", place)) { $0.shop.tickers[1].tick }
        },
        Case("observed: a model in a variable of an object that is not read is named by its type") { recorder in
            let view = ShopView(shop: Shop())
            recorder.evaluate("View", view, .initial) { $0.shop.current.tick }
            let place = advance(view.shop.current)
            recorder.evaluate("View", view, by("Ticker.tick", place)) { $0.shop.current.tick }
        },
        Case("observed: a model that the view does not hold") { recorder in
            let ticker = Ticker()
            recorder.evaluate("View", NoModel(), .initial) { _ in ticker.tick }
            let place = advance(ticker)
            recorder.evaluate("View", NoModel(), by("Ticker.tick", place)) { _ in ticker.tick }
        },
        Case("observed: a subclass's and its superclass's properties") { recorder in
            let view = TurboView(turbo: Turbo())
            recorder.evaluate("View", view, .initial) { $0.turbo.tick + $0.turbo.boost }
            let place = advance(view.turbo)
            recorder.evaluate("View", view, by("turbo.tick", place)) { $0.turbo.tick + $0.turbo.boost }
            recorder.store.recordsWriters = false
            view.turbo.boost = 7
            recorder.evaluate("View", view, Outcome("turbo.boost")) { $0.turbo.tick + $0.turbo.boost }
        },
        Case("observed: a generic model") { recorder in
            let view = BoxView(box: Box("a"))
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, .initial) { $0.box.content }
            view.box.content = "b"
            recorder.evaluate("View", view, Outcome("box.content")) { $0.box.content }
        },
        Case("observed: several properties are joined") { recorder in
            let ticker = Ticker()
            let view = TickerView(ticker: ticker)
            recorder.store.recordsWriters = false
            recorder.evaluate("View", view, .initial) { "\($0.ticker.tick)\($0.ticker.name)" }
            _ = advance(ticker)
            _ = rename(ticker, "b")
            recorder.evaluate("View", view, Outcome("ticker.name, ticker.tick")) {
                "\($0.ticker.tick)\($0.ticker.name)"
            }
        },
        Case("observed: many writes before one evaluation, each counted") { recorder in
            let ticker = Ticker()
            let view = TickerView(ticker: ticker)
            recorder.evaluate("View", view, .initial) { $0.ticker.tick }
            var place = advance(ticker)
            for _ in 0..<4 { place = advance(ticker) }
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
            let writer = recorder.stats()?.reasons.first { $0.reason == "ticker.tick" }?.writers.first
            recorder.expect(writer?.count == 5, "\(writer?.count ?? 0) writes")
        },
        Case("observed: evaluated twice for one write, nothing piles up") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { $0.ticker.tick }
            for _ in 0..<50 { recorder.evaluate("View", view, .again) { $0.ticker.tick } }
            let place = advance(view.ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
            let writer = recorder.stats()?.reasons.first { $0.reason == "ticker.tick" }?.writers.first
            recorder.expect(writer?.count == 1, "\(writer?.count ?? 0) writes for one")
        },
        Case("observed: two writers of one property") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { $0.ticker.tick }
            var place = advance(view.ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
            place = rewind(view.ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
            recorder.expect(
                recorder.stats()?.reasons.first { $0.reason == "ticker.tick" }?.writers.count == 2, "not two")
        },
        Case("observed: a write from another thread") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { $0.ticker.tick }
            nonisolated(unsafe) let ticker = view.ticker
            nonisolated(unsafe) var place = Place("")
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                place = advance(ticker)
                done.signal()
            }
            done.wait()
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
        },
        Case("observed: what another thread writes is not looked at, and so neither gone through nor called the same") {
            recorder in
            let view = TickerView(ticker: Ticker())
            func read(_ view: TickerView) -> Int { view.ticker.engine.rpm + view.ticker.style.value }
            recorder.evaluate("View", view, .initial, body: read)
            var place = elsewhere { restyle(view.ticker, 1) }
            recorder.evaluate("View", view, by("ticker.style", place), body: read)
            place = rev(view.ticker.engine, to: 3)
            recorder.evaluate("View", view, by("ticker.engine.rpm", place), body: read)
            place = elsewhere { swapEngine(view.ticker, Engine()) }
            recorder.evaluate("View", view, by("ticker.engine", place), body: read)
            place = rev(view.ticker.engine, to: 4)
            recorder.evaluate("View", view, by("Engine.rpm", place), body: read)
        },
        Case("observed: a write during the body is no cause of the next evaluation") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { view in
                _ = view.ticker.tick
                _ = advance(view.ticker)
            }
            // Its first body read another value than is there now.
            recorder.evaluate("View", view, .external) { $0.ticker.tick }
            recorder.evaluate("View", view, .again) { $0.ticker.tick }
        },
        Case("observed: a body that throws is tracked up to there") { recorder in
            struct Refused: Error {}
            let view = TickerView(ticker: Ticker())
            try? recorder.store.evaluate("View", of: view) {
                _ = view.ticker.tick
                throw Refused()
            }
            let place = advance(view.ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick }
        },
        Case("observed: other branch, other reads") { recorder in
            let ticker = Ticker()
            func read(_ view: TickerView, _ first: Bool) -> Int { first ? view.ticker.tick : view.ticker.engine.rpm }
            let view = TickerView(ticker: ticker)
            recorder.evaluate("View", view, .initial) { read($0, true) }
            var place = advance(ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { read($0, false) }
            _ = advance(ticker)
            recorder.evaluate("View", view, .again) { read($0, false) }
            place = rev(ticker.engine, to: 5)
            recorder.evaluate("View", view, by("ticker.engine.rpm", place)) { read($0, true) }
        },
        Case("observed: the same key path in two models, one without a way") { recorder in
            let (held, other) = (Ticker(), Ticker())
            let view = TickerView(ticker: held)
            recorder.evaluate("View", view, .initial) { $0.ticker.tick + other.tick }
            var place = advance(held)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.tick + other.tick }
            place = advance(other)
            recorder.evaluate("View", view, by("Ticker.tick", place)) { $0.ticker.tick + other.tick }
        },
        Case("observed: instances have causes of their own") { recorder in
            let (one, two) = (TickerView(ticker: Ticker()), TickerView(ticker: Ticker()))
            recorder.evaluate("View", one, instance: 1, .initial) { $0.ticker.tick }
            recorder.evaluate("View", two, instance: 2, .initial) { $0.ticker.tick }
            let place = advance(two.ticker)
            recorder.evaluate("View", one, instance: 1, .again) { $0.ticker.tick }
            recorder.evaluate("View", two, instance: 2, by("ticker.tick", place)) { $0.ticker.tick }
        },
        Case("observed: reads that a bridge reports") { recorder in
            let view = TickerView(ticker: Ticker())
            recorder.evaluate("View", view, .initial) { $0.ticker.name }
            recorder.store.reading("View") { _ = view.ticker.tick }
            let place = advance(view.ticker)
            recorder.evaluate("View", view, by("ticker.tick", place)) { $0.ticker.name }
            _ = advance(view.ticker)
            recorder.evaluate("View", view, .again) { $0.ticker.name }
        },
    ]
}
