// SPDX-License-Identifier: MIT
// Lets one export at a time go on from a file of metrics.

import Glibc
import RerenderShow

/// A file of metrics that no other export reads or replaces meanwhile: of two at once, the one that asked the daemon first could write
/// last, and a counter would fall.
///
/// The lock is the file's own, so that nothing else lies beside it. It ends with its owner, also one that is killed.
final class MetricLock {
    private let path: String
    private let file: CInt
    private let isNew: Bool

    /// How long to wait for another export; one takes a few milliseconds.
    private static let seconds = 10

    /// Waits for the lock; nil where there is no plain file to be locked, and none can be made.
    ///
    /// Throws status 74 where another export takes too long.
    init?(_ path: String) throws(ToolFailure) {
        self.path = FilePath.real(path) ?? path
        guard [nil, S_IFREG].contains(FilePath.kind(self.path)) else { return nil }
        var attempts = Self.seconds * 50
        while attempts > 0 {
            guard let (file, isNew) = Self.open(self.path) else { return nil }
            if Self.lock(file, self.path, &attempts) {
                (self.file, self.isNew) = (file, isNew)
                return
            }
            close(file)
        }
        throw ToolFailure(
            ExitStatus.inputOutput,
            "another export has written \(Printable.text(path)) for \(Self.seconds) seconds: try again later.")
    }

    deinit {
        // What nobody wrote to is to be as it was.
        if isNew, Self.isStill(file, path) { _ = unsafe unlink(path) }
        close(file)
    }

    /// Waits for the lock of a file; false where it lost its path: whoever had it replaced it, and there is another one to be locked.
    private static func lock(_ file: CInt, _ path: String, _ attempts: inout Int) -> Bool {
        while attempts > 0, isStill(file, path) {
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return isStill(file, path) }
            attempts -= 1
            usleep(20_000)
        }
        return false
    }

    private static func open(_ path: String) -> (file: CInt, isNew: Bool)? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY
        let known = unsafe Glibc.open(path, flags)
        if known >= 0 { return (known, false) }
        let made = unsafe Glibc.open(path, flags | O_CREAT | O_EXCL, 0o666)
        return made >= 0 ? (made, true) : nil
    }

    /// Whether a file has the path still.
    private static func isStill(_ file: CInt, _ path: String) -> Bool {
        var (own, there) = (stat(), stat())
        // Proof: both fill the local values.
        guard unsafe fstat(file, &own) == 0, unsafe stat(path, &there) == 0 else { return false }
        return (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)
    }
}
