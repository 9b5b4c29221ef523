// SPDX-License-Identifier: MIT
// One run of the shop, with the lines that are printed before and after it.

import CoreFoundation
import Foundation
import RenderLoop
import Rerender

/// The shop runs until it closes or a signal ends it.
@MainActor
final class ShopDemo {
    private let output: DemoOutput
    private let scenario: ShopScenario
    private let shop = ShopModel()
    /// Ticks a second.
    private let rate: Int
    private let end: ShopEnd
    private let store: RerenderStore
    private let loop: RenderLoop
    private let stalls: Stalls?
    private var counts = Counts()
    /// The view whose pulse is to be printed, and the tick in which that was asked for.
    private var pulsed: (key: ViewKey, tick: Int)?
    /// Kept until the process ends: the last counts have the views that are shown.
    private static var running: ShopDemo?

    /// From here on SIGINT and SIGTERM end the loop, also before it runs. To be made before any thread is.
    init(_ scenario: ShopScenario, rate: Int, end: ShopEnd, output: DemoOutput) {
        EndSignals.endMainLoop()
        self.output = output
        self.scenario = scenario
        self.rate = rate
        self.end = end
        stalls = scenario == .hang ? Stalls() : nil
        store = RerenderStore(name: "main")
        let root = Shop(shop: shop, readsTicker: scenario == .wasteful, report: stalls?.report).rerender("Shop")
        loop = RenderLoop(
            root.rerenderStore(store), driver: MainRunLoop(), size: CellSize(width: 60, height: 32))
    }

    func run() throws {
        Self.running = self
        loop.observe { [unowned self] in counts.count($0) }
        store.onPulse = { key in
            DispatchQueue.main.async { Self.running?.pulsed = (key, Self.running?.shop.ticker.tick ?? 0) }
        }
        Console.print(opening)
        runLoop()
        // The main loop may stop between a tick and the end of its turn.
        loop.finishTurn()
        counts.ticks = shop.ticker.tick
        counts.stalls = stalls?.milliseconds
        Console.print(counts.summary(scenario))
        try output.finish(store, counts: counts)
    }

    /// Returns when the shop closes or a signal came.
    private func runLoop() {
        // Not `Timer(timeInterval:)`, which on Linux fires at once.
        let ticker = Timer.scheduledTimer(withTimeInterval: 1 / Double(rate), repeats: true) { [unowned self] _ in
            MainActor.assumeIsolated { loop.callOut(.timer, "tick", tick) }
        }
        if case .seconds(let seconds) = end, seconds > 0 {
            _ = Timer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in
                CFRunLoopStop(CFRunLoopGetMain())
            }
        }
        CFRunLoopRun()
        ticker.invalidate()
    }

    private func tick() {
        printPulse()
        shop.advance()
        if shop.ticker.tick.isMultiple(of: rate) { stalls?.next() }
        if case .ticks(shop.ticker.tick) = end { CFRunLoopStop(CFRunLoopGetMain()) }
    }

    /// Prints the shop once the commit is over that draws the borders.
    private func printPulse() {
        guard let (key, tick) = pulsed, shop.ticker.tick > tick else { return }
        pulsed = nil
        Console.print("a pulse of \(key.displayName):\n" + TextRenderer.text(of: loop.committedRoot))
    }

    private var opening: String {
        "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(rate) ticks/s, \(end.text);"
            + " in another terminal: rerenderctl top"
    }
}
