// SPDX-License-Identifier: MIT
// What a turn of the render loop costs, and how much memory its views take.

import CBench
import Observation
import RenderLoop

@MainActor
@Observable
private final class Item {
    var value = 0
    var isShown = true
    var width = 5
}

private struct ItemRow: View {
    let item: Item
    var body: some View { Text("value \(item.value)") }
}

/// A row that can be there or not, and wider or narrower.
private struct ChangingRow: View {
    let item: Item
    var body: some View {
        if item.isShown { Text(String(repeating: "x", count: item.width)) }
    }
}

private struct Table<Row: View>: View {
    let items: [Item]
    let row: @MainActor (Item) -> Row
    var body: some View {
        VStack(alignment: .leading) { ForEach(0..<items.count) { row(items[$0]) } }
    }
}

/// Knows what was committed and draws nothing.
@MainActor
private final class CommitCount: LayerRenderer {
    var changes = 0
    func render(_ commit: Commit) { changes += commit.changes.count }
}

/// A loop that shows a table, with nobody who observes it.
@MainActor
private final class Shown {
    let items: [Item]
    let clock = VirtualClock()
    let loop: RenderLoop
    let commits = CommitCount()

    init<Row: View>(_ count: Int, _ row: @escaping @MainActor (Item) -> Row) {
        items = (0..<count).map { _ in Item() }
        loop = RenderLoop(Table(items: items, row: row), driver: clock)
        loop.add(commits)
        clock.settle()
    }

    /// Turns that each evaluate one of so many views, which lie all over the table.
    func turns(_ count: Int, of spread: Int = 50, _ write: (Item, Int) -> Void) {
        for step in 0..<count {
            write(items[step % spread * (items.count / spread)], step)
            clock.turn()
        }
    }

    /// A turn that evaluates every view.
    func turnOfAll(_ step: Int) {
        for item in items { item.value = step % 9 }
        clock.turn()
    }
}

@MainActor
enum LoopBenchmarks {
    /// 1 of 10,000 views against 1 of 100. One of the same 50 each time, so that it is the work that is compared and not
    /// which of both tables the processor's caches hold; one of all 10,000 stands beside it.
    static func oneOfMany() throws -> Row {
        let many = Shown(10_000) { ItemRow(item: $0) }
        let few = Shown(100) { ItemRow(item: $0) }
        let change: (Item, Int) -> Void = { item, _ in item.value = (item.value + 1) % 9 }
        let before = (many.loop.evaluations, many.commits.changes)
        many.turns(1_000, change)
        guard many.loop.evaluations == before.0 + 1_000, many.commits.changes == before.1 + 1_000 else {
            throw Fault("a turn evaluates or commits another number of views than one")
        }
        let rounds = Rounds(101, of: 1_000) { count in
            time(count) { many.turns($0, change) }
        } baseline: { count in
            time(count) { few.turns($0, change) }
        }
        var row = rounds.row("loop.one-of-many", target: "ratio at most 1.5")
        row.more = [("never the same of 10,000", time(10_000) { many.turns($0, of: 10_000, change) })]
        row.more += moved("widest line", of: 1) { item, step in item.width = step.isMultiple(of: 2) ? 9 : 5 }
        row.more += moved("if flipped", of: 50) { item, _ in item.isShown.toggle() }
        return row
    }

    /// What concerns the views around it.
    private static func moved(
        _ name: String, of spread: Int, _ write: (Item, Int) -> Void
    ) -> [(name: String, value: Double)] {
        let many = Shown(10_000) { ChangingRow(item: $0) }
        let few = Shown(100) { ChangingRow(item: $0) }
        return [
            ("\(name) of 10,000", time(200) { many.turns($0, of: spread, write) }),
            ("\(name) of 100", time(200) { few.turns($0, of: spread, write) }),
        ]
    }

    /// 10,000 views in one turn against their bodies alone, under Observation's own tracking.
    static func all() throws -> Row {
        let count = 10_000
        let shown = Shown(count) { ItemRow(item: $0) }
        let plain = Plain(count)
        var (step, plainStep) = (0, 0)
        let first = shown.loop.evaluations
        let rounds = Rounds(51, of: 4) { turns in
            time(turns) {
                for _ in 0..<$0 {
                    step += 1
                    shown.turnOfAll(step)
                }
            } / Double(count)
        } baseline: { turns in
            time(turns) {
                for _ in 0..<$0 {
                    plainStep += 1
                    plain.turnOfAll(plainStep)
                }
            } / Double(count)
        }
        guard shown.loop.evaluations - first == UInt64(count * step), plain.evaluations == count * (1 + plainStep)
        else {
            throw Fault("not every view was evaluated in every turn")
        }
        var row = rounds.row("loop.all", target: "ratio at most 3")
        row.more = [("the turn without the writes", withoutWrites(shown, &step))]
        row.more.append(("the baseline without them", withoutWrites(plain, &plainStep)))
        return row
    }

    private static func withoutWrites(_ shown: Shown, _ step: inout Int) -> Double {
        let times = (0..<20).map { _ in
            step += 1
            for item in shown.items { item.value = step % 9 }
            return time(shown.items.count) { _ in shown.clock.turn() }
        }
        return Spread(times).median
    }

    private static func withoutWrites(_ plain: Plain, _ step: inout Int) -> Double {
        let times = (0..<20).map { _ in
            step += 1
            plain.write(step)
            return time(plain.rows.count) { _ in plain.evaluate() }
        }
        return Spread(times).median
    }

    /// The bodies that were invalidated, evaluated again, and nothing else.
    @MainActor
    private final class Plain {
        let rows: [ItemRow]
        private(set) var evaluations = 0
        private var invalid: [Int] = []

        init(_ count: Int) {
            rows = (0..<count).map { _ in ItemRow(item: Item()) }
            for index in rows.indices { track(index) }
        }

        private func track(_ index: Int) {
            evaluations += 1
            let output = withObservationTracking {
                rows[index].body
            } onChange: { [unowned self] in
                MainActor.assumeIsolated { invalid.append(index) }
            }
            withExtendedLifetime(output) { cbench_barrier() }
        }

        func write(_ step: Int) {
            for row in rows { row.item.value = step % 9 }
        }

        func evaluate() {
            let due = invalid
            invalid.removeAll(keepingCapacity: true)
            for index in due { track(index) }
        }

        func turnOfAll(_ step: Int) {
            write(step)
            evaluate()
        }
    }

    /// Bytes for each of 100,000 views against each of 1,000, their models not counted.
    static func memory() throws -> Row {
        var rows: [(bytes: Double, turns: Double, mounts: Double)] = []
        for count in [1_000, 100_000, 1_000, 100_000] { rows.append(bytes(count)) }
        let (few, many) = (rows[2], rows[3])
        var row = Row(
            name: "loop.memory", unit: "B", ours: many.bytes, baseline: few.bytes,
            ratio: Spread([rows[1].bytes / rows[0].bytes, many.bytes / few.bytes]),
            target: "a view of 100,000 takes what one of 1,000 takes (ratio at most 1.1), and none grows")
        row.more = [
            ("growth of a view in 20 turns of all, bytes", many.turns),
            ("after all went and came ten times", many.mounts),
        ]
        return row
    }

    private static func bytes(_ count: Int) -> (bytes: Double, turns: Double, mounts: Double) {
        let items = (0..<count).map { _ in Item() }
        let switched = Item()
        let clock = VirtualClock()
        let before = cbench_heap_bytes()
        let loop = RenderLoop(Switched(items: items, item: switched), driver: clock)
        loop.add(CommitCount())
        clock.settle()
        func turn(_ step: Int) {
            for item in items { item.value = step % 9 }
            clock.turn()
        }
        func flip() {
            switched.isShown.toggle()
            clock.turn()
        }
        func perView(_ start: Int64) -> Double { Double(cbench_heap_bytes() - start) / Double(count) }
        // Queues keep the room that they once needed.
        turn(1)
        flip()
        flip()
        turn(2)
        let all = perView(before)
        let start = cbench_heap_bytes()
        for step in 0..<20 { turn(step) }
        let turns = perView(start)
        for _ in 0..<20 { flip() }
        turn(3)
        return (all, turns, perView(start))
    }

    private struct Switched: View {
        let items: [Item]
        let item: Item
        var body: some View {
            if item.isShown { Table(items: items) { ItemRow(item: $0) } }
        }
    }
}
