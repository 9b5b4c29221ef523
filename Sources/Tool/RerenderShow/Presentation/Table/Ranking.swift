// SPDX-License-Identifier: MIT
// Sorts the views of all stores.

package import RerenderModel

/// One view with the store that it is in.
package struct RankedView: Sendable {
    /// The store, with `views` empty.
    package let store: ProcessStats
    /// The view's totals.
    package let view: Stats
    /// By what the view's time by the clock is multiplied to have processor time.
    let running: Double
    /// Its place in the one order of views.
    package let rank: RowRank
    /// ` (+12 parents)`: what is folded under it; empty for nothing.
    var folded = ""

    /// - Parameter rank: Nil where no findings are known but those that its own numbers and its store tell.
    package init(store: ProcessStats, view: Stats, running: Double? = nil, rank: RowRank? = nil) {
        (self.store, self.view) = (store, view)
        let running = running ?? store.loop?.bodiesRunning ?? 1
        self.running = running
        self.rank = rank ?? RowMarks(store, running: running, nil).rank(of: view)
    }
}

extension ProcessStats {
    /// The same store with other views.
    package func with(views: [Stats]) -> ProcessStats {
        var store = self
        store.views = views
        return store
    }
}

extension StatsOrder {
    /// The views of an export in this order; equal ones by key, then by process.
    ///
    /// - Parameters:
    ///   - verdict: That of the export, whose findings name views.
    ///   - isReversed: Whether the last come first; equal ones stand as they do without.
    package func ranked(
        _ processes: [ProcessStats], _ verdict: Verdict? = nil, isReversed: Bool = false
    ) -> [RankedView] {
        let shares = CoreShares(processes)
        let views = processes.flatMap { process in
            let store = process.with(views: [])
            let running = shares.loop(of: process.pid)?.bodiesRunning
            let marks = RowMarks(store, running: running ?? 1, verdict)
            return process.views.map {
                RankedView(store: store, view: $0, running: running, rank: marks.rank(of: $0))
            }
        }
        return views.sorted { precedes($0, $1, isReversed) }
    }

    /// Whether `lhs` comes before `rhs`.
    private func precedes(_ lhs: RankedView, _ rhs: RankedView, _ isReversed: Bool) -> Bool {
        let (left, right) = (weight(lhs), weight(rhs))
        if left != right { return (left > right) != isReversed }
        if let order = textOrder(lhs, rhs) { return order != isReversed }
        if lhs.view.key != rhs.view.key { return (lhs.view.key < rhs.view.key) != (isReversed && self == .key) }
        if lhs.store.name != rhs.store.name { return lhs.store.name < rhs.store.name }
        let first = (lhs.store.pid, lhs.store.store, lhs.store.storeNumber)
        return first < (rhs.store.pid, rhs.store.store, rhs.store.storeNumber)
    }

    private func weight(_ row: RankedView) -> (UInt64, UInt64) {
        let view = row.view
        return switch self {
        case .cost: row.rank.words
        // Counts of one moment have no rates: see `RateHistory`.
        case .count, .rate: (view.count, 0)
        case .wasted: (view.wasted.nanoseconds, view.wasted.count)
        case .time: (view.ownNanoseconds, 0)
        case .hangs: (view.hangs.count, 0)
        // Of numbers that are not negative, the larger one has the larger pattern.
        case .share: (view.wastedShare.bitPattern, view.wasted.count)
        case .average: (view.body.averageNanoseconds, 0)
        case .key, .process, .reason, .place: (0, 0)
        }
    }

    /// Whether `lhs` comes first by a text; nil where that is the same, or not what is ranked by.
    private func textOrder(_ lhs: RankedView, _ rhs: RankedView) -> Bool? {
        switch self {
        case .process: return lhs.store.name == rhs.store.name ? nil : lhs.store.name < rhs.store.name
        case .reason:
            let (left, right) = (lhs.view.mainReason?.reason.reason ?? "", rhs.view.mainReason?.reason.reason ?? "")
            return left == right ? nil : left < right
        case .place:
            let (left, right) = ((lhs.view.file, lhs.view.line), (rhs.view.file, rhs.view.line))
            return left == right ? nil : left < right
        default: return nil
        }
    }
}

// The rows of a table without those that say nothing of their own.

/// The rows of a table as ``RowFolding`` folds them.
package struct FoldedRows: Sendable {
    /// The rows that are shown, in their order. Each says how many are folded under it.
    package let rows: [RankedView]
    /// All rows that are folded.
    package let hidden: [RankedView]
    private let folding: RowFolding

    /// - Parameter isOn: Whether to fold at all.
    package init(_ all: [RankedView], isOn: Bool = true) {
        var numbers: [StoreID: Int] = [:]
        let facts = (isOn ? all : []).map { row in
            let store = StoreID(row.store)
            let number = numbers[store] ?? numbers.count
            numbers[store] = number
            return RowFacts(row.view, in: row.store, number: number, row.rank)
        }
        let folding = RowFolding(facts)
        let folded = folding.shown().map { index in
            var row = all[index]
            row.folded = folding.note(under: index)
            return row
        }
        (self.folding, rows, hidden) = (folding, isOn ? folded : all, folding.hidden.map { all[$0] })
    }

    /// The line below the rows; nil where every row is shown.
    ///
    /// - Parameters:
    ///   - isWhole: Whether all views are among the rows.
    ///   - how: What shows those that are not: `--all`.
    package func line(isWhole: Bool, how: String) -> String? {
        guard !hidden.isEmpty else { return nil }
        let text = folding.text(StoreWords(hidden.lazy.map(\.store)))
        return "… \(isWhole ? "" : "at least ")\(text); \(how) shows them"
    }
}
