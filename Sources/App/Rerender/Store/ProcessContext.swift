// SPDX-License-Identifier: MIT
// What the stores of a process share, the list of them, and what is called when one of them changes.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// What a store tells the process that it is in.
protocol StoreObserver: Sendable {
    /// Whether a daemon listens.
    var isConnected: Bool { get }
    /// Something was counted. At most one system call.
    func storeChanged()
    /// A threshold changed, or whether stacks are wanted.
    func settingsChanged()
}

/// The process as its stores see it: who it is, how many keys it has, where it counts, and who is told of changes.
final class ProcessContext: Sendable {
    let identity: ProcessIdentity
    /// False where the app was switched off before its first store: by `RERENDER=0`, by the user's switch, or by other rights than its
    /// user's.
    let isEnabled: Bool
    let flightPage: FlightPageWriter?
    let mainLoop: LoopMonitor
    let observer: any StoreObserver
    let input = InputWatch()
    private let keys = Atomic<Int>(0)
    private let nextStoreID: Atomic<UInt32>
    private let hostTurns = Atomic<UInt32>(0)

    init(
        identity: ProcessIdentity, isEnabled: Bool, flightPage: FlightPageWriter?, mainLoop: LoopMonitor,
        observer: any StoreObserver
    ) {
        self.identity = identity
        self.isEnabled = isEnabled
        self.flightPage = flightPage
        self.mainLoop = mainLoop
        self.observer = observer
        nextStoreID = Atomic(CopyNumber.first(ofCopy: identity.copy))
    }

    /// A number that no turn of the process's hosts had before; never 0.
    func nextHostTurn() -> UInt32 {
        let number = hostTurns.wrappingAdd(1, ordering: .relaxed).newValue
        return number != 0 ? number : nextHostTurn()
    }

    /// Makes a store; the caller hands it to the uplink.
    func makeStore(name: String, of kind: StoreKind) -> StoreCore {
        let id = nextStoreID.wrappingAdd(1, ordering: .relaxed).oldValue
        // In the child of a fork the page is still the parent's; once all is off, nobody reads it.
        let page = crerender_is_silent() ? nil : flightPage
        let counter = page?.counter(storeID: id, name: name) ?? EvaluationCounter(storeID: id)
        return StoreCore(id: id, name: name, kind: kind, evaluations: counter, process: self)
    }

    /// Takes one of the process's keys; false if none is left.
    func reserveKey() -> Bool {
        if keys.wrappingAdd(1, ordering: .relaxed).oldValue < WireLimits.keysPerProcess { return true }
        keys.wrappingSubtract(1, ordering: .relaxed)
        return false
    }

    /// Gives keys back when their store is gone.
    func releaseKeys(_ count: Int) {
        keys.wrappingSubtract(count, ordering: .relaxed)
    }
}

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

    /// The store that tells of the process's main loop: the one with the lowest number.
    var carrier: StoreCore? {
        // The main loop's thread asks: nothing is allocated, and no list is let go of.
        contents.withLock { contents in
            let ended = contents.ended.min { $0.id < $1.id }
            guard let live = contents.live.min(by: { $0.id < $1.id }) else { return ended }
            return ended.map { $0.id < live.id ? $0 : live } ?? live
        }
    }

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

    /// Removes an ended store that has sent everything; false if it was removed before.
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

/// Calls what follows the changes of all stores, if anything does.
final class ChangeFollower: Sendable {
    /// Looked at first: most processes have none.
    private let isWanted = Atomic<Bool>(false)
    private let body = SharedClosure<Void>()

    func follow(_ body: (@Sendable () -> Void)?) {
        if let body { self.body.set { body() } } else { self.body.set(nil) }
        isWanted.store(body != nil, ordering: .relaxed)
    }

    /// Says that something was counted.
    func tell() {
        guard isWanted.load(ordering: .relaxed) else { return }
        body.closure?(())
    }
}
