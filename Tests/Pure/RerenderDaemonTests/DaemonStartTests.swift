// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// Directories that must not be used, the exit status, and a part of the error. Only root can give a directory to another user.
private let badDirectories: [(kind: String, status: Int32, text: String)] =
    (getuid() == 0 ? [("foreign", 78, "belongs to user 65534")] : []) + [
        ("open", 78, "chmod 700"), ("link", 78, "not a directory"), ("missing", 71, "cannot make"),
    ]

@Suite("A daemon that cannot start")
struct DaemonStartTests {
    /// Why a daemon does not start in a directory.
    private func error(in directory: String) async -> DaemonError? {
        let configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: directory))
        let daemon = Daemon(configuration: configuration, log: CapturedLog().logger)
        return await #expect(throws: DaemonError.self) { try await daemon.run() }
    }

    @Test("because a path is too long for a socket says so, and what to do")
    func longPath() async throws {
        let directory = try TestFile.makeDirectory() + "/" + String(repeating: "d", count: 100)
        let error = try #require(await error(in: directory))
        #expect(error.exitStatus == 78)
        #expect(error.description.contains("the kernel takes 107"))
        #expect(error.description.contains("RERENDER_RUNTIME_DIR"))
        func path(_ bytes: Int) -> String { "/" + String(repeating: "d", count: bytes - 1) }
        try UnixSocket.checkLength(of: path(107))
        #expect(throws: DaemonError.socketPathTooLong(path: path(108), bytes: 108, limit: 107)) {
            try UnixSocket.checkLength(of: path(108))
        }
    }

    @Test(
        "because its directory is another user's, open to others, a link, or cannot be made", arguments: badDirectories)
    func badDirectory(kind: String, status: Int32, text: String) async throws {
        let directory = try TestFile.makeDirectory()
        var path = directory
        switch kind {
        case "foreign": chown(directory, 65_534, 65_534)
        case "open": chmod(directory, 0o777)
        case "link":
            path = directory + "/link"
            symlink("/tmp", path)
        default: path = directory + "/no/such/parent"
        }
        let error = try #require(await error(in: path))
        #expect(error.exitStatus == status && error.description.contains(text), "\(error)")
    }
}
