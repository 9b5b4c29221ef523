// SPDX-License-Identifier: MIT
// The system calls of the history: names, sizes and removal in a directory that is held.

import FoundationEssentials
import Glibc
import RerenderShow

/// Looks at the files of a directory. No link is followed.
enum HistoryFiles {
    /// An unfinished file that is as old as this, in seconds, belongs to nobody any more.
    private static let abandoned = 3_600

    /// The names in it, in no order.
    static func names(in directory: borrowing HeldDirectory) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(directory.descriptor)")) ?? []
    }

    /// The size of a plain file of this user; nil for anything else.
    static func size(of name: String, in directory: borrowing HeldDirectory) -> UInt64? {
        guard let info = info(name, directory), info.st_mode & S_IFMT == S_IFREG, info.st_uid == geteuid() else {
            return nil
        }
        return UInt64(clamping: info.st_size)
    }

    private static var now: Int { Int(Timestamp.now.nanosecondsSince1970 / 1_000_000_000) }

    /// Whether a file was last written so long ago that nobody writes it any more.
    static func isOld(_ name: String, in directory: borrowing HeldDirectory) -> Bool {
        info(name, directory).map { now - $0.st_mtim.tv_sec > abandoned } ?? false
    }

    /// Removes a file; one that is gone already is fine.
    static func remove(_ name: String, in directory: borrowing HeldDirectory) {
        // Proof: unlinkat() reads the string for the call only.
        _ = unsafe unlinkat(directory.descriptor, name, 0)
    }

    private static func info(_ name: String, _ directory: borrowing HeldDirectory) -> stat? {
        var info = stat()
        // Proof: fstatat() reads the string for the call only, and fills the local value.
        return unsafe fstatat(directory.descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info : nil
    }
}
