// SPDX-License-Identifier: MIT
// The user's switch in a running process, with daemons that do not do what they should, and with a main loop.

import Foundation
import Glibc
@testable import Rerender
import RerenderWire
import TestSupport
import TestTraits
import Testing

@Suite("The user's switch in an app")
struct UserSwitchTests {
    private func switchOff(_ directory: TemporaryDirectory) throws {
        try Data().write(to: URL(filePath: directory.url.path + "/off"))
    }

    /// Whether the library waits until its socket takes more, by what its epoll(7) watches for.
    private func waitsForRoom(_ pid: Int32) throws -> Bool {
        let tasks = "/proc/\(pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).contains { task in
            // A thread may end meanwhile, and a file be closed.
            guard let name = try? TestFile.text("\(tasks)/\(task)/comm"), ThreadRest.isOurs(name),
                let files = try? FileManager.default.contentsOfDirectory(atPath: "\(tasks)/\(task)/fdinfo")
            else { return false }
            return files.contains { file in
                let lines = (try? TestFile.text("\(tasks)/\(task)/fdinfo/\(file)"))?.split(separator: "\n") ?? []
                return lines.contains { line in
                    // tfd: 5 events: 40000005 data: …
                    let words = line.split(separator: " ")
                    guard words.first == "tfd:", words.count > 3 else { return false }
                    return UInt32(words[3], radix: 16).map { $0 & UInt32(POLLOUT) != 0 } == true
                }
            }
        }
    }

    @Test("a program that counts sees the file by itself, says goodbye with exact totals, and asks no more", .promise)
    func goodbye() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp()
        _ = try await app.nextLine()
        let connection = try await daemon.accept()
        #expect(try await app.ask("spin") == "spinning")
        try await LibraryThreads.waitUntilBegun(app.processID)
        try switchOff(directory)
        let messages = try #require(try await connection.messages { $0.contains { $0 == .goodbye } })
        // Off, and with the same sum in the stores' own numbers as in those of their views.
        var stores: [UInt32: StoreState] = [:]
        for case .store(let state) in messages { stores[state.storeID] = state }
        #expect(stores.count == 3 && stores.values.allSatisfy { !$0.enabled })
        #expect(stores.values.reduce(0) { $0 + $1.evaluations } == LatestTotals(messages).sum)
        #expect(try await connection.waitForClose())
        try await LibraryThreads.waitUntilLeft(app.processID)
        #expect(try await app.ask("") == "done")
        #expect(await app.finish().exit == .status(0))
        #expect(!daemon.hasWaitingConnection)
    }

    @Test("a daemon that reads nothing keeps no thread alive")
    func unread() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp()
        _ = try await app.nextLine()
        let connection = try await daemon.accept()
        #expect(try await app.ask("spin") == "spinning")
        // There is news all the time, until the socket takes no more.
        try await eventually("a full socket", seen: { connection.waitingBytes }) {
            try waitsForRoom(app.processID) ? () : nil
        }
        try await LibraryThreads.waitUntilBegun(app.processID)
        try switchOff(directory)
        try await LibraryThreads.waitUntilLeft(app.processID)
        #expect(try await app.ask("") == "done")
        #expect(await app.finish().exit == .status(0))
        withExtendedLifetime(connection) {}
    }

    @Test(
        "a main loop runs on, its turns are not seen, and it has what a program has that was never counted",
        arguments: hasGLib ? ["glib", "cfrunloop"] : ["cfrunloop"])
    func loop(_ mode: String) async throws {
        let directory = try TemporaryDirectory()
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(program: ChildProcess.product("loops"), arguments: [mode, "ticking"])
        #expect(try await app.nextLine() == "ready")
        let connection = try await daemon.accept()
        _ = try await connection.messages { $0.contains { $0.storeState?.mainLoop.rawValue == mode } }
        let counted = try await ticks(of: app, beyond: LoopWords(try await app.ask("state")))
        try await LibraryThreads.waitUntilBegun(app.processID)
        try switchOff(directory)
        // As `rerenderctl off` does: any message makes the app look.
        connection.send(.lookForLoops)
        try await LibraryThreads.waitUntilLeft(app.processID)
        let before = LoopWords(try await app.ask("state"))
        #expect(before["turns"] != "0")
        let after = try await ticks(of: app, beyond: before)
        #expect(after["turns"] == before["turns"])
        app.kill(SIGKILL)
        // A poll function or observers of ours, without a word that is left.
        let uncounted = try directory.startApp(
            ["RERENDER": "0"], program: ChildProcess.product("loops"), arguments: [mode, "ticking"])
        #expect(try await uncounted.nextLine() == "ready")
        let never = try await ticks(of: uncounted, beyond: LoopWords(try await uncounted.ask("state")))
        #expect(after["hooks"] == never["hooks"] && counted["hooks"] != never["hooks"], "\(counted) \(after) \(never)")
        uncounted.kill(SIGKILL)
    }

    /// Waits until the loop has ticked fifty times more.
    private func ticks(of app: ChildProcess, beyond words: LoopWords) async throws -> LoopWords {
        let before = try #require(Int(words["ticks"]))
        return try await eventually("ticks") {
            let words = LoopWords(try await app.ask("state"))
            return (Int(words["ticks"]) ?? 0) > before + 50 ? words : nil
        }
    }

    @Test("a fork after it is off as well, and a new evaluation starts nothing")
    func forked() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp()
        _ = try await app.nextLine()
        try await LibraryThreads.waitUntilBegun(app.processID)
        try switchOff(directory)
        try await LibraryThreads.waitUntilLeft(app.processID)
        #expect(try await app.ask("fork 10") == "exited")
        #expect(try await app.ask("run 10") == "done")
        #expect(Truth(try await app.ask("counts")).sum == 11)
        try await LibraryThreads.waitUntilLeft(app.processID)
        #expect(await app.finish().exit == .status(0))
    }
}
