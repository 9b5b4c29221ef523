// SPDX-License-Identifier: MIT
// The flight page: shared memory in which an app leaves its counts. All unsafe accesses to it are in this folder.

import CRerender
import Glibc
import RerenderModel
import RerenderWire
import Synchronization

/// The app's flight page: memory that outlives the process, since it is a mapped file, or since the daemon holds it.
///
/// While no daemon is connected the page is a file in the flight directory. While one is, it is in sealed memory, which nobody can
/// cut off below the mapping: a file that is cut off ends the process that touches it, by SIGBUS. The file stays meanwhile, and
/// says that the page is elsewhere. Its room on the disk is the page's still: where a full disk has none for a new file, the page
/// goes back there. A page that begins while the disk is full begins in memory, and an empty file says so.
///
/// Proof of the unsafe parts: all of a file or of sealed memory is allocated before it is mapped, so a full disk is an error
/// here and no SIGBUS later; the mapping is never undone, only exchanged in place for one of the same size; every offset
/// is a constant of ``FlightPageLayout`` or ``LoopLayout`` inside it; what more than one thread writes is written as
/// atomic words, and the rest before the word that announces it.
@safe
final class FlightPageWriter: @unchecked Sendable {
    /// What more of a page than its counts depends on.
    private struct State {
        /// How many slots are in use.
        var slots = 0
        /// The file that is mapped; nil while the page is in sealed memory.
        var file: PageFile?
        /// The file that the page left for the memory.
        var left: PageFile?
        /// The descriptor of the sealed memory, in the table of ``DescriptorTable``; made once.
        var sealed: CInt?
        var isClosed = false
    }

    /// The file's name in the flight directory.
    let name: String
    /// Which copy of the library in this process the page is of.
    let copyNumber: UInt32
    /// Whether that is the first copy in this program.
    let isFirstCopy: Bool
    private let directory: RuntimeDirectory
    private let memory: UnsafeMutableRawPointer
    /// Locked while more of the page changes than a count.
    private let state: Mutex<State>

    /// Makes the page, and the directories that it needs; nil if that cannot be done, which costs the app nothing but
    /// the report of what it had not sent when it was killed.
    init?(directory: RuntimeDirectory, identity: ProcessIdentity) {
        guard let page = unsafe DescriptorTable.run({ unsafe Self.makePage(in: directory, identity) }) ?? nil else {
            return nil
        }
        self.directory = directory
        (name, copyNumber, isFirstCopy) = unsafe (page.choice.name.text, page.choice.name.copy, page.choice.isFirstCopy)
        unsafe memory = page.place.memory
        state = unsafe Mutex(page.place.state)
    }

    private static func makePage(
        in directory: RuntimeDirectory, _ identity: ProcessIdentity
    ) -> (choice: PageChoice, place: (memory: UnsafeMutableRawPointer, state: State))? {
        guard let flight = PageFile.directory(in: directory, makes: true) else { return nil }
        // Copies that begin at the same moment must not take the same name.
        let lock = FlightDirectoryLock(flight)
        defer { lock.release() }
        guard let choice = PageChoice(in: flight, for: identity) else { return nil }
        let name = choice.name.text
        guard let place = unsafe makeFile(name, in: flight, identity) ?? makeMemory(name, in: flight, identity) else {
            return nil
        }
        return unsafe (choice, place)
    }

    private static func makeFile(
        _ name: String, in flight: borrowing HeldDirectory, _ identity: ProcessIdentity
    ) -> (memory: UnsafeMutableRawPointer, state: State)? {
        guard let file = PageFile.make(name, in: flight) else { return nil }
        defer { Glibc.close(file) }
        guard let memory = unsafe map(file) else {
            PageFile.remove(name, in: flight)
            return nil
        }
        unsafe fill(memory, identity)
        guard let page = PageFile(publishing: file, as: name, in: flight) else {
            unsafe munmap(memory, FlightPageLayout.byteCount)
            return nil
        }
        return unsafe (memory, State(file: page))
    }

    /// A page without a file: it is known as long as a daemon holds it, and an empty file tells that there was one.
    private static func makeMemory(
        _ name: String, in flight: borrowing HeldDirectory, _ identity: ProcessIdentity
    ) -> (memory: UnsafeMutableRawPointer, state: State)? {
        let sealed = unsafe crerender_sealed_memory(name, FlightPageLayout.byteCount)
        guard sealed >= 0 else { return nil }
        guard let memory = unsafe map(sealed) else {
            Glibc.close(sealed)
            return nil
        }
        unsafe fill(memory, identity)
        PageFile.announce(name, in: flight)
        return unsafe (memory, State(sealed: sealed))
    }

    private static func map(_ file: CInt) -> UnsafeMutableRawPointer? {
        let memory = unsafe mmap(nil, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return unsafe memory == MAP_FAILED ? nil : memory
    }

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
            let counter = unsafe EvaluationCounter(slot: slot, storeID: storeID, page: self)
            state.slots += 1
            unsafe (memory + FlightPageLayout.storesOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
                .pointee.store(UInt32(state.slots), ordering: .releasing)
            return counter
        }
    }

    /// The main loop's part; its words may be used as long as the page lives.
    var loopWords: AtomicWords {
        unsafe Self.words(memory).part(from: FlightPageLayout.loopOffset / 8)
    }

    /// Leaves the page to this process alone: a forked child gets empty memory in its place.
    func hideFromForks() {
        unsafe crerender_set_fork_page(memory, FlightPageLayout.byteCount)
    }

    /// Says that nothing is missing, removes the file, and gives the descriptor back.
    func close() {
        let sealed = state.withLock { state in
            defer { (state.isClosed, state.sealed) = (true, nil) }
            return state.sealed
        }
        unsafe (memory + FlightPageLayout.closedOffset).assumingMemoryBound(to: Atomic<UInt32>.self)
            .pointee.store(FlightPageLayout.closed, ordering: .releasing)
        _ = DescriptorTable.run {
            if let sealed { Glibc.close(sealed) }
            guard let flight = PageFile.directory(in: directory, makes: false) else { return }
            unsafe unlinkat(flight.descriptor, name, 0)
        }
    }

    /// Runs `change` while the page stays the one it is.
    func holdingPage(_ change: () -> Void) {
        state.withLock { _ in change() }
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

    /// The words of the page, wherever it is.
    private static func words(_ memory: UnsafeMutableRawPointer) -> AtomicWords {
        unsafe AtomicWords(at: memory, count: FlightPageLayout.byteCount / 8)
    }
}

// MARK: - Moves, all on the uplink's thread

extension FlightPageWriter {
    /// Sealed memory for a daemon to hold, which must do so before the page moves there; nil where the system gives none.
    func offerMemory() -> MemoryOffer? {
        DescriptorTable.run {
            state.withLock { state in
                if state.sealed == nil { state.sealed = unsafe Self.makeSealed(name, Self.words(memory)) }
                return state.sealed.map { MemoryOffer(thread: crerender_this_thread(), descriptor: $0) }
            }
        } ?? nil
    }

    /// Sealed memory that already says whose page it is.
    private static func makeSealed(_ name: String, _ page: AtomicWords) -> CInt? {
        let file = unsafe crerender_sealed_memory(name, FlightPageLayout.byteCount)
        guard file >= 0 else { return nil }
        guard PageCopy(of: page).write(to: file) else {
            Glibc.close(file)
            return nil
        }
        return file
    }

    /// Moves the page to the memory that was offered: a daemon holds it.
    func moveToMemory() {
        _ = DescriptorTable.run {
            let (isClosed, file, sealed) = state.withLock { ($0.isClosed, $0.file, $0.sealed) }
            guard !isClosed, file != nil, let sealed, move(to: sealed) else { return }
            state.withLock { ($0.left, $0.file) = ($0.file, nil) }
        }
    }

    /// Moves the page to a file if it is in memory: no daemon holds that any more.
    func leaveMemory() {
        guard state.withLock({ $0.file == nil }) else { return }
        moveToFile(makesDirectory: false)
    }

    /// Makes the file again if the page has none: because somebody removed it, as stopping the daemon's sockets does, or because it
    /// could not be made when the page left the memory.
    func makeFileIfGone() { moveToFile(makesDirectory: true) }

    private func moveToFile(makesDirectory: Bool) {
        _ = DescriptorTable.run {
            guard let flight = PageFile.directory(in: directory, makes: makesDirectory) else { return }
            let (isClosed, current, left) = state.withLock { ($0.isClosed, $0.file, $0.left) }
            guard !isClosed, current?.has(name, in: flight) != true else { return }
            // A daemon that ends looks where the page is before it keeps what it holds.
            let lock = FlightDirectoryLock(flight)
            defer { lock.release() }
            if let file = PageFile.make(name, in: flight) {
                moveToNewFile(file, in: flight)
            } else if let left, let file = left.reopen(name, in: flight) {
                defer { Glibc.close(file) }
                moveTo(left, file)
            }
        }
    }

    /// The file gets its name before the page moves there, and says until then that the page is elsewhere: an app that is killed in
    /// between leaves both.
    private func moveToNewFile(_ file: CInt, in flight: borrowing HeldDirectory) {
        defer { Glibc.close(file) }
        guard PageCopy(of: unsafe Self.words(memory)).write(to: file) else { return PageFile.remove(name, in: flight) }
        guard let page = PageFile(publishing: file, as: name, in: flight) else { return }
        moveTo(page, file)
    }

    private func moveTo(_ page: PageFile, _ file: CInt) {
        let isMoved = move(to: file)
        state.withLock { if isMoved { $0.file = page } else { $0.left = page } }
    }

    /// Exchanges what lies below the page's addresses. Evaluations and turns go on meanwhile, and nothing of them is missing or there
    /// twice: see ``PageCopy``. The new memory has everything before the old says that the page is elsewhere: at each moment a
    /// reader of both finds it.
    private func move(to file: CInt) -> Bool {
        let size = FlightPageLayout.byteCount
        guard let old = unsafe crerender_alias(memory, size) else { return false }
        defer { unsafe munmap(old, size) }
        let before = unsafe Self.words(old)
        guard state.withLock({ exchange(before, for: file, slots: $0.slots) }) else { return false }
        before.release(FlightPageLayout.movedOffset / 8, 1)
        return true
    }

    private func exchange(_ before: AtomicWords, for file: CInt, slots: Int) -> Bool {
        let copy = PageCopy(of: before)
        guard copy.write(to: file) else { return false }
        let new = unsafe mmap(
            memory, FlightPageLayout.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
        guard unsafe new == memory else { return false }
        let page = unsafe Self.words(memory)
        copy.bringOver(from: before, to: page, slots: slots)
        page.release(FlightPageLayout.movedOffset / 8, 0)
        return true
    }
}
