// SPDX-License-Identifier: MIT
// What the stores of a process share.

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
