// SPDX-License-Identifier: MIT
import FoundationEssentials
import Glibc
import NIOCore
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A daemon")
struct DaemonTests {
    @Test("takes in totals and answers with them, as the same bytes as the document")
    func spine() async throws {
        let running = try await RunningDaemon.start()
        let app = try running.app()
        #expect(try app.greet() == .welcome(version: WireProtocol.version))
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
        #expect(try running.http.get("/v1/config").json(ConfigurationList.self).stores.map(\.store) == ["main"])
        let health = try running.health()
        #expect(health.connections == 1 && health.views == 1 && health.totalsReceived == 1 && health.sockets == "own")
        try await running.stop()
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

    @Test("takes in what an app sent that ended without reading a word")
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

    @Test("forgets ended processes after their time without being asked")
    func keep() async throws {
        let running = try await RunningDaemon.start { $0.keep = .milliseconds(200) }
        let app = try running.app()
        _ = try app.greet()
        try app.send(.store(), .goodbye)
        app.close()
        try await running.eventually("the end") { $0.processes.isEmpty }
        #expect(try running.health().dropped.endedProcesses == 0 && running.health().forgottenProcesses == 1)
        try await running.stop()
    }

    @Test("keeps at most so many ended processes and counts the rest")
    func maxEnded() async throws {
        let running = try await RunningDaemon.start { $0.maxEnded = 3 }
        for ticks in 1...8 {
            let app = try running.app()
            _ = try app.greet(startTicks: UInt64(ticks))
            try app.send(.store())
            app.close()
        }
        try await TestSupport.eventually("three are left") {
            try running.health().connections == 0 && running.health().endedProcesses == 3 ? () : nil
        }
        #expect(try running.health().dropped.endedProcesses == 5 && running.health().forgottenProcesses == 5)
        try await running.stop()
    }

    @Test("keeps ended processes over a clean stop, and over a crash after it")
    func persistence() async throws {
        let state = try TestFile.makeDirectory()
        let first = try await RunningDaemon.start { $0.stateDirectory = state }
        let app = try first.app()
        _ = try app.greet()
        try app.send(.store(evaluations: 9), .view(0, "Cart"), .totals(0, 5))
        app.close()
        try await first.eventually("the end") { $0.processes.first?.lost == 4 }
        let before = try first.stats().processes
        try await first.stop()
        let second = try await RunningDaemon.start({ $0.stateDirectory = state }, directory: first.directory)
        #expect(try second.stats().processes == before)
        let kept = RegistryFixture()
        let bytes = try TestFile.read(state + "/processes.state")
        try StateFile.restore(bytes, into: kept.registry, bootID: ProcessTable.bootID, now: .now())
        #expect(try kept.export().processes.map(\.lost) == [4] && kept.registry.disconnectedProcesses.isEmpty)
        try await second.stop()
        #expect(TestFile.exists(state + "/processes.state"))
    }

    @Test(
        "starts in spite of a state file that is garbage, a directory, or endless",
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

    @Test("sends commands and says what became of them")
    func commands() async throws {
        let running = try await RunningDaemon.start { $0.limits.commandTimeout = .seconds(3) }
        let willing = try running.app()
        _ = try willing.greet(startTicks: 1)
        try willing.send(.store(4, "main"))
        let silent = try running.app()
        _ = try silent.greet(startTicks: 2)
        try silent.send(.store(0, "main"))
        try await running.eventually("both") { $0.processes.count == 2 }
        guard case .hangCounts = try willing.receive() else { throw NeverHappened(description: "no counts came") }
        let http = running.http
        let body = #"{"store": "main", "hangThresholdMilliseconds": 300}"#
        let report = OnThread { try http.post("/v1/config", body).json(CommandReport.self) }
        guard case .configure(let request, let storeID, let settings) = try willing.receive() else {
            throw NeverHappened(description: "no command came")
        }
        #expect(storeID == 4 && settings == .init(hangThresholdMilliseconds: 300))
        try willing.send(.done(CommandResult(request: request, reached: 1)))
        #expect(try await report.value == CommandReport(sent: 2, confirmed: 1, reached: 1))
        silent.close()
        try await running.eventually("one") { $0.processes.filter(\.connected).count == 1 }
        let pulsed = OnThread { try http.post("/v1/pulse", #"{"key": "Cart"}"#).json(CommandReport.self) }
        guard case .pulse(let pulse, nil, "Cart") = try willing.receive() else {
            throw NeverHappened(description: "no pulse came")
        }
        try willing.send(.done(CommandResult(request: pulse, reached: 3)))
        #expect(try await pulsed.value == CommandReport(sent: 1, confirmed: 1, reached: 3))
        let shown = OnThread {
            try http.post("/v1/overlay", #"{"overlay": "hud", "on": true}"#).json(CommandReport.self)
        }
        guard case .overlay(let overlay, nil, .hud, isOn: true) = try willing.receive() else {
            throw NeverHappened(description: "no overlay came")
        }
        try willing.send(.done(CommandResult(request: overlay, reached: 1, answered: 1, shown: 2, instances: 5)))
        #expect(
            try await shown.value
                == CommandReport(sent: 1, confirmed: 1, reached: 1, answered: 1, shown: 2, instances: 5))
        try await running.stop()
    }

    @Test("streams events as lines: everything there is, then what changes")
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
                text += String(decoding: try UnixStream.receive(on: socket, within: 10), as: UTF8.self)
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

@Suite("A daemon on HTTP")
struct DaemonHTTPTests {
    @Test("answers HEAD with no body, bad HTTP and large bodies with an error in JSON")
    func edges() async throws {
        let running = try await RunningDaemon.start()
        let head = try running.http.request("HEAD", "/v1/stats")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(try running.http.request("HEAD", "/v1/health").body.isEmpty)
        let large = try running.http.request("POST", "/v1/pulse", body: [UInt8](repeating: 65, count: 20_000))
        #expect(large.status == 413)
        #expect(try large.json(QueryError.self).error.contains("16384"))
        let nonsense = try running.http.exchange(Array("nonsense\r\n\r\n".utf8))
        #expect(nonsense.status == 400)
        #expect(try nonsense.json(QueryError.self).error.contains("curl"))
        #expect(try running.http.get("/v1/stats").status == 200)
        try await running.stop()
    }

    @Test("answers several requests on one connection, in order")
    func keepAlive() async throws {
        let running = try await RunningDaemon.start()
        let request = "GET /v1/nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
        let last = "GET /v1/stats HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let socket = try UnixStream.connect(running.directory.querySocket)
        defer { close(socket) }
        try UnixStream.send(Array((request + request + last).utf8), on: socket)
        var bytes: [UInt8] = []
        while case let more = try UnixStream.receive(on: socket, within: 10), !more.isEmpty { bytes += more }
        let statuses = String(decoding: bytes, as: UTF8.self).split(separator: "HTTP/1.1 ").map { $0.prefix(3) }
        #expect(statuses == ["404", "404", "200"])
        try await running.stop()
    }

    @Test("ends an answer to HTTP/1.0 with the connection")
    func oldHTTP() async throws {
        let running = try await RunningDaemon.start()
        let answer = try running.http.exchange(Array("GET /v1/stats HTTP/1.0\r\n\r\n".utf8))
        #expect(answer.status == 200 && answer.headers["transfer-encoding"] == nil)
        #expect(try answer.json(StatsExport.self).version == 1)
        try await running.stop()
    }

    @Test("cuts off clients that send no request")
    func silent() async throws {
        let running = try await RunningDaemon.start { $0.limits.requestTimeout = .milliseconds(100) }
        let silent = try UnixStream.connect(running.directory.querySocket)
        defer { close(silent) }
        #expect(try UnixStream.receive(on: silent, within: 10).isEmpty)
        let half = try UnixStream.connect(running.directory.querySocket)
        defer { close(half) }
        // On a slow machine it may be cut off before that.
        try? UnixStream.send(Array("GET /v1/st".utf8), on: half)
        #expect(try UnixStream.receive(on: half, within: 10).isEmpty)
        try await running.stop()
    }

    @Test("cuts off clients that take no answer")
    func stalled() async throws {
        let running = try await RunningDaemon.start { $0.limits.stalledTimeout = .milliseconds(300) }
        let app = try running.app()
        _ = try app.greet()
        try app.send(.store())
        try app.send((0..<5_000).flatMap { [.view(UInt32($0), "v\($0)"), .totals(UInt32($0), 1)] })
        try await TestSupport.eventually("the views") { (try? running.health())?.totalsReceived == 5_000 ? () : nil }
        let stalled = try UnixStream.connect(running.directory.querySocket)
        defer { close(stalled) }
        try UnixStream.send(Array("GET /v1/stats HTTP/1.1\r\nHost: x\r\n\r\n".utf8), on: stalled)
        // Nothing is read; the kernel tells when the other side closes.
        try await TestSupport.eventually("the end of the connection") {
            var hangup = pollfd(fd: stalled, events: 0, revents: 0)
            return poll(&hangup, 1, 0) == 1 && hangup.revents & Int16(POLLHUP) != 0 ? () : nil
        }
        try await running.stop()
    }

    @Test("refuses readers of events over their limit, and closes what is idle for who asks")
    func limits() async throws {
        let running = try await RunningDaemon.start {
            $0.limits.eventReaders = 1
            $0.limits.queryConnections = 2
        }
        let reader = try UnixStream.connect(running.directory.querySocket)
        try UnixStream.send(Array("GET /v1/events HTTP/1.1\r\n\r\n".utf8), on: reader)
        _ = try UnixStream.receive(on: reader, within: 10)
        #expect(try running.http.get("/v1/events").status == 503)
        // Of two connections, one reads events and one asks for nothing: the third takes the place of the latter.
        let idle = try UnixStream.connect(running.directory.querySocket)
        defer { close(idle) }
        #expect(try running.health().dropped.connections == 1)
        #expect(try UnixStream.receive(on: idle, within: 10).isEmpty)
        close(reader)
        let served = try await TestSupport.eventually("room") { try? running.health() }
        #expect(served.dropped.connections == 1)
        try await running.stop()
    }
}
