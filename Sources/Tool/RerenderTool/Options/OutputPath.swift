// SPDX-License-Identifier: MIT
// Which file a path leads to, so that no report replaces what it was made from.

import Glibc

/// Compares paths by where they lead to.
enum OutputPath {
    /// Whether both paths lead to one plain file, or would once it is there.
    ///
    /// Terminals, pipes and the like may be read and written: they are no one's copy.
    static func isSame(_ path: String, _ other: String) -> Bool {
        guard !path.isEmpty, !other.isEmpty, !isSpecial(path) else { return false }
        return resolved(path) == resolved(other)
    }

    /// The path without links; of a file that is not there yet, that of its directory with the name.
    private static func resolved(_ path: String) -> String {
        if let whole = real(path) { return whole }
        let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let directory = end == path.startIndex ? "." : String(path[..<end])
        return (real(directory) ?? directory) + "/" + path[end...]
    }

    private static func real(_ path: String) -> String? {
        // realpath returns memory of its own, copied and freed here, or nil where nothing is there.
        guard let real = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func isSpecial(_ path: String) -> Bool {
        var info = stat()
        // stat() fills the local value.
        return unsafe stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    }
}
