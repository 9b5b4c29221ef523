// SPDX-License-Identifier: MIT
// How views are compared when they are ranked.

import RerenderModel
import RerenderQuery
import RerenderWire

/// How views of one store are compared under a ``StatsOrder``.
struct ViewRanking {
    let order: StatsOrder
    var isReversed = false
    /// When the answer was asked for.
    var now = Timestamp(nanosecondsSince1970: 0)
    /// Where the store's process stands among all, by name.
    var place: UInt64 = 0
    /// The store's counts of earlier, for rates, while the book keeps them: an answer that is read slowly keeps nothing of it.
    weak var base: RateBook.Counts?

    /// The numbers by which a view is ranked, highest first; the same for all views when they are ranked by text.
    typealias Rank = (UInt64, UInt64)

    /// Takes the view by its number, because a view that is passed is copied.
    @inline(__always)
    func rank(_ view: Int, of views: [ViewEntry]) -> Rank {
        let rank = plainRank(view, of: views)
        return isReversed ? (~rank.0, ~rank.1) : rank
    }

    @inline(__always)
    private func plainRank(_ view: Int, of views: [ViewEntry]) -> Rank {
        switch order {
        case .count: (views[view].totals.count, 0)
        case .time: (views[view].totals.selfNanoseconds, 0)
        case .wasted: (views[view].totals.waste.nanoseconds, views[view].totals.waste.count)
        case .hangs: (views[view].hangs.count, 0)
        // Of numbers that are not negative, the larger one has the larger pattern.
        case .rate: ((rate(view, of: views) ?? 0).bitPattern, views[view].totals.count)
        case .share: (share(views[view].totals).bitPattern, views[view].totals.waste.count)
        case .average: (views[view].totals.body.sum / max(1, views[view].totals.count), 0)
        case .process: (.max - place, 0)
        case .key, .reason, .place: (0, 0)
        }
    }

    /// Evaluations per second, lately; nil where that is not known, or not asked for.
    func rate(_ view: Int, of views: [ViewEntry]) -> Double? {
        base?.rate(of: view, count: views[view].totals.count, now: now)
    }

    private func share(_ totals: ViewTotals) -> Double {
        Double(totals.waste.count) / Double(max(1, totals.count - min(totals.passes, totals.count)))
    }

    /// Whether a view precedes another of the same rank: -1, or 1 if it follows, or 0 if their names are the same.
    func order(_ lhs: (views: [ViewEntry], index: Int), _ rhs: (views: [ViewEntry], index: Int)) -> Int {
        let text = textOrder(lhs, rhs)
        let key = lhs.views[lhs.index].key.order(to: rhs.views[rhs.index].key)
        let isKeyReversed = isReversed && order == .key
        return text != 0 ? (isReversed ? -text : text) : isKeyReversed ? -key : key
    }

    private func textOrder(_ lhs: (views: [ViewEntry], index: Int), _ rhs: (views: [ViewEntry], index: Int)) -> Int {
        switch order {
        case .reason: return lhs.views[lhs.index].mainReason.order(to: rhs.views[rhs.index].mainReason)
        case .place:
            let file = lhs.views[lhs.index].file.order(to: rhs.views[rhs.index].file)
            let (left, right) = (lhs.views[lhs.index].line, rhs.views[rhs.index].line)
            return file != 0 ? file : left == right ? 0 : left < right ? -1 : 1
        default: return 0
        }
    }
}

extension ViewEntry {
    /// The text of the ``Stats/mainReason`` of its stats, which take longer to make; empty without a reason.
    fileprivate var mainReason: String {
        var main = (text: Reason.other, count: others.count)
        for reason in reasons where Reason.isMain((reason.text, reason.counts.count), over: main) {
            main = (reason.text, reason.counts.count)
        }
        return main.count > 0 ? main.text : ""
    }
}

extension Registry {
    /// How the views of each of some stores are ranked.
    func rankings(_ query: StatsQuery, of stores: [UInt32], now: Timestamp) -> [ViewRanking] {
        let known = stores.map { storesBySerial[$0] }
        let names = query.order == .process ? Set(known.compactMap { $0?.process.name }).sorted { $0.precedes($1) } : []
        let places = Dictionary(uniqueKeysWithValues: zip(names, 0 as UInt64..<UInt64(names.count)))
        return zip(stores, known).map { serial, entry in
            var ranking = ViewRanking(order: query.order, isReversed: query.isReversed, now: now)
            ranking.place = entry.flatMap { places[$0.process.name] } ?? 0
            if query.order == .rate, let entry {
                ranking.base = rates.base(of: serial, epoch: entry.store.state.epoch, now: now)
            }
            return ranking
        }
    }
}

/// The views of one store in the order of a ranking, put in order a few at a time.
struct OrderedViews {
    private typealias Entry = (rank: ViewRanking.Rank, index: UInt32)

    let ranking: ViewRanking
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
        let ranking = ranking
        for place in next..<end {
            let index = selection.map { Int($0[place]) } ?? place
            guard index < views.count else { continue }
            guard selection != nil || (views[index].isReported && filter.matches(views[index].key)) else { continue }
            heap.push((ranking.rank(index, of: views), UInt32(index))) { Self.isAbove($0, $1, views, ranking) }
        }
        next = end
        return true
    }

    /// The number of the best view that is left.
    mutating func pop(_ views: [ViewEntry]) -> Int? {
        let ranking = ranking
        return heap.pop { Self.isAbove($0, $1, views, ranking) }.map { Int($0.index) }
    }

    private static func isAbove(_ lhs: Entry, _ rhs: Entry, _ views: [ViewEntry], _ ranking: ViewRanking) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank > rhs.rank }
        return ranking.order((views, Int(lhs.index)), (views, Int(rhs.index))) < 0
    }
}
