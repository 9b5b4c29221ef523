// SPDX-License-Identifier: MIT
// The demo's shop in virtual time: which views a tick evaluates.

import RenderLoop
import Testing
@testable import rerender_demo

@MainActor
@Suite struct ShopTests {
    /// A shop whose own counts are kept as the demo keeps them.
    @MainActor
    private final class Run {
        private(set) var counts = Counts()

        init(readsTicker: Bool, ticks: Int) {
            let (shop, clock) = (ShopModel(), VirtualClock())
            let root = Shop(shop: shop, readsTicker: readsTicker).rerender("Shop")
            let loop = RenderLoop(root, driver: clock, size: CellSize(width: 60, height: 32))
            loop.observe { [unowned self] in counts.count($0) }
            clock.settle()
            for _ in 0..<ticks {
                clock.source("tick") { shop.advance() }
                clock.settle()
            }
            counts.ticks = shop.ticker.tick
        }
    }

    @Test func aTickerReadAtTheTopHasEverythingEvaluatedAtEveryTick() {
        let counts = Run(readsTicker: true, ticks: 50).counts
        #expect(counts.ticks == 50)
        for view in ["Shop", "Header", "CartTotal", "ItemList", "TickerLabel"] {
            #expect(counts.evaluations[view] == counts.ticks + 1)
        }
        #expect(counts.evaluations["ItemRow"] == 24 * (counts.ticks + 1))
    }

    @Test func aTickerReadWhereItIsShownHasItsLabelEvaluatedAndTheRestWhenWhatItReadsChanges() {
        let counts = Run(readsTicker: false, ticks: 360).counts
        let (purchases, deliveries) = (counts.ticks / 15, counts.ticks / 120)
        #expect(deliveries == 3)
        #expect(counts.evaluations["TickerLabel"] == counts.ticks + 1)
        #expect(counts.evaluations["Shop"] == 1)
        #expect(counts.evaluations["Header"] == 1 + deliveries)
        #expect(counts.evaluations["ItemList"] == 1 + deliveries)
        // A purchase and a delivery in one tick are one update of the total.
        #expect(counts.evaluations["CartTotal"] == 1 + purchases)
        // The oldest item of all may be bought and sold out in one tick.
        #expect((24 + purchases...24 + purchases + deliveries).contains(counts.evaluations["ItemRow"] ?? 0))
    }
}
