// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import Logging
import NIOCore
import NIOPosix
import RerenderModel
import RerenderQuery
import RerenderWire
import TestSupport
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// A service manager's notify socket.
private final class NotifySocket {
    private let socket: CInt

    init(_ path: String) throws {
        socket = Glibc.socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        Swift.withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in bytes.enumerated() { target[index] = byte == UInt8(ascii: "@") ? 0 : byte }
        }
        let size = path.hasPrefix("@") ? 2 + bytes.count : MemoryLayout<sockaddr_un>.size
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, socklen_t(size)) }
        }
        try #require(bound == 0)
    }

    deinit { close(socket) }

    /// The lines of the next datagram.
    func next(within seconds: Double = 10) throws -> [String] {
        let bytes = try UnixStream.receive(on: socket, within: seconds)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite("Under a service manager")
struct ServiceManagerTests {
    @Test("tells when it is ready, how it is, that it lives and that it stops", arguments: ["path", "abstract"])
    func notify(kind: String) async throws {
        let directory = try TestFile.makeDirectory()
        let path = kind == "path" ? directory + "/notify" : "@rerender-test-\(getpid())-\(directory.suffix(6))"
        let manager = try NotifySocket(path)
        let daemon = try await DaemonProcess(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "200000"])
        var lines: [String] = []
        while lines.filter({ $0 == "WATCHDOG=1" }).count < 4 || !lines.contains("READY=1") {
            lines += try manager.next()
        }
        let app = try FakeApp(daemon.pushSocket)
        _ = try app.greet()
        while !lines.contains(where: { $0.hasPrefix("STATUS=1 apps connected") }) { lines += try manager.next() }
        daemon.process.send(SIGTERM)
        while !lines.contains("STOPPING=1") { lines += try manager.next() }
        #expect(try await daemon.process.wait() == 0)
    }

    @Test("pings the watchdog from the loop that does the work: one that is stuck does not ping")
    func watchdog() async throws {
        let directory = try TestFile.makeDirectory()
        let manager = try NotifySocket(directory + "/notify")
        var configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: directory))
        configuration.notifier = ServiceNotifier(socket: directory + "/notify", watchdog: .milliseconds(40))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let settings = configuration
        let core = try await loop.submit {
            let core = DaemonCore(configuration: settings, loop: loop, log: CapturedLog().logger)
            core.begin()
            return NIOLoopBound(core, eventLoop: loop)
        }.get()
        for _ in 0..<3 { #expect(try manager.next() == ["WATCHDOG=1"]) }
        let (stuck, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        loop.execute {
            stuck.signal()
            release.wait()
        }
        stuck.wait()
        // What was sent before it got stuck (much, on a loaded machine), and then nothing for many times the interval.
        #expect(throws: (any Error).self) { for _ in 0..<3_000 { _ = try manager.next(within: 0.4) } }
        release.signal()
        #expect(try manager.next() == ["WATCHDOG=1"])
        try await loop.submit { core.value.stop() }.get()
        try await group.shutdownGracefully()
    }

    private static let activator = "/usr/bin/systemd-socket-activate"

    @Test(
        "serves the sockets that it is given by name, and leaves their files",
        .enabled(if: access(activator, X_OK) == 0, "needs systemd-socket-activate of the package systemd"))
    func activation() async throws {
        let directory = try TestFile.makeDirectory()
        // The other way round than we would list them: by name and not by place.
        let process = try PlainChild(
            Self.activator,
            [
                "--fdname=query:push", "-l", directory + "/query.sock", "-l", directory + "/push.sock",
                "-E", "RERENDER_RUNTIME_DIR=" + directory, ChildProcess.product("rerenderd"), "--foreground",
            ])
        try await eventually("the sockets") { TestFile.exists(directory + "/push.sock") ? () : nil }
        let app = try await eventually("a connection") { try? FakeApp(directory + "/push.sock") }
        try app.hello()
        #expect(try app.receive(within: 20) == .welcome(version: WireProtocol.version), "\(process.output)")
        try app.send(.store(evaluations: 3))
        let http = UnixHTTP(directory + "/query.sock")
        try await eventually("the answer") {
            try http.get("/v1/stats").json(StatsExport.self).processes.map(\.evaluations) == [3] ? () : nil
        }
        #expect(try http.get("/v1/health").json(HealthReport.self).sockets == "systemd")
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
        #expect(TestFile.exists(directory + "/push.sock") && TestFile.exists(directory + "/query.sock"))
    }

    @Test(
        "says what is wrong with the sockets that it is given",
        .enabled(if: access(activator, X_OK) == 0, "needs systemd-socket-activate of the package systemd"),
        arguments: ["--fdname=push:other", "--fdname=other:query"])
    func wrongNames(names: String) async throws {
        let directory = try TestFile.makeDirectory()
        let process = try PlainChild(
            Self.activator,
            [
                names, "-l", directory + "/push.sock", "-l", directory + "/query.sock",
                "-E", "RERENDER_RUNTIME_DIR=" + directory, ChildProcess.product("rerenderd"),
            ])
        let socket = try await eventually("a connection") { try? UnixStream.connect(directory + "/push.sock") }
        defer { close(socket) }
        #expect(try await process.wait() == 78)
        #expect(process.output.contains("FileDescriptorName=push"))
    }
}

@Suite("The daemon's log")
struct DaemonLogTests {
    @Test("lets a peer write a few lines of a kind in a while")
    func share() {
        let captured = CapturedLog()
        let log = PeerLog(captured.logger)
        for _ in 0..<1_000 { log.write(.malformed, "x") }
        #expect(captured.lines.count == PeerLog.linesPerPeriod)
        log.write(.refusedConnection, "y")
        #expect(captured.lines.count == PeerLog.linesPerPeriod + 1, "kinds do not share their allowance")
    }
}
