// SPDX-License-Identifier: MIT
// One run: the shop, its views and the clock put together, and what is said before and after.

import Foundation
import Rerender

/// The shop runs until its time is up or a signal ends it.
@MainActor
struct ShopDemo {
    private let options: RerenderDemo
    private let scenario: ShopScenario
    private let shop: ShopModel
    private let loop: MainLoop
    private let store: RerenderStore
    private let tree: ViewTree
    private let stalls: Stalls?

    init(_ options: RerenderDemo, _ scenario: ShopScenario) {
        let shop = ShopModel()
        self.options = options
        self.scenario = scenario
        self.shop = shop
        let stalls = scenario == .hang ? Stalls() : nil
        let rate = options.rate ?? 60
        let seconds = options.seconds ?? 5
        self.stalls = stalls
        loop = MainLoop(rate: rate, seconds: seconds) {
            shop.advance()
            if shop.ticker.tick.isMultiple(of: rate) { stalls?.next() }
        }
        store = RerenderStore(name: "main")
        let root = Shop(shop: shop, readsTicker: scenario == .wasteful, report: stalls?.report)
        tree = ViewTree(root: root, store: store)
    }

    func run() throws {
        tree.update()
        Console.print(opening)
        loop.run()
        // The loop may stop between a tick and the update that it asked for.
        tree.update()
        Console.print(Summary.text(tree.counts, scenario, ticks: shop.ticker.tick))
        if options.printCounts { Console.print(try tree.counts.json(ticks: shop.ticker.tick, stalls?.milliseconds)) }
        if let file = options.export { try store.exportJSON().write(to: URL(fileURLWithPath: file)) }
    }

    private var opening: String {
        let time = loop.seconds == 0 ? "until Ctrl-C" : "for \(loop.seconds.formatted()) s"
        return "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(loop.rate) ticks/s, \(time);"
            + " in another terminal: rerenderctl top"
    }
}
