// SPDX-License-Identifier: MIT
// The system calls of the history: names, sizes and removal in a directory that is held.

import FoundationEssentials
import Glibc
import RerenderShow

/// Looks at the files of a directory. No link is followed.
enum HistoryFiles {
    /// The names in it, in no order.
    static func names(in directory: borrowing HeldDirectory) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(directory.descriptor)")) ?? []
    }

    /// The size of a plain file of this user; nil for anything else.
    static func size(of name: String, in directory: borrowing HeldDirectory) -> UInt64? {
        var info = stat()
        // Proof: fstatat() reads the string for the call only, and fills the local value.
        guard unsafe fstatat(directory.descriptor, name, &info, AT_SYMLINK_NOFOLLOW) == 0,
            info.st_mode & S_IFMT == S_IFREG, info.st_uid == geteuid()
        else { return nil }
        return UInt64(clamping: info.st_size)
    }

    /// Removes a file; one that is gone already is fine.
    static func remove(_ name: String, in directory: borrowing HeldDirectory) {
        // Proof: unlinkat() reads the string for the call only.
        _ = unsafe unlinkat(directory.descriptor, name, 0)
    }
}
