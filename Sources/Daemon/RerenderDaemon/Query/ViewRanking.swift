// SPDX-License-Identifier: MIT
// Ranks views: all of one store, or the best few of all stores without sorting the rest.

import RerenderModel
import RerenderQuery
import RerenderWire

/// How views are compared under a ``StatsOrder``.
struct ViewRanking {
    let order: StatsOrder

    /// The numbers by which a view is ranked, highest first; the same for all views when they are ranked by key.
    typealias Rank = (UInt64, UInt64)

    /// Takes the view by its number, because a view that is passed is copied.
    @inline(__always)
    private func rank(_ view: Int, of views: [ViewEntry]) -> Rank {
        switch order {
        case .count: (views[view].totals.count, 0)
        case .time: (views[view].totals.body.sum, 0)
        case .wasted: (views[view].totals.waste.nanoseconds, views[view].totals.waste.count)
        case .hangs: (views[view].hangs.count, 0)
        case .key: (0, 0)
        }
    }

    /// Whether `lhs` stands above `rhs`; both are numbers of views.
    func isAbove(_ lhs: UInt32, _ rhs: UInt32, of views: [ViewEntry]) -> Bool {
        let (left, right) = (rank(Int(lhs), of: views), rank(Int(rhs), of: views))
        return left != right ? left > right : views[Int(lhs)].key.precedes(views[Int(rhs)].key)
    }

    /// The numbers of the views that are shown, best first.
    func sorted(_ views: [ViewEntry], _ filter: ViewFilter) -> [UInt32] {
        var indices: [UInt32] = []
        indices.reserveCapacity(filter.isOpen ? views.count : 1)
        for index in views.indices where views[index].isReported && filter.matches(views[index].key) {
            indices.append(UInt32(index))
        }
        indices.sort { isAbove($0, $1, of: views) }
        return indices
    }

    /// The best `limit` views of all stores after the first `skip`: for each store the numbers of those that are among
    /// them, and how many views fit the filter in all.
    ///
    /// One pass that holds at most `2 * (skip + limit)` entries; it compares names only where two numbers are the same.
    func best(
        _ limit: Int, skipping skip: Int = 0, of stores: [StoreEntry], _ filter: ViewFilter
    ) -> (views: [[UInt32]], matching: Int) {
        var entries = BestEntries(limit: skip + limit, stores: stores)
        var matching = 0
        for (number, store) in stores.enumerated() {
            matching += offer(store.views, of: UInt32(number), filter, to: &entries)
        }
        var best = [[UInt32]](repeating: [], count: stores.count)
        for entry in entries.sorted().dropFirst(skip) { best[Int(entry.store)].append(entry.index) }
        return (best, matching)
    }

    /// Returns how many of the views fit the filter.
    private func offer(
        _ views: [ViewEntry], of store: UInt32, _ filter: ViewFilter, to entries: inout BestEntries
    ) -> Int {
        var matching = 0
        for index in views.indices where views[index].isReported {
            guard filter.isOpen || filter.matches(views[index].key) else { continue }
            matching += 1
            entries.offer(.init(rank: rank(index, of: views), store: store, index: UInt32(index)))
        }
        return matching
    }
}

/// Keeps the best entries that it is offered.
///
/// Sorts whenever it holds twice as many as wanted. From then on most entries are rejected by one comparison.
private struct BestEntries {
    struct Entry {
        var rank: ViewRanking.Rank
        var store: UInt32
        var index: UInt32
    }

    let limit: Int
    let stores: [StoreEntry]
    fileprivate var entries: [Entry] = []
    /// The worst entry that is wanted; nil until there are enough.
    fileprivate var worst: Entry?

    mutating func offer(_ entry: Entry) {
        if let worst, !isBetter(entry, worst) { return }
        entries.append(entry)
        if entries.count >= 2 * limit { prune() }
    }

    /// The best entries, best first.
    mutating func sorted() -> [Entry] {
        prune()
        return entries
    }

    private mutating func prune() {
        entries.sort(by: isBetter)
        entries.removeLast(max(0, entries.count - limit))
        worst = entries.count == limit ? entries.last : nil
    }

    /// Equal views of several stores are ranked by store and number, so that an answer is always the same.
    private func isBetter(_ lhs: Entry, _ rhs: Entry) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank > rhs.rank }
        let (left, right) = (key(of: lhs), key(of: rhs))
        if left.precedes(right) { return true }
        if right.precedes(left) { return false }
        return (lhs.store, lhs.index) < (rhs.store, rhs.index)
    }

    private func key(of entry: Entry) -> String { stores[Int(entry.store)].views[Int(entry.index)].key }
}
