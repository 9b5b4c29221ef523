// SPDX-License-Identifier: MIT
// What all stores of a process share.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// The process's part: who it is, how many keys it has, where it counts, and whom to wake when something changed.
final class ProcessContext: Sendable {
    /// The context of this process; made with its first store.
    static let shared = ProcessContext.start()

    let identity: ProcessIdentity
    /// False where `RERENDER=0` switches the app off.
    let isEnabled: Bool
    let flightPage: FlightPageWriter?
    /// The main loop's part of the page.
    let loopRecord: LoopRecord?
    private let keys = Atomic<Int>(0)
    private let nextStoreID = Atomic<UInt32>(0)
    private let wake: @Sendable () -> Void

    init(
        identity: ProcessIdentity, isEnabled: Bool, flightPage: FlightPageWriter?, wake: @escaping @Sendable () -> Void
    ) {
        self.identity = identity
        self.isEnabled = isEnabled
        self.flightPage = flightPage
        loopRecord = flightPage.map { LoopRecord(flightPage: $0) }
        self.wake = wake
    }

    private static func start() -> ProcessContext {
        let identity = ProcessIdentity.current()
        guard environmentVariable("RERENDER") != "0" else {
            return ProcessContext(identity: identity, isEnabled: false, flightPage: nil, wake: {})
        }
        crerender_watch_fork()
        let page = FlightPageWriter(directory: .current(), identity: identity)
        page?.hideFromForks()
        return ProcessContext(identity: identity, isEnabled: true, flightPage: page, wake: { Uplink.wake() })
    }

    /// Makes a store; the caller hands it to the uplink.
    func makeStore(name: String) -> StoreCore {
        let id = nextStoreID.wrappingAdd(1, ordering: .relaxed).oldValue
        // In the child of a fork the page is still the parent's.
        let page = crerender_is_forked() ? nil : flightPage
        let counter = page?.counter(storeID: id, name: name) ?? EvaluationCounter(storeID: id)
        return StoreCore(id: id, name: name, evaluations: counter, process: self)
    }

    /// Takes one of the process's keys; false if none is left.
    func reserveKey() -> Bool {
        if keys.wrappingAdd(1, ordering: .relaxed).oldValue < StoreLimits.keysPerProcess { return true }
        keys.wrappingSubtract(1, ordering: .relaxed)
        return false
    }

    /// Gives keys back when their store is gone.
    func releaseKeys(_ count: Int) {
        keys.wrappingSubtract(count, ordering: .relaxed)
    }

    func wakeUplink() {
        wake()
    }
}
