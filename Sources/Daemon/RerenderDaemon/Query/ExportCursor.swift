// SPDX-License-Identifier: MIT
// Writes an export in pieces: holds one store's views at a time, never the document.

import RerenderModel
import RerenderQuery
import RerenderWire

/// Gives an export in pieces while the registry goes on changing.
///
/// Each store is shown as it was when its turn came: the cursor then takes the store's array of views, which is copied
/// only if a total arrives before the last of them is written.
struct ExportCursor: DocumentCursor {
    private struct Section {
        var process: ProcessEntry
        var store: StoreEntry
        /// The views to show; nil for all.
        var selection: [UInt32]?
    }

    private let ranking: ViewRanking
    private let filter: ViewFilter
    private var sections: ArraySlice<Section>
    private var current: (views: [ViewEntry], order: ArraySlice<UInt32>)?
    var text = JSONText(.pretty)
    private(set) var isDone = false

    init(of registry: Registry, _ query: StatsQuery, now: Timestamp = .now) {
        let ranking = ViewRanking(order: query.order)
        self.ranking = ranking
        filter = query.filter
        let shown = registry.stores(of: query.process)
        let best = query.limit.map {
            ranking.best($0, skipping: query.skip, of: shown.map(\.store), query.filter)
        }
        sections =
            shown.enumerated().map { number, entry in
                Section(process: entry.process, store: entry.store, selection: best?.views[number])
            }[...]
        text.openList("processes", generatedAt: now, matchingViews: best?.matching)
    }

    mutating func step() {
        if let index = current?.order.popFirst() {
            guard let view = current?.views[Int(index)] else { return }
            text.separate()
            text.stats(view.stats)
        } else if current != nil {
            current = nil
            text.endProcess()
        } else if let section = sections.popFirst() {
            begin(section)
        } else {
            text.closeList()
            isDone = true
        }
    }

    private mutating func begin(_ section: Section) {
        text.beginProcess(section.store.stats(of: section.process))
        let views = section.store.views
        var order = section.selection ?? ranking.sorted(views, filter)
        if section.selection != nil {
            order.removeAll { Int($0) >= views.count }
            order.sort { ranking.isAbove($0, $1, of: views) }
        }
        current = (views, order[...])
    }
}

extension Registry {
    /// The stores of the processes that fit a pid or a name, oldest first; all without one. Only those that are wanted.
    func stores(
        of selection: String?, where isWanted: (StoreEntry, ProcessEntry) -> Bool = { _, _ in true }
    ) -> [(process: ProcessEntry, store: StoreEntry)] {
        var stores: [(process: ProcessEntry, store: StoreEntry)] = []
        for process in processes where process.matches(selection) {
            for store in process.stores where isWanted(store, process) { stores.append((process, store)) }
        }
        // Numbers are sorted and not the entries: hostile apps make some 100,000 stores, and an entry is slow to move.
        let places = stores.enumerated().map { (number, entry) in
            (entry.store.state.startedAt.nanosecondsSince1970, entry.process.identity.pid, entry.store.serial, number)
        }
        return places.sorted { $0 < $1 }.map { stores[$0.3] }
    }
}

extension ProcessEntry {
    /// Whether a pid or a name means this process; nil means every one.
    func matches(_ selection: String?) -> Bool {
        guard let selection else { return true }
        return selection.isSame(as: name) || selection.isSame(as: "\(identity.pid)")
    }
}
