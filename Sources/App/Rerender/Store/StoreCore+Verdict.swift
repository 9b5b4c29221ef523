// SPDX-License-Identifier: MIT
// What a store's own process needs to judge it, at the price of a few locks.

import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    /// The store as the export shows it, without its views and what goes on without input.
    ///
    /// - Parameter named: Whether writers have names, which may take milliseconds for one that was not named before.
    func summary(_ wallClock: WallClock, named: Bool) -> ProcessStats {
        var entry = ProcessStats(state(), hangs: currentHangs, pid: process.identity.pid, name: process.identity.name)
        entry.connected = process.observer.isConnected
        let cycles = cycles(wallClock, named: named)
        entry.cycles = cycles.isEmpty ? nil : cycles
        let last = allViews.reduce(UInt64(0)) { max($0, lastEnd(of: $1)) }
        entry.lastRenderedAt = last == 0 ? nil : wallClock.time(at: last)
        return entry
    }

    private func lastEnd(of view: ViewRecord) -> UInt64 {
        view.state.withLock { state in
            state.enter(epoch: epoch)
            return state.lastEnd
        }
    }

    /// Adds the store to a verdict.
    func judge(in builder: inout VerdictBuilder) {
        builder.begin(summary(WallClock(), named: false))
        for view in allViews {
            let costs: ViewCosts? = view.state.withLock { state in
                state.enter(epoch: epoch)
                return state.isVisible ? state.costs(of: view) : nil
            }
            if let costs { builder.add(costs) }
        }
    }
}

extension ViewState {
    fileprivate func costs(of view: ViewRecord) -> ViewCosts {
        ViewCosts(sums, hangs: hangs, key: view.key, file: view.file, line: view.line)
    }
}
