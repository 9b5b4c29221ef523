// SPDX-License-Identifier: MIT
// A model that two views read, and writes to it: every other one writes the value that is there.

import Observation
import Rerender

@Observable final class Gauge {
    /// Not `Equatable`, so that Observation tells of a write of the same value too.
    struct Level { var value: Int }

    var level = Level(value: 0)
}

struct GaugeView {
    let gauge: Gauge
}

/// Where the writes are.
let writeLine = 29

/// Evaluates both views, then `count` times: writes, and evaluates them again.
func write(_ count: Int, store: RerenderStore) {
    let view = GaugeView(gauge: Gauge())
    let evaluate = {
        for key in ["Left", "Right"] { store.evaluate(key, of: view) { _ = view.gauge.level.value } }
    }
    evaluate()
    for step in 0..<count {
        view.gauge.level = Gauge.Level(value: step / 2 + 1)
        evaluate()
    }
}

/// Updates a view `count` times for a write, with two further evaluations each, and once for nothing.
func passes(_ count: Int, store: RerenderStore) {
    let view = GaugeView(gauge: Gauge())
    let update = {
        for pass in 0..<3 {
            store.evaluate("Dial", of: view, instance: 5, isPass: pass > 0) { _ = view.gauge.level.value }
        }
    }
    update()
    for step in 0..<count {
        view.gauge.level = Gauge.Level(value: step + 1)
        update()
    }
    update()
}

/// Evaluates a view with two others in it, `count` times for a write and as often for nothing; commits that change nothing.
func cascade(_ count: Int, store: RerenderStore) {
    let view = GaugeView(gauge: Gauge())
    let evaluate = {
        store.evaluate("Panel", of: view) {
            _ = view.gauge.level.value
            store.evaluate("Part", of: 7) { store.evaluate("Detail", of: "same") {} }
        }
        store.committed("Detail", changed: false)
    }
    evaluate()
    for step in 0..<count {
        view.gauge.level = Gauge.Level(value: step)
        evaluate()
        evaluate()
    }
}
