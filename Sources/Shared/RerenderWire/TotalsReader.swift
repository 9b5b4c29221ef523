// SPDX-License-Identifier: MIT
// Totals read without an array: what a daemon that takes in a million of them a second needs.

/// The fields of ``ViewTotals`` that every one has; its reasons and then its details follow in the reader.
package struct TotalsFields: Hashable, Sendable, BitwiseCopyable {
    package var storeID: UInt32
    package var index: UInt32
    package var epoch: UInt32
    package var count: UInt64 = 0
    package var instances: UInt64 = 0
    package var commits: UInt64 = 0
    package var body = DurationTotals()
    package var total = DurationTotals()
    package var lastRenderedAtNanoseconds: Int64 = 0
    package var waste = WasteTotals()
    package var forgotten: UInt64 = 0
    package var hangs = HangCounts()
    package var lastReason: UInt8 = 0
    /// How many times ``WireReader/reasonCount()`` is to be called.
    package var reasons: UInt8 = 0
    /// How many times ``WireReader/detailCount()`` is to be called after that.
    package var details: UInt16 = 0

    /// What the fields take on the wire: three numbers, three counts, two durations, a time, the waste, the hangs, and the rest.
    private static let byteCount =
        3 * 4 + 3 * 8 + 2 * 48 + 8 + WasteTotals.byteCount + 8
        + HangCounts.byteCount + 1 + 1 + 2

    /// All zero.
    package init(storeID: UInt32, index: UInt32, epoch: UInt32) {
        self.storeID = storeID
        self.index = index
        self.epoch = epoch
    }

    /// Reads the fields and makes sure that all the reasons and details are there, so that nothing is taken in by halves.
    package init(from reader: inout WireReader) throws(WireError) {
        // One look at the end for all of them: the compiler then leaves out those of the single fields.
        guard reader.remaining >= Self.byteCount else { throw .truncated }
        storeID = try reader.integer()
        index = try reader.integer()
        epoch = try reader.integer()
        count = try reader.integer()
        instances = try reader.integer()
        commits = try reader.integer()
        body = try DurationTotals(from: &reader)
        total = try DurationTotals(from: &reader)
        lastRenderedAtNanoseconds = try reader.integer()
        waste = try WasteTotals(from: &reader)
        forgotten = try reader.integer()
        hangs = try HangCounts(from: &reader)
        lastReason = try reader.integer()
        reasons = try reader.integer()
        details = try reader.integer()
        guard reasons <= WireLimits.reasonsPerView + 1 else { throw .invalid("the number of reasons") }
        guard details <= DetailSlot.perView else { throw .invalid("the number of writers and chains") }
        guard reader.remaining >= Int(reasons) * 9 + Int(details) * 10 else { throw .truncated }
    }
}

extension WireReader {
    /// The next of the reasons that ``TotalsFields/reasons`` announced.
    package mutating func reasonCount() throws(WireError) -> ViewTotals.IndexedCount {
        ViewTotals.IndexedCount(index: try reasonNumber(), count: try integer())
    }

    /// The next of the writers and chains that ``TotalsFields/details`` announced.
    package mutating func detailCount() throws(WireError) -> DetailCount {
        let reason = try reasonNumber()
        let slot: UInt8 = try integer()
        guard slot < DetailSlot.perReason else { throw .invalid("the slot of a writer or chain") }
        return DetailCount(reason: reason, slot: slot, count: try integer())
    }

    /// A reason's number or ``ViewTotals/otherReason``.
    mutating func reasonNumber() throws(WireError) -> UInt8 {
        let index: UInt8 = try integer()
        guard index < WireLimits.reasonsPerView || index == ViewTotals.otherReason else {
            throw .invalid("a reason's number")
        }
        return index
    }
}
