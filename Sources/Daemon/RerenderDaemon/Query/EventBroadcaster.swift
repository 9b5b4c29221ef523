// SPDX-License-Identifier: MIT
// Gives changes of the registry to the readers of `/v1/events`.

internal import NIOCore

/// Hands changes on to all readers of events at an interval. Confined to the event loop.
final class EventBroadcaster {
    private let context: DaemonContext
    private var readers: [ObjectIdentifier: QueryHandler] = [:]
    private var timer: Scheduled<Void>?

    init(_ context: DaemonContext) {
        self.context = context
    }

    var hasRoom: Bool { readers.count < context.limits.eventReaders }

    /// Adds a reader. The registry records changes while there is one.
    func add(_ reader: QueryHandler) {
        if readers.isEmpty {
            context.registry.recordChanges(true)
            scheduleBroadcast()
        }
        readers[ObjectIdentifier(reader)] = reader
    }

    func remove(_ reader: QueryHandler) {
        guard readers.removeValue(forKey: ObjectIdentifier(reader)) != nil, readers.isEmpty else { return }
        stop()
        context.registry.recordChanges(false)
    }

    /// Ends the handing on; readers stay connected.
    func stop() {
        timer?.cancel()
        timer = nil
    }

    private func scheduleBroadcast() {
        timer = context.loop.scheduleTask(in: context.limits.eventInterval) { self.broadcast() }
    }

    private func broadcast() {
        scheduleBroadcast()
        let changes = context.registry.takeChanges()
        guard !changes.isEmpty else { return }
        for reader in readers.values { reader.add(changes) }
    }
}
