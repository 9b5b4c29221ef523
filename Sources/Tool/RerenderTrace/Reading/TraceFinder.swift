// SPDX-License-Identifier: MIT
// The traces below a directory: per-user buffers have one, per-process buffers one for each process.

internal import FoundationEssentials
internal import Glibc

/// Finds the directories that a CTF trace's file `metadata` is in.
struct TraceFinder {
    private(set) var directories: [String] = []
    private var searched = 0

    /// The directories below `path`, itself included, in the order of their names. Follows no links but `path` itself.
    static func directories(below path: String) throws(TraceError) -> [String] {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw .missing(path, errno == ENOENT ? "there is no such file or directory" : Self.errorText)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notATrace(path) }
        guard unsafe access(path, R_OK | X_OK) == 0 else { throw .missing(path, Self.errorText) }
        var finder = TraceFinder()
        finder.search(path, depth: 0)
        guard !finder.directories.isEmpty else { throw .notATrace(path) }
        return finder.directories
    }

    private mutating func search(_ path: String, depth: Int) {
        searched += 1
        guard depth < TraceLimits.depth, searched < TraceLimits.directories else { return }
        if Self.kind(of: "\(path)/metadata") == S_IFREG { directories.append(path) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names.sorted() where Self.kind(of: "\(path)/\(name)") == S_IFDIR {
            search("\(path)/\(name)", depth: depth + 1)
        }
    }

    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    private static var errorText: String { unsafe String(cString: strerror(errno)) }
}
