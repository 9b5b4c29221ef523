// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A daemon")
struct DaemonTests {
    @Test("takes in totals and answers with them, as the same bytes as the document", .promise)
    func spine() async throws {
        let running = try await RunningDaemon.start()
        let app = try running.app()
        #expect(try app.greet() == .welcome(version: WireProtocol.version, copy: 0))
        try app.send(.store(evaluations: 5), .view(0, "Cart"), .reason(0, "initial"), .totals(0, 5, reasons: [0: 5]))
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 5 }
        let answer = try running.http.get("/v1/stats")
        #expect(answer.headers["content-type"] == "application/json")
        // Short enough for one piece.
        #expect(answer.headers["content-length"] == "\(answer.body.count)")
        let document = try answer.json(StatsExport.self)
        #expect(try Array(document.json()) + [0x0A] == answer.body)
        #expect(document.processes.map(\.pid) == [getpid()])
        #expect(try running.http.get("/v1/processes").json(ProcessList.self).processes.map(\.evaluations) == [5])
        let health = try running.health()
        #expect(health.connections == 1 && health.views == 1 && health.totalsReceived == 1 && health.sockets == "own")
        try await running.stop()
    }

    @Test("makes its sockets anew where one of them is gone, or their directory", arguments: [false, true])
    func removed(all: Bool) async throws {
        let running = try await RunningDaemon.start()
        let (path, push) = (running.directory.path, running.directory.pushSocket)
        let app = try running.app()
        _ = try app.greet()
        try app.send(.store(evaluations: 9), .view(0, "Cart"), .totals(0, 9))
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 9 }
        try #require(all ? rename(path, path + "-old") == 0 : unlink(push) == 0)
        try await eventually("the sockets") {
            TestFile.exists(push) && (try? running.health().connections) == 1 ? () : nil
        }
        #expect(try running.stats().processes.first?.evaluations == 9)
        try await running.stop()
        // What the daemon removes itself is no reason.
        #expect(running.log.lines.count { $0.contains("the sockets are gone") } == 1, "\(running.log.lines)")
    }

    @Test("ends where another daemon has its directory")
    func replaced() async throws {
        let (own, other) = (try TestFile.makeDirectory(), try TestFile.makeDirectory() + "/daemon")
        let link = own + "/link"
        try #require(mkdir(other, 0o700) == 0 && symlink(own, link) == 0)
        let held = open(other, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(held) }
        try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
        let running = try await RunningDaemon.start(directory: RuntimeDirectory(path: link + "/daemon"))
        // The way to the directory leads to the other one at once. Nothing happens in the daemon's own before that.
        let (new, sockets) = (own + "/new", own + "/daemon")
        try #require(symlink(PathName.directory(of: other), new) == 0 && rename(new, link) == 0)
        try #require(unlink(sockets + "/push.sock") == 0)
        try await eventually("the end", seen: { running.log.lines }) {
            running.log.lines.contains { $0.contains("cannot make the sockets anew") } ? () : nil
        }
        try await running.stop()
        #expect(!TestFile.exists(other + "/push.sock"), "\(running.log.lines)")
    }

    @Test("hands its own process the values that its socket has as JSON, and as lines for who takes lines")
    func values() async throws {
        let running = try await RunningDaemon.start()
        let app = try running.app()
        _ = try app.greet()
        try app.send(.store(evaluations: 9), .view(0, "Cart"), .view(1, "Row"), .totals(0, 5), .totals(1, 4))
        try await running.eventually("the totals") { $0.processes.first?.views.count == 2 }
        let (daemon, document) = (running.daemon, try running.stats())
        #expect(try await daemon.export(StatsQuery()).processes == document.processes)
        #expect(try await daemon.export(StatsQuery(.key, limit: 1)).matchingViews == 2)
        #expect(try await daemon.processes().map(\.evaluations) == [9])
        #expect(try await daemon.hangs(HangsQuery()).hangs.isEmpty)
        #expect(try await daemon.health().views == 2)
        let socket = try UnixStream.connect(running.directory.querySocket)
        defer { close(socket) }
        let request = "GET /v1/stats HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nConnection: close\r\n\r\n"
        try UnixStream.send(Array(request.utf8), on: socket)
        var (bytes, isOver) = ([UInt8](), false)
        while !isOver {
            let piece = try UnixStream.receive(on: socket, within: WaitLimit.seconds)
            bytes += piece
            isOver = piece.isEmpty
        }
        let answer = try UnixHTTP.parse(bytes)
        #expect(answer.headers["content-type"] == "application/x-ndjson")
        let lines = try answer.body.split(separator: 0x0A).map {
            try JSONDecoder().decode(ExportLine.self, from: Data($0))
        }
        #expect(lines.map { $0.process?.pid } == [nil, getpid(), nil, nil] && lines[0].export?.processes == [])
        #expect(lines.map(\.view?.key) == [nil, nil, "Cart", "Row"])
        try await running.stop()
        await #expect(throws: DaemonError.stopped) { try await daemon.health() }
    }

    @Test("stops in order where its task is cancelled, and at once where it was to stop before it ran")
    func ends() async throws {
        let running = try await RunningDaemon.start()
        try await running.cancel()
        #expect(running.log.lines.last?.hasSuffix("stopped\n") == true, "\(running.log.lines)")
        let log = CapturedLog()
        let directory = RuntimeDirectory(path: try TestFile.makeDirectory())
        let daemon = Daemon(configuration: DaemonConfiguration(runtimeDirectory: directory), log: log.logger)
        daemon.stop()
        try await daemon.run()
        #expect(log.lines.last?.hasSuffix("stopped\n") == true, "\(log.lines)")
    }

    @Test("takes in what an app sent that ended without reading a word", .promise)
    func exitAtOnce() async throws {
        let running = try await RunningDaemon.start()
        for round in 1...20 {
            let app = try running.app()
            try app.hello(startTicks: UInt64(round))
            try app.send(.store(evaluations: 5), .view(0, "Cart"), .totals(0, 5), .goodbye)
            app.close()
        }
        try await running.eventually("all of them") {
            $0.processes.count == 20 && $0.processes.allSatisfy { !$0.connected }
        }
        #expect(try running.stats().processes.allSatisfy { $0.views.map(\.count) == [5] && $0.lost == 0 })
        try await running.stop()
    }

    @Test("shows a living process that lost its connection as such, and its return as the same")
    func disconnected() async throws {
        let running = try await RunningDaemon.start()
        let ticks = TestFile.startTicks(of: getpid())
        let app = try running.app()
        _ = try app.greet(startTicks: ticks)
        try app.send(.store(evaluations: 9), .view(0, "Cart"), .totals(0, 5))
        try await running.eventually("the totals") { $0.processes.first?.views.first?.count == 5 }
        app.close()
        try await running.eventually("the loss of the connection") { $0.processes.first?.connected == false }
        let process = try #require(try running.stats().processes.first)
        #expect(process.lost == 0 && process.evaluations == 9, "it is not dead")
        #expect(try running.health().endedProcesses == 0)
        let again = try running.app()
        _ = try again.greet(startTicks: ticks)
        try again.send(.store(evaluations: 10), .view(0, "Cart"), .totals(0, 10))
        try await running.eventually("the return") {
            $0.processes.map(\.evaluations) == [10] && $0.processes[0].connected
        }
        try await running.stop()
    }

    @Test(
        "starts in spite of a state file that is garbage, a directory, or endless", .promise,
        arguments: ["garbage", "directory", "link"])
    func hostileState(kind: String) async throws {
        let state = try TestFile.makeDirectory()
        let file = state + "/processes.state"
        switch kind {
        case "garbage": try TestFile.write(Array("garbage, and much of it".utf8), to: file)
        case "directory": mkdir(file, 0o700)
        default: symlink("/dev/zero", file)
        }
        let running = try await RunningDaemon.start { $0.stateDirectory = state }
        #expect(try running.stats().processes.isEmpty)
        #expect(try running.health().dropped.endedProcesses == 1)
        #expect(running.log.lines.contains { $0.hasPrefix("<3>cannot read the saved state; starting without it") })
        try await running.stop()
    }

    @Test("streams events as lines: everything there is, then what changes", .promise)
    func events() async throws {
        let running = try await RunningDaemon.start()
        let app = try running.app()
        _ = try app.greet()
        try app.send(.store(), .view(0, "Cart"), .totals(0, 1))
        try await running.eventually("the totals") { $0.processes.first?.views.count == 1 }
        let socket = try UnixStream.connect(running.directory.querySocket)
        defer { close(socket) }
        try UnixStream.send(Array("GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n".utf8), on: socket)
        var text = ""
        func read(until word: String) throws {
            while !text.contains(word) {
                text += String(decoding: try UnixStream.receive(on: socket, within: WaitLimit.seconds), as: UTF8.self)
            }
        }
        try read(until: #""event":"view""#)
        #expect(text.contains("application/x-ndjson") && text.contains(#""event":"connected""#))
        try app.send(.totals(0, 77))
        try read(until: #""count":77"#)
        app.close()
        try read(until: #""event":"disconnected""#)
        try await running.stop()
    }
}
