// SPDX-License-Identifier: MIT
// The query of `top` to the daemon, the sample in the answer, and the sentences about all stores at once.

import RerenderModel

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

// Evaluation rates and processor time, computed from successive samples.

/// What a view's bodies took between the last two samples, by the clock.
struct ViewLoad: Hashable, Sendable {
    /// Evaluations per second.
    let rate: Double
    /// Percents of that time.
    let percent: Double
    /// The part of them that was measured as wasted.
    let wastedPercent: Double
    /// The part of them that is inferred to be wasted.
    var inferredPercent = 0.0

    /// `24/s take 0.4% of a core, 0.3% wasted, ~0.1% inferred`. One that goes on has not ended yet, and is in no rate.
    ///
    /// - Parameter share: Makes processor time of percents by the clock.
    func sentence(_ words: StoreWords, _ share: (Double) -> CoreShare = { CoreShare(percent: $0) }) -> String {
        if rate == 0 { return "No \(words.event) ended just now" }
        let waste = wastedPercent > 0 ? ", \(share(wastedPercent).text) wasted" : ""
        let inferred =
            inferredPercent > 0 ? ", ~\(PercentOfCore.text(share(inferredPercent).percent)) inferred" : ""
        return "\(RateText.cell(rate)) take \(share(percent).text) of a core\(waste)\(inferred)"
    }
}

/// Evaluations per second between two samples.
struct Pace: Hashable, Sendable {
    let all: Double
    /// Those that were wasted.
    var wasted = 0.0
}

/// Remembers the counts of the rows that were seen, and so their rates.
///
/// Bounded: rows that were not seen for longest leave first. A row that comes back after a while gets one rate for all of
/// that time, which is its true average.
struct RateHistory<ID: Hashable & Sendable>: Sendable {
    /// The sums of a row at one moment.
    private struct Sums: Sendable {
        let count: UInt64
        var wastedCount: UInt64 = 0
        var body: UInt64 = 0
        var wasted: UInt64 = 0
        var inferred: UInt64 = 0
        let at: Timestamp

        init(_ count: UInt64, _ now: Timestamp) { (self.count, at) = (count, now) }

        init(_ view: Stats, _ now: Timestamp) {
            self.init(view.count, now)
            (wastedCount, body) = (view.wasted.count, view.body.totalNanoseconds)
            (wasted, inferred) = (view.wasted.measuredNanoseconds, view.wasted.inferredNanoseconds)
        }

        /// The evaluations per second since `old`, of which a commit may show that some were needed after all.
        func pace(since old: Sums) -> Pace {
            let seconds = Double(at.nanoseconds(since: old.at)) / 1e9
            let all = count - min(old.count, count)
            let wasted = min(all, wastedCount - min(old.wastedCount, wastedCount))
            return Pace(all: Double(all) / seconds, wasted: Double(wasted) / seconds)
        }

        /// What came since `old`; nil after a reset, or where a clock was set back: what was before says nothing.
        func load(since old: Sums) -> ViewLoad? {
            let nanoseconds = Double(at.nanoseconds(since: old.at))
            guard count >= old.count, body >= old.body, nanoseconds > 0 else { return nil }
            // A commit may show that an evaluation was needed after all.
            let wasted = wasted > old.wasted ? wasted - old.wasted : 0
            let inferred = inferred > old.inferred ? inferred - old.inferred : 0
            return ViewLoad(
                rate: Double(count - old.count) / (nanoseconds / 1e9),
                percent: Double(body - old.body) / nanoseconds * 100, wastedPercent: Double(wasted) / nanoseconds * 100,
                inferredPercent: Double(inferred) / nanoseconds * 100)
        }
    }

    private struct Entry: Sendable {
        var sums: Sums
        var seen: Int
        var paces: [Pace] = []
        var load: ViewLoad?
    }

    private var entries: [ID: Entry] = [:]
    private var samples = 0

    /// How many rows are remembered.
    var rows: Int { entries.count }

    /// Takes the counts of one sample, by row.
    mutating func note(_ counts: [(id: ID, count: UInt64)], at now: Timestamp) {
        samples += 1
        for (id, count) in counts { note(id, Sums(count, now)) }
        if entries.count > RateLimits.rows { forget() }
    }

    /// Evaluations per second, oldest first; empty where nothing is known yet.
    func paces(of id: ID) -> [Pace] { entries[id]?.paces ?? [] }

    /// What the view took between the last two samples; nil where that is not known yet.
    func load(of id: ID) -> ViewLoad? { entries[id]?.load }

    private mutating func note(_ id: ID, _ sums: Sums) {
        guard var entry = entries[id] else {
            entries[id] = Entry(sums: sums, seen: samples)
            return
        }
        entry.seen = samples
        let elapsed = sums.at.nanoseconds(since: entry.sums.at)
        if sums.count < entry.sums.count || elapsed < 0 {
            entry = Entry(sums: sums, seen: samples)
        } else if elapsed >= RateLimits.leastNanoseconds {
            entry.load = sums.load(since: entry.sums)
            entry.paces.append(sums.pace(since: entry.sums))
            if entry.paces.count > RateLimits.kept { entry.paces.removeFirst() }
            entry.sums = sums
        }
        entries[id] = entry
    }

    /// Makes room for as many rows again, so that it is seldom needed.
    private mutating func forget() {
        let newest = entries.sorted { $0.value.seen > $1.value.seen }.prefix(RateLimits.rows / 2)
        entries = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}

extension RateHistory<TopRowID> {
    /// Takes the counts of one sample.
    mutating func note(_ rows: [RankedView], at now: Timestamp) {
        samples += 1
        for row in rows { note(TopRowID(row), Sums(row.view, now)) }
        if entries.count > RateLimits.rows { forget() }
    }

    /// The rows by their evaluations per second, most first; those with the same rate stay in their order.
    func ranked(_ rows: [RankedView], isReversed: Bool) -> [RankedView] {
        let paced = rows.map { (row: $0, rate: paces(of: TopRowID($0)).last?.all ?? 0) }
        return paced.sorted { isReversed ? $0.rate < $1.rate : $0.rate > $1.rate }.map(\.row)
    }
}

/// What is kept for rates.
enum RateLimits {
    /// Rates that are kept of a row: more than any sparkline is wide.
    static let kept = 32
    /// Rows that are kept.
    static let rows = 2_000
    /// Two samples that are nearer to each other say nothing: apps report every 0.1 s.
    static let leastNanoseconds: Int64 = 450_000_000
}
