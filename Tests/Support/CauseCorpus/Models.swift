// SPDX-License-Identifier: MIT
// Models of the corpus, and the functions that write to them.

import Observation

@Observable class Ticker {
    var tick = 0
    var name = "ticker"
    var values = [1, 2, 3]
    private var hidden = 0
    var engine = Engine()
    var optional: Engine?
    var engines: [Engine] = []
    var settings = Settings(volume: 1, isOn: true)
    var style = Unequal(value: 1)

    init() {}

    var twice: Int { tick * 2 }
    var secret: Int { hidden }

    func bump(_ value: Int) { hidden = value }
}

@Observable final class Engine {
    var rpm = 0
    var piston = Piston()
}

@Observable final class Piston {
    var stroke = 0
}

@Observable final class Turbo: Ticker {
    var boost = 0
}

@Observable final class Box<Value> {
    var content: Value

    init(_ content: Value) { self.content = content }
}

struct Settings: Equatable {
    var volume: Int
    var isOn: Bool
}

/// Not `Equatable`: Observation cannot tell a write of the same value.
struct Unequal {
    var value: Int
}

/// Where a write stands, noted by the write itself.
struct Place: Sendable {
    let function: String
    var line = 0

    init(_ function: String) { self.function = function }

    /// As the store names it.
    var text: String { "\(function) CauseCorpus/Models.swift:\(line)" }

    /// The value, while noting the line on which it is written.
    mutating func at<Value>(_ value: Value, line: Int = #line) -> Value {
        self.line = line
        return value
    }
}

func advance(_ ticker: Ticker) -> Place {
    var place = Place("advance(_:)")
    ticker.tick = place.at(ticker.tick + 1)
    return place
}

func rewind(_ ticker: Ticker) -> Place {
    var place = Place("rewind(_:)")
    ticker.tick = place.at(ticker.tick - 1)
    return place
}

func rev(_ engine: Engine, to rpm: Int) -> Place {
    var place = Place("rev(_:to:)")
    engine.rpm = place.at(rpm)
    return place
}

func restyle(_ ticker: Ticker, _ value: Int) -> Place {
    var place = Place("restyle(_:_:)")
    ticker.style = Unequal(value: place.at(value))
    return place
}

func swapEngine(_ ticker: Ticker, _ engine: Engine) -> Place {
    var place = Place("swapEngine(_:_:)")
    ticker.engine = place.at(engine)
    return place
}

func rename(_ ticker: Ticker, _ name: String) -> Place {
    var place = Place("rename(_:_:)")
    ticker.name = place.at(name)
    return place
}
