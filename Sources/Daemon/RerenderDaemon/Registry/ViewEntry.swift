// SPDX-License-Identifier: MIT
// One view as the daemon holds it: names once, numbers in place; and as the export shows it.

import RerenderModel
import RerenderWire

/// A view's names and latest totals.
struct ViewEntry {
    var key: String
    var file: String
    var line: UInt32
    /// Different for each view that the store has had; in no file.
    var number: UInt32 = 0
    /// Whether totals of the store's epoch have come; until then the view is not shown.
    var isReported = false
    /// Whether the view stands in the list of changes; see ``ChangeLog``.
    var isListed = false
    /// Totals; all zero until ``isReported``.
    var totals: ViewTotals
    /// Hangs that the view was blamed for in the epoch.
    var hangs = HangTotals()
    /// Reasons in the order of their numbers.
    var reasons: [ReasonRecord] = []
    /// The counts of the reasons that have no number, or whose text we had no room for.
    var others = ReasonCounts()
    /// The reasons' writers and chains that have names.
    var details = NamedDetails()

    /// Whether the app has told of it. A label may be empty; what holds the place of a view has no file either.
    var isNamed: Bool { !key.isEmpty || !file.isEmpty }

    /// Whether it stands in a table: a view that was not seen has nothing to show there, unless it hung or was committed.
    var isRow: Bool { !totals.isNotSeen || hangs.count > 0 || totals.commits > 0 }

    struct ReasonRecord {
        var text: String { didSet { isPassedOn = Reason.isPassedOn(text) } }
        var attribution: Attribution?
        /// ``Reason/isPassedOn(_:)``, found once and not for each answer.
        private(set) var isPassedOn: Bool
        var counts = ReasonCounts()

        init(text: String, attribution: Attribution?) {
            (self.text, self.attribution, isPassedOn) = (text, attribution, Reason.isPassedOn(text))
        }
    }

    /// What is counted of a reason beside its named writers and chains.
    struct ReasonCounts {
        var count: UInt64 = 0
        var passes: UInt64 = 0
        var otherWriters: UInt64 = 0
        var otherChains: UInt64 = 0

        mutating func addOther(_ detail: DetailCount) {
            if DetailSlot.other(of: detail.slot) == DetailSlot.otherWriters {
                otherWriters &+= detail.count
            } else {
                otherChains &+= detail.count
            }
        }
    }

    init(_ view: ViewDeclaration) {
        key = view.key
        file = view.file
        line = view.line
        totals = ViewTotals(storeID: view.storeID, index: view.index, epoch: 0)
    }

    /// What the view takes in memory, for the budget.
    static func bytes(key: String, file: String) -> Int {
        MemoryLayout<ViewEntry>.stride + key.utf8.count + file.utf8.count + 64
    }

    static func bytes(reason: String) -> Int {
        MemoryLayout<ReasonRecord>.stride + reason.utf8.count + 32
    }

    static func bytes(detail: String) -> Int {
        MemoryLayout<NamedDetails.Record>.stride + detail.utf8.count + 32
    }

    /// What the view takes in memory with all its texts.
    var bytes: Int {
        reasons.reduce(Self.bytes(key: key, file: file)) { $0 + Self.bytes(reason: $1.text) }
            + details.records.reduce(0) { $0 + Self.bytes(detail: $1.text) }
    }

    /// Takes in totals, and the counts of reasons, writers and chains that follow in `reader`.
    mutating func take(
        _ fields: ViewTotals, _ rest: TotalsRest, reasons reader: inout WireReader
    ) throws(WireError) {
        totals = fields
        isReported = true
        clearCounts()
        for _ in 0..<rest.reasons {
            let reason = try reader.reasonTotal()
            if Int(reason.index) < reasons.count {
                reasons[Int(reason.index)].counts.count = reason.count
                reasons[Int(reason.index)].counts.passes = reason.passes
            } else {
                others.count &+= reason.count
                others.passes &+= reason.passes
            }
        }
        for _ in 0..<rest.details { take(try reader.detailCount()) }
    }

    /// A slot without a name counts among the others of its reason, and where that has no text either, of `other`.
    private mutating func take(_ detail: DetailCount) {
        guard !details.take(detail) else { return }
        if Int(detail.reason) < reasons.count {
            reasons[Int(detail.reason)].counts.addOther(detail)
        } else {
            others.addOther(detail)
        }
    }

    private mutating func clearCounts() {
        others = ReasonCounts()
        for reason in reasons.indices { reasons[reason].counts = ReasonCounts() }
        details.clearCounts()
    }

    /// Forgets the numbers and keeps the names, which an app sends once per connection.
    mutating func clear() {
        totals = ViewTotals(storeID: totals.storeID, index: totals.index, epoch: 0)
        hangs = HangTotals()
        isReported = false
        clearCounts()
    }
}

extension ViewEntry {
    /// The view's names and totals.
    var stats: Stats {
        var stats = Stats(totals, hangs: hangs, key: ViewKey(rawValue: key), file: file, line: line)
        guard totals.count > 0 else { return stats }
        let last = Int(totals.lastReason)
        stats.lastReason = last < reasons.count ? reasons[last].text : Reason.other
        stats.reasons = reasonCounts
        return stats
    }

    private var reasonCounts: [ReasonCount] {
        var counts: [ReasonCount] = []
        counts.reserveCapacity(reasons.count + 1)
        for (number, reason) in reasons.enumerated() where reason.counts.count > 0 {
            counts.append(count(reason.text, reason.attribution, UInt8(number), reason.counts))
        }
        if others.count > 0 { counts.append(count(Reason.other, nil, ViewTotals.otherReason, others)) }
        if counts.count > 1 { counts.sort(by: ReasonCount.byCount) }
        return counts
    }

    private func count(
        _ text: String, _ attribution: Attribution?, _ number: UInt8, _ counts: ReasonCounts
    ) -> ReasonCount {
        ReasonCount(
            reason: text, count: counts.count, passes: counts.passes, attribution: attribution,
            writers: named(number, DetailSlot.writers, counts.otherWriters).map {
                .init(writer: $0.text, count: $0.count)
            },
            chains: named(number, DetailSlot.chains, counts.otherChains).map { .init(chain: $0.text, count: $0.count) })
    }

    /// What was counted in some slots of a reason: most frequent first, then by text, and the others last.
    private func named(_ reason: UInt8, _ slots: Range<UInt8>, _ others: UInt64) -> [(text: String, count: UInt64)] {
        guard !details.records.isEmpty || others > 0 else { return [] }
        var counts = details.of(reason).filter { slots.contains($0.slot) && $0.count > 0 }
            .map { (text: $0.text, count: $0.count) }
        counts.sort { $0.count != $1.count ? $0.count > $1.count : $0.text < $1.text }
        if others > 0 { counts.append((Reason.other, others)) }
        return counts
    }
}

/// What stands in the named slots of a view's reasons, in the order of reasons and slots.
struct NamedDetails {
    struct Record {
        let reason: UInt8
        let slot: UInt8
        var text: String
        var count: UInt64 = 0

        /// Where the record stands among the others.
        var place: UInt16 { NamedDetails.place(reason, slot) }
    }

    private(set) var records: [Record] = []
    /// Where the search for the next count begins: apps send counts in order.
    private var next = 0

    static func place(_ reason: UInt8, _ slot: UInt8) -> UInt16 { UInt16(reason) << 8 | UInt16(slot) }

    /// Sets a slot's text and returns the one that was there.
    mutating func name(_ reason: UInt8, _ slot: UInt8, _ text: String) -> String? {
        let index = position(of: Self.place(reason, slot))
        guard index < records.count, records[index].place == Self.place(reason, slot) else {
            records.insert(Record(reason: reason, slot: slot, text: text), at: index)
            return nil
        }
        defer { records[index].text = text }
        return records[index].text
    }

    /// Forgets the slots of a reason and returns them.
    mutating func removeAll(of reason: UInt8) -> [Record] {
        let removed = Array(of(reason))
        records.removeAll { $0.reason == reason }
        next = 0
        return removed
    }

    /// Sets every count to zero.
    mutating func clearCounts() {
        next = 0
        for index in records.indices { records[index].count = 0 }
    }

    /// Sets a slot's count; false if the slot has no name.
    mutating func take(_ detail: DetailCount) -> Bool {
        let place = Self.place(detail.reason, detail.slot)
        if next >= records.count || records[next].place != place { next = position(of: place) }
        guard next < records.count, records[next].place == place else { return false }
        records[next].count = detail.count
        next += 1
        return true
    }

    /// The records of one reason.
    func of(_ reason: UInt8) -> ArraySlice<Record> {
        let start = position(of: Self.place(reason, 0))
        let end = records[start...].firstIndex { $0.reason != reason } ?? records.count
        return records[start..<end]
    }

    /// The first record at a place or behind it.
    private func position(of place: UInt16) -> Int {
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
