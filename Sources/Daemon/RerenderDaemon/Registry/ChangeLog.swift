// SPDX-License-Identifier: MIT
// What changed since the readers of events were last told.

import RerenderQuery

/// Names a view within this daemon's life.
struct ViewReference: Hashable, Sendable {
    var store: UInt32
    var index: UInt32
}

/// Changes, each named once however often it happened.
struct ChangeLog {
    var views: [ViewReference] = []
    var stores: [UInt32: LiveEvent.Kind] = [:]

    /// Hangs by number; one that was named twice is told twice, which costs a line.
    var hangs: [UInt64] = []
    /// Hangs that readers were told of and that turned out to be none, with their processes.
    var droppedHangs: [DroppedHang] = []

    struct DroppedHang: Hashable, Sendable {
        var id: UInt64
        var pid: Int32
    }

    var isEmpty: Bool { views.isEmpty && stores.isEmpty && hangs.isEmpty && droppedHangs.isEmpty }
}
