// SPDX-License-Identifier: MIT
// The stores of a process. A store stays listed until the daemon has been told everything about it.

import RerenderModel
import RerenderWire
import Synchronization

/// Keeps the live stores and those that ended with something left to send. Any thread.
final class StoreList: Sendable {
    struct Contents {
        var live: [StoreCore] = []
        /// Stores that ended and have totals to send.
        var ended: [StoreCore] = []
        /// Stores that ended long before a daemon came. Only the number of their evaluations is kept, as dropped ones.
        var condensed: [StoreState] = []
    }

    private let contents = Mutex(Contents())
    /// Whether a live store wants stacks of hangs.
    let hangStacks = Atomic<Bool>(false)
    private let setThresholds: @Sendable (HangThresholds) -> Void

    /// - Parameter setThresholds: Called under the list's lock with the shortest thresholds of the live stores.
    init(setThresholds: @escaping @Sendable (HangThresholds) -> Void) {
        self.setThresholds = setThresholds
    }

    /// All stores as they are now.
    var all: Contents { contents.withLock { $0 } }

    /// Adds a store.
    func add(_ core: StoreCore) {
        contents.withLock { contents in
            contents.live.append(core)
            publishSettings(of: contents.live)
        }
    }

    /// Moves a store to those that ended; drops the oldest of these to its number of evaluations if there are too many.
    func end(_ core: StoreCore) {
        // Let go of after the lock: what a store remembers is the app's, and may end another store.
        let condensed = contents.withLock { contents -> StoreCore? in
            guard let index = contents.live.firstIndex(where: { $0 === core }) else { return nil }
            contents.live.remove(at: index)
            publishSettings(of: contents.live)
            contents.ended.append(core)
            return contents.ended.count > StoreLimits.endedStores ? contents.condenseOldest() : nil
        }
        withExtendedLifetime(condensed) {}
    }

    /// Removes an ended store of which everything was sent; false if it was removed before.
    func remove(_ core: StoreCore) -> Bool {
        contents.withLock { contents in
            // Condensed since the list was read: it was told after all, and must not be told as dropped, too.
            contents.condensed.removeAll { $0.storeID == core.id }
            guard let index = contents.ended.firstIndex(where: { $0 === core }) else { return false }
            contents.ended.remove(at: index)
            return true
        }
    }

    /// Forgets all stores.
    func removeAll() {
        let removed = contents.withLock { exchange(&$0, with: Contents()) }
        withExtendedLifetime(removed) {}
    }

    /// Publishes what the live stores want together, after a setting of one of them changed.
    func publishSettings() {
        contents.withLock { publishSettings(of: $0.live) }
    }

    /// Has the state of each live store sent again.
    func markStatesDirty() {
        for core in all.live { core.markStateDirty() }
    }

    /// Called under the lock, so that the latest settings are published last.
    private func publishSettings(of live: [StoreCore]) {
        hangStacks.store(live.contains { $0.hangStacks.load(ordering: .relaxed) }, ordering: .relaxed)
        if let shortest = HangThresholds.shortest(of: live.map(\.thresholds)) { setThresholds(shortest) }
    }
}

extension StoreList.Contents {
    /// Replaces the oldest ended store by the number of its evaluations.
    ///
    /// They get an epoch of their own, so that views that a daemon was told of are void and none is counted twice.
    ///
    /// - Returns: The store, to be let go of outside of the lock.
    fileprivate mutating func condenseOldest() -> StoreCore {
        let core = ended.removeFirst()
        var state = core.state()
        state.epoch &+= 1
        state.dropped = state.evaluations
        core.releaseKeys()
        if condensed.count < StoreLimits.condensedStores {
            condensed.append(state)
            return core
        }
        // The last one stands for all that follow.
        let last = condensed.count - 1
        condensed[last].name = "other stores"
        condensed[last].evaluations &+= state.evaluations
        condensed[last].dropped &+= state.dropped
        return core
    }
}
