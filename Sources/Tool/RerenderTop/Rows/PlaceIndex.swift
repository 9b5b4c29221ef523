// SPDX-License-Identifier: MIT
// The paths of files that the screen names, each looked for once.

import RerenderToolBase
import Synchronization

/// Remembers which file a place means: the screen names the same ones again and again.
final class PlaceIndex: Sendable {
    /// Names that are kept; beyond it all are looked for anew.
    private static let most = 4_096

    let files: SourceFiles
    private let known = Mutex<[String: String?]>([:])

    init(_ files: SourceFiles) { self.files = files }

    /// As ``SourceFiles/path(of:)``.
    func path(of file: String) -> String? {
        known.withLock { known in
            if let path = known[file] { return path }
            let path = files.path(of: file)
            if known.count >= Self.most { known = [:] }
            known[file] = .some(path)
            return path
        }
    }
}
