// SPDX-License-Identifier: MIT
// The writers and chains of one view that have names: few, found fast, counted in place.

import RerenderWire

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
