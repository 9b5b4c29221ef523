// SPDX-License-Identifier: MIT
// Counts of views at earlier moments, by which they are ranked by rate.

import RerenderModel

/// Remembers the counts of stores whose views somebody ranks by rate. Confined to the registry's event loop.
///
/// Free while nobody asks. Two moments of a store are kept at most, a number for each view; they are forgotten a minute after the
/// last question. Stores for which there is no room have no rates. Answers hold nothing of it: however many there are, and however
/// slowly they are read, it takes no more than it may.
final class RateBook {
    /// The counts of a store's views at one moment. Only the book keeps them.
    final class Counts {
        let at: Timestamp
        let epoch: UInt32
        /// By the app's numbers.
        let counts: [UInt64]

        init(at: Timestamp, epoch: UInt32, counts: [UInt64]) {
            (self.at, self.epoch, self.counts) = (at, epoch, counts)
        }

        /// Evaluations per second between then and now. A view that was not there then came since.
        func rate(of view: Int, count: UInt64, now: Timestamp) -> Double {
            let before = view < counts.count ? counts[view] : 0
            return Double(count - min(before, count)) / (Double(now.nanoseconds(since: at)) / 1e9)
        }
    }

    private struct Page {
        var older: Counts?
        var newer: Counts

        var bytes: Int {
            RateBook.storeBytes + ((older?.counts.count ?? 0) + newer.counts.count) * MemoryLayout<UInt64>.stride
        }
    }

    /// What two moments are apart at least: apps report ten times a second.
    static let leastNanoseconds: Int64 = 900_000_000
    static let keptNanoseconds: Int64 = 60_000_000_000

    /// Counts of now, gathered by an answer while it looks at all views.
    final class Gathering {
        private let book: RateBook
        private var stores: [Int: [UInt64]] = [:]
        private var left: Set<Int> = []
        private var bytes = 0

        fileprivate init(_ book: RateBook) { self.book = book }

        deinit { book.gatheredBytes -= bytes }

        /// Adds the next counts of a store. One for which there is no room is left out.
        func add(_ counts: some Collection<UInt64>, of store: Int) {
            guard !left.contains(store) else { return }
            let growth = (stores[store] == nil ? RateBook.storeBytes : 0) + counts.count * MemoryLayout<UInt64>.stride
            guard book.gatheredBytes + growth <= book.limit / 3 else {
                left.insert(store)
                stores[store] = nil
                return
            }
            book.gatheredBytes += growth
            bytes += growth
            stores[store, default: []] += counts
        }

        /// What was gathered of a store; nil where there was no room.
        func counts(of store: Int) -> [UInt64]? { left.contains(store) ? nil : stores[store] ?? [] }
    }

    /// A store's place in a table, and two arrays' own.
    private static let storeBytes = 256

    private var pages: [UInt32: Page] = [:]
    private let limit: Int
    /// What is remembered takes, as estimated.
    private(set) var bytes = 0
    /// What is being gathered takes.
    private(set) var gatheredBytes = 0

    /// - Parameter bytes: What it may take: two thirds for what is remembered, and the rest for what is gathered.
    init(bytes: Int) { limit = bytes }

    /// Begins to gather counts for ``note(_:now:)``.
    func gather() -> Gathering { Gathering(self) }

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
        guard bytes + growth <= limit / 3 * 2 else { return }
        pages[store] = page
        bytes += growth
    }
}
