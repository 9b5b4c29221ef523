// SPDX-License-Identifier: MIT
// Properties with names that are easily taken for others'.

import Observation
import Rerender
import RerenderModel

private struct Cell: Equatable {
    var title: String
}
@propertyWrapper private struct Hidden {
    private var stored: Int
    var wrappedValue: Int {
        get { stored }
        set { stored = newValue }
    }
    init(wrappedValue: Int) { stored = wrappedValue }
}
@propertyWrapper private struct Kept<Value> {
    var wrappedValue: Value
}
private struct Twins {
    let _a: Int
    let a: Int
    var _cell: Cell
    var cell: Cell
}
private struct Lone {
    var _count: Int
    let _title: String
}
private struct Wrapped {
    @Hidden var hidden: Int
    @Kept var kept: String
    @Kept @Kept var twice: Int
}
private struct Lazy {
    let seed: Int
    lazy var total = seed + 1
    lazy var cell = Cell(title: "\(seed)")
}
private struct Raw {
    let `1.x`: Int
    let `a b (c)`: Cell
}
private struct RawLabel {
    var pair: (`first value`: Int, second: Int)
}
private struct RawStorage {
    @Kept var `1.x`: Int
    lazy var `2 y` = 3
}
private struct Models {
    let _ticker: Ticker
    let ticker: Ticker
    @Kept var kept: Ticker
    @Kept @Kept var twice: Ticker
}
private struct Deep {
    let pair: (left: Int, Int)
    let cells: [Cell]
}

/// A model whose author wrote what the macro writes elsewhere.
private final class `Raw.Model`: Observable {
    private let registrar = ObservationRegistrar()
    private var stored = 0
    var `1.x`: Int {
        get {
            registrar.access(self, keyPath: \.`1.x`)
            return stored
        }
        set { registrar.withMutation(of: self, keyPath: \.`1.x`) { stored = newValue } }
    }
    private var `p : (q)`: Int {
        get {
            registrar.access(self, keyPath: \.`p : (q)`)
            return stored
        }
        set { registrar.withMutation(of: self, keyPath: \.`p : (q)`) { stored = newValue } }
    }
    var sum: Int { `p : (q)` + 1 }

    func `do it.now`() -> Int { `1.x` += 1; return #line }
    func hide() -> Int { `p : (q)` += 1; return #line }
}
private struct RawModelView {
    let model: `Raw.Model`
}

extension Case {
    static let names: [Case] = [
        Case("name: _a beside a, _cell beside cell") { recorder in
            let one = Cell(title: "1"), two = Cell(title: "2")
            recorder.evaluate(Twins(_a: 1, a: 1, _cell: one, cell: one), .initial)
            recorder.evaluate(Twins(_a: 2, a: 1, _cell: one, cell: one), Outcome("_a", .diff))
            recorder.evaluate(Twins(_a: 2, a: 2, _cell: one, cell: one), Outcome("a", .diff))
            recorder.evaluate(Twins(_a: 2, a: 2, _cell: two, cell: one), Outcome("_cell.title", .diff))
            recorder.evaluate(Twins(_a: 2, a: 2, _cell: two, cell: two), Outcome("cell.title", .diff))
        },
        Case("name: an underscore of the program's own") { recorder in
            recorder.evaluate(Lone(_count: 1, _title: "a"), .initial)
            recorder.evaluate(Lone(_count: 2, _title: "a"), Outcome("_count", .diff))
            recorder.evaluate(Lone(_count: 2, _title: "b"), Outcome("_title", .diff))
        },
        Case("name: wrapped properties") { recorder in
            func view(_ hidden: Int, _ kept: String, _ twice: Int) -> Wrapped {
                Wrapped(hidden: hidden, kept: kept, twice: twice)
            }
            recorder.evaluate(view(1, "a", 1), .initial)
            recorder.evaluate(view(2, "a", 1), Outcome("hidden", .diff))
            recorder.evaluate(view(2, "b", 1), Outcome("kept", .diff))
            recorder.evaluate(view(2, "b", 2), Outcome("twice", .diff))
        },
        Case("name: lazy properties") { recorder in
            var view = Lazy(seed: 1)
            recorder.evaluate(view, .initial)
            _ = view.total
            recorder.evaluate(view, Outcome("total", .diff))
            _ = view.cell
            recorder.evaluate(view, Outcome("cell", .diff))
        },
        Case("name: raw identifiers") { recorder in
            recorder.evaluate(Raw(`1.x`: 1, `a b (c)`: Cell(title: "a")), .initial)
            recorder.evaluate(Raw(`1.x`: 2, `a b (c)`: Cell(title: "a")), Outcome("`1.x`", .diff))
            recorder.evaluate(Raw(`1.x`: 2, `a b (c)`: Cell(title: "b")), Outcome("`a b (c)`.title", .diff))
        },
        Case("name: raw identifiers of a tuple") { recorder in
            recorder.evaluate(RawLabel(pair: (1, 1)), .initial)
            recorder.evaluate(RawLabel(pair: (2, 1)), Outcome("pair.`first value`", .diff))
            recorder.evaluate(RawLabel(pair: (2, 2)), Outcome("pair.second", .diff))
        },
        Case("name: raw identifiers of a wrapper and of a lazy property") { recorder in
            var view = RawStorage(`1.x`: 1)
            recorder.evaluate(view, .initial)
            view.`1.x` = 2
            recorder.evaluate(view, Outcome("`1.x`", .diff))
            _ = view.`2 y`
            recorder.evaluate(view, Outcome("`2 y`", .diff))
        },
        Case("name: raw identifiers of a model") { recorder in
            let model = `Raw.Model`()
            func evaluate(_ expected: Outcome) {
                recorder.evaluate("View", RawModelView(model: model), expected) { ($0.model.`1.x`, $0.model.sum) }
            }
            func place(_ function: String, _ line: Int) -> String {
                "`Raw.Model`.\(function)() CauseCorpus/Names.swift:\(line)"
            }
            func wrote(_ property: String, _ function: String, _ line: Int) -> Outcome {
                var outcome = Outcome("model.\(property)", writer: place(function, line))
                // The property that both keep their value in.
                outcome.withoutNames = "model.stored"
                return outcome
            }
            evaluate(.initial)
            var line = model.`do it.now`()
            evaluate(wrote("`1.x`", "`do it.now`", line))
            line = model.hide()
            evaluate(wrote("`p : (q)`", "hide", line))
        },
        Case("name: the ways to models") { recorder in
            let models = (1...4).map { _ in Ticker() }
            let view = Models(_ticker: models[0], ticker: models[1], kept: models[2], twice: models[3])
            func evaluate(_ expected: Outcome) {
                recorder.evaluate("View", view, expected) {
                    $0._ticker.tick + $0.ticker.tick + $0.kept.tick + $0.twice.tick
                }
            }
            evaluate(.initial)
            for (model, name) in zip(models, ["_ticker", "ticker", "kept", "twice"]) {
                let place = advance(model)
                evaluate(Outcome("\(name).tick", writer: place.text))
            }
        },
        Case("name: tuples and arrays") { recorder in
            recorder.evaluate(Deep(pair: (1, 2), cells: [Cell(title: "a")]), .initial)
            recorder.evaluate(Deep(pair: (2, 2), cells: [Cell(title: "a")]), Outcome("pair.left", .diff))
            recorder.evaluate(Deep(pair: (2, 3), cells: [Cell(title: "a")]), Outcome("pair.1", .diff))
            recorder.evaluate(Deep(pair: (2, 3), cells: [Cell(title: "b")]), Outcome("cells", .diff))
        },
    ]
}
