// SPDX-License-Identifier: MIT
// Hangs that an app is told of, until its own totals say that it has counted them.

import RerenderWire

/// The notices for one process, in their order. What an app does not live to count is known here.
struct NoticeLedger: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var notice: HangNotice
        /// Stores that have still to say that they counted it; nil before it was ever sent.
        var owedBy: Set<UInt32>?
        /// Whether the blamed view has still to say so.
        var isOwedByView = false
        /// Whether it is under way to the app that is connected now.
        var isSent = false

        var isSettled: Bool { owedBy?.isEmpty == true && !isOwedByView }
    }

    private(set) var entries: [Entry] = []
    /// The app knows so many of the latest again if it is told twice; older ones it would count again.
    private static let repeatable = 16

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a notice; false if `limit` others wait to be sent.
    mutating func add(_ entry: Entry, limit: Int) -> Bool {
        if entries.count >= limit {
            // An app that was told and says nothing counts by other thresholds than it told us.
            guard let index = entries.firstIndex(where: { $0.owedBy != nil }) else { return false }
            entries.remove(at: index)
        }
        entries.append(entry)
        return true
    }

    /// The next notice to send.
    var next: HangNotice? { entries.first { !$0.isSent }?.notice }

    /// The next notice was sent, and these stores will count it, and perhaps its view.
    mutating func sentNext(stores: Set<UInt32>, view: Bool) {
        guard let index = entries.firstIndex(where: { !$0.isSent }) else { return }
        entries[index].isSent = true
        // One that was sent before may be counted in part.
        if entries[index].owedBy == nil { (entries[index].owedBy, entries[index].isOwedByView) = (stores, view) }
        entries.removeAll(where: \.isSettled)
    }

    /// The app has connected anew: what it did not confirm may never have reached it.
    mutating func reconnected() {
        let told = entries.count { $0.owedBy != nil }
        var old = max(0, told - Self.repeatable)
        entries.removeAll { entry in
            guard entry.owedBy != nil, old > 0 else { return false }
            old -= 1
            return true
        }
        for index in entries.indices { entries[index].isSent = false }
    }

    /// A store says that it counted so many more, the latest hang of that length. Apps count in the order of the notices.
    mutating func confirm(store: UInt32, count: UInt64, lastNanoseconds: UInt64) {
        let owed = entries.indices.filter { entries[$0].owedBy?.contains(store) == true }
        var confirmed = min(owed.count, Int(clamping: count))
        // One before may have been none by a threshold that was changed meanwhile.
        if confirmed > 0,
            let last = owed.lastIndex(where: { entries[$0].notice.durationNanoseconds == lastNanoseconds })
        {
            confirmed = max(confirmed, last + 1)
        }
        for index in owed.prefix(confirmed) { entries[index].owedBy?.remove(store) }
        entries.removeAll(where: \.isSettled)
    }

    /// A view says that it counted so many more.
    mutating func confirm(view: UInt32, of store: UInt32, count: UInt64) {
        var left = count
        for index in entries.indices where left > 0 && entries[index].isOwed(by: view, of: store) {
            entries[index].isOwedByView = false
            left -= 1
        }
        entries.removeAll(where: \.isSettled)
    }

    /// A store begins an epoch: what it was told before is of the old one.
    mutating func reset(store: UInt32) {
        for index in entries.indices where entries[index].owedBy != nil {
            entries[index].owedBy?.remove(store)
            if entries[index].notice.viewStoreID == store { entries[index].isOwedByView = false }
        }
        entries.removeAll(where: \.isSettled)
    }

    /// Takes everything out: the process is gone.
    mutating func take() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}

extension NoticeLedger.Entry {
    fileprivate func isOwed(by view: UInt32, of store: UInt32) -> Bool {
        isOwedByView && notice.viewStoreID == store && notice.viewIndex == view
    }
}
