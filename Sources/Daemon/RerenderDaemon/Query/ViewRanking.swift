// SPDX-License-Identifier: MIT
// How views are compared when they are ranked.

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
    func rank(_ view: Int, of views: [ViewEntry]) -> Rank {
        switch order {
        case .count: (views[view].totals.count, 0)
        case .time: (views[view].totals.body.sum, 0)
        case .wasted: (views[view].totals.waste.nanoseconds, views[view].totals.waste.count)
        case .hangs: (views[view].hangs.count, 0)
        case .key: (0, 0)
        }
    }
}

/// The views of one store in the order of a ranking, put in order a few at a time.
struct OrderedViews {
    private typealias Entry = (rank: ViewRanking.Rank, index: UInt32)

    let views: [ViewEntry]
    private let ranking: ViewRanking
    private let filter: ViewFilter
    private let selection: [UInt32]?
    private var next = 0
    private var heap = Heap<Entry>()

    /// All views that fit the filter, or those of `selection`.
    init(_ views: [ViewEntry], _ ranking: ViewRanking, _ filter: ViewFilter, selection: [UInt32]?) {
        (self.views, self.ranking, self.filter, self.selection) = (views, ranking, filter, selection)
    }

    /// Puts the next views in order; false if all are.
    mutating func advance() -> Bool {
        let end = min(next + ViewSelection.step, selection?.count ?? views.count)
        guard next < end else { return false }
        for place in next..<end {
            let index = selection.map { Int($0[place]) } ?? place
            let isShown = selection != nil || (views[index].isReported && filter.matches(views[index].key))
            guard index < views.count, isShown else { continue }
            heap.push((ranking.rank(index, of: views), UInt32(index))) { [views] in Self.isAbove($0, $1, of: views) }
        }
        next = end
        return true
    }

    /// The number of the best view that is left.
    mutating func pop() -> Int? {
        heap.pop { [views] in Self.isAbove($0, $1, of: views) }.map { Int($0.index) }
    }

    private static func isAbove(_ lhs: Entry, _ rhs: Entry, of views: [ViewEntry]) -> Bool {
        lhs.rank != rhs.rank
            ? lhs.rank > rhs.rank : views[Int(lhs.index)].key.precedes(views[Int(rhs.index)].key)
    }
}
