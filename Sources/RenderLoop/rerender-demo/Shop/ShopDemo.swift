// SPDX-License-Identifier: MIT
// One run of the shop, with the lines that are printed before and after it.

import CoreFoundation
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
    private let shop = ShopModel()
    private let rate: Int
    /// 0 for ever.
    private let seconds: Double
    private let store: RerenderStore
    private let tree: ViewTree
    private let stalls: Stalls?

    /// From here on SIGINT and SIGTERM end the loop, also before it runs. To be made before any thread is.
    init(_ scenario: ShopScenario, rate: Int, seconds: Double, output: DemoOutput) {
        EndSignals.endMainLoop()
        self.output = output
        self.scenario = scenario
        self.rate = rate
        self.seconds = seconds
        stalls = scenario == .hang ? Stalls() : nil
        store = RerenderStore(name: "main")
        let root = Shop(shop: shop, readsTicker: scenario == .wasteful, report: stalls?.report)
        tree = ViewTree(root: root, store: store)
    }

    func run() throws {
        tree.update()
        Console.print(opening)
        runLoop()
        // The loop may stop between a tick and the update that it asked for.
        tree.update()
        var counts = tree.counts
        counts.ticks = shop.ticker.tick
        counts.stalls = stalls?.milliseconds
        Console.print(counts.table(scenario))
        try output.finish(store, counts: counts)
    }

    /// Returns when the time is up or a signal came.
    private func runLoop() {
        // Not `Timer(timeInterval:)`, which on Linux fires at once.
        let ticker = Timer.scheduledTimer(withTimeInterval: 1 / Double(rate), repeats: true) { _ in
            MainActor.assumeIsolated { tick() }
        }
        if seconds > 0 {
            _ = Timer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in
                CFRunLoopStop(CFRunLoopGetMain())
            }
        }
        CFRunLoopRun()
        ticker.invalidate()
    }

    private func tick() {
        shop.advance()
        if shop.ticker.tick.isMultiple(of: rate) { stalls?.next() }
    }

    private var opening: String {
        let time = seconds == 0 ? "until Ctrl-C" : "for \(seconds.formatted()) s"
        return "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(rate) ticks/s, \(time);"
            + " in another terminal: rerenderctl top"
    }
}
