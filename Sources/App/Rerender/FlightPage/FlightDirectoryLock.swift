// SPDX-License-Identifier: MIT
// Lets one process, or one copy of the library in it, choose the name of its page at a time.

import Glibc
import RerenderModel

/// A lock on the directory of flight pages, held for less than a millisecond.
///
/// Whoever holds it for longer than that does not stop the app: it goes on without the lock after ten milliseconds.
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
