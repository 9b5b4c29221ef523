// SPDX-License-Identifier: MIT
// The parts of a path.

/// Parts of a path, told apart by bytes, as the system does: a slash and an accent behind it are one `Character`.
package enum PathName {
    private static let slash = UInt8(ascii: "/")

    /// Whether a path begins at the root.
    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// Whether the system takes a text for a path, and not for a name: it has a slash.
    package static func isPath(_ text: String) -> Bool { text.utf8.contains(slash) }

    /// The directory of a path's last part: `.` for a name alone, `/` for one at the root.
    package static func directory(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// What stands behind the last slash; all of a path without one.
    package static func last(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return path }
        return String(path[path.utf8.index(after: end)...])
    }

    /// A path without the slashes at its end; the root keeps one.
    package static func trimmed(_ path: String) -> String {
        guard let end = path.utf8.lastIndex(where: { $0 != slash }) else { return path.isEmpty ? "" : "/" }
        return String(path[...end])
    }

    /// The names in a path, without those that are empty.
    package static func parts(of path: String) -> [String] { path.utf8.split(separator: slash).compactMap(String.init) }

    package static func joined(_ directory: String, _ name: String) -> String {
        let directory = trimmed(directory)
        return directory.utf8.last == slash ? directory + name : directory + "/" + name
    }
}
