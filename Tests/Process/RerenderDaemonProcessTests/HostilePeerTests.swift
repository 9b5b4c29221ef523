// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("A daemon among hostile peers", .serialized)
struct HostilePeerTests {
    /// A well-behaved app that is connected all the while.
    private func witness(_ running: RunningDaemon) throws -> FakeApp {
        let app = try running.app()
        _ = try app.greet(name: "witness", startTicks: 4_000)
        try app.send(.store(), .view(0, "Cart"), .totals(0, 1))
        return app
    }

    /// Whether the witness is still served.
    private func expectServed(_ witness: FakeApp, _ running: RunningDaemon, count: UInt64) async throws {
        try witness.send(.totals(0, count))
        // Others may have all places for readers of events.
        try await eventually("the witness is served", seen: { try running.stats().processes }) {
            let isServed = try running.stats().processes.contains {
                $0.name == "witness" && $0.connected && $0.views.map(\.count) == [count]
            }
            return isServed ? () : nil
        }
    }

    @Test(
        "closes connections that send garbage or too much, counts them, and serves the others", .promise,
        arguments: [
            Array("GET / HTTP/1.1\r\n\r\n".utf8), [0xFF, 0xFF, 0xFF, 0xFF], [3, 0, 0, 0, 9, 0, 0], [1, 0, 0, 0, 1],
            [UInt8](repeating: 0xAA, count: 100_000),
        ])
    func garbage(bytes: [UInt8]) async throws {
        let running = try await RunningDaemon.start()
        let witness = try witness(running)
        let hostile = try running.app()
        try? hostile.send(bytes: bytes)
        try hostile.waitForEnd()
        #expect(try running.health().dropped.malformed == 1)
        try await expectServed(witness, running, count: 9)
        try await running.stop()
    }

    @Test("refuses another version with both numbers and counts it", .promise)
    func version() async throws {
        let running = try await RunningDaemon.start()
        let app = try running.app()
        var hello = Hello(pid: 1, startTicks: 1, processName: "old")
        hello.version = 9
        try app.send(.hello(hello))
        guard case .refusal(let refusal) = try app.receive() else { throw NeverHappened(description: "no refusal") }
        #expect(refusal.daemonVersion == WireProtocol.version && refusal.appVersion == 9)
        #expect(refusal.text.contains("9") && refusal.text.contains("build both"))
        try app.waitForEnd()
        #expect(try running.health().dropped.versions == 1)
        #expect(try running.health().dropped.malformed == 0)
        try await running.stop()
    }

    @Test("refuses connections over the limit, counts them, and serves those it has")
    func limit() async throws {
        let running = try await RunningDaemon.start { $0.limits.connections = 8 }
        let witness = try witness(running)
        var apps: [FakeApp] = []
        for ticks in 0..<7 {
            apps.append(try running.app())
            _ = try apps[ticks].greet(startTicks: UInt64(100 + ticks))
        }
        let over = try running.app()
        try over.waitForEnd()
        #expect(try running.health().dropped.connections == 1)
        try await expectServed(witness, running, count: 2)
        apps.removeFirst().close()
        try await TestSupport.eventually("room") {
            guard let app = try? running.app() else { return nil as Void? }
            return (try? app.greet(startTicks: 500)) == .welcome(version: WireProtocol.version, copy: 0) ? () : nil
        }
        try await running.stop()
    }

    @Test("survives 10,000 connections", .timeLimit(.minutes(15)))
    func flood() async throws {
        let daemon = try await DaemonProcess()
        let witness = try FakeApp(daemon.pushSocket)
        _ = try witness.greet(name: "witness")
        try witness.send(.store(), .view(0, "Cart"), .totals(0, 1))
        // 900 of them stay open, the others come and go; the daemon must cope with each.
        let crowd = try ChildProcess([
            ChildProcess.product("daemon-lab"), "wire", "crowd", daemon.pushSocket, "10000", "900",
        ])
        #expect(try await crowd.nextLine() == "ready 0")
        try witness.send(.totals(0, 77))
        try await TestSupport.eventually("the witness is served") {
            let export = try daemon.http.get("/v1/stats").json(StatsExport.self)
            return export.processes.contains { $0.views.map(\.count) == [77] } ? () : nil
        }
        #expect(await crowd.finish().succeeded)
        let files = "/proc/\(daemon.process.pid)/fd"
        try await TestSupport.eventually("the daemon has closed them") {
            try FileManager.default.contentsOfDirectory(atPath: files).count < 100 ? () : nil
        }
        #expect(try daemon.http.get("/v1/health").json(HealthReport.self).connections == 1)
        daemon.process.send(SIGTERM)
        #expect(try await daemon.process.wait() == 0)
    }

    @Test("is not hurt by 1,356 connections that stay, and refuses those over the limit")
    func crowd() async throws {
        let daemon = try await DaemonProcess()
        let witness = try FakeApp(daemon.pushSocket)
        _ = try witness.greet(name: "witness")
        let crowd = try ChildProcess([
            ChildProcess.product("daemon-lab"), "wire", "crowd", daemon.pushSocket, "1356", "1356",
        ])
        #expect(try await crowd.nextLine() == "ready 0")
        try await TestSupport.eventually("refusals") {
            try daemon.http.get("/v1/health").json(HealthReport.self).dropped.connections == 77 ? () : nil
        }
        try witness.send(.store(), .view(0, "Cart"), .totals(0, 7))
        try await TestSupport.eventually("the witness is served") {
            let export = try daemon.http.get("/v1/stats").json(StatsExport.self)
            return export.processes.map(\.evaluations) == [7] ? () : nil
        }
        let lines = daemon.process.output.split(separator: "\n").filter { $0.contains("refused") }
        #expect((1...11).contains(lines.count), "what a peer can cause does not fill the log")
    }

    @Test("serves on when its files run out, and again when there are some")
    func outOfFiles() async throws {
        let directory = try TestFile.makeDirectory()
        let process = try PlainChild(
            "/bin/sh",
            ["-c", "ulimit -n 64; exec \(ChildProcess.product("rerenderd")) --foreground --runtime-dir \(directory)"])
        try await process.waitFor(" ready ")
        let witness = try FakeApp(directory + "/push.sock")
        _ = try witness.greet(name: "witness")
        var open: [CInt] = []
        for _ in 0..<200 { open.append(try UnixStream.connect(directory + "/push.sock")) }
        try witness.send(.store(), .view(0, "Cart"), .totals(0, 5))
        for socket in open { close(socket) }
        let http = UnixHTTP(directory + "/query.sock")
        try await TestSupport.eventually("an answer") {
            let export = try? http.get("/v1/stats").json(StatsExport.self)
            return export?.processes.map(\.evaluations) == [5] ? () : nil
        }
        #expect(process.output.contains("LimitNOFILE"))
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
    }

    @Test("refuses other users and counts them", .promise, .enabled(if: getuid() == 0, "only root can be another user"))
    func foreignUser() async throws {
        let daemon = try await DaemonProcess()
        // The directory keeps others out; open it, so that the check of the connection is what is tested.
        chmod(daemon.directory, 0o711)
        chmod(daemon.pushSocket, 0o666)
        chmod(daemon.directory + "/query.sock", 0o666)
        // A copy where another user can get at it.
        let program = daemon.directory + "/daemon-lab"
        try await ChildProcess.copyProgram(ChildProcess.product("daemon-lab"), to: program)
        for name in ["push.sock", "query.sock"] {
            let stranger = try PlainChild(
                "/usr/bin/setpriv",
                [
                    "--reuid=65534", "--regid=65534", "--clear-groups", program, "wire", "refused",
                    daemon.directory + "/" + name,
                ])
            #expect(try await stranger.wait() == 0, "\(stranger.output)")
        }
        #expect(try daemon.http.get("/v1/health").json(HealthReport.self).dropped.foreignPeers == 2)
        #expect(daemon.process.output.contains("user 65534"))
    }

    @Test("never lets a client that does not read grow its memory, and serves the others")
    func neverReads() async throws {
        let daemon = try await DaemonProcess()
        let app = try FakeApp(daemon.pushSocket)
        _ = try app.greet()
        try app.send(.store())
        try app.send((0..<20_000).map { .view(UInt32($0), "View number \($0) of many") })
        try app.send((0..<20_000).map { .totals(UInt32($0), 1) })
        try await TestSupport.eventually("the views") {
            try daemon.http.get("/v1/health").json(HealthReport.self).totalsReceived == 20_000 ? () : nil
        }
        let before = try residentKilobytes(of: daemon.process.pid)
        let requests = ["/v1/stats", "/v1/stats", "/v1/stats", "/v1/events", "/v1/events", "/v1/events"]
        let sockets = try requests.map { path in
            let socket = try UnixStream.connect(daemon.directory + "/query.sock")
            try UnixStream.send(Array("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), on: socket)
            return socket
        }
        defer { for socket in sockets { close(socket) } }
        for round in UInt64(2)...12 {
            try app.send((0..<20_000).map { .totals(UInt32($0), round) })
            try await TestSupport.eventually("the others are served") {
                let export = try daemon.http.get("/v1/stats?limit=1").json(StatsExport.self)
                return export.processes[0].views.map(\.count) == [round] ? () : nil
            }
        }
        let grown = try residentKilobytes(of: daemon.process.pid) - before
        // Of each export wait a piece and the order of its views; all of it would be 28 MB.
        #expect(grown < 40_000, "grew by \(grown) KB")
    }

    private func residentKilobytes(of pid: Int32) throws -> Int {
        guard let file = fopen("/proc/\(pid)/statm", "r") else { throw NeverHappened(description: "no statm") }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        fgets(&line, 256, file)
        let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
            separator: " ")
        return (Int(fields[1]) ?? 0) * 4
    }
}
