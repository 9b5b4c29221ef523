// SPDX-License-Identifier: MIT
// Evaluation rates and processor time, computed from successive samples.

import RerenderModel

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
