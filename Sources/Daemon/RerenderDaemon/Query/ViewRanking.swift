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
        case .time: (views[view].totals.selfNanoseconds, 0)
        case .wasted: (views[view].totals.waste.nanoseconds, views[view].totals.waste.count)
        case .hangs: (views[view].hangs.count, 0)
        case .key: (0, 0)
        }
    }
}

/// The views of one store in the order of a ranking, put in order a few at a time.
struct OrderedViews {
    private typealias Entry = (rank: ViewRanking.Rank, index: UInt32)

    private let ranking: ViewRanking
    private let filter: ViewFilter
    private let selection: [UInt32]?
    private var next = 0
    private var heap = Heap<Entry>()

    /// All views that fit the filter, or those of `selection`. Each call gives the views as they are then.
    init(_ ranking: ViewRanking, _ filter: ViewFilter, selection: [UInt32]?) {
        (self.ranking, self.filter, self.selection) = (ranking, filter, selection)
    }

    /// Puts the next views in order; false if all are.
    mutating func advance(_ views: [ViewEntry]) -> Bool {
        let end = min(next + ViewSelection.step, selection?.count ?? views.count)
        guard next < end else { return false }
        for place in next..<end {
            let index = selection.map { Int($0[place]) } ?? place
            guard index < views.count else { continue }
            guard selection != nil || (views[index].isReported && filter.matches(views[index].key)) else { continue }
            heap.push((ranking.rank(index, of: views), UInt32(index))) { Self.isAbove($0, $1, of: views) }
        }
        next = end
        return true
    }

    /// The number of the best view that is left.
    mutating func pop(_ views: [ViewEntry]) -> Int? {
        heap.pop { Self.isAbove($0, $1, of: views) }.map { Int($0.index) }
    }

    private static func isAbove(_ lhs: Entry, _ rhs: Entry, of views: [ViewEntry]) -> Bool {
        lhs.rank != rhs.rank
            ? lhs.rank > rhs.rank : views[Int(lhs.index)].key.precedes(views[Int(rhs.index)].key)
    }
}
