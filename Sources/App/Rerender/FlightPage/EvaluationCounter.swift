// SPDX-License-Identifier: MIT
// Counts a store's evaluations, in the flight page or in private memory.

import RerenderWire

/// How many evaluations a store has counted, in this epoch and the one before.
///
/// Proof of the unsafe parts: `slot` is 32 bytes, aligned to 8, set to zero, and lives as long as the counter: a flight
/// page is never unmapped, and private memory, for the 65th store of a process and where there is no page, is freed with
/// the counter.
@safe
final class EvaluationCounter: @unchecked Sendable {
    private let head: UnsafeAtomicWord
    private let even: UnsafeAtomicWord
    private let odd: UnsafeAtomicWord
    private let storeID: UInt32
    private let slot: UnsafeMutableRawPointer
    private let isPrivate: Bool

    /// - Parameter isPrivate: Whether the slot is private memory, and not a page's.
    init(slot: UnsafeMutableRawPointer, storeID: UInt32, isPrivate: Bool) {
        self.isPrivate = isPrivate
        unsafe self.slot = slot
        unsafe head = UnsafeAtomicWord(at: slot)
        unsafe even = UnsafeAtomicWord(at: slot + FlightPageLayout.slotEvaluationsOffset)
        unsafe odd = UnsafeAtomicWord(at: slot + FlightPageLayout.slotEvaluationsOffset + 8)
        self.storeID = storeID
        unsafe head.release(UInt(storeID))
    }

    /// A counter in private memory.
    convenience init(storeID: UInt32) {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: FlightPageLayout.slotBytes, alignment: 8)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: FlightPageLayout.slotBytes)
        unsafe self.init(slot: memory, storeID: storeID, isPrivate: true)
    }

    deinit {
        if isPrivate { unsafe slot.deallocate() }
    }

    /// Counts one evaluation; for any thread.
    @inline(__always)
    func add(epoch: UInt32) {
        if epoch & 1 == 0 { unsafe even.add(1) } else { unsafe odd.add(1) }
    }

    func count(epoch: UInt32) -> UInt64 {
        UInt64(epoch & 1 == 0 ? unsafe even.relaxed : unsafe odd.relaxed)
    }

    /// Clears the counter of the epoch that begins, then names the epoch; one caller at a time.
    func begin(epoch: UInt32) {
        if epoch & 1 == 0 { unsafe even.release(0) } else { unsafe odd.release(0) }
        unsafe head.release(UInt(storeID) | UInt(epoch) << 32)
    }
}
