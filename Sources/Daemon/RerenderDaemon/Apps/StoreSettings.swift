// SPDX-License-Identifier: MIT
// Tells stores what the user has set, once each.

import RerenderModel
import RerenderWire

/// Stores that are to be told what the user has set. Confined to the event loop.
///
/// The file is read for all that wait at once. A store counts as told once its app's connection has taken the message: one that is
/// replaced meanwhile, or that is full, is told when the app connects again or reads again.
final class StoreSettings {
    private let registry: Registry
    private let settings: CurrentSettings
    private let send: (DaemonMessage, _ connection: UInt64) -> Bool
    /// Stores that came since the file was last looked at, and those that wait for what is found in it.
    private var (waiting, asked): (Set<UInt32>, Set<UInt32>) = ([], [])

    init(
        _ registry: Registry, _ settings: CurrentSettings,
        send: @escaping (DaemonMessage, _ connection: UInt64) -> Bool
    ) {
        (self.registry, self.settings, self.send) = (registry, settings, send)
    }

    /// Whether stores wait for what is found in the file.
    var isLooking: Bool { !asked.isEmpty }

    /// Tells a store, unless it was told.
    func tell(_ store: UInt32) {
        guard registry.storesBySerial[store]?.store.isConfigured == false else { return }
        waiting.insert(store)
        ask()
    }

    /// Tells the stores of a process that could not be told: it reads again.
    func tellAll(of process: ProcessEntry) {
        for store in process.stores where !store.isConfigured && !store.hasEnded { tell(store.serial) }
    }

    /// The file may change while it is read: those that came meanwhile are for the next look.
    private func ask() {
        guard asked.isEmpty, !waiting.isEmpty else { return }
        swap(&asked, &waiting)
        settings.use { [weak self] in self?.found($0) }
    }

    private func found(_ settings: UserSettings) {
        let stores = asked
        asked = []
        for store in stores { tell(store, settings) }
        ask()
    }

    private func tell(_ serial: UInt32, _ settings: UserSettings) {
        guard let (process, store) = registry.storesBySerial[serial], !store.isConfigured else { return }
        guard let change = settings.change(of: store.state) else {
            store.isConfigured = true
            return
        }
        guard let connection = process.connection else { return }
        // No command waits for the answer.
        let message = DaemonMessage.configure(request: 0, storeID: store.state.storeID, change)
        store.isConfigured = send(message, connection.serial)
    }
}
