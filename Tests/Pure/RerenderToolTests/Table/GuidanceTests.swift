// SPDX-License-Identifier: MIT
// The ways to a daemon, which depend on what leads to the directory.

import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing
@testable import ToolSupport

private let session = RuntimeDirectory(path: "/run/user/1000/rerender", origin: .xdg)
private let temporary = RuntimeDirectory(path: "/tmp/rerender-1000", origin: .temporary)
private func named(_ path: String) -> RuntimeDirectory { RuntimeDirectory(path: path, origin: .environment) }

@Suite("The ways to a daemon")
struct GuidanceTests {
    @Test(
        "name systemd's units where those listen in the directory, whatever named it",
        arguments: [[session, temporary], [named("/run/user/1000/rerender"), session, temporary], [temporary]])
    func units(directories: [RuntimeDirectory]) {
        #expect(Guidance.startDaemon(directories).contains("systemctl --user start rerenderd-push.socket"))
        let failure = ToolFailure.noDaemon(
            at: directories[0].querySocket, because: "Connection refused", directories: directories)
        #expect(failure.isUnreachable && failure.status == ExitStatus.noDaemon)
        #expect(
            failure.message == """
                no daemon answers at \(directories[0].querySocket) (Connection refused).
                Do one of these:
                  rerenderctl run -- CMD    runs one command under a private daemon
                  systemctl --user start rerenderd-push.socket rerenderd-query.socket
                  rerenderd --foreground    runs a daemon until Ctrl-C
                """)
    }

    @Test(
        "do not name them for a directory of RERENDER_RUNTIME_DIR where they do not listen",
        arguments: [[named("/mine"), session, temporary], [named("/tmp/rerender-1000"), temporary]])
    func elsewhere(directories: [RuntimeDirectory]) {
        let failure = ToolFailure.noDaemon(
            at: directories[0].querySocket, because: "gone", directories: directories)
        for text in [Guidance.startDaemon(directories), failure.message] {
            #expect(text.contains("RERENDER_RUNTIME_DIR points to a directory without a daemon"))
            #expect(text.contains("unset RERENDER_RUNTIME_DIR") && text.contains("rerenderd --foreground"))
            #expect(!text.contains("systemctl"))
        }
    }

    @Test("blame RERENDER_RUNTIME_DIR for no other directory than the one it names")
    func other() {
        let failure = ToolFailure.noDaemon(
            at: "/tmp/rerender-run-x/query.sock", because: "gone", directories: [named("/mine"), session])
        #expect(!failure.message.contains("RERENDER_RUNTIME_DIR"))
    }

    @Test("come after the command that switches Rerender on again, in the directory that keeps it off")
    func off() throws {
        let other = try TemporaryDirectory()
        try Data().write(to: URL(filePath: other.path + "/off"))
        let keeping = RuntimeDirectory(path: other.path, origin: .xdg)
        let failure = ToolFailure.noDaemon(
            at: "/mine/query.sock", because: "gone", directories: [named("/mine"), keeping])
        #expect(failure.firstLine == "no daemon answers at /mine/query.sock (gone).")
        #expect(
            failure.message.split(separator: "\n").dropFirst().prefix(3) == [
                "Rerender is switched off for this user, by \(other.path)/off.",
                "Run: RERENDER_RUNTIME_DIR=\(other.path) rerenderctl on",
                "RERENDER_RUNTIME_DIR points to a directory without a daemon. Do one of these:",
            ])
    }

    @Test("`on` in one directory says so where another one keeps programs off, and leaves that alone")
    func elsewhere() throws {
        let (mine, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let directories = [named(mine.path), RuntimeDirectory(path: other.path, origin: .xdg)]
        for directory in directories { try Data().write(to: URL(filePath: directory.path + "/off")) }
        try SwitchFile(directories[0]).switchOn()
        let keeping = try #require(SwitchState.place(among: directories))
        #expect(keeping.path == other.path && FileManager.default.fileExists(atPath: other.path + "/off"))
        #expect(
            SwitchState.notice(keeping, inUse: directories[0]) == [
                "Rerender is switched off for this user, by \(other.path)/off.",
                "Run: RERENDER_RUNTIME_DIR=\(other.path) rerenderctl on",
            ])
    }
}
