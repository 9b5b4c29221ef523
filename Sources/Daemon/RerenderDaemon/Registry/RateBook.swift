// SPDX-License-Identifier: MIT
// Counts of views at earlier moments, by which they are ranked by rate.

import RerenderModel

/// Remembers the counts of stores whose views somebody ranks by rate. Confined to the registry's event loop.
///
/// Free while nobody asks. Two moments of a store are kept at most, a number for each view; they are forgotten a minute after the
/// last question. Stores for which there is no room have no rates.
final class RateBook {
    /// The counts of a store's views at one moment.
    struct Counts {
        let at: Timestamp
        let epoch: UInt32
        /// By the app's numbers.
        let counts: [UInt64]

        /// Evaluations per second between then and now. A view that was not there then came since.
        func rate(of view: Int, count: UInt64, now: Timestamp) -> Double {
            let before = view < counts.count ? counts[view] : 0
            return Double(count - min(before, count)) / (Double(now.nanoseconds(since: at)) / 1e9)
        }
    }

    private struct Page {
        var older: Counts?
        var newer: Counts

        /// With its place in the table, and two arrays' own.
        var bytes: Int { 256 + ((older?.counts.count ?? 0) + newer.counts.count) * MemoryLayout<UInt64>.stride }
    }

    /// What two moments are apart at least: apps report ten times a second.
    static let leastNanoseconds: Int64 = 900_000_000
    static let keptNanoseconds: Int64 = 60_000_000_000

    private var pages: [UInt32: Page] = [:]
    private let limit: Int
    /// What is remembered takes, as estimated.
    private(set) var bytes = 0

    /// - Parameter bytes: What it may take.
    init(bytes: Int) { limit = bytes }

    /// How many stores are remembered.
    var stores: Int { pages.count }

    /// The moment to which the present is compared; nil where the store was not asked about before, and after a reset.
    func base(of store: UInt32, epoch: UInt32, now: Timestamp) -> Counts? {
        guard let page = pages[store] else { return nil }
        let isOld = now.nanoseconds(since: page.newer.at) >= Self.leastNanoseconds
        guard let base = isOld ? page.newer : page.older, base.epoch == epoch else { return nil }
        return now.nanoseconds(since: base.at) > 0 ? base : nil
    }

    /// Takes the counts of now of some stores, where the latest ones are old enough, and forgets what nobody asks about.
    func note(_ counts: [(store: UInt32, counts: Counts)], now: Timestamp) {
        pages = pages.filter { 0..<Self.keptNanoseconds ~= now.nanoseconds(since: $0.value.newer.at) }
        bytes = pages.values.reduce(0) { $0 + $1.bytes }
        for (store, counts) in counts { note(counts, of: store) }
    }

    private func note(_ counts: Counts, of store: UInt32) {
        let known = pages[store]
        if let known, counts.at.nanoseconds(since: known.newer.at) < Self.leastNanoseconds { return }
        let page = Page(older: known?.newer, newer: counts)
        let growth = page.bytes - (known?.bytes ?? 0)
        guard bytes + growth <= limit else { return }
        pages[store] = page
        bytes += growth
    }
}
