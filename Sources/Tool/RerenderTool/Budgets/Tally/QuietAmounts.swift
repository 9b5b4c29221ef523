// SPDX-License-Identifier: MIT
// What goes on without input, as budgets limit it.

import RerenderShow

/// How much of it there is in a second, of the process with most. Less than five seconds do not count.
struct QuietAmounts: Hashable, Sendable {
    private var amounts: [Measure: UInt64] = [:]
    /// The process with most of each, safe to print.
    private(set) var processes: [Measure: String] = [:]

    /// Adds up the stores of an export; nothing where no process tells of its main loop.
    init(_ stores: [ProcessStats]) {
        for store in stores {
            guard let totals = store.loop?.totals else { continue }
            let name = "\(Printable.text(store.name))[\(store.pid)]"
            for measure in Measure.withoutInput {
                let amount = Self.amount(measure, totals)
                if amounts[measure].map({ $0 >= amount }) == true { continue }
                (amounts[measure], processes[measure]) = (amount, name)
            }
        }
    }

    subscript(measure: Measure) -> UInt64? { amounts[measure] }

    /// Whether any process told of its main loop.
    var areKnown: Bool { !amounts.isEmpty }

    private static func amount(_ measure: Measure, _ totals: LoopTotals) -> UInt64 {
        let stretches = measure == .frames ? [totals.frames] : [totals.frames, totals.spinning, totals.busy]
        let long = stretches.filter { $0.isLong(at: nil) }
        let rates = long.map { stretch -> Double in
            switch measure {
            case .frames: stretch.perSecond(stretch.frames)
            case .turns: stretch.perSecond(stretch.turns)
            case .wakeups: stretch.perSecond(stretch.wakeups)
            case .processor: stretch.perSecond(stretch.processor)
            case .evaluations, .wasted, .hangs: 0
            }
        }
        // An export may say anything.
        return UInt64(max(0, min(rates.max() ?? 0, 1e18)).rounded())
    }
}
