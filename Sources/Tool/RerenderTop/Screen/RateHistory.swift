// SPDX-License-Identifier: MIT
// Evaluation rates and processor time, computed from successive samples.

import RerenderModel
import RerenderPresentation
import RerenderToolBase

/// What a view's bodies took between the last two samples, in processor time of one core.
struct ViewLoad: Hashable, Sendable {
    /// Evaluations per second.
    let rate: Double
    /// Percents of one core.
    let percent: Double
    /// The part of them that was measured as wasted.
    let wastedPercent: Double
    /// The part of them that is inferred to be wasted.
    var inferredPercent = 0.0

    /// `24/s take 0.4% of a core, 0.3% wasted, ~0.1% inferred`.
    var sentence: String {
        let waste = wastedPercent > 0 ? ", \(PercentOfCore.text(wastedPercent)) wasted" : ""
        let inferred = inferredPercent > 0 ? ", ~\(PercentOfCore.text(inferredPercent)) inferred" : ""
        return "\(RateText.cell(rate)) take \(PercentOfCore.text(percent)) of a core\(waste)\(inferred)"
    }
}

/// Remembers the counts of the rows that were seen, and so their rates.
///
/// Bounded: rows that were not seen for longest leave first. A row that comes back after a while gets one rate for all of
/// that time, which is its true average.
struct RateHistory: Sendable {
    /// Rates that are kept of a row: more than any sparkline is wide.
    static let kept = 32
    /// Rows that are kept.
    static let mostRows = 2_000
    /// Two samples that are nearer to each other say nothing: apps report every 0.1 s.
    static let leastNanoseconds: Int64 = 450_000_000

    /// The sums of a view at one moment.
    private struct Sums: Sendable {
        let count: UInt64
        let body: UInt64
        let wasted: UInt64
        let inferred: UInt64
        let at: Timestamp

        init(_ view: Stats, _ now: Timestamp) {
            (count, body) = (view.count, view.body.totalNanoseconds)
            (wasted, inferred) = (view.wasted.measuredNanoseconds, view.wasted.inferredNanoseconds)
            at = now
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
        var rates: [Double] = []
        var load: ViewLoad?
    }

    private var entries: [TopRowID: Entry] = [:]
    private var samples = 0

    /// How many rows are remembered.
    var rows: Int { entries.count }

    /// Takes the counts of one sample.
    mutating func note(_ rows: [RankedView], at now: Timestamp) {
        samples += 1
        for row in rows { note(TopRowID(row), Sums(row.view, now)) }
        if entries.count > Self.mostRows { forget() }
    }

    /// Evaluations per second, oldest first; empty where nothing is known yet.
    func rates(of id: TopRowID) -> [Double] { entries[id]?.rates ?? [] }

    /// What the view took between the last two samples; nil where that is not known yet.
    func load(of id: TopRowID) -> ViewLoad? { entries[id]?.load }

    private mutating func note(_ id: TopRowID, _ sums: Sums) {
        guard var entry = entries[id] else {
            entries[id] = Entry(sums: sums, seen: samples)
            return
        }
        entry.seen = samples
        let elapsed = sums.at.nanoseconds(since: entry.sums.at)
        if sums.count < entry.sums.count || elapsed < 0 {
            entry = Entry(sums: sums, seen: samples)
        } else if elapsed >= Self.leastNanoseconds {
            entry.load = sums.load(since: entry.sums)
            entry.rates.append(entry.load?.rate ?? 0)
            if entry.rates.count > Self.kept { entry.rates.removeFirst() }
            entry.sums = sums
        }
        entries[id] = entry
    }

    /// Makes room for as many rows again, so that it is seldom needed.
    private mutating func forget() {
        let newest = entries.sorted { $0.value.seen > $1.value.seen }.prefix(Self.mostRows / 2)
        entries = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}

/// Rates as a row of bars.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let plain = Array("_.:-=+*#")

    /// One column for each of the last `width` rates, the newest on the right; higher is more, the row's own highest is full.
    ///
    /// A blank is a time of which nothing is known, a dot (`·`; in ASCII an apostrophe) one without an evaluation.
    package static func text(_ rates: [Double], width: Int, unicode: Bool) -> String {
        let shown = rates.suffix(max(0, width))
        let highest = shown.max() ?? 0
        let signs = unicode ? bars : plain
        let drawn = shown.map { rate -> Character in
            guard rate > 0, highest > 0 else { return unicode ? "·" : "'" }
            return signs[min(signs.count - 1, Int(rate / highest * Double(signs.count - 1) + 0.5))]
        }
        return String(repeating: " ", count: max(0, width - drawn.count)) + String(drawn)
    }
}
