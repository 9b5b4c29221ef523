// SPDX-License-Identifier: MIT
// Where a view keeps its models: in dictionaries, enums, arrays, behind references of every kind, or not at all.

import Observation
import Rerender

private enum Page { case empty, shown(Ticker), pair(Ticker, Ticker), many([Ticker]) }
private indirect enum Tree { case leaf(Ticker), node(Tree, Tree) }
private struct Named { let name: String; let ticker: Ticker }
private struct Weak { weak var ticker: Ticker? }
private struct Unowned { unowned let ticker: Ticker }
private struct Unsafe { unowned(unsafe) let ticker: Ticker }
private struct Pair { let left: Ticker; let right: Ticker }
private struct Shown { let ticker: Ticker; var title = "a" }
private struct Lazy { let ticker: Ticker; lazy var twice = ticker.tick * 2 }
private struct Underscored { let cell: Ticker; let _cell: Ticker }
private struct Raw { let `1.x`: Ticker; let x: Ticker }
private struct Closed { let read: () -> Int }
private struct Existential { let model: any Ticking }
private protocol Ticking: AnyObject { var tick: Int { get } }
extension Ticker: Ticking {}
@propertyWrapper private struct Bindable { var wrappedValue: Ticker }
private struct Wrapped { @Bindable var ticker: Ticker }
private final class Session { let ticker = Ticker(); let name = "session" }
private final class Mutable { var ticker = Ticker() }
private struct InSession { let session: Session }
private struct InMutable { let session: Mutable }
/// Beside the model of a case, and never written.
private nonisolated(unsafe) let other = Ticker()

/// A model in `view`, written between two evaluations.
private func place<View>(
    _ list: inout CaseList, _ name: String, _ make: @escaping @Sendable (Ticker) -> View, below start: String,
    reading: @escaping @Sendable (View) -> Int, line: UInt = #line
) {
    @Sendable func truth(_ place: Place) -> Truth { .wrote("tick", below: start, of: "Ticker", place) }
    list.one("\(name): written") { recorder in
        let ticker = Ticker()
        recorder.evaluate("View", make(ticker), isDescribed: false, is: .initial, line: line, body: reading)
        let place = advance(ticker)
        recorder.evaluate("View", make(ticker), isDescribed: false, is: truth(place), line: line, body: reading)
    }
    list.one("\(name): written, in a child") { recorder in
        let ticker = Ticker()
        func evaluate(_ truth: Truth) {
            recorder.evaluate("Outer", One(value: 0), is: nil) { _ in
                recorder.evaluate("View", make(ticker), isDescribed: false, is: truth, line: line, body: reading)
            }
        }
        evaluate(.initial)
        evaluate(truth(advance(ticker)).under("Outer"))
    }
    list.one("\(name): not written") { recorder in
        let ticker = Ticker()
        recorder.evaluate("View", make(ticker), isDescribed: false, is: .initial, line: line, body: reading)
        _ = rename(ticker, "b")
        // Ticker keeps all that it has in observed properties.
        recorder.evaluate("View", make(ticker), isDescribed: false, is: .same.with(.either), line: line, body: reading)
    }
}

extension Case {
    static let placesOfModels = CaseList.make("places of models") { list in
        place(&list, "a stored property", { Shown(ticker: $0) }, below: "ticker", reading: { $0.ticker.tick })
        place(&list, "an optional", { One(value: Optional($0)) }, below: "value", reading: { $0.value?.tick ?? 0 })
        place(
            &list, "a nested struct", { One(value: Named(name: "a", ticker: $0)) }, below: "value.ticker",
            reading: { $0.value.ticker.tick })
        place(&list, "a tuple", { One(value: (1, $0)) }, below: "value.1", reading: { $0.value.1.tick })
        place(&list, "an array", { One(value: [other, $0]) }, below: "value[]", reading: { $0.value[1].tick })
        place(
            &list, "an array of arrays", { One(value: [[other], [$0]]) }, below: "value",
            reading: { $0.value[1][0].tick })
        place(
            &list, "an array of structs", { One(value: [Named(name: "a", ticker: $0)]) }, below: "value",
            reading: { $0.value[0].ticker.tick })
        place(
            &list, "an array of optionals", { One(value: [nil, Optional($0)]) }, below: "value",
            reading: { $0.value[1]?.tick ?? 0 })
        place(
            &list, "a slice of an array", { One(value: [other, $0, other][1...]) }, below: "value",
            reading: { $0.value[1].tick })
        place(&list, "a dictionary", { One(value: ["a": $0]) }, below: "value", reading: { $0.value["a"]?.tick ?? 0 })
        place(
            &list, "a dictionary of structs", { One(value: [1: Named(name: "a", ticker: $0)]) }, below: "value",
            reading: { $0.value[1]?.ticker.tick ?? 0 })
        place(
            &list, "an enum", { One(value: Page.shown($0)) }, below: "value",
            reading: { if case .shown(let ticker) = $0.value { ticker.tick } else { 0 } })
        place(
            &list, "an enum of two", { One(value: Page.pair(other, $0)) }, below: "value",
            reading: { if case .pair(_, let ticker) = $0.value { ticker.tick } else { 0 } })
        place(
            &list, "an array in an enum", { One(value: Page.many([$0])) }, below: "value",
            reading: { if case .many(let tickers) = $0.value { tickers[0].tick } else { 0 } })
        place(
            &list, "an indirect enum", { One(value: Tree.leaf($0)) }, below: "value",
            reading: { if case .leaf(let ticker) = $0.value { ticker.tick } else { 0 } })
        place(&list, "a weak reference", { Weak(ticker: $0) }, below: "ticker", reading: { $0.ticker?.tick ?? 0 })
        place(&list, "an unowned reference", { Unowned(ticker: $0) }, below: "ticker", reading: { $0.ticker.tick })
        place(
            &list, "an unowned reference without a count", { Unsafe(ticker: $0) }, below: "ticker",
            reading: { $0.ticker.tick })
        place(&list, "an existential", { Existential(model: $0) }, below: "model", reading: { $0.model.tick })
        place(
            &list, "any value", { One(value: $0 as Any) }, below: "value", reading: { ($0.value as? Ticker)?.tick ?? 0 }
        )
        place(&list, "a wrapper", { Wrapped(ticker: $0) }, below: "ticker", reading: { $0.ticker.tick })
    }

    static let namesOfModels = CaseList.make("names of models") { list in
        list.one("two of one type") { recorder in
            let view = Pair(left: Ticker(), right: Ticker())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, is: truth) { $0.left.tick + $0.right.tick }
            }
            evaluate(.initial)
            evaluate(.wrote("right.tick", advance(view.right)))
            evaluate(.wrote("left.tick", advance(view.left)))
            _ = (advance(view.left), advance(view.right))
            evaluate(.wrote("left.tick, right.tick"))
            evaluate(.same)
        }
        list.one("one beside one with an underscore") { recorder in
            let view = Underscored(cell: Ticker(), _cell: Ticker())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, is: truth) { $0.cell.tick + $0._cell.tick }
            }
            evaluate(.initial)
            evaluate(.wrote("_cell.tick", advance(view._cell)))
            evaluate(.wrote("cell.tick", advance(view.cell)))
        }
        list.one("one whose name is a raw identifier") { recorder in
            let view = Raw(`1.x`: Ticker(), x: Ticker())
            func evaluate(_ truth: Truth) { recorder.evaluate("View", view, is: truth) { $0.`1.x`.tick + $0.x.tick } }
            evaluate(.initial)
            evaluate(.wrote("`1.x`.tick", advance(view.`1.x`)))
            evaluate(.wrote("x.tick", advance(view.x)))
        }
        list.one("a lazy property beside it") { recorder in
            var view = Lazy(ticker: Ticker())
            recorder.evaluate("View", view, is: .initial) { $0.ticker.tick }
            _ = view.twice
            recorder.evaluate("View", view, is: .changed("twice")) { $0.ticker.tick }
            recorder.evaluate("View", view, is: .wrote("ticker.tick", advance(view.ticker))) { $0.ticker.tick }
        }
        list.one("one in a constant of an object") { recorder in
            let view = InSession(session: Session())
            recorder.evaluate("View", view, is: .initial) { $0.session.ticker.tick }
            recorder.evaluate(
                "View", view, is: .wrote("session.ticker.tick", advance(view.session.ticker), lesser: "Ticker.tick")
            ) { $0.session.ticker.tick }
        }
        list.one("one in a variable of an object, replaced without a word") { recorder in
            let view = InMutable(session: Mutable())
            func evaluate(_ truth: Truth) {
                recorder.evaluate("View", view, isDescribed: false, is: truth) { $0.session.ticker.tick }
            }
            evaluate(.initial)
            let other = Ticker()
            other.tick = 9
            view.session.ticker = other
            evaluate(.open.behind("session"))
            evaluate(.wrote("session.ticker.tick", advance(other), lesser: "Ticker.tick"))
        }
        list.one("one behind a closure") { recorder in
            let ticker = Ticker()
            let view = Closed { ticker.tick }
            recorder.evaluate("View", view, isDescribed: false, is: .initial) { $0.read() }
            recorder.evaluate(
                "View", view, isDescribed: false, is: .wrote("tick", below: "read", of: "Ticker", advance(ticker))
            ) { $0.read() }
        }
        list.one("the model of a model of a model") { recorder in
            let view = Shown(ticker: Ticker())
            recorder.evaluate("View", view, is: .initial) { $0.ticker.engine.piston.stroke }
            view.ticker.engine.piston.stroke = 3
            recorder.evaluate("View", view, is: .wrote("ticker.engine.piston.stroke")) {
                $0.ticker.engine.piston.stroke
            }
        }
        list.one("a model in an optional of a model") { recorder in
            let view = Shown(ticker: Ticker())
            func read(_ view: Shown) -> Int { view.ticker.optional?.rpm ?? 0 }
            recorder.evaluate("View", view, is: .initial, body: read)
            view.ticker.optional = Engine()
            recorder.evaluate("View", view, is: .wrote("ticker.optional"), body: read)
            view.ticker.optional?.rpm = 4
            recorder.evaluate("View", view, is: .wrote("ticker.optional.rpm", lesser: "Engine.rpm"), body: read)
        }
        list.one("a model in an array of a model") { recorder in
            let view = Shown(ticker: Ticker())
            view.ticker.engines = [Engine(), Engine()]
            func read(_ view: Shown) -> [Int] { view.ticker.engines.map(\.rpm) }
            recorder.evaluate("View", view, is: .initial, body: read)
            recorder.evaluate(
                "View", view,
                is: .wrote("ticker.engines[].rpm", rev(view.ticker.engines[1], to: 3), lesser: "Engine.rpm"), body: read
            )
            view.ticker.engines.append(Engine())
            recorder.evaluate("View", view, is: .wrote("ticker.engines"), body: read)
        }
        list.one("a replaced model's old property") { recorder in
            let view = Shown(ticker: Ticker())
            func read(_ view: Shown) -> Int { view.ticker.engine.rpm }
            recorder.evaluate("View", view, is: .initial, body: read)
            let old = view.ticker.engine
            recorder.evaluate(
                "View", view, is: .wrote("ticker.engine", swapEngine(view.ticker, Engine())).with(.either), body: read)
            _ = rev(old, to: 7)
            recorder.evaluate("View", view, is: .same, body: read)
            recorder.evaluate(
                "View", view, is: .wrote("ticker.engine.rpm", rev(view.ticker.engine, to: 7), lesser: "Engine.rpm"),
                body: read)
        }
        list.one("a subclass's own property and its base's") { recorder in
            let turbo = Turbo()
            let view = Shown(ticker: turbo)
            func read(_ view: Shown) -> Int { view.ticker.tick + ((view.ticker as? Turbo)?.boost ?? 0) }
            recorder.evaluate("View", view, is: .initial, body: read)
            turbo.boost = 1
            recorder.evaluate("View", view, is: .wrote("ticker.boost", lesser: "Turbo.boost"), body: read)
            recorder.evaluate("View", view, is: .wrote("ticker.tick", advance(turbo)), body: read)
        }
        list.one("a generic model") { recorder in
            let view = One(value: Box("a"))
            recorder.evaluate("View", view, is: .initial) { $0.value.content }
            view.value.content = "b"
            recorder.evaluate("View", view, is: .wrote("value.content")) { $0.value.content }
        }
        list.one("one model in two places") { recorder in
            let ticker = Ticker()
            let view = Pair(left: ticker, right: ticker)
            recorder.evaluate("View", view, is: .initial) { $0.left.tick + $0.right.tick }
            recorder.evaluate("View", view, is: .wrote("left.tick", advance(ticker), lesser: "right.tick")) {
                $0.left.tick + $0.right.tick
            }
        }
        list.one("models that change places") { recorder in
            let (one, two) = (Ticker(), Ticker())
            one.tick = 5
            func read(_ view: Pair) -> Int { view.left.tick - view.right.tick }
            recorder.evaluate("View", Pair(left: one, right: two), is: .initial, body: read)
            recorder.evaluate("View", Pair(left: two, right: one), is: .changed("left, right"), body: read)
            recorder.evaluate("View", Pair(left: two, right: one), is: .wrote("right.tick", advance(one)), body: read)
        }
        list.one("a hundred models of a list, one of them written") { recorder in
            let view = One(value: (0..<100).map { _ in Ticker() })
            func read(_ view: One<[Ticker]>) -> Int { view.value.reduce(0) { $0 + $1.tick } }
            recorder.evaluate("View", view, is: .initial, body: read)
            for index in [99, 0, 50] {
                recorder.evaluate(
                    "View", view, is: .wrote("value[].tick", advance(view.value[index]), lesser: "Ticker.tick"),
                    body: read)
            }
        }
        list.one("more models than are told apart") { recorder in
            let view = One(value: (0..<600).map { _ in Ticker() })
            func read(_ view: One<[Ticker]>) -> Int { view.value.reduce(0) { $0 + $1.tick } }
            recorder.evaluate("View", view, is: .initial, body: read)
            recorder.evaluate(
                "View", view,
                is: .wrote(
                    "value[].tick", advance(view.value[599]), lesser: "Ticker.tick", "Ticker.tick (1 or more of 600)"),
                body: read)
        }
    }
}
