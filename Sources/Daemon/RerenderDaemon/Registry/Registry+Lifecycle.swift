// SPDX-License-Identifier: MIT
// The ends of connections and processes: what stays, what is lost, and when it is forgotten.

import NIOCore
import RerenderModel
import RerenderWire

extension Registry {
    /// Notes that a connection ended. Its process may live on; ``processEnded(_:page:now:)`` notes its end.
    func disconnected(_ connection: AppConnection) {
        guard let process = connection.process, process.connection === connection else { return }
        process.connection = nil
        connection.process = nil
        for store in process.stores where !store.hasEnded {
            store.loop.end()
            changesOf(store, .disconnected)
        }
        forgetDisconnected()
    }

    /// Processes without a connection that are not known to have ended.
    var disconnectedProcesses: [ProcessEntry] {
        processes.filter { $0.connection == nil && $0.endedAt == nil }
    }

    /// Notes that a store is gone.
    func end(_ store: StoreEntry, of process: ProcessEntry) {
        guard !store.hasEnded else { return }
        store.endedAt = .now
        changesOf(store, .disconnected)
        if store.hasHangs { onStoresChanged(process, [store]) }
    }

    /// Notes that a process ended, and counts what it had not sent, by its flight page if that could be read.
    func processEnded(_ process: ProcessEntry, page: FlightPage?, now: NIODeadline) {
        guard process.endedAt == nil else { return }
        process.connection?.process = nil
        process.connection = nil
        process.endedAt = now
        for store in process.stores {
            let isLatest = process.store(store.state.storeID) === store
            store.loop.end(now: now)
            store.settle(with: isLatest ? page?.stores.first { $0.storeID == store.state.storeID } : nil)
            changesOf(store, .disconnected)
        }
        for slot in page?.stores ?? [] where process.store(slot.storeID) == nil {
            guard process.stores.count < WireLimits.storesPerProcess else { break }
            append(unconnectedStore(slot), to: process)
        }
        onProcessEnded(process)
    }

    private func unconnectedStore(_ slot: FlightPage.Store) -> StoreEntry {
        var state = StoreState(
            storeID: slot.storeID, name: slot.name,
            startedAt: Timestamp(nanosecondsSince1970: slot.startedAtNanoseconds))
        state.epoch = slot.epoch
        let store = makeStore(state)
        store.settle(with: slot)
        return store
    }

    /// Forgets processes that ended before `now - keep`, and the oldest ones beyond `maxEnded`.
    ///
    /// Returns when to call it next; nil if no ended process is left.
    func expire(keep: TimeAmount, maxEnded: Int, now: NIODeadline) -> NIODeadline? {
        let ended = processes.filter { $0.endedAt != nil }.sorted { ($0.endedAt ?? now) < ($1.endedAt ?? now) }
        var kept = ended.count
        for process in ended {
            let endedAt = process.endedAt ?? now
            if now - endedAt >= keep {
                forget(process)
                kept -= 1
            } else if kept > maxEnded {
                forget(process)
                drops.endedProcesses &+= 1
                kept -= 1
            } else {
                return endedAt + keep
            }
        }
        return nil
    }

    private func forgetDisconnected() {
        let disconnected = disconnectedProcesses
        for process in disconnected.dropLast(limits.disconnectedProcesses) {
            forget(process)
            drops.endedProcesses &+= 1
        }
    }
}
