// SPDX-License-Identifier: MIT
// The flight page: shared memory in which an app leaves its counts. All unsafe accesses to it are in this folder.

import CRerender
import Glibc
import RerenderModel
import RerenderSymbols
import RerenderWire
import Synchronization

/// The app's flight page: a mapped file that outlives the process.
///
/// Proof of the unsafe parts: the file's blocks are allocated before it is mapped, so a full disk is an error here and
/// no SIGBUS later; the mapping is never undone, only exchanged in place for one of the same size; every offset is a
/// constant of ``FlightPageLayout`` or ``LoopLayout`` inside it; what more than one thread writes is written as atomic
/// words, and the rest before the word that announces it.
@safe
final class FlightPageWriter: @unchecked Sendable {
    /// The file's name in the flight directory.
    let name: String
    /// Which copy of the library in this process the page is of.
    let copyNumber: UInt32
    /// Whether that is the first copy in this program.
    let isFirstCopy: Bool
    private let directory: RuntimeDirectory
    private let memory: UnsafeMutableRawPointer
    /// How many slots are in use; locked while more of the page changes than a count.
    private let slots = Mutex<Int>(0)

    /// Makes the page, and the directories that it needs; nil if that cannot be done, which costs the app nothing but
    /// the report of what it had not sent when it was killed.
    init?(directory: RuntimeDirectory, identity: ProcessIdentity) {
        guard let page = unsafe DescriptorTable.run({ unsafe Self.makePage(in: directory, identity) }) ?? nil else {
            return nil
        }
        self.directory = directory
        (name, copyNumber, isFirstCopy) = unsafe (page.choice.name.text, page.choice.name.copy, page.choice.isFirstCopy)
        unsafe memory = page.memory
        unsafe Self.fill(memory, identity)
    }

    private static func makePage(
        in directory: RuntimeDirectory, _ identity: ProcessIdentity
    ) -> (choice: PageChoice, memory: UnsafeMutableRawPointer)? {
        guard let flight = flight(in: directory, makes: true) else { return nil }
        // Copies that begin at the same moment must not take the same name.
        let lock = FlightDirectoryLock(flight)
        defer { lock.release() }
        guard let choice = PageChoice(in: flight, for: identity) else { return nil }
        guard let file = makeFile(choice.name.text, in: flight) else { return nil }
        defer { Glibc.close(file) }
        let memory = unsafe mmap(nil, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            unsafe unlinkat(flight.descriptor, choice.name.text, 0)
            return nil
        }
        protect(file)
        return unsafe (choice, memory)
    }

    /// A counter for a store: in the page, or in private memory if the page is full.
    func counter(storeID: UInt32, name: String) -> EvaluationCounter {
        slots.withLock { used in
            guard used < FlightPageLayout.slots else { return EvaluationCounter(storeID: storeID) }
            let slot = unsafe memory + FlightPageLayout.slotsOffset + used * FlightPageLayout.slotBytes
            unsafe slot.storeBytes(
                of: Timestamp.now.nanosecondsSince1970, toByteOffset: FlightPageLayout.slotStartedAtOffset,
                as: Int64.self)
            let nameStart = unsafe memory + FlightPageLayout.namesOffset + used * FlightPageLayout.nameBytes
            unsafe Self.copy(name, to: nameStart, limit: FlightPageLayout.nameBytes)
            let counter = unsafe EvaluationCounter(slot: slot, storeID: storeID, page: self)
            used += 1
            unsafe (memory + FlightPageLayout.storesOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
                .pointee.store(UInt32(used), ordering: .releasing)
            return counter
        }
    }

    /// The main loop's part; its words may be used as long as the page lives.
    var loopWords: AtomicWords {
        unsafe AtomicWords(
            at: memory + FlightPageLayout.loopOffset,
            count: (FlightPageLayout.byteCount - FlightPageLayout.loopOffset) / 8)
    }

    /// Leaves the page to this process alone: a forked child gets empty memory in its place.
    func hideFromForks() {
        unsafe crerender_set_fork_page(memory, FlightPageLayout.byteCount)
    }

    /// Says that nothing is missing, and removes the file.
    func close() {
        unsafe (memory + FlightPageLayout.closedOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
            .pointee.store(FlightPageLayout.closed, ordering: .releasing)
        _ = DescriptorTable.run {
            guard let flight = Self.flight(in: directory, makes: false) else { return }
            unsafe unlinkat(flight.descriptor, name, 0)
        }
    }

    /// Makes the file again if it was removed, as stopping the daemon's sockets does; for the uplink's thread.
    ///
    /// Evaluations go on meanwhile. They are counted in the old memory or in the new, and what the old held is added to
    /// the new, so that none is missing and none is there twice.
    func remakeIfGone() { _ = DescriptorTable.run { remake() } }

    private func remake() {
        guard let flight = Self.flight(in: directory, makes: true),
            unsafe faccessat(flight.descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0,
            let file = Self.makeFile(name, in: flight)
        else { return }
        defer { Glibc.close(file) }
        slots.withLock { used in
            let size = FlightPageLayout.byteCount
            guard let old = unsafe crerender_alias(memory, size) else { return }
            defer { unsafe munmap(old, size) }
            guard let copy = unsafe Self.copyWithoutCounts(old, slots: used, to: file) else { return }
            let new = unsafe mmap(memory, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
            guard unsafe new == memory else { return }
            Self.protect(file)
            for slot in 0..<used {
                let offset = FlightPageLayout.slotsOffset + slot * FlightPageLayout.slotBytes
                unsafe EvaluationCounter.add(countsAt: old + offset, to: memory + offset)
            }
            unsafe repairLoopPart(old, copy)
        }
    }

    /// Brings over what was written to the main loop's part of the old memory after it was copied, unless the new has
    /// been written since. Words of one record may then be of two times: its check says so, and the next one is whole.
    private func repairLoopPart(_ old: UnsafeMutableRawPointer, _ copy: [UInt8]) {
        let new = loopWords
        for word in 0..<LoopLayout.byteCount / 8 {
            let offset = FlightPageLayout.loopOffset + word * 8
            let copied = unsafe copy.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            }
            let latest = UInt64(unsafe UnsafeAtomicWord(at: old + offset).acquired)
            if latest != copied { new.replace(word, copied, with: latest) }
        }
    }

    /// Runs `change` while the page stays the one it is.
    func holdingPage(_ change: () -> Void) {
        slots.withLock { _ in change() }
    }

    /// The directory of the pages; nil where there is none that is safe to use.
    private static func flight(in directory: RuntimeDirectory, makes: Bool) -> HeldDirectory? {
        try? HeldDirectory(directory.path, makes: makes).directory(RuntimeDirectory.flightName, makes: makes)
    }

    private static func makeFile(_ name: String, in flight: borrowing HeldDirectory) -> CInt? {
        unsafe unlinkat(flight.descriptor, name, 0)
        let file = unsafe openat(flight.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return nil }
        var outcome: CInt
        // A host with a busy timer interrupts it.
        repeat { outcome = posix_fallocate(file, 0, off_t(FlightPageLayout.byteCount)) } while outcome == EINTR
        guard outcome == 0 else {
            Glibc.close(file)
            unsafe unlinkat(flight.descriptor, name, 0)
            return nil
        }
        return file
    }

    /// Has nobody but root open the file for writing, unless somebody changes its mode first. A file that is cut off below a mapping
    /// ends the process that touches it, by SIGBUS.
    private static func protect(_ file: CInt) { fchmod(file, 0o400) }

    private static func copyWithoutCounts(_ old: UnsafeMutableRawPointer, slots: Int, to file: CInt) -> [UInt8]? {
        var copy = unsafe [UInt8](UnsafeRawBufferPointer(start: old, count: FlightPageLayout.byteCount))
        for slot in 0..<slots {
            let counts = FlightPageLayout.slotsOffset + slot * FlightPageLayout.slotBytes
            for offset in counts + FlightPageLayout.slotEvaluationsOffset..<counts
                + FlightPageLayout.slotStartedAtOffset
            {
                copy[offset] = 0
            }
        }
        let written = unsafe copy.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) }
        return written == copy.count ? copy : nil
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
