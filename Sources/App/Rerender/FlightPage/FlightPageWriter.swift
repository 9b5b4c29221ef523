// SPDX-License-Identifier: MIT
// The flight page: shared memory in which an app leaves its counts, and the counter of each store. All unsafe accesses to it are in this file.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// The app's flight page: sealed memory that the daemon holds, too, so that it outlives the process.
///
/// Sealed memory cannot be cut off below its mapping: a file that is cut off ends the process that touches it, by SIGBUS.
///
/// Proof of the unsafe parts: all of the memory is allocated before it is mapped, so that too little of it is an error here and no
/// SIGBUS later; the mapping is never undone; every offset is a constant of ``FlightPageLayout`` or ``LoopLayout`` inside it; what more
/// than one thread writes is written as atomic words, and the rest before the word that announces it.
@safe
final class FlightPageWriter: @unchecked Sendable {
    private struct State {
        /// How many slots are in use.
        var slots = 0
        /// The memory's descriptor, in the table of ``DescriptorTable``; nil once the page is closed.
        var descriptor: CInt?
    }

    /// Which copy of the library in this program the page is of.
    let copyNumber: UInt32
    private let memory: UnsafeMutableRawPointer
    /// Locked while more of the page changes than a count.
    private let state: Mutex<State>

    /// Makes the page; nil if that cannot be done, which costs the app its hangs, and the report of what it had not sent when it was
    /// killed.
    init?(identity: ProcessIdentity) {
        guard let page = unsafe DescriptorTable.run({ unsafe Self.makePage(identity) }) ?? nil else { return nil }
        copyNumber = unsafe page.copy
        unsafe memory = page.memory
        state = unsafe Mutex(State(descriptor: page.descriptor))
    }

    private static func makePage(
        _ identity: ProcessIdentity
    ) -> (copy: UInt32, memory: UnsafeMutableRawPointer, descriptor: CInt)? {
        let name = "rerender-\(identity.pid).page"
        // Each copy in this program has mapped one. After an `exec` none is.
        let copy = min(unsafe crerender_count_mappings(name), CopyNumber.copiesWithPage - 1)
        let descriptor = unsafe crerender_sealed_memory(name, FlightPageLayout.byteCount)
        guard descriptor >= 0 else { return nil }
        guard let memory = unsafe map(descriptor) else {
            Glibc.close(descriptor)
            return nil
        }
        unsafe fill(memory, identity)
        return unsafe (copy, memory, descriptor)
    }

    private static func map(_ file: CInt) -> UnsafeMutableRawPointer? {
        let memory = unsafe mmap(nil, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return unsafe memory == MAP_FAILED ? nil : memory
    }

    /// The memory's descriptor, for a daemon to hold it; nil once the page is closed.
    var descriptor: CInt? { state.withLock { $0.descriptor } }

    /// A counter for a store: in the page, or in private memory if the page is full.
    func counter(storeID: UInt32, name: String) -> EvaluationCounter {
        state.withLock { state in
            guard state.slots < FlightPageLayout.slots else { return EvaluationCounter(storeID: storeID) }
            let slot = unsafe memory + FlightPageLayout.slotsOffset + state.slots * FlightPageLayout.slotBytes
            unsafe slot.storeBytes(
                of: Timestamp.now.nanosecondsSince1970, toByteOffset: FlightPageLayout.slotStartedAtOffset,
                as: Int64.self)
            let nameStart = unsafe memory + FlightPageLayout.namesOffset + state.slots * FlightPageLayout.nameBytes
            unsafe Self.copy(name, to: nameStart, limit: FlightPageLayout.nameBytes)
            let counter = unsafe EvaluationCounter(slot: slot, storeID: storeID, isPrivate: false)
            state.slots += 1
            unsafe (memory + FlightPageLayout.storesOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
                .pointee.store(UInt32(state.slots), ordering: .releasing)
            return counter
        }
    }

    /// The main loop's part; its words may be used as long as the page lives.
    var loopWords: AtomicWords {
        unsafe AtomicWords(at: memory, count: FlightPageLayout.byteCount / 8)
            .part(from: FlightPageLayout.loopOffset / 8)
    }

    /// Leaves the page to this process alone: a forked child gets empty memory in its place.
    func hideFromForks() {
        unsafe crerender_set_fork_page(memory, FlightPageLayout.byteCount)
    }

    /// Says that nothing is missing, and gives the descriptor back.
    func close() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
        unsafe (memory + FlightPageLayout.closedOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
            .pointee.store(FlightPageLayout.closed, ordering: .releasing)
        if let descriptor { _ = DescriptorTable.run { Glibc.close(descriptor) } }
    }

    private static func fill(_ memory: UnsafeMutableRawPointer, _ identity: ProcessIdentity) {
        unsafe memory.storeBytes(
            of: FlightPageLayout.version, toByteOffset: FlightPageLayout.versionOffset, as: UInt32.self)
        unsafe memory.storeBytes(of: identity.pid, toByteOffset: FlightPageLayout.pidOffset, as: Int32.self)
        unsafe memory.storeBytes(
            of: identity.startTicks, toByteOffset: FlightPageLayout.startTicksOffset, as: UInt64.self)
        unsafe copy(
            identity.name, to: memory + FlightPageLayout.processNameOffset, limit: FlightPageLayout.processNameBytes)
        // Last, so that a reader who finds the magic finds the rest.
        unsafe memory.assumingMemoryBound(to: Atomic<UInt64>.self).pointee
            .store(FlightPageLayout.magic, ordering: .releasing)
    }

    private static func copy(_ text: String, to memory: UnsafeMutableRawPointer, limit: Int) {
        for (offset, byte) in text.prefix(utf8Bytes: limit).utf8.enumerated() {
            unsafe memory.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        }
    }
}

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
