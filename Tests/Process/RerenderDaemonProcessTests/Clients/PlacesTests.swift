// SPDX-License-Identifier: MIT
import Glibc
import NIOCore
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("Places for clients")
struct PlacesTests {
    private let stats = "GET /v1/stats HTTP/1.1\r\nHost: x\r\n\r\n"

    /// An app with so many views that an export of it fills every buffer on the way.
    private func fill(_ app: FakeApp, _ views: Int) throws {
        _ = try app.greet()
        try app.send(.store())
        try app.send((0..<views).flatMap { [.view(UInt32($0), "v\($0)"), .totals(UInt32($0), 1)] })
    }

    @Test("of short answers are there, however many clients do not read long ones or ask for nothing", .promise)
    func shortAnswers() async throws {
        let daemon = try await DaemonProcess()
        let app = try FakeApp(daemon.pushSocket)
        try fill(app, 5_000)
        try await eventually("the views") {
            try daemon.http.get("/v1/health").json(HealthReport.self).totalsReceived == 5_000 ? () : nil
        }
        let stalled = try (0..<8).map { _ in
            let socket = try UnixStream.connect(daemon.directory + "/query.sock")
            try UnixStream.send(Array(stats.utf8), on: socket)
            return socket
        }
        let idle = try (0..<64).map { _ in try UnixStream.connect(daemon.directory + "/query.sock") }
        defer { for socket in stalled + idle { close(socket) } }
        for path in ["/v1/stats?limit=50", "/v1/hangs", "/v1/processes", "/v1/health"] {
            #expect(try daemon.http.get(path).status == 200, "\(path)")
        }
        #expect(try daemon.http.get("/v1/health").json(HealthReport.self).dropped.connections > 0, "it is counted")
    }

    @Test("of long answers pass from a client that does not read to one that does")
    func longAnswers() async throws {
        let running = try await RunningDaemon.start { $0.limits.yieldTime = .zero }
        let app = try running.app()
        try fill(app, 5_000)
        try await eventually("the views") { try running.health().totalsReceived == 5_000 ? () : nil }
        let stalled = try (0..<4).map { _ in
            let socket = try UnixStream.connect(running.directory.querySocket)
            try UnixStream.send(Array(stats.utf8), on: socket)
            _ = try UnixStream.receive(on: socket, within: WaitLimit.seconds, limit: 100)
            return socket
        }
        defer { for socket in stalled { close(socket) } }
        let answer = try running.http.get("/v1/stats")
        #expect(answer.status == 200)
        #expect(try answer.json(StatsExport.self).processes[0].views.count == 5_000)
        try await running.stop()
    }
}
