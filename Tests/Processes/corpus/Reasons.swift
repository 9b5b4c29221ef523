// SPDX-License-Identifier: MIT
// `reasons` prints why a view was evaluated, and how that was found out, after some writes to its model.

import Observation
import Rerender

@Observable private final class Ticker {
    var tick = 0
    var name = "ticker"
    var idle = 0
    var style = Style(size: 1)
}

/// Not `Equatable`: a write of the same value is a write.
private struct Style {
    var size: Int
}

private struct Dashboard {
    let ticker: Ticker
}

func printReasons() -> Bool {
    let store = RerenderStore(name: "reasons"), ticker = Ticker()
    func evaluate() -> [ReasonCount] {
        store.evaluate("Dashboard", of: Dashboard(ticker: ticker)) { _ = (ticker.tick, ticker.name, ticker.style) }
        return store.stats.first?.reasons ?? []
    }
    var before = evaluate()
    let writes: [() -> Void] = [
        { ticker.tick += 1 },
        {
            ticker.tick += 1
            ticker.name = "other"
        },
        {
            // What was not read is no reason, changed or not.
            ticker.idle += 1
            ticker.style = Style(size: 1)
        },
    ]
    for write in writes {
        write()
        let after = evaluate()
        for row in after where row.count > (before.first { $0.reason == row.reason }?.count ?? 0) {
            print(row.reason, row.attribution?.rawValue ?? "unsure")
        }
        before = after
    }
    return true
}
