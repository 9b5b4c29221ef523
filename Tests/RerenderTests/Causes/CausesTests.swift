// SPDX-License-Identifier: MIT
// Every write to what a body read is known by the name that a reader of the program knows.

import Observation
import Testing

@testable import Rerender

struct CausesTests {
    struct Dashboard {
        var ticker = Ticker()
        var other = Ticker()
        var tickers: [Ticker] = []
        var maybe: Ticker?
        var wrapped = Wrapped<Ticker?>(value: nil)
        weak var loose: Ticker?
    }

    @Test func observationIsUnderstood() { #expect(ObservedReads.isAvailable) }

    @Test func nestedModelsAreNamedFromTheViewDown() {
        let host = Host(Dashboard())
        let ticker = host.view.ticker
        host.evaluate { _ = ($0.ticker.tick, $0.ticker.engine.rpm, $0.ticker.engine.piston?.strokes) }
        ticker.tick = 1
        ticker.engine.rpm = 1
        ticker.engine.piston?.strokes = 1
        ticker.engine.temperature = 1
        ticker.engine = Engine()
        #expect(host.causes == ["ticker.tick", "ticker.engine.rpm", "ticker.engine.piston.strokes", "ticker.engine"])
    }
}
