// SPDX-License-Identifier: MIT
// Writes an export in pieces: holds one store's views at a time, never the document.

import RerenderModel
import RerenderQuery
import RerenderWire

/// Gives an export in pieces while the registry goes on changing.
///
/// Each store is shown as it was when its turn came: the cursor then takes the store's array of views, which is copied
/// only if a total arrives before the last of them is written. Where that would exceed what all answers may copy, each view is
/// shown as it is when it is written. A store that was forgotten before its turn is left out.
struct ExportCursor: DocumentCursor {
    /// The store that is being written.
    private struct Section {
        let serial: UInt32
        var order: OrderedViews
        /// The views as they were, and their share of the budget; nil if there was none left.
        let copy: (views: [ViewEntry], share: CopyBudget.Share)?
    }

    private let registry: Registry
    private let copies: CopyBudget
    /// How the views of each store are ranked.
    private let rankings: [ViewRanking]
    private let filter: ViewFilter
    private let now: Timestamp
    /// The stores by their serial numbers.
    private let stores: [UInt32]
    private var next = 0
    /// Looks for the views that a limit asks for.
    private var search: ViewSelection?
    /// Takes the counts of the views that it looks at, where they are ranked by rate.
    private var gathering: RateBook.Gathering?
    /// The views of each store that it found; nil for all.
    private var selection: [[UInt32]]?
    private var current: Section?
    /// What is said of all views, after those that are listed.
    private var judge: StoreJudge
    var text = JSONText(.pretty)
    private(set) var isDone = false
    private(set) var isBroken = false
    let elements: Int

    init(
        of registry: Registry, _ query: StatsQuery, copies: CopyBudget = CopyBudget(bytes: .max), now: Timestamp = .now
    ) {
        self.copies = copies
        filter = query.filter
        self.registry = registry
        self.now = now
        stores = registry.stores(of: query.process)
        judge = StoreJudge(stores)
        rankings = registry.rankings(query, of: stores, now: now)
        let entries = stores.compactMap { registry.storesBySerial[$0]?.store }
        elements = stores.count + min(query.limit ?? .max, entries.reduce(0) { $0 + $1.views.count })
        if let limit = query.limit {
            gathering = query.order == .rate ? registry.rates.gather() : nil
            search = ViewSelection(
                limit, skipping: query.skip, of: entries, rankings, filter, gathering: gathering)
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
        } else if !judge.advance(registry) {
            text.closeList(verdict: judge.verdict)
            isDone = true
        }
    }

    private mutating func look() {
        search?.advance()
        guard search?.isDone == true, let search else { return }
        selection = search.best
        self.search = nil
        noteRates()
        text.openList("processes", generatedAt: now, matchingViews: search.matching)
    }

    private mutating func noteRates() {
        guard let gathering else { return }
        self.gathering = nil
        let noted: [(store: UInt32, counts: RateBook.Counts)] = stores.indices.compactMap { number in
            guard let store = registry.storesBySerial[stores[number]]?.store,
                let counts = gathering.counts(of: number)
            else { return nil }
            // What was counted before a reset is compared with nothing.
            return (stores[number], .init(at: now, epoch: store.state.epoch, counts: counts))
        }
        registry.rates.note(noted, now: now)
    }

    private mutating func begin(_ serial: UInt32) {
        guard let (process, store) = registry.storesBySerial[serial] else { return }
        text.beginProcess(store.stats(of: process))
        current = Section(
            serial: serial, order: OrderedViews(rankings[next], filter, selection: selection?[next]),
            copy: copies.share(of: store.bytes).map { (store.views, $0) })
    }

    private mutating func write() {
        // Not the section as a whole: its order would be copied when it changes.
        guard let serial = current?.serial,
            let views = current?.copy?.views ?? registry.storesBySerial[serial]?.store.views
        else {
            // What was written of the store cannot be taken back, and the rest is gone.
            isBroken = true
            return
        }
        guard current?.order.advance(views) != true else { return }
        if let index = current?.order.pop(views) {
            guard index < views.count else { return }
            text.separate()
            var stats = views[index].stats
            stats.perSecond = current?.order.ranking.rate(index, of: views)
            text.stats(stats)
        } else {
            current = nil
            text.endProcess()
        }
    }
}

/// What all answers together may keep of stores that go on changing. Confined to the event loop.
final class CopyBudget {
    /// A part of the budget, given back with its last owner.
    final class Share {
        private let budget: CopyBudget
        private let bytes: Int

        fileprivate init(_ budget: CopyBudget, _ bytes: Int) {
            (self.budget, self.bytes) = (budget, bytes)
            budget.free -= bytes
        }

        deinit { budget.free += bytes }
    }

    fileprivate(set) var free: Int

    init(bytes: Int) { free = bytes }

    /// Takes a share; nil if there is not so much left.
    func share(of bytes: Int) -> Share? { bytes <= free ? Share(self, bytes) : nil }
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
