// SPDX-License-Identifier: MIT
// Which daemon a command talks to where the user has none.

import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("The daemon of a command that runs")
struct FoundDaemonTests {
    /// A session's directory, `$XDG_RUNTIME_DIR`, without a daemon of the user's.
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    @Test("is beside the directory in use, or in /tmp where that is open to others, too long, or somebody's choice")
    func places() throws {
        func parent(_ path: String, _ origin: RuntimeDirectory.Origin) -> String {
            RunDirectories.parent(beside: RuntimeDirectory(path: path, origin: origin))
        }
        #expect(parent(scratch.path + "/rerender", .xdg) == scratch.path)
        #expect(parent(scratch.path + "/rerender", .runUser) == scratch.path)
        #expect(parent(scratch.path + "/rerender", .environment) == "/tmp")
        #expect(parent("/tmp/rerender-0", .temporary) == "/tmp")
        #expect(parent(scratch.path + "/none/rerender", .xdg) == "/tmp")
        let long = scratch.path + "/" + String(repeating: "x", count: 76 - scratch.path.utf8.count - 1)
        for path in [long, long + "y"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(chmod(path, 0o700) == 0)
        }
        #expect(parent(long + "/rerender", .xdg) == long && parent(long + "y/rerender", .xdg) == "/tmp")
        let template = RunDirectories.template(beside: RuntimeDirectory(path: long + "/rerender", origin: .xdg))
        #expect((template + "/query.sock").utf8.count == SocketQueryClient.longestPath)
        #expect(chmod(scratch.path, 0o777) == 0)
        #expect(parent(scratch.path + "/rerender", .xdg) == "/tmp")
    }

    @Test("what a killed command left, what others could write to, and files are no daemon")
    func leftovers() throws {
        let path = scratch.path + "/rerender-run-"
        for (name, mode) in [("empty", 0o700), ("open", 0o777)] {
            try FileManager.default.createDirectory(atPath: path + name, withIntermediateDirectories: false)
            #expect(chmod(path + name, mode_t(mode)) == 0)
        }
        try Data().write(to: URL(fileURLWithPath: path + "file"))
        try FileManager.default.createSymbolicLink(atPath: path + "link", withDestinationPath: path + "empty")
        let found = RunDirectories.all(beside: RuntimeDirectory(path: scratch.path + "/rerender", origin: .xdg))
        #expect(found.map(\.path) == [path + "empty"])
    }
}
