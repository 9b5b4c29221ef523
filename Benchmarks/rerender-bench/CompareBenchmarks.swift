// SPDX-License-Identifier: MIT
// What comparing a view's stored properties costs: against a walk with Mirror that describes each.

import CBench
import Rerender

enum CompareBenchmarks {
    private final class Cart {}

    private enum Badge {
        case none, text(String), count(Int)
    }

    /// Eight mixed fields, as views have them.
    private struct CartRow {
        var cents: Int
        var ratio = 0.5
        var isSelected = true
        var title = "Apples"
        var subtitle = "picked this morning, from the orchard behind the house"
        var discount: Int? = 3
        var quantities = [1, 2, 3]
        var badge = Badge.text("fresh")
    }

    static func unchanged() -> Row {
        let views = [row(cents: 1), row(cents: 1)]
        return measure(
            views, rounds: 101, of: 500, "compare.unchanged",
            target: "at least 50 times faster (ratio at most 0.02), no allocation (a test counts them)")
    }

    /// One field changes each time, and is named.
    static func changed() -> Row {
        let views = [row(cents: 1), row(cents: 2)]
        return measure(
            views, rounds: 101, of: 500, "compare.changed", target: "at least 20 times faster (ratio at most 0.05)")
    }

    private static func row(cents: Int) -> CartRow {
        // Of its own storage, as a view that is made anew has it.
        var row = CartRow(cents: cents)
        row.subtitle = String(row.subtitle.map { $0 })
        return row
    }

    private static func measure(_ views: [CartRow], rounds: Int, of count: Int, _ name: String, target: String) -> Row {
        let ours = Ours()
        var described: [(String, String)] = []
        let figures = Rounds(rounds, of: count) { count in
            // A comparison is too short to be timed by so few.
            time(count * 20) { for step in 0..<$0 { cbench_use(Int64(ours.compare(views[step & 1]))) } }
        } baseline: {
            time($0) { for step in 0..<$0 { cbench_use(Int64(mirrored(views[step & 1], &described))) } }
        }
        return figures.row(name, target: target)
    }

    private final class Ours {
        private var snapshot = ValueSnapshot()

        /// How long the names of what changed are. The layout is looked up each time, as an evaluation has to.
        @inline(never)
        func compare(_ view: CartRow) -> Int {
            let layout = ValueLayout.layout(of: CartRow.self, depth: 8)
            let change = unsafe withUnsafeBytes(of: view) { bytes in
                unsafe snapshot.update(bytes.baseAddress.unsafelyUnwrapped, layout)
            }
            return change.changed.isEmpty ? 0 : layout.names(of: change).utf8.count
        }
    }

    @inline(never)
    private static func mirrored(_ view: CartRow, _ previous: inout [(String, String)]) -> Int {
        let described = Mirror(reflecting: view).children.map { ($0.label ?? "", String(describing: $0.value)) }
        let changed = zip(described, previous).filter { $0.1 != $1.1 }.map { $0.0.0 }
        previous = described
        return changed.isEmpty ? 0 : changed.joined(separator: ", ").utf8.count
    }
}
