// SPDX-License-Identifier: MIT
// Sorts the views of all stores.

package import RerenderModel
package import RerenderQuery

/// One view with the store that it is in.
package struct RankedView: Sendable {
    /// The store, with `views` empty.
    package let store: ProcessStats
    /// The view's totals.
    package let view: Stats

    package init(store: ProcessStats, view: Stats) {
        (self.store, self.view) = (store, view)
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
    package func ranked(_ processes: [ProcessStats]) -> [RankedView] {
        let views = processes.flatMap { process in
            let store = process.with(views: [])
            return process.views.map { RankedView(store: store, view: $0) }
        }
        return views.sorted(by: precedes)
    }

    /// Whether `lhs` comes before `rhs`.
    func precedes(_ lhs: RankedView, _ rhs: RankedView) -> Bool {
        let (left, right) = (weight(lhs.view), weight(rhs.view))
        if left != right { return left > right }
        if self == .wasted, lhs.view.wasted.count != rhs.view.wasted.count {
            return lhs.view.wasted.count > rhs.view.wasted.count
        }
        if lhs.view.key != rhs.view.key { return lhs.view.key < rhs.view.key }
        if lhs.store.name != rhs.store.name { return lhs.store.name < rhs.store.name }
        let first = (lhs.store.pid, lhs.store.store, lhs.store.storeNumber)
        return first < (rhs.store.pid, rhs.store.store, rhs.store.storeNumber)
    }

    private func weight(_ view: Stats) -> UInt64 {
        switch self {
        case .count: view.count
        case .wasted: view.wasted.nanoseconds
        case .time: view.ownNanoseconds
        case .hangs: view.hangs.count
        case .key: 0
        }
    }
}
