// SPDX-License-Identifier: MIT
// Which views an answer is about, and in which order.

import RerenderModel
import RerenderWire

/// Ranks the views of some stores as a query asks for them.
struct ViewRanking {
    /// The numbers by which a view is ranked, highest first; the same for all views when they are ranked by text.
    private typealias Rank = (UInt64, UInt64)

    private struct Candidate {
        var rank: Rank
        var store: UInt32
        var index: UInt32
    }

    /// So many more than are wanted are gathered before they are put in order.
    private static let spare = 1_024

    private let query: StatsQuery
    private let stores: [StoreEntry]
    /// Where each store's process stands among all, by name.
    private let places: [UInt64]
    /// The class of each store's views; empty where they are not ranked by it.
    private let marks: [RowMarks]

    /// - Parameter verdict: That of the stores.
    init(_ query: StatsQuery, _ stores: [(process: ProcessEntry, store: StoreEntry)], _ verdict: Verdict?) {
        (self.query, self.stores) = (query, stores.map(\.store))
        let all = query.order == .cost ? stores.map { $0.store.stats(of: $0.process) } : []
        let shares = CoreShares(all)
        marks = all.map { RowMarks($0, running: shares.loop(of: $0.pid)?.bodiesRunning ?? 1, verdict) }
        let names = query.order == .process ? Set(stores.map(\.process.name)).sorted { $0.precedes($1) } : []
        let numbers = Dictionary(uniqueKeysWithValues: zip(names, 0 as UInt64..<UInt64(names.count)))
        places = stores.map { numbers[$0.process.name] ?? 0 }
    }

    /// For each store the numbers of the views that are wanted, best first, and how many there are without a limit.
    ///
    /// Leaves a view that is not among the best without a call: nearly all views are such. Compares names only where two numbers
    /// are the same.
    func views() -> (wanted: [[UInt32]], matching: Int) {
        let (filter, room) = (query.filter, query.limit.map { query.skip + $0 })
        let isOpen = filter.isOpen
        var (found, matching): ([Candidate], Int) = ([], 0)
        var lowest: Rank = (0, 0)
        for (number, store) in stores.enumerated() {
            let (views, start) = (store.views, found.count)
            for index in views.indices where views[index].isReported {
                // What is no row of a table is in a whole export alone; its store says that there is such a view.
                guard room == nil || views[index].isRow else { continue }
                guard isOpen || filter.matches(views[index].key) else { continue }
                matching += 1
                let rank = rank(index, of: views, in: number)
                guard rank >= lowest else { continue }
                found.append(Candidate(rank: rank, store: UInt32(number), index: UInt32(index)))
                guard let room, found.count >= 2 * room + Self.spare else { continue }
                lowest = keep(room, of: &found)
            }
            if room == nil { found[start...].sort(by: isBetter) }
        }
        if let room { _ = keep(room, of: &found) }
        var wanted = [[UInt32]](repeating: [], count: stores.count)
        for view in found.dropFirst(query.skip) { wanted[Int(view.store)].append(view.index) }
        return (wanted, matching)
    }

    /// Puts what was found in order, and leaves the best. Returns the rank that others must have to be among them.
    private func keep(_ room: Int, of found: inout [Candidate]) -> Rank {
        found.sort(by: isBetter)
        found.removeLast(max(0, found.count - room))
        guard found.count >= room, let worst = found.last else { return (0, 0) }
        return worst.rank
    }

    // MARK: Numbers

    /// Takes the view by its number, because a view that is passed is copied.
    @inline(__always)
    private func rank(_ view: Int, of views: [ViewEntry], in store: Int) -> Rank {
        let rank = ownRank(view, of: views, in: store)
        return query.isReversed ? (~rank.0, ~rank.1) : rank
    }

    @inline(__always)
    private func ownRank(_ view: Int, of views: [ViewEntry], in store: Int) -> Rank {
        switch query.order {
        case .cost: cost(view, of: views, in: store)
        case .count: (views[view].totals.count, 0)
        case .time: (views[view].totals.selfNanoseconds, 0)
        case .wasted: (views[view].totals.waste.nanoseconds, views[view].totals.waste.count)
        case .hangs: (views[view].hangs.count, 0)
        // Of numbers that are not negative, the larger one has the larger pattern.
        case .share: (share(views[view].totals).bitPattern, views[view].totals.waste.count)
        case .average: (views[view].totals.body.sum / max(1, views[view].totals.count), 0)
        case .process: (.max - places[store], 0)
        case .key, .reason, .place, .rate: (0, 0)
        }
    }

    private func cost(_ view: Int, of views: [ViewEntry], in store: Int) -> Rank {
        let hangs = views[view].hangs
        let mark = marks[store].mark(
            of: views[view].key, hangs: hangs, wastedNanoseconds: views[view].totals.waste.nanoseconds)
        return RowRank(
            mark, selfNanoseconds: views[view].totals.selfNanoseconds, own: views[view].ownCauses,
            of: views[view].totals.count, hangs: hangs.feltNanoseconds
        ).words
    }

    private func share(_ totals: ViewTotals) -> Double {
        Double(totals.waste.count) / Double(max(1, totals.count - min(totals.passes, totals.count)))
    }

    // MARK: Names

    /// Equal views of several stores are ranked by store and number, so that an answer is always the same.
    private func isBetter(_ lhs: Candidate, _ rhs: Candidate) -> Bool {
        if lhs.rank != rhs.rank { return lhs.rank > rhs.rank }
        let order = order(
            (stores[Int(lhs.store)].views, Int(lhs.index)), (stores[Int(rhs.store)].views, Int(rhs.index)))
        return order != 0 ? order < 0 : (lhs.store, lhs.index) < (rhs.store, rhs.index)
    }

    /// Whether a view precedes another of the same rank: -1, or 1 if it follows, or 0 if their names are the same.
    private func order(_ lhs: (views: [ViewEntry], index: Int), _ rhs: (views: [ViewEntry], index: Int)) -> Int {
        let text = textOrder(lhs, rhs)
        let key = lhs.views[lhs.index].key.order(to: rhs.views[rhs.index].key)
        let isKeyReversed = query.isReversed && query.order == .key
        return text != 0 ? (query.isReversed ? -text : text) : isKeyReversed ? -key : key
    }

    private func textOrder(_ lhs: (views: [ViewEntry], index: Int), _ rhs: (views: [ViewEntry], index: Int)) -> Int {
        switch query.order {
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
    /// The ``Stats/ownCauses`` of its stats.
    fileprivate var ownCauses: UInt64 {
        let passed = reasons.reduce(UInt64(0)) { $1.isPassedOn ? $0.clampedSum($1.counts.count) : $0 }
        return totals.count - min(passed, totals.count)
    }

    /// The text of the ``Stats/mainReason`` of its stats, which take longer to make; empty without a reason.
    fileprivate var mainReason: String {
        var main = (text: Reason.other, count: others.count)
        for reason in reasons where Reason.isMain((reason.text, reason.counts.count), over: main) {
            main = (reason.text, reason.counts.count)
        }
        return main.count > 0 ? main.text : ""
    }
}

/// Chooses views by their keys. Costs at most two comparisons for each byte of a key, whatever the key and the part are.
struct ViewFilter {
    private let key: String?
    /// The wanted part in lower case.
    private let part: [UInt8]
    /// For each number of bytes that matched, how many still do where the next one does not (Knuth, Morris, Pratt).
    private let shorter: [Int]

    /// The views of one key, those whose key has a part in it, or all.
    init(key: String? = nil, match: String? = nil) {
        self.key = key
        let part = (match ?? "").utf8.map(Self.lower)
        self.part = part
        shorter = Self.borders(of: part)
    }

    /// Whether every view matches.
    var isOpen: Bool { key == nil && part.isEmpty }

    /// Whether the key is the wanted one and has the part in it. Compares bytes; only ASCII letters have a case.
    func matches(_ text: String) -> Bool {
        if let key, !key.isSame(as: text) { return false }
        return part.isEmpty || contains(text.utf8.span)
    }

    private func contains(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count >= part.count else { return false }
        var matched = 0
        for index in bytes.indices {
            let byte = Self.lower(bytes[index])
            while matched > 0, part[matched] != byte { matched = shorter[matched] }
            guard part[matched] == byte else { continue }
            matched += 1
            if matched == part.count { return true }
        }
        return false
    }

    /// For each length the longest beginning of the part that ends there too and is shorter.
    private static func borders(of part: [UInt8]) -> [Int] {
        var borders = [Int](repeating: 0, count: part.count + 1)
        var length = 0
        for index in part.indices.dropFirst() {
            while length > 0, part[length] != part[index] { length = borders[length] }
            if part[length] == part[index] { length += 1 }
            borders[index + 1] = length
        }
        return borders
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
