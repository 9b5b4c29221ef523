// SPDX-License-Identifier: MIT
// Writes the lists of processes and of settings in pieces.

import RerenderModel
import RerenderQuery

/// Gives one entry for each store, each as it is when its turn comes.
struct ListCursor: DocumentCursor {
    /// What the entries tell of their stores.
    enum Contents {
        case processes
        /// The settings of stores that are connected, and whether the daemon shows notifications.
        case settings(notify: Bool)
    }

    private let registry: Registry
    private let contents: Contents
    /// By their serial numbers, so that no store is held that was forgotten.
    private var stores: ArraySlice<UInt32>
    var text = JSONText(.pretty)
    private(set) var isDone = false
    let elements: Int

    init(of registry: Registry, _ contents: Contents) {
        (self.registry, self.contents) = (registry, contents)
        switch contents {
        case .processes:
            stores = registry.stores(of: nil)[...]
            text.openList("processes")
        case .settings(let notify):
            stores = registry.stores(of: nil) { $0.isConnected(in: $1) }[...]
            text.openSettings(notify: notify)
        }
        elements = stores.count
    }

    mutating func step() {
        guard let serial = stores.popFirst() else {
            text.closeList()
            isDone = true
            return
        }
        guard let (process, store) = registry.storesBySerial[serial] else { return }
        switch contents {
        case .processes:
            text.beginProcess(store.stats(of: process))
            text.endProcess()
        case .settings:
            text.settings(ConfigurationList.Entry(store.stats(of: process)))
        }
    }
}
