// SPDX-License-Identifier: MIT
// The file of a flight page, and a page's move to other memory while threads go on writing it.

import Glibc
import RerenderModel
import RerenderWire

/// A file that has a page's name, or had it.
struct PageFile: Equatable {
    private let inode: UInt64

    /// Gives a file of ``make(_:in:)`` its name, in the place of the file that had it; nil if that cannot be done, and then it is
    /// removed.
    ///
    /// From then on nobody but root can open it for writing, unless somebody changes its mode first: a file that is cut off
    /// below a mapping ends the process that touches it, by SIGBUS.
    init?(publishing file: CInt, as name: String, in flight: borrowing HeldDirectory) {
        fchmod(file, 0o400)
        var status = stat()
        let place = flight.descriptor
        // `fstat` fills the local value.
        guard unsafe fstat(file, &status) == 0, unsafe renameat(place, Self.unnamed(name), place, name) == 0 else {
            Self.remove(name, in: flight)
            return nil
        }
        inode = UInt64(status.st_ino)
    }

    /// Whether the name is this file's still.
    func has(_ name: String, in flight: borrowing HeldDirectory) -> Bool {
        var status = stat()
        return unsafe fstatat(flight.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && UInt64(status.st_ino) == inode
    }

    /// The directory of the pages; nil where there is none that is safe to use.
    static func directory(in directory: RuntimeDirectory, makes: Bool) -> HeldDirectory? {
        try? HeldDirectory(directory.path, makes: makes).directory(RuntimeDirectory.flightName, makes: makes)
    }

    /// Makes a file of a page's size that does not have the page's name yet, all of it allocated; its descriptor, or nil.
    static func make(_ name: String, in flight: borrowing HeldDirectory) -> CInt? {
        remove(name, in: flight)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(flight.descriptor, unnamed(name), flags, 0o600)
        guard file >= 0 else { return nil }
        guard allocate(file) else {
            close(file)
            remove(name, in: flight)
            return nil
        }
        return file
    }

    /// Opens this file for a page that comes back to it; nil unless it has its name and all of its room.
    ///
    /// That takes no room of the disk, which may be full.
    func reopen(_ name: String, in flight: borrowing HeldDirectory) -> CInt? {
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let found = unsafe openat(flight.descriptor, name, flags)
        guard found >= 0 else { return nil }
        defer { close(found) }
        var status = stat()
        // `fstat` fills the local value.
        guard unsafe fstat(found, &status) == 0, UInt64(status.st_ino) == inode, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_size == off_t(FlightPageLayout.byteCount), fchmod(found, 0o600) == 0
        else { return nil }
        // Not for writing, for as long as the page is here.
        defer { fchmod(found, 0o400) }
        let file = unsafe open("/proc/thread-self/fd/\(found)", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        guard Self.allocate(file) else {
            close(file)
            return nil
        }
        return file
    }

    /// Takes a page's room on the disk, unless the file has it.
    private static func allocate(_ file: CInt) -> Bool {
        var outcome: CInt
        // A host with a busy timer interrupts it.
        repeat { outcome = posix_fallocate(file, 0, off_t(FlightPageLayout.byteCount)) } while outcome == EINTR
        return outcome == 0
    }

    /// Leaves an empty file in the place of a page that has no room on the disk.
    static func announce(_ name: String, in flight: borrowing HeldDirectory) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = unsafe openat(flight.descriptor, name, flags, 0o400)
        if file >= 0 { close(file) }
    }

    /// Removes a file that has not got its name.
    static func remove(_ name: String, in flight: borrowing HeldDirectory) {
        unsafe unlinkat(flight.descriptor, unnamed(name), 0)
    }

    private static func unnamed(_ name: String) -> String { FlightPageName.unfinished(name) }
}

/// What a page said when its move began: what the new memory holds when it takes the old one's place.
///
/// Until the exchange, threads write to the old memory; from then on to the new one, and the old never changes again. A
/// word of the new one that still has the copy's value was not written since, so it gets what the old one had at the end:
/// the new memory then says what it would say without a move, whatever was half written meanwhile.
///
/// That holds only where no thread writes the copy's own value. So words that threads write and never read have a value in the copy
/// that no thread writes. The others, which threads read meanwhile, begin with what they were: times and numbers that only grow, and
/// keys, which are read together with their check.
struct PageCopy {
    /// "not yet!" in memory.
    private static let placeholder: UInt64 = 0x2174_6579_2074_6F6E
    /// The words that threads write and never read.
    private static let writeOnly: [Range<Int>] = [
        LoopLayout.slotsOffset..<LoopLayout.slotsOffset + 2 * LoopLayout.slotBytes,
        LoopLayout.othersOffset..<LoopLayout.movedOffset,
        LoopLayout.entriesOffset..<LoopLayout.keysOffset,
        LoopLayout.longTurnsStart..<LoopLayout.byteCount,
    ].map { (FlightPageLayout.loopOffset + $0.lowerBound) / 8..<(FlightPageLayout.loopOffset + $0.upperBound) / 8 }
    private static let moved = FlightPageLayout.movedOffset / 8

    /// What the new memory begins with.
    private(set) var words: [UInt64]

    /// Copies a page, as one that is elsewhere: a reader must not see the new memory before it has everything.
    init(of page: AtomicWords) {
        words = (0..<FlightPageLayout.byteCount / 8).map { page.acquire($0) }
        for range in Self.writeOnly {
            for index in range { words[index] = Self.placeholder }
        }
        words[Self.moved] = 1
    }

    /// Writes the copy to a file; false if that cannot be done.
    func write(to file: CInt) -> Bool {
        // Safe: `pwrite` reads the array while it lives.
        unsafe words.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, 0) } == FlightPageLayout.byteCount
    }

    /// Adds what threads wrote to the old memory after the copy, once they write to the new one.
    ///
    /// - Parameter slots: How many slots are in use.
    func bringOver(from old: AtomicWords, to new: AtomicWords, slots: Int) {
        for slot in 0..<slots {
            let start = FlightPageLayout.slotsOffset + slot * FlightPageLayout.slotBytes
            let counts = (start + FlightPageLayout.slotEvaluationsOffset) / 8
            for index in counts..<counts + 2 { new.add(index, old.acquire(index) &- words[index]) }
        }
        let start = FlightPageLayout.loopOffset / 8
        for index in start..<start + LoopLayout.byteCount / 8 where index != Self.moved {
            let latest = old.acquire(index)
            if latest != words[index] { new.replace(index, words[index], with: latest) }
        }
    }
}
