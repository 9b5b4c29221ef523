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

    package init(store: ProcessStats, view: Stats, running: Double? = nil) {
        (self.store, self.view) = (store, view)
        self.running = running ?? store.loop?.bodiesRunning ?? 1
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
    /// - Parameter isReversed: Whether the last come first; equal ones stand as they do without.
    package func ranked(_ processes: [ProcessStats], isReversed: Bool = false) -> [RankedView] {
        let shares = CoreShares(processes)
        let views = processes.flatMap { process in
            let store = process.with(views: [])
            let running = shares.loop(of: process.pid)?.bodiesRunning
            return process.views.map { RankedView(store: store, view: $0, running: running) }
        }
        return views.sorted { precedes($0, $1, isReversed) }
    }

    /// Whether `lhs` comes before `rhs`.
    private func precedes(_ lhs: RankedView, _ rhs: RankedView, _ isReversed: Bool) -> Bool {
        let (left, right) = (weight(lhs.view), weight(rhs.view))
        if left != right { return (left > right) != isReversed }
        if let order = textOrder(lhs, rhs) { return order != isReversed }
        if lhs.view.key != rhs.view.key { return (lhs.view.key < rhs.view.key) != (isReversed && self == .key) }
        if lhs.store.name != rhs.store.name { return lhs.store.name < rhs.store.name }
        let first = (lhs.store.pid, lhs.store.store, lhs.store.storeNumber)
        return first < (rhs.store.pid, rhs.store.store, rhs.store.storeNumber)
    }

    private func weight(_ view: Stats) -> (UInt64, UInt64) {
        switch self {
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
