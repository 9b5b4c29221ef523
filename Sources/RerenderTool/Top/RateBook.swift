// SPDX-License-Identifier: MIT
// Evaluations per second, from the counts of two samples.

import RerenderModel

/// Remembers the counts of the rows that were seen, and so their rates.
///
/// Bounded: rows that were not seen for longest leave first. A row that comes back after a while gets one rate for all of
/// that time, which is its true average.
struct RateBook: Sendable {
    /// Rates that are kept of a row: more than any sparkline is wide.
    static let kept = 32
    /// Rows that are kept.
    static let mostRows = 2_000
    /// Two samples that are nearer to each other say nothing: apps report every 0.1 s.
    static let leastNanoseconds: Int64 = 450_000_000

    private struct Entry: Sendable {
        var count: UInt64
        var at: Timestamp
        var seen: Int
        var rates: [Double] = []
    }

    private var entries: [TopRowID: Entry] = [:]
    private var samples = 0

    /// How many rows are remembered.
    var rows: Int { entries.count }

    /// Takes the counts of one sample.
    mutating func note(_ rows: [RankedView], at now: Timestamp) {
        samples += 1
        for row in rows { note(TopRowID(row), row.view.count, now) }
        if entries.count > Self.mostRows { forget() }
    }

    /// Evaluations per second, oldest first; empty where nothing is known yet.
    func rates(of id: TopRowID) -> [Double] { entries[id]?.rates ?? [] }

    private mutating func note(_ id: TopRowID, _ count: UInt64, _ now: Timestamp) {
        guard var entry = entries[id] else {
            entries[id] = Entry(count: count, at: now, seen: samples)
            return
        }
        entry.seen = samples
        let elapsed = now.nanosecondsSince1970 - entry.at.nanosecondsSince1970
        if count < entry.count || elapsed < 0 {
            // A reset, or a clock that was set back: what was before says nothing.
            entry = Entry(count: count, at: now, seen: samples)
        } else if elapsed >= Self.leastNanoseconds {
            entry.rates.append(Double(count - entry.count) / (Double(elapsed) / 1e9))
            if entry.rates.count > Self.kept { entry.rates.removeFirst() }
            (entry.count, entry.at) = (count, now)
        }
        entries[id] = entry
    }

    /// Makes room for as many rows again, so that it is seldom needed.
    private mutating func forget() {
        let newest = entries.sorted { $0.value.seen > $1.value.seen }.prefix(Self.mostRows / 2)
        entries = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
    }
}

/// A rate as text.
enum RateText {
    /// `60/s`, `0.5/s`, `1.2k/s`; `0` for none and `-` where it is not known yet.
    static func cell(_ rate: Double?) -> String {
        guard let rate else { return "-" }
        switch rate {
        case ...0: return "0"
        case ..<0.1: return "<0.1/s"
        case ..<9.95: return tenths(rate) + "/s"
        case ..<999.5: return "\(Int(rate.rounded()))/s"
        case ..<9_950: return tenths(rate / 1e3) + "k/s"
        case ..<999_500: return "\(Int((rate / 1e3).rounded()))k/s"
        case ..<9.95e6: return tenths(rate / 1e6) + "M/s"
        case ..<999.5e6: return "\(Int((rate / 1e6).rounded()))M/s"
        default: return ">1G/s"
        }
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Rates as a row of bars.
enum Sparkline {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    private static let plain = Array("_.:-=+*#")

    /// One column for each of the last `width` rates, the newest on the right; higher is more, the row's own highest is full.
    ///
    /// A blank is a time of which nothing is known, a dot (`·`; in ASCII an apostrophe) one without an evaluation.
    static func text(_ rates: [Double], width: Int, unicode: Bool) -> String {
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
