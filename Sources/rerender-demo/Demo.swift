// SPDX-License-Identifier: MIT
// One run: the shop, its views and the clock put together, and what is said before and after.

import Foundation
import Rerender

/// The shop runs until its time is up or a signal ends it.
@MainActor
struct Demo {
    private let options: RerenderDemo
    private let shop: ShopModel
    private let loop: MainLoop
    private let store: RerenderStore
    private let tree: ViewTree
    private let stalls: Stalls?

    init(_ options: RerenderDemo) {
        let shop = ShopModel()
        self.options = options
        self.shop = shop
        let stalls = options.scenario == .hang ? Stalls() : nil
        let rate = options.rate
        self.stalls = stalls
        loop = MainLoop(rate: rate, seconds: options.seconds) {
            shop.advance()
            if shop.ticker.tick.isMultiple(of: rate) { stalls?.next() }
        }
        store = RerenderStore(name: "main")
        let root = Shop(shop: shop, readsTicker: options.scenario == .wasteful, report: stalls?.report)
        tree = ViewTree(root: root, store: store)
    }

    func run() throws {
        #if !RERENDER_PROBES
            Console.error(
                """
                rerender-demo: the probes are compiled out of this release build, so there is nothing to see; \
                build it with: swift build -c release --traits AlwaysOn
                """)
        #endif
        tree.update()
        Console.print(opening)
        loop.run()
        // The loop may stop between a tick and the update that it asked for.
        tree.update()
        Console.print(Summary.text(tree.counts, options.scenario, ticks: shop.ticker.tick))
        if options.printCounts { Console.print(try tree.counts.json(ticks: shop.ticker.tick, stalls?.milliseconds)) }
        if let file = options.export { try store.exportJSON().write(to: URL(fileURLWithPath: file)) }
    }

    private var opening: String {
        let time = options.seconds == 0 ? "until Ctrl-C" : "for \(options.seconds.formatted()) s"
        return "rerender-demo (pid \(getpid())): \(options.scenario.rawValue), \(options.rate) ticks/s, \(time);"
            + " in another terminal: rerenderctl stats --watch"
    }
}

/// Output that a reader at the other end of a pipe sees at once.
enum Console {
    static func print(_ text: String) { write(text, to: .standardOutput) }
    static func error(_ text: String) { write(text, to: .standardError) }

    private static func write(_ text: String, to file: FileHandle) {
        // A reader that has left is no reason to stop.
        try? file.write(contentsOf: Data((text + "\n").utf8))
    }
}
