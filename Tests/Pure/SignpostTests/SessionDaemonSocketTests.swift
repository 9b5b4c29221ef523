// SPDX-License-Identifier: MIT
// Where the socket of a session daemon is found, without which Rerender's own events do not load LTTng.

import CShared
import Foundation
import TestSupport
import Testing

@Suite("The socket of a session daemon")
struct SessionDaemonSocketTests {
    private func place(with files: String...) throws -> TemporaryDirectory {
        let place = try TemporaryDirectory()
        for file in files {
            let url = place.url.appending(path: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        return place
    }

    private func isFound(root: String = "/nowhere", appPath: String? = nil, home: String? = nil) -> Bool {
        csignpost_finds_session_daemon(root, appPath, home) != 0
    }

    @Test("is found by each number that a version of LTTng gave it, and by the next ones", arguments: [8, 11, 31])
    func numbers(number: Int) throws {
        let directory = try place(with: "run/lttng-ust-sock-\(number)")
        #expect(isFound(root: directory.path + "/run"))
        withExtendedLifetime(directory) {}
    }

    @Test("is found in root's directory, the user's, and the one of LTTNG_UST_APP_PATH up to a colon")
    func directories() throws {
        let directory = try place(with: "home/.lttng/lttng-ust-sock-8", "apps/lttng-ust-sock-11")
        let (home, apps) = (directory.path + "/home", directory.path + "/apps")
        #expect(isFound(home: home) && isFound(appPath: apps, home: "/nowhere"))
        #expect(isFound(appPath: apps + ":/nowhere") && !isFound(appPath: "/nowhere:" + apps))
        #expect(!isFound(root: home) && !isFound(appPath: home) && !isFound(home: apps))
        withExtendedLifetime(directory) {}
    }

    @Test("is not what else LTTng leaves there, and nothing without a directory")
    func others() throws {
        let directory = try place(
            with: "home/.lttng/lttng-sessiond.pid", "home/.lttng/lttng-ust-sock-7", "home/.lttng/lttng-ust-wait-8")
        #expect(!isFound(root: directory.path + "/home/.lttng", home: directory.path + "/home"))
        #expect(!isFound() && !isFound(root: "", appPath: "", home: "/nowhere"))
        withExtendedLifetime(directory) {}
    }

    @Test("is not looked for where its path would be too long", arguments: [4_070, 4_090, 4_096, 100_000])
    func longPaths(bytes: Int) {
        let path = "/" + String(repeating: "a", count: bytes - 1)
        #expect(!isFound(root: path, appPath: path, home: path))
    }
}
