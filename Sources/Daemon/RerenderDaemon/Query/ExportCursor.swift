// SPDX-License-Identifier: MIT
// Writes an export in pieces: holds one store's views at a time, never the document.

import RerenderModel
import RerenderQuery
import RerenderWire

/// Gives an export in pieces while the registry goes on changing.
///
/// Each store is shown as it was when its turn came: the cursor then takes the store's array of views, which is copied
/// only if a total arrives before the last of them is written. A store that was forgotten before its turn is left out.
struct ExportCursor: DocumentCursor {
    private let registry: Registry
    private let ranking: ViewRanking
    private let filter: ViewFilter
    private let now: Timestamp
    /// The stores by their serial numbers.
    private let stores: [UInt32]
    private var next = 0
    /// Looks for the views that a limit asks for.
    private var search: ViewSelection?
    /// The views of each store that it found; nil for all.
    private var selection: [[UInt32]]?
    private var current: OrderedViews?
    var text = JSONText(.pretty)
    private(set) var isDone = false
    let elements: Int

    init(of registry: Registry, _ query: StatsQuery, now: Timestamp = .now) {
        ranking = ViewRanking(order: query.order)
        filter = query.filter
        self.registry = registry
        self.now = now
        stores = registry.stores(of: query.process)
        let entries = stores.compactMap { registry.storesBySerial[$0]?.store }
        elements = stores.count + min(query.limit ?? .max, entries.reduce(0) { $0 + $1.views.count })
        if let limit = query.limit {
            search = ViewSelection(limit, skipping: query.skip, of: entries, ranking, filter)
        } else {
            text.openList("processes", generatedAt: now)
        }
    }

    mutating func step() {
        if search != nil {
            look()
        } else if current != nil {
            write()
        } else if next < stores.count {
            begin(stores[next])
            next += 1
        } else {
            text.closeList()
            isDone = true
        }
    }

    private mutating func look() {
        search?.advance()
        guard let search, search.isDone else { return }
        selection = search.best
        self.search = nil
        text.openList("processes", generatedAt: now, matchingViews: search.matching)
    }

    private mutating func begin(_ serial: UInt32) {
        guard let (process, store) = registry.storesBySerial[serial] else { return }
        text.beginProcess(store.stats(of: process))
        current = OrderedViews(store.views, ranking, filter, selection: selection?[next])
    }

    private mutating func write() {
        guard current?.advance() != true else { return }
        if let index = current?.pop() {
            guard let view = current?.views[index] else { return }
            text.separate()
            text.stats(view.stats)
        } else {
            current = nil
            text.endProcess()
        }
    }
}

extension Registry {
    /// The serial numbers of the stores of the processes that fit a pid or a name, oldest first; all without one. Only those
    /// that are wanted.
    func stores(
        of selection: String?, where isWanted: (StoreEntry, ProcessEntry) -> Bool = { _, _ in true }
    ) -> [UInt32] {
        var keys: [(startedAt: Int64, pid: Int32, serial: UInt32)] = []
        for process in processes where process.matches(selection) {
            for store in process.stores where isWanted(store, process) {
                keys.append((store.state.startedAt.nanosecondsSince1970, process.identity.pid, store.serial))
            }
        }
        return keys.sorted { $0 < $1 }.map(\.serial)
    }
}

extension ProcessEntry {
    /// Whether a pid or a name means this process; nil means every one.
    func matches(_ selection: String?) -> Bool {
        guard let selection else { return true }
        return selection.isSame(as: name) || selection.isSame(as: "\(identity.pid)")
    }
}
