// SPDX-License-Identifier: MIT
// Descriptors: the library's own are none of its host's, and it takes none of the host's few.

import Foundation
import RerenderWire
import TestSupport
import TestTraits
import Testing

@Suite("The host's descriptors")
struct HostDescriptorTests {

    /// Keeps LTTng out, whose descriptors are in the host's table: what is in its place cannot be loaded.
    private func withoutLTTng(_ directory: TemporaryDirectory) throws -> [String: String] {
        try Data("none".utf8).write(to: directory.url.appending(path: "liblttng-ust.so.1"))
        return ["LD_LIBRARY_PATH": directory.url.path]
    }

    /// The host closes what it does not know and opens files, pipes and sockets, which get the numbers that became free.
    private func closeAll(in app: ChildProcess, _ directory: TemporaryDirectory) async throws {
        #expect(try await app.ask("close \(directory.url.path)") == "closed")
    }

    /// Everything that the library does with descriptors: it sends, is asked, reads files of symbols, and looks at threads.
    private func exercise(_ app: ChildProcess) async throws {
        for order in ["run 1000", "cascade 20", "stores 3", "nest 2", "parent", "reset", "run 1000"] {
            #expect(try await app.ask(order) == "done")
        }
        #expect(UInt(try await app.ask("write 20")) != nil)
        #expect(try await app.ask("fork 10") == "exited")
    }

    /// Whether libdispatch has written to the event of the main queue, which this program never serves.
    private func isPinged(_ process: Int32) throws -> Bool {
        let directory = "/proc/\(process)/fdinfo"
        return try FileManager.default.contentsOfDirectory(atPath: directory).contains { file in
            // A descriptor may be closed meanwhile.
            let text = (try? String(contentsOfFile: "\(directory)/\(file)", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("eventfd-count:") }
            let count = line?.split(whereSeparator: \.isWhitespace).last
            return count.flatMap { Int($0, radix: 16) } ?? 0 > 0
        }
    }

    @Test("stay as they are after the host has closed all that it does not know, and every count arrives", .promise)
    func closed() async throws {
        let files = try TemporaryDirectory()
        try await withApp(withoutLTTng(files)) { app, daemon in
            try await app.ask("run 100")
            let connection = try await daemon.accept()
            _ = try await connection.messages { LatestTotals($0).sum == 100 }
            // A ping is libdispatch's write to its own descriptor: it must not be under way while that is closed.
            try await eventually("the one ping of the main queue") { try isPinged(app.processID) ? () : nil }
            try await closeAll(in: app, files)
            try await exercise(app)
            let truth = Truth(try await app.ask("counts"))
            #expect(try await connection.messages { LatestTotals($0).sum >= 1_000 } != nil)
            #expect(try await app.ask("look") == "intact")
            try await app.ask("run 500")
            #expect(Truth(try await app.ask("counts")).sum == truth.sum + 500)
            #expect(try await connection.messages { LatestTotals($0).sum >= 500 } != nil)
            #expect(try await app.ask("look") == "intact")
        }
    }

    @Test("stay as they are where a daemon comes after that, goes, and comes again")
    func closedBefore() async throws {
        let (directory, files) = (try TemporaryDirectory(), try TemporaryDirectory())
        let app = try directory.startApp(withoutLTTng(files))
        #expect(try await app.nextLine() == "ready")
        try await app.ask("run 100")
        try await closeAll(in: app, files)
        for round in 1...2 {
            let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
            try await app.ask("run 50")
            let connection = try await daemon.accept()
            let sum = 100 + UInt64(round) * 50
            #expect(try await connection.messages { LatestTotals($0).sum == sum } != nil)
            #expect(try await app.ask("look") == "intact")
        }
        #expect(await app.finish().exit == .status(0))
    }

    /// What the threads of that name have open.
    private func links(of thread: String, in process: Int32) throws -> Set<String> {
        let tasks = "/proc/\(process)/task"
        var links: Set<String> = []
        for task in try FileManager.default.contentsOfDirectory(atPath: tasks) {
            // A thread may end meanwhile, and a file be closed.
            guard let name = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8),
                name == thread + "\n",
                let files = try? FileManager.default.contentsOfDirectory(atPath: "\(tasks)/\(task)/fd")
            else { continue }
            links.formUnion(
                files.compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "\(tasks)/\(task)/fd/\($0)")
                }
            )
        }
        return links
    }

    @Test("none of the library's sockets, watches and pages is in the host's table", .promise)
    func table() async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp()
        #expect(try await app.nextLine() == "ready")
        try await app.ask("run 100")
        func isOwn(_ link: String) -> Bool { link.contains("inotify") || link.hasPrefix(directory.url.path) }
        // Without a daemon, it watches for one.
        try await eventually("a watch in the library's table") {
            try links(of: "rerender-files", in: app.processID).contains(where: isOwn) ? () : nil
        }
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let connection = try await daemon.accept()
        _ = try await connection.messages { LatestTotals($0).sum == 100 }
        let sockets = try links(of: "rerender-files", in: app.processID).filter { $0.hasPrefix("socket:[") }
        #expect(!sockets.isEmpty)
        for thread in ["counting", "rerender-uplink"] {
            let links = try links(of: thread, in: app.processID)
            #expect(!links.isEmpty && links.isDisjoint(with: sockets) && !links.contains(where: isOwn), "\(links)")
        }
    }

    @Test("a signal that the host sends itself is its own, each time", .promise)
    func urgentSignals() async throws {
        try await withApp { app, daemon in
            try await app.ask("run 100")
            let connection = try await daemon.accept()
            _ = try await connection.messages { LatestTotals($0).sum == 100 }
            #expect(try await app.ask("urgent 1000") == "1000")
        }
    }

    @Test(
        "where the kernel gives no table of our own, the host is counted and nothing is sent",
        .enabled(if: Fixture.hasC, "needs a C compiler"))
    func refused() async throws {
        let directory = try TemporaryDirectory()
        let filter = try await Fixture.made("c/without_call")
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let app = try directory.startApp(under: [filter, "close_range"])
        #expect(try await app.nextLine() == "ready")
        try await exercise(app)
        let truth = Truth(try await app.ask("counts"))
        #expect(truth.sum > 2_000)
        #expect(HeldPage.paths(of: app.processID).isEmpty)
        #expect(await app.finish().exit == .status(0))
        #expect(!daemon.hasWaitingConnection)
        // Without the filter, the daemon hears of an app.
        let heard = try directory.startApp()
        #expect(try await heard.nextLine() == "ready")
        try await heard.ask("run 100")
        let messages = try #require(try await daemon.accept().messages { LatestTotals($0).sum == 100 })
        #expect(LatestTotals(messages).sum == 100)
    }

    @Test(
        "the few that a host may have are all its own", .promise,
        .enabled(if: hasPrlimit, "needs prlimit"), arguments: 4...16)
    func limited(count: Int) async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp(
            LTTngSocket.alone(in: directory.path), under: prlimit("--nofile=\(count)"))
        #expect(try await app.nextLine() == "ready")
        for order in ["run 100", "stores 3", "cascade 20"] { #expect(try await app.ask(order) == "done") }
        #expect(Truth(try await app.ask("counts")).sum >= 100)
        #expect(await app.finish().exit == .status(0))
    }

    @Test(
        "where none is left, no loop of GLib's and no main queue is asked for, which would end the host; both are later",
        .promise,
        .enabled(if: hasPrlimit, "needs prlimit"), arguments: [[], ["load libglib-2.0.so.0"]])
    func full(first: [String]) async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp(under: prlimit("--nofile=64"), arguments: first + ["fill"])
        for _ in first { _ = try await app.nextLine() }
        #expect(Int(try await app.nextLine()) ?? 0 > 32)
        #expect(try await app.nextLine() == "ready")
        try await app.ask("run 100")
        // Now a loop is looked for, and the main queue is to be pinged.
        let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
        let connection = try await daemon.accept()
        #expect(try await connection.messages { LatestTotals($0).sum == 100 } != nil)
        // What it sends next, it sends after it has asked for the queue.
        for _ in 0..<3 {
            connection.send(.lookForLoops)
            try await app.ask("run 100")
            #expect(try await connection.messages { !LatestTotals($0).counts.isEmpty } != nil)
        }
        #expect(Truth(try await app.ask("counts")).sum == 400)
        #expect(await app.finish().exit == .status(0))
    }

    @Test(
        "a host that may write no file, or only a small one, is counted and is not ended by a signal", .promise,
        .enabled(if: hasPrlimit, "needs prlimit"), arguments: [0, 1, 8_192])
    func fileSizeIsLimited(bytes: Int) async throws {
        let directory = try TemporaryDirectory()
        let app = try directory.startApp(
            LTTngSocket.alone(in: directory.path), under: prlimit("--fsize=\(bytes)"))
        #expect(try await app.nextLine() == "ready")
        #expect(try await app.ask("run 100") == "done")
        #expect(Truth(try await app.ask("counts")).sum == 100)
        #expect(await app.finish().exit == .status(0))
    }
}
