// SPDX-License-Identifier: MIT
// The query of `top` to the daemon, the sample in the answer, and the sentences about all stores at once.

/// Names a view of one store across samples.
struct TopRowID: Hashable, Sendable {
    let store: StoreID
    let key: ViewKey

    init(_ row: RankedView) {
        (store, key) = (StoreID(row.store), row.view.key)
    }
}

/// Which rows are wanted: those on the screen and a few beside it, never all.
struct TopQuery: Hashable, Sendable {
    /// What the screen shows.
    var tab = TopTab.views
    var order: StatsOrder
    /// Whether the last come first.
    var isReversed = false
    /// Views that rank above the first wanted one.
    var first: Int
    var limit: Int
    /// A part of the key; empty for all.
    var filter: String
    var process: String?
    /// The process whose hangs are shown with an expanded row.
    var hangsOf: Int32?

    /// How many hangs are wanted, the newest.
    var hangs = fewHangs

    /// The most views that are asked for at once, however tall the terminal is.
    static let mostViews = 400
    /// Hangs on their own tab, and beside views: those that go on, and a few more.
    static let mostHangs = 100
    static let fewHangs = 8

    /// The question for the views. Only `top` knows rates, so it ranks the views with most evaluations by them itself.
    var stats: StatsQuery {
        let isByRate = order == .rate
        var query = StatsQuery(isByRate ? .count : order, limit: limit, process: process)
        (query.skip, query.isReversed) = (first, isReversed && !isByRate)
        query.match = filter.isEmpty ? nil : filter
        return query
    }
}

/// The answer to a ``TopQuery``.
struct TopSample: Sendable {
    let query: TopQuery
    /// When the daemon made it.
    let at: Timestamp
    /// All stores that the query selects, with `views` empty.
    let stores: [ProcessStats]
    /// The views, best first.
    var rows: [RankedView]
    /// How many views there are with this filter.
    let total: Int
    /// How many of them can be scrolled to. By rate, only those that were asked for are ranked.
    var reachable: Int { query.order == .rate ? min(total, rows.count) : total - hidden.count }
    /// Views that are folded, and the rows with them; nil where nothing is folded.
    var hidden: Set<TopRowID> = []
    var unfolded: [RankedView]?
    /// The line about them; nil where every row is shown.
    var folded: String?
    /// What costs most of all that the query selects, whatever is on the screen.
    var verdict: Verdict?
    /// The newest hangs.
    var hangs: [Hang] = []
    /// Why there is no list of hangs; nil where there is one.
    var hangsFault: String?
    /// The newest hangs of the process that ``TopQuery/hangsOf`` names.
    var hangsOfProcess: [Hang] = []
    /// How the daemon is, some samples ago at most; nil where it did not say.
    var health: HealthReport?
    /// Where the user switched Rerender off, if so.
    var off: RuntimeDirectory?
    /// What would bring names that are missing, as sentences.
    var names: [String] = []
    /// That the process that is asked for is not among those that are there, as lines; nil where none is there, too.
    var unknownProcess: [String]?
    /// Shown where there is no store.
    var noStores: [String] { unknownProcess ?? Guidance.noProcess(off: off) }

    /// What is said of all of it.
    var remarks = TopRemarks()

    /// Evaluations that are in no row.
    var missing: UInt64 {
        stores.reduce(0) { $0.clampedSum($1.lost).clampedSum($1.dropped) }
    }

    /// The row at a rank, counted from 0; nil where it was not asked for.
    func row(at rank: Int) -> RankedView? {
        let index = rank - query.first
        return rows.indices.contains(index) ? rows[index] : nil
    }

    /// The rank of a view; nil where it is not among the rows.
    func rank(of id: TopRowID) -> Int? {
        rows.firstIndex { TopRowID($0) == id }.map { $0 + query.first }
    }
}

extension TopSample {
    /// The same without rows that say nothing of their own, where all views are there.
    func folding() -> TopSample {
        guard query.tab == .views, query.first == 0, rows.count >= total else { return self }
        let folded = FoldedRows(rows)
        var sample = self
        (sample.rows, sample.unfolded) = (folded.rows, rows)
        sample.hidden = Set(folded.hidden.map(TopRowID.init))
        sample.folded = folded.line(isWhole: true, how: "a")
        return sample
    }
}

/// The sentences about a sample as a whole. Made once, because the screen is laid out by how many of these sentences there are.
struct TopRemarks: Sendable {
    /// What goes on without input.
    var idle: String?
    /// Views that are no rows.
    var notSeen: String?
    /// What is missing from the numbers.
    var warning: String?

    init() {}

    /// - Parameter gaps: What is missing from what was saved.
    init(_ sample: TopSample, gaps: [String]) {
        idle = IdleText.now(sample.stores, sample.at)
        notSeen = Self.first(of: NotSeenText.lines(sample.stores))
        let notes = StatsNotes(stores: sample.stores, health: sample.health, order: sample.query.order)
        let missing = (gaps + GapText.lines(sample.stores)).map { "! " + $0 }
        warning = Self.first(of: missing + notes.warnings.map(\.text))
    }

    private static func first(of all: [String]) -> String? {
        guard let first = all.first else { return nil }
        return all.count == 1 ? first : first + " (and \(all.count - 1) more: rerenderctl stats)"
    }
}
