// SPDX-License-Identifier: MIT
// Changes that the readers of events have yet to receive.

import RerenderModel

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
