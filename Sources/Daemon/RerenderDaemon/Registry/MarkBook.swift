// SPDX-License-Identifier: MIT
// What programs had counted when somebody marked a moment.

import NIOCore
import RerenderModel

/// The counts of programs at their latest marks. Bounded.
struct MarkBook {
    /// What one process had counted at a mark.
    struct Snapshot {
        var name: String
        let at: Timestamp
        let pid: Int32
        /// The stores without their views, and those of their views that are kept, as the registry had them: a line of an export is larger.
        let stores: [(stats: ProcessStats, views: [ViewEntry])]
        /// Views that are not among them, for want of room.
        let left: Int
        /// Estimated memory.
        let bytes: Int

        /// Each store without its views, and its views behind it.
        var lines: some Sequence<ExportLine> {
            stores.lazy.flatMap { store in
                (-1..<store.views.count).lazy.map { number in
                    number < 0 ? ExportLine(process: store.stats) : ExportLine(view: store.views[number].stats)
                }
            }
        }
    }

    private let limits: DaemonLimits
    /// Oldest first.
    private var snapshots: [Snapshot] = []
    private var bytes: Int { snapshots.reduce(0) { $0 + $1.bytes } }

    init(limits: DaemonLimits) { self.limits = limits }

    /// Keeps a snapshot. The oldest of the process goes where it has too many, and the oldest of all where all take too much.
    mutating func add(_ snapshot: Snapshot) {
        snapshots.append(snapshot)
        let own = snapshots.indices.filter { snapshots[$0].pid == snapshot.pid }
        if own.count > limits.marks, let oldest = own.first { snapshots.remove(at: oldest) }
        while bytes > limits.markedBytes { snapshots.removeFirst() }
    }

    /// Gives the latest snapshot of a process one more name, if it was taken so short before that its counts are as good as those of now.
    ///
    /// - Returns: Whether there is such a one.
    mutating func repeatLatest(of pid: Int32, as name: String, at time: Timestamp) -> Bool {
        guard var latest = snapshots.last(where: { $0.pid == pid }),
            (0..<limits.markPause.nanoseconds).contains(time.nanoseconds(since: latest.at))
        else { return false }
        latest.name = name
        add(latest)
        return true
    }

    /// The latest snapshot of a mark in one of these processes.
    func latest(_ name: String, of pids: Set<Int32>) -> Snapshot? {
        snapshots.last { pids.contains($0.pid) && $0.name.isSame(as: name) }
    }

    /// The names of the marks of these processes, newest first, each once.
    func names(of pids: Set<Int32>) -> [String] {
        var names: [String] = []
        for snapshot in snapshots.reversed() where pids.contains(snapshot.pid) && !names.contains(snapshot.name) {
            names.append(snapshot.name)
        }
        return names
    }
}

// Changes that the readers of events have yet to receive.

/// Names a view within this daemon's life.
struct ViewReference: Hashable, Sendable {
    var store: UInt32
    var index: UInt32

    /// The view's number; nil for ``noView``, where the store alone is meant.
    var view: UInt32? { index == Self.noView ? nil : index }
    static let noView = UInt32.max
}

/// Changes, each named once however often it happened.
struct ChangeLog {
    var views: [ViewReference] = []
    var stores: [UInt32: LiveEvent.Kind] = [:]

    /// Hangs by number. A hang may occur twice; its readers then receive two lines.
    var hangs: [UInt64] = []
    /// Hangs that readers received and that turned out not to be hangs.
    var droppedHangs: [DroppedHang] = []

    struct DroppedHang: Hashable, Sendable {
        var id: UInt64
        var pid: Int32
    }

    var isEmpty: Bool { views.isEmpty && stores.isEmpty && hangs.isEmpty && droppedHangs.isEmpty }
}

extension Registry {
    func noteChange(ofView index: Int, in store: StoreEntry) {
        guard changes != nil, store.list(index) else { return }
        changes?.views.append(ViewReference(store: store.serial, index: UInt32(index)))
    }

    /// A store that readers are to hear of for the first time is named once.
    func changesOf(_ store: StoreEntry, _ kind: LiveEvent.Kind) {
        guard kind != .store || changes?.stores[store.serial] != .connected else { return }
        changes?.stores[store.serial] = kind
    }

    /// Begins or ends the list of changes.
    func recordChanges(_ isOn: Bool) {
        _ = takeChanges()
        changes = isOn ? ChangeLog() : nil
    }

    func takeChanges() -> ChangeLog {
        guard let taken = changes else { return ChangeLog() }
        changes = ChangeLog()
        for view in taken.views { storesBySerial[view.store]?.store.unlist(Int(view.index)) }
        return taken
    }
}
