// SPDX-License-Identifier: MIT
// Chooses the name of this copy's flight page under a lock, and looks after the pages that lie in the directory.

import CRerender
import Glibc
import RerenderModel
import RerenderWire

/// The name that a copy of the library gives its page: one that no page has, so that nothing is lost that no daemon has read.
struct PageChoice {
    let name: FlightPageName
    /// Whether no other copy in this program has made a page before.
    let isFirstCopy: Bool

    /// Chooses a name. Pages that this process has and that no copy in this program maps are of the programs that it was
    /// before `exec`: this marks them, and the numbers of copies go on behind theirs.
    ///
    /// - Parameter directory: The flight directory, which is locked.
    init?(in directory: borrowing HeldDirectory, for identity: ProcessIdentity) {
        let pages = Self.sweep(directory, pid: identity.pid).filter { $0.pid == identity.pid }
        var hasOthers = false
        for page in pages {
            if Self.isMapped(page) {
                hasOthers = true
            } else {
                Self.markReplaced(page.text, in: directory, identity)
            }
        }
        let all = CopyNumber.copiesWithPage
        let next = pages.map(\.copy).filter { $0 < all }.max().map { $0 + 1 } ?? 0
        for copy in Array(next..<all) + Array(0..<next) {
            let name = FlightPageName(pid: identity.pid, copy: copy)
            guard !pages.contains(name) else { continue }
            // Somebody may have removed the file of a copy that counts.
            if Self.isMapped(name) {
                hasOthers = true
            } else {
                (self.name, isFirstCopy) = (name, !hasOthers)
                return
            }
        }
        return nil
    }

    /// Whether a copy in this program has the page. Its directory may have another path by now.
    private static func isMapped(_ page: FlightPageName) -> Bool { unsafe crerender_maps_file(page.text) }

    // MARK: Pages of programs that are gone

    /// Below that many, pages are left for a daemon to find.
    private static let tolerated = 256

    /// The names of all pages. If they are very many, no daemon comes to collect them: then those of programs that are gone are
    /// removed first.
    private static func sweep(_ directory: borrowing HeldDirectory, pid: Int32) -> [FlightPageName] {
        let pages = names(in: directory)
        guard pages.count > tolerated else { return pages }
        let file = directory.descriptor
        return pages.filter { page in
            let isGone = page.pid == pid ? !isMapped(page) : kill(page.pid, 0) != 0 && errno == ESRCH
            if isGone { unsafe unlinkat(file, page.text, 0) }
            return !isGone
        }
    }

    private static func names(in directory: borrowing HeldDirectory) -> [FlightPageName] {
        // A file of its own: the listing closes it.
        let file = unsafe openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        guard let listing = unsafe fdopendir(file) else {
            close(file)
            return []
        }
        defer { unsafe closedir(listing) }
        var pages: [FlightPageName] = []
        while let entry = unsafe readdir(listing) {
            // An entry is as long as its name: never read the 256 bytes that `dirent` declares.
            let text = unsafe UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 19)
            let name = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
            if let page = FlightPageName(name) { pages.append(page) }
        }
        return pages
    }

    /// Says in the page of an earlier program of this process that nothing more comes, so that the daemon accounts for it.
    ///
    /// What is no such page is left as it is: the file may be anything, and of a process that had the same number before.
    private static func markReplaced(
        _ name: String, in directory: borrowing HeldDirectory, _ identity: ProcessIdentity
    ) {
        let file = unsafe openat(directory.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return
        }
        // Safe: both are as large as what is read and written, and any bits are integers.
        var head = InlineArray<4, UInt64>(repeating: 0)
        let size = FlightPageLayout.closedOffset + 4
        let count = unsafe withUnsafeMutableBytes(of: &head) { unsafe pread(file, $0.baseAddress, size, 0) }
        let pid = UInt64(UInt32(bitPattern: identity.pid))
        guard count == size, head[0] == FlightPageLayout.magic,
            head[1] == UInt64(FlightPageLayout.version) | pid << 32, head[2] == identity.startTicks,
            head[3] >> 32 == 0
        else { return }
        // Nobody maps the page, and pages are not for writing: see `FlightPageWriter.protect`.
        guard fchmod(file, 0o600) == 0 else { return }
        defer { fchmod(file, 0o400) }
        let writable = unsafe open("/proc/thread-self/fd/\(file)", O_WRONLY | O_CLOEXEC)
        guard writable >= 0 else { return }
        defer { close(writable) }
        var replaced = FlightPageLayout.replaced
        _ = unsafe pwrite(writable, &replaced, 4, off_t(FlightPageLayout.closedOffset))
    }
}

/// A lock on the directory of flight pages, held for less than a millisecond.
///
/// A process that holds it for longer does not stop the app: it goes on without the lock after ten milliseconds.
struct FlightDirectoryLock {
    private let file: CInt

    /// - Parameter directory: A file of its own, so that the lock ends with ``release()`` alone.
    init(_ directory: borrowing HeldDirectory) {
        file = unsafe openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { return }
        var attempts = 10
        while flock(file, LOCK_EX | LOCK_NB) != 0, attempts > 0 {
            attempts -= 1
            usleep(1_000)
        }
    }

    /// Ends the lock. Closing the file would not, while a child that was forked meanwhile holds it open.
    func release() {
        guard file >= 0 else { return }
        flock(file, LOCK_UN)
        close(file)
    }
}
