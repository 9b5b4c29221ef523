// SPDX-License-Identifier: MIT
// What main loops call, in the order in which each table shows it: of `stats`, `top`, a report and its page.

/// A source or handler with the process that it is of.
package struct SourceRow: Sendable {
    /// The store that has the main loop, with `views` empty.
    package let store: ProcessStats
    package let row: LoopRow
    /// For how long the main loop was counted.
    package let counted: UInt64
    /// Its place among the rows of the process.
    package let number: Int

    /// The part of a core.
    package var share: CoreShare? {
        CoreShare(row.numbers.processor, of: counted, isShared: row.numbers.isShared != 0)
    }

    /// Calls in a second; nil where nothing was counted.
    package var rate: Double? { counted == 0 ? nil : row.calls.map { Double($0) / (Double(counted) / 1e9) } }

    /// What is called, for a column of its own: a handler by its widget and signal first.
    package var name: String {
        switch row.kind {
        case .handler, .tick: row.of.map { "\(Printable.text($0)) → \(row.function)" } ?? row.function
        case .others: "others"
        case .timer, .idle, .descriptor, .source, .runLoop, .wakeup, .sampled: row.function
        }
    }

    /// All rows of some stores: those with most processor time first, then those with most time by the clock.
    package static func all(_ stores: [ProcessStats]) -> [SourceRow] {
        let rows = stores.flatMap { store -> [SourceRow] in
            guard let loop = store.loop else { return [] }
            var store = store
            store.views = []
            return loop.rows.enumerated().filter { $0.element.isTold }.map { number, row in
                SourceRow(store: store, row: row, counted: loop.totals.counted, number: number)
            }
        }
        return rows.sorted(by: precedes)
    }

    private static func precedes(_ left: SourceRow, _ right: SourceRow) -> Bool {
        // Those without a name say least.
        let (isLeft, isRight) = (left.row.kind == .others, right.row.kind == .others)
        if isLeft != isRight { return isRight }
        let (one, other) = (left.row.numbers, right.row.numbers)
        if one.processor != other.processor { return one.processor > other.processor }
        if one.wall != other.wall { return one.wall > other.wall }
        if one.count != other.count { return one.count > other.count }
        return (left.store.pid, left.number) < (right.store.pid, right.number)
    }
}
