// SPDX-License-Identifier: MIT
// Finds the best few views of all stores, a few views at a time and without sorting the rest.

import RerenderModel
import RerenderQuery

/// The best `limit` views of all stores after the first `skip`.
///
/// One pass that holds at most `skip + limit` entries; it compares names only where two numbers are the same.
struct ViewSelection {
    /// Views that a step looks at: a tenth of a millisecond at most with a filter.
    static let step = 256

    private struct Entry {
        var rank: ViewRanking.Rank
        var store: UInt32
        var index: UInt32
    }

    /// How the views of each store are ranked.
    private let rankings: [ViewRanking]
    private let filter: ViewFilter
    private let skip: Int
    private let limit: Int
    private let stores: [StoreEntry]
    private var place: (store: Int, view: Int) = (0, 0)
    /// The worst is on top.
    private var heap = Heap<Entry>()
    /// How many views fit the filter.
    private(set) var matching = 0
    /// For each store the numbers of the views that are among the best.
    private(set) var best: [[UInt32]]
    /// Takes the counts of the stores' views, where they are ranked by rate.
    private let gathering: RateBook.Gathering?
    private(set) var isDone = false

    init(
        _ limit: Int, skipping skip: Int, of stores: [StoreEntry], _ rankings: [ViewRanking], _ filter: ViewFilter,
        gathering: RateBook.Gathering? = nil
    ) {
        self.gathering = gathering
        (self.limit, self.skip, self.stores, self.rankings, self.filter) = (limit, skip, stores, rankings, filter)
        best = [[UInt32]](repeating: [], count: stores.count)
    }

    /// Looks at the next views, or hands out the next of those that were found.
    mutating func advance() {
        if place.store < stores.count {
            search()
        } else {
            handOut()
        }
    }

    /// Leaves a view that is not among the best without a call: nearly all views are such, and an answer takes most of its time
    /// here.
    private mutating func search() {
        let views = stores[place.store].views
        let end = min(place.view + Self.step, views.count)
        let ranking = rankings[place.store]
        if let gathering, place.view < end {
            gathering.add((place.view..<end).lazy.map { views[$0].totals.count }, of: place.store)
        }
        let isOpen = filter.isOpen
        var (found, lowest) = (0, lowest)
        for index in place.view..<max(place.view, end) where views[index].isReported {
            // It is no row of a table; its store says that there is such a view.
            guard views[index].isRow else { continue }
            guard isOpen || filter.matches(views[index].key) else { continue }
            found += 1
            let rank = ranking.rank(index, of: views)
            guard rank >= lowest else { continue }
            offer(Entry(rank: rank, store: UInt32(place.store), index: UInt32(index)))
            lowest = self.lowest
        }
        matching += found
        place = end < views.count ? (place.store, end) : (place.store + 1, 0)
    }

    /// What is ranked below this is not among the best.
    private var lowest: ViewRanking.Rank { heap.count < skip + limit ? (0, 0) : heap.top?.rank ?? (0, 0) }

    private mutating func offer(_ entry: Entry) {
        if heap.count < skip + limit {
            heap.push(entry) { [stores, rankings] in Self.isBetter($1, $0, stores, rankings) }
        } else if let worst = heap.top, Self.isBetter(entry, worst, stores, rankings) {
            heap.replaceTop(with: entry) { [stores, rankings] in Self.isBetter($1, $0, stores, rankings) }
        }
    }

    private mutating func handOut() {
        for _ in 0..<Self.step {
            // What is left in the end are the best, which are skipped.
            guard heap.count > skip,
                let entry = heap.pop(isAbove: { [stores, rankings] in Self.isBetter($1, $0, stores, rankings) })
            else {
                isDone = true
                return
            }
            best[Int(entry.store)].append(entry.index)
        }
    }

    /// Equal views of several stores are ranked by store and number, so that an answer is always the same.
    private static func isBetter(
        _ lhs: Entry, _ rhs: Entry, _ stores: [StoreEntry], _ rankings: [ViewRanking]
    ) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank > rhs.rank }
        let order = rankings[Int(lhs.store)].order(
            (stores[Int(lhs.store)].views, Int(lhs.index)), (stores[Int(rhs.store)].views, Int(rhs.index)))
        return order != 0 ? order < 0 : (lhs.store, lhs.index) < (rhs.store, rhs.index)
    }
}
