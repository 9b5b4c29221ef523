// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import RerenderModel
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

@Suite("The daemon's memory", .serialized)
struct MemoryLimitTests {
    @Test(
        "stays under the unit's limit when everything is full at once",
        .enabled(if: MemoryGroup.obstacle == nil, Comment(rawValue: MemoryGroup.obstacle ?? "")))
    func everythingFull() async throws {
        let limit = try DaemonUnit.memoryMax()
        let group = try MemoryGroup(limit: limit)
        let directory = try TestFile.makeDirectory()
        let state = try TestFile.makeDirectory()
        let daemon = ChildProcess.product("rerenderd")
        let process = try PlainChild(
            "/bin/sh",
            [
                "-c",
                "echo $$ > \(group.members) && exec \(daemon) --foreground --runtime-dir \(directory) --state-dir \(state)",
            ])
        try await process.waitFor(" ready ")
        let http = UnixHTTP(directory + "/query.sock")
        func health() throws -> HealthReport { try http.get("/v1/health").json(HealthReport.self) }

        // The registry: apps with long labels, until it takes no more.
        var apps: [FakeApp] = []
        let padding = String(repeating: "k", count: 900)
        while try health().dropped.views == 0, apps.count < 40 {
            let app = try FakeApp(directory + "/push.sock")
            _ = try app.greet(name: "app\(apps.count)", startTicks: UInt64(apps.count) + 1)
            try app.send(.store(1))
            for index in 0..<UInt32(8_000) {
                var messages = FleetView.declarations(index, key: "\(padding)\(apps.count).\(index)", app: "Fleet")
                messages.append(.totals(FleetView.totals(Int(index), count: UInt64(index) + 2, serial: 1)))
                try app.send(messages)
            }
            apps.append(app)
        }
        #expect(try health().dropped.views > 0, "the registry is full")

        // Readers that take nothing: of all, of the best, of events.
        let targets =
            Array(repeating: "/v1/stats", count: 8) + Array(repeating: "/v1/events", count: 16)
            + Array(repeating: "/v1/stats?limit=1500", count: 30)
        let readers = try targets.map { target in
            let socket = try UnixStream.connect(directory + "/query.sock")
            try UnixStream.send(Array("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n".utf8), on: socket)
            return socket
        }
        defer { for socket in readers { close(socket) } }

        // Connections that stop in the middle of the largest frame, and read nothing.
        let header: [UInt8] = withUnsafeBytes(of: UInt32(WireLimits.frameBytes).littleEndian, Array.init)
        let frame = header + [UInt8](repeating: 0, count: WireLimits.frameBytes - 1)
        let before = try health()
        var halves: [CInt] = []
        defer { for socket in halves { close(socket) } }
        for _ in 0..<400 {
            let socket = try UnixStream.connect(directory + "/push.sock")
            halves.append(socket)
            // Some are closed meanwhile, which is what this test is about.
            try? UnixStream.send(frame, on: socket)
        }
        try await eventually("frames are given up") {
            try health().dropped.malformed > before.dropped.malformed ? () : nil
        }

        // All of the views change while all of that waits.
        for round in UInt64(2)...4 {
            for app in apps {
                for index in 0..<8_000 {
                    try? app.send(.totals(FleetView.totals(index, count: round * 10_000, serial: round)))
                }
            }
        }
        let export = try http.get("/v1/stats?limit=5").json(StatsExport.self)
        #expect(!export.processes.isEmpty)
        #expect(try health().pid == process.pid, "it is still the same daemon")
        let peak = try group.peak()
        #expect(peak < limit, "\(peak >> 20) of \(limit >> 20) MiB")
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
        let last = try group.peak()
        #expect(last < limit, "the stop takes memory too: \(last >> 20) MiB")
        Figure.note("peak of a full daemon, of \(limit >> 20)", peak >> 20, "MiB")
        Figure.note("peak of a full daemon that stops, of \(limit >> 20)", last >> 20, "MiB")
    }

    @Test("is not taken by what connections have sent: nothing is kept of a frame that was taken in")
    func connections() async throws {
        let daemon = try await DaemonProcess()
        func health() throws -> HealthReport { try daemon.http.get("/v1/health").json(HealthReport.self) }
        func own() throws -> Int {
            let lines = try TestFile.text("/proc/\(daemon.process.pid)/status").split(separator: "\n")
            let line = lines.first { $0.hasPrefix("RssAnon:") }
            return 1_024 * (Int(line?.filter(\.isNumber) ?? "") ?? 0)
        }
        var apps: [FakeApp] = []
        var before = 0
        for index in 0...200 {
            let app = try FakeApp(daemon.pushSocket)
            _ = try app.greet(name: "app\(index)", startTicks: UInt64(index) + 1)
            try app.send(.store(), .view(0, "Cart"))
            // Some 60 KB.
            try app.send((1...1_000).map { .totals(0, UInt64($0)) })
            apps.append(app)
            try await eventually("the frame") {
                try health().totalsReceived == UInt64(apps.count * 1_000) ? () : nil
            }
            // The first one has the daemon allocate what it needs for any.
            if index == 0 { before = try own() }
        }
        let each = (try own() - before) / 200
        Figure.note("memory of a connection", each, "bytes")
        #expect(each < 24_576, "\(each) bytes a connection with its process, store and view: not a frame's 64 KiB")
    }
}
