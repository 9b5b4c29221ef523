// SPDX-License-Identifier: MIT
// One run of the shop, with the lines that are printed before and after it.

import Foundation
import Rerender

/// How the shop's ticker is read, and what holds up the main loop.
enum ShopScenario: String, CaseIterable {
    /// At the top, and handed down: every view depends on it, though one shows it.
    case wasteful
    /// Where it is shown.
    case isolated
    /// As isolated, and once a second the main loop is held up: by a body, a block, a sleep, a lock.
    case hang

    /// What it is, in a line.
    var summary: String {
        switch self {
        case .wasteful: "the shop; its top view reads the ticker, so every tick evaluates every view"
        case .isolated: "the shop; only the label that shows the ticker reads it"
        case .hang: "as isolated, and the main loop is blocked for 400 ms once a second"
        }
    }
}

/// The shop runs until its time is up or a signal ends it.
@MainActor
struct ShopDemo {
    private let output: DemoOutput
    private let scenario: ShopScenario
    private let shop: ShopModel
    private let loop: MainLoop
    private let store: RerenderStore
    private let tree: ViewTree
    private let stalls: Stalls?

    init(_ scenario: ShopScenario, rate: Int, seconds: Double, output: DemoOutput) {
        let shop = ShopModel()
        self.output = output
        self.scenario = scenario
        self.shop = shop
        let stalls = scenario == .hang ? Stalls() : nil
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
        try output.finish(store, counts: tree.counts.report(ticks: shop.ticker.tick, stalls?.milliseconds))
    }

    private var opening: String {
        let time = loop.seconds == 0 ? "until Ctrl-C" : "for \(loop.seconds.formatted()) s"
        return "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(loop.rate) ticks/s, \(time);"
            + " in another terminal: rerenderctl top"
    }
}
