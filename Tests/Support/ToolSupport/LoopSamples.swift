// SPDX-License-Identifier: MIT
// A main loop with known numbers.

import RerenderModel

enum LoopSamples {
    private static let second: UInt64 = 1_000_000_000

    /// Ten seconds in which the main thread took 14 % of a core, with a handler, a timer and others.
    static var loop: LoopStats {
        var totals = LoopTotals()
        (totals.counted, totals.turns, totals.wakeups) = (10 * second, 600, 120)
        (totals.processor, totals.process) = (1_400_000_000, 6_200_000_000)
        totals.bodies.add(wall: 800_000_000, processor: 600_000_000)
        totals.layout.add(wall: 300_000_000, processor: 300_000_000)
        totals.sources.add(wall: 500_000_000, processor: 250_000_000)
        totals.loop.add(wall: 9 * second, processor: 170_000_000)
        return LoopStats(
            totals, rows: [timer, handler, others],
            threads: [ThreadTime(name: "gldisplay-event", count: 58, atFirst: 50, processor: 4_800_000_000)])
    }

    private static var handler: LoopRow {
        var row = LoopRow(.handler, name: "on_clicked()", place: "cases.c:41", of: "GtkButton#go: clicked")
        (row.numbers.count, row.numbers.turns) = (10, 10)
        (row.numbers.wall, row.numbers.processor, row.numbers.longest) = (400_000_000, 200_000_000, 50_000_000)
        return row
    }

    private static var timer: LoopRow {
        var row = LoopRow(.timer, name: "tick()", place: "clock.c:31")
        (row.numbers.count, row.numbers.turns, row.numbers.interval) = (100, 100, 100_000_000)
        (row.numbers.wall, row.numbers.processor, row.numbers.longest) = (60_000_000, 50_000_000, 1_000_000)
        row.numbers.isShared = 1
        return row
    }

    private static var others: LoopRow {
        var row = LoopRow(.others, name: "")
        row.numbers.count = 7
        return row
    }
}
