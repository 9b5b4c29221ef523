// SPDX-License-Identifier: MIT
import Foundation
import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport
import TestTraits
import Testing

@testable import RerenderDaemon
@testable import DaemonSupport

/// A service manager's notify socket.
private final class NotifySocket: Sendable {
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

    /// Whether no datagram waits.
    var isEmpty: Bool {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) == 0
    }

    /// The lines of the next datagram.
    func next(within seconds: Double = WaitLimit.seconds) throws -> [String] {
        let bytes = try UnixStream.receive(on: socket, within: seconds)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// All lines until the daemon says that it stops, read by a thread of its own: the socket holds ten datagrams, and what finds no room
    /// is lost.
    func untilItStops() -> AsyncStream<String> {
        let (stream, feed) = AsyncStream<String>.makeStream()
        Thread.detachNewThread { [self] in
            while let lines = try? next() {
                for line in lines { feed.yield(line) }
                if lines.contains("STOPPING=1") { break }
            }
            feed.finish()
        }
        return stream
    }
}

@Suite("Under a service manager")
struct ServiceManagerTests {
    @Test(
        "tells when it is ready, how it is, that it lives and that it stops", .promise, arguments: ["path", "abstract"])
    func notify(kind: String) async throws {
        let directory = try TestFile.makeDirectory()
        let path = kind == "path" ? directory + "/notify" : "@rerender-test-\(getpid())-\(directory.suffix(6))"
        let told = try NotifySocket(path).untilItStops()
        let daemon = try await DaemonProcess(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "1000000"])
        var lines: [String] = []
        for await line in told {
            lines.append(line)
            if lines.contains("READY=1"), lines.count(where: { $0 == "WATCHDOG=1" }) >= 4 { break }
        }
        let app = try FakeApp(daemon.pushSocket)
        _ = try app.greet()
        for await line in told {
            lines.append(line)
            if line.hasPrefix("STATUS=1 apps connected") { break }
        }
        daemon.process.send(SIGTERM)
        for await line in told { lines.append(line) }
        #expect(["READY=1", "STOPPING=1"].allSatisfy { lines.contains($0) }, "\(lines)")
        #expect(lines.count { $0 == "WATCHDOG=1" } >= 4, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("STATUS=1 apps connected") }, "\(lines)")
        #expect(try await daemon.process.wait() == 0)
    }

    @Test("pings the watchdog from the loop that does the work: one that is stuck does not ping")
    func watchdog() throws {
        let directory = try TestFile.makeDirectory()
        let manager = try NotifySocket(directory + "/notify")
        var configuration = DaemonConfiguration(runtimeDirectory: RuntimeDirectory(path: directory))
        configuration.notifier = ServiceNotifier(socket: directory + "/notify", watchdog: .milliseconds(40))
        // It runs only while the test has it run.
        let loop = EmbeddedEventLoop()
        let core = DaemonCore(configuration: configuration, loop: loop, log: CapturedLog().logger)
        core.begin()
        #expect(try manager.next() == ["WATCHDOG=1"])
        for _ in 0..<3 {
            #expect(manager.isEmpty)
            loop.advanceTime(by: .milliseconds(20) - .nanoseconds(1))
            #expect(manager.isEmpty)
            loop.advanceTime(by: .nanoseconds(1))
            #expect(try manager.next() == ["WATCHDOG=1"])
        }
        core.stop()
        #expect(try manager.next() == ["STOPPING=1"])
        loop.advanceTime(by: .seconds(1))
        #expect(manager.isEmpty)
    }

    private static let activator = "/usr/bin/systemd-socket-activate"

    @Test(
        "serves the sockets that it is given by name, and leaves their files", .promise,
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
        let app = try await eventually("a connection", in: directory) { try? FakeApp(directory + "/push.sock") }
        try app.hello()
        #expect(try app.receive() == .welcome(version: WireProtocol.version, copy: 0), "\(process.output)")
        try app.send(.store(), .view(0, "Cart"), .totals(0, 3))
        let http = UnixHTTP(directory + "/query.sock")
        try await http.eventually("the answer") {
            try http.get("/v1/stats").json(StatsExport.self).processes.map(\.evaluations) == [3] ? () : nil
        }
        #expect(try http.get("/v1/health").json(HealthReport.self).sockets == "systemd")
        process.send(SIGTERM)
        #expect(try await process.wait() == 0)
        #expect(TestFile.exists(directory + "/push.sock") && TestFile.exists(directory + "/query.sock"))
    }
}
