// SPDX-License-Identifier: MIT
// One run of the shop: its scenarios, the lines before and after it, and the demo's own counts, which tests compare with Rerender's.

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

/// When a shop closes by itself.
enum ShopEnd {
    /// After so many seconds; 0 for never.
    case seconds(Double)
    /// After so many ticks, however long they take: two such runs evaluate the same.
    case ticks(Int)

    /// As the opening line tells it.
    var text: String {
        switch self {
        case .seconds(0): "until Ctrl-C"
        case .seconds(let seconds): "for \(seconds.formatted()) s"
        case .ticks(let ticks): "for \(ticks) ticks"
        }
    }
}

/// How often each view was evaluated and committed, and how many of it there are, by its name: from the loop's events,
/// which a build without probes and a run without Rerender have, too.
struct Counts: Encodable {
    private(set) var evaluations: [String: Int] = [:]
    private(set) var commits: [String: Int] = [:]
    private(set) var instances: [String: Int] = [:]
    var ticks = 0
    /// Milliseconds by kind.
    var stalls: [String: [Double]]?
    /// What was evaluated since the last commit, and is still there.
    private var uncommitted: Set<NodeReference> = []

    /// The others are the render loop's own.
    private static let views: Set = [
        "Shop", "Header", "CartTotal", "ItemList", "ItemRow", "TickerLabel", "ReportView",
    ]

    private enum CodingKeys: CodingKey { case evaluations, commits, instances, ticks, stalls }

    mutating func count(_ event: LoopEvent) {
        switch event {
        case .mounted(let view) where Self.views.contains(view.name): instances[view.name, default: 0] += 1
        case .evaluated(let view, _) where Self.views.contains(view.name):
            evaluations[view.name, default: 0] += 1
            uncommitted.insert(view)
        case .unmounted(let view) where Self.views.contains(view.name):
            instances[view.name, default: 0] -= 1
            uncommitted.remove(view)
        case .committed:
            for view in uncommitted { commits[view.name, default: 0] += 1 }
            uncommitted.removeAll(keepingCapacity: true)
        default: break
        }
    }

    /// The sum, as a line.
    func summary(_ scenario: ShopScenario) -> String {
        let total = evaluations.values.reduce(0, +)
        return "\(scenario.rawValue): \(ticks) ticks, \(total) evaluations, as the demo itself counted them"
    }
}
