// SPDX-License-Identifier: MIT
// Where private daemons are, and how other commands find them.

import FoundationEssentials
package import RerenderModel

/// The private directories in which `rerenderctl run`, `record` and `check` have daemons of their own.
package enum RunDirectories {
    package static let prefix = "rerender-run-"
    /// The path of a socket in one of them, after the directory that it is made in.
    private static let longest = "/\(prefix)XXXXXX/query.sock".utf8.count

    /// The directory in which they are made: that of the user's session, beside the one that is in use, or `/tmp`.
    ///
    /// `/tmp` if other users may write to the session's directory, if its path is too long for a socket, and if
    /// `$RERENDER_RUNTIME_DIR` names a directory that need not have one above it.
    package static func parent(beside directory: RuntimeDirectory) -> String {
        guard [.xdg, .runUser].contains(directory.origin) else { return "/tmp" }
        let parent = RuntimeDirectory(path: PathName.directory(of: directory.path))
        let isOurs = FileManager.default.fileExists(atPath: parent.path) && parent.fault() == nil
        return isOurs && parent.path.utf8.count + longest <= SocketQueryClient.longestPath ? parent.path : "/tmp"
    }

    /// What `mkdtemp` makes one of.
    package static func template(beside directory: RuntimeDirectory) -> String {
        "\(parent(beside: directory))/\(prefix)XXXXXX"
    }

    /// Whether a path is that of one of them.
    package static func isPrivate(_ path: String, beside directory: RuntimeDirectory) -> Bool {
        path.utf8.starts(with: "\(parent(beside: directory))/\(prefix)".utf8)
    }

    /// The name of a link in each: to the directory that its command would have used otherwise.
    private static let userLink = "user"

    /// Notes which directory a private one is for.
    package static func note(user: RuntimeDirectory, in directory: String) {
        try? FileManager.default.createSymbolicLink(
            atPath: "\(directory)/\(userLink)", withDestinationPath: user.path)
    }

    /// The path that was noted; nil where there is none.
    static func user(of directory: RuntimeDirectory) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory.path)/\(userLink)")
    }

    /// Those of this user that are there, in the order of their names; what ended without cleaning up is among them.
    ///
    /// - Parameter prefix: How their names begin, where other ones than those of private daemons are meant.
    package static func all(
        beside directory: RuntimeDirectory, prefix: String = Self.prefix
    ) -> [RuntimeDirectory] {
        let parent = parent(beside: directory)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        return names.filter { $0.hasPrefix(prefix) }.sorted().map { RuntimeDirectory(path: "\(parent)/\($0)") }
            .filter { $0.fault() == nil }
    }
}
