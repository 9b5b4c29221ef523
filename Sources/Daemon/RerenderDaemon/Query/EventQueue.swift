// SPDX-License-Identifier: MIT
// What each reader of `/v1/events` has yet to receive, and what gives the readers the registry's changes.

internal import NIOCore
import RerenderModel
import RerenderWire

/// The lines that wait for one reader, each view and store at most once however often it changed.
///
/// Lines are made when they are written and hold the latest totals. A reader that does not read costs only the names of
/// what changed.
struct EventQueue {
    private var snapshot: ArraySlice<UInt32>
    private var snapshotViews: (store: UInt32, next: Int)?
    private var stores: [UInt32: LiveEvent.Kind] = [:]
    private var views: ArraySlice<ViewReference> = []
    /// Hangs to send, in the order in which they changed.
    private var hangs: ArraySlice<UInt64> = []
    /// Hangs that turned out not to be hangs. Sent first, so that no line follows that withdraws its hang.
    private var droppedHangs: ArraySlice<ChangeLog.DroppedHang> = []
    private var waiting: Set<ViewReference> = []
    private let backlog: Int
    /// Whether more hangs wait than a reader may leave: it is to ask anew.
    private(set) var isBehind = false

    /// A queue that begins with everything there is of connected stores.
    init(of registry: Registry, backlog: Int) {
        snapshot = Self.connected(registry)
        hangs = registry.hangs.openHangs[...]
        self.backlog = backlog
    }

    var isEmpty: Bool {
        snapshot.isEmpty && snapshotViews == nil && stores.isEmpty && hangs.isEmpty && droppedHangs.isEmpty
            && views.isEmpty
    }

    private static func connected(_ registry: Registry) -> ArraySlice<UInt32> {
        registry.stores(of: nil) { $0.isConnected(in: $1) }[...]
    }

    /// Adds changes. With too many views, the reader gets everything anew.
    mutating func add(_ changes: ChangeLog, of registry: Registry) {
        for (store, kind) in changes.stores {
            // A store whose `connected` line is still waiting needs no second line.
            let isNews = stores[store] == .connected && kind == .store
            stores[store] = isNews ? .connected : kind
        }
        for hang in changes.hangs where !hangs.contains(hang) { hangs.append(hang) }
        droppedHangs += changes.droppedHangs
        for view in changes.views where waiting.insert(view).inserted { views.append(view) }
        if waiting.count > backlog { startOver(registry) }
        isBehind = max(hangs.count, droppedHangs.count) > backlog
    }

    private mutating func startOver(_ registry: Registry) {
        views = []
        waiting = []
        snapshot = Self.connected(registry)
        snapshotViews = nil
    }

    /// The next lines, about `size` bytes.
    mutating func lines(size: Int, of registry: Registry, now: Timestamp = .now) -> [UInt8] {
        var text: [UInt8] = []
        while text.count < size, let line = next(of: registry, now: now) { text += Self.text(line) }
        return text
    }

    /// An event has nothing that JSON cannot hold.
    private static func text(_ line: LiveEvent) -> [UInt8] { (try? JSONLine.text(line)) ?? [] }

    private mutating func next(of registry: Registry, now: Timestamp) -> LiveEvent? {
        while !isEmpty {
            if let (store, kind) = stores.popFirst() {
                if let line = line(kind, of: store, registry, now) { return line }
            } else if let place = snapshotViews {
                if let line = nextInSnapshot(place, registry, now) { return line }
            } else if let store = snapshot.popFirst() {
                snapshotViews = (store, 0)
                if let line = line(.connected, of: store, registry, now) { return line }
            } else if let hang = droppedHangs.popFirst() {
                var line = LiveEvent(event: .hangDropped, at: now)
                (line.pid, line.hangID) = (hang.pid, hang.id)
                return line
            } else if let id = hangs.popFirst() {
                // It may have turned out not to be a hang, or have been forgotten.
                guard let hang = registry.hangs.hang(id) else { continue }
                var line = LiveEvent(event: .hang, at: now)
                (line.pid, line.hang) = (hang.pid, hang)
                return line
            } else if let view = views.popFirst() {
                waiting.remove(view)
                if let line = line(.view, of: view.store, view: view.index, registry, now) { return line }
            }
        }
        return nil
    }

    private mutating func nextInSnapshot(
        _ place: (store: UInt32, next: Int), _ registry: Registry, _ now: Timestamp
    ) -> LiveEvent? {
        guard let store = registry.storesBySerial[place.store]?.store, place.next < store.views.count else {
            snapshotViews = nil
            return nil
        }
        snapshotViews?.next += 1
        guard store.views[place.next].isReported else { return nil }
        return line(.view, of: place.store, view: UInt32(place.next), registry, now)
    }

    /// A line of a store, or of one of its views; nil where that is no more.
    private func line(
        _ kind: LiveEvent.Kind, of serial: UInt32, view: UInt32? = nil, _ registry: Registry, _ now: Timestamp
    ) -> LiveEvent? {
        guard let (process, store) = registry.storesBySerial[serial] else { return nil }
        var line = LiveEvent(event: kind, at: now)
        line.pid = process.identity.pid
        (line.store, line.storeNumber) = (store.state.name, store.state.storeID)
        guard let view else {
            line.process = store.stats(of: process)
            return line
        }
        guard Int(view) < store.views.count else { return nil }
        line.view = store.views[Int(view)].stats
        line.view?.handle = store.handle(ofView: Int(view))
        return line
    }
}

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
