// SPDX-License-Identifier: MIT
// What a store's own process needs to judge it, at the price of a few locks.

import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    /// The store as the export shows it, without its views and what goes on without input.
    ///
    /// - Parameters:
    ///   - lastEnd: When the latest evaluation of all views ended, by the monotonic clock; 0 before the first.
    ///   - named: Whether writers have names, which may take milliseconds for one that was not named before.
    func summary(_ wallClock: WallClock, lastEnd: UInt64, named: Bool) -> ProcessStats {
        var entry = ProcessStats(state(), hangs: currentHangs, pid: process.identity.pid, name: process.identity.name)
        entry.connected = process.observer.isConnected
        let cycles = cycles(wallClock, named: named)
        entry.cycles = cycles.isEmpty ? nil : cycles
        entry.lastRenderedAt = lastEnd == 0 ? nil : wallClock.time(at: lastEnd)
        return entry
    }

    /// When the latest evaluation of all views ended, by the monotonic clock; 0 before the first. A lock for each view.
    var lastEnd: UInt64 {
        allViews.reduce(0) { last, view in
            view.state.withLock { state in
                state.enter(epoch: epoch)
                return max(last, state.lastEnd)
            }
        }
    }

    /// The store and the views with anything to show, in the order in which they were met first: a lock for each view.
    func brief() -> StoreBrief {
        var last: UInt64 = 0
        let views = allViews.compactMap { view in
            view.state.withLock { state in
                state.enter(epoch: epoch)
                last = max(last, state.lastEnd)
                return state.isVisible ? state.brief(of: view) : nil
            }
        }
        return StoreBrief(store: summary(WallClock(), lastEnd: last, named: false), views: views)
    }
}
