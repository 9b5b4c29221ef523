// SPDX-License-Identifier: MIT
// A private directory that goes with its last user.

package import Foundation

/// A directory of mode 0700 with a short path, since Unix sockets are made in it; removed when it is released.
package final class TemporaryDirectory: Sendable {
    package let url: URL
    package var path: String { url.path }

    package init() throws {
        url = URL(fileURLWithPath: "/tmp/rr-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
