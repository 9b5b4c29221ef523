// SPDX-License-Identifier: MIT
// The real rerenderd as a child process.

import Foundation

/// A real `rerenderd` in a directory of its own.
package final class DaemonProcess {
    package let directory: String
    package let process: PlainChild
    package var http: UnixHTTP { UnixHTTP(directory + "/query.sock") }
    package var pushSocket: String { directory + "/push.sock" }

    /// Has a daemon wait for programs twice as long as it does for users. `rerenderctl` waits ten seconds for the daemon's answer.
    package static let patience = ["RERENDER_TEST_PATIENCE": "6"]

    package init(
        directory: String? = nil, _ arguments: [String] = [], environment: [String: String] = [:]
    ) async throws {
        self.directory = try directory ?? TestFile.makeDirectory()
        process = try PlainChild(
            ChildProcess.product("rerenderd"), ["--foreground", "--runtime-dir", self.directory] + arguments,
            environment: environment)
        try await process.waitFor(" ready ")
    }
}
