// SPDX-License-Identifier: MIT
// A daemon without sockets: a test plays its apps and its clients, and turns its clock.

import Glibc
import NIOCore
import NIOEmbedded
import RerenderModel
import RerenderWire
import TestSupport

@testable import RerenderDaemon
@testable import DaemonSupport

/// All parts of a daemon that live on its event loop, on a loop whose time stands still.
final class EmbeddedCore {
    let loop = EmbeddedEventLoop()
    let log = CapturedLog()
    let core: DaemonCore
    let limits: DaemonLimits

    init(directory: RuntimeDirectory? = nil, _ change: (inout DaemonConfiguration) -> Void = { _ in }) throws {
        let directory = try directory ?? RuntimeDirectory(path: TestFile.makeDirectory())
        var configuration = DaemonConfiguration(runtimeDirectory: directory)
        change(&configuration)
        limits = configuration.limits
        core = DaemonCore(configuration: configuration, loop: loop, log: log.logger)
        core.restored()
        core.begin()
    }

    // MARK: Apps

    /// Another connection of an app, on which nothing was said.
    func connect() throws -> EmbeddedApp {
        let app = EmbeddedApp(loop)
        try core.apps.accept(app.channel, from: PeerCredentials(pid: getpid(), uid: getuid()))
        app.channel.activate()
        return app
    }

    /// An app that has said hello, and was welcome.
    func app(name: String = "shop", startTicks: UInt64 = 1) throws -> EmbeddedApp {
        let app = try connect()
        try app.send(.hello(Hello(pid: getpid(), startTicks: startTicks, processName: name)))
        guard try app.received() == [.welcome(version: WireProtocol.version, copy: 0)] else {
            throw NeverHappened(description: "the app is not welcome")
        }
        return app
    }

    // MARK: Clients

    /// Another client of the query socket.
    func client() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        try core.queries.accept(channel, from: PeerCredentials(pid: 1, uid: 0))
        channel.activate()
        return channel
    }

    /// Begins a request whose answer ends the connection.
    func begin(_ method: String, _ target: String, _ body: String = "") throws -> EmbeddedChannel {
        let client = try client()
        let head = "\(method) \(target) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        try client.send(head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return client
    }

    /// All of an answer that ends the connection, for which the loop may take some pauses.
    func answer(to client: EmbeddedChannel) throws -> HTTPAnswer {
        var text = try client.received()
        for _ in 0..<10_000 where client.isActive {
            loop.advanceTime(by: limits.piecePause)
            text += try client.received()
        }
        // The daemon hears of the end only now.
        loop.run()
        guard !client.isActive else { throw NeverHappened(description: "the answer has no end: \(text.prefix(200))") }
        return try UnixHTTP.parse(Array(text.utf8))
    }

    func request(_ method: String, _ target: String, _ body: String = "") throws -> HTTPAnswer {
        try answer(to: begin(method, target, body))
    }

    func get(_ target: String) throws -> HTTPAnswer { try request("GET", target) }

    func stats() throws -> [ProcessStats] { try get("/v1/stats").json(StatsExport.self).processes }

    func health() throws -> HealthReport { try get("/v1/health").json(HealthReport.self) }
}

/// One connection of an app, as the daemon's end of it.
final class EmbeddedApp {
    let channel: EmbeddedChannel
    private let loop: EmbeddedEventLoop

    init(_ loop: EmbeddedEventLoop) {
        self.loop = loop
        channel = EmbeddedChannel(loop: loop)
    }

    var isConnected: Bool { channel.isActive }

    func send(_ messages: AppMessage...) throws {
        try send(bytes: Self.bytes(of: messages))
    }

    func send(bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

    static func bytes(of messages: [AppMessage]) -> [UInt8] {
        var writer = WireWriter()
        for message in messages { message.write(to: &writer) }
        return writer.bytes
    }

    /// What the daemon said since the last question.
    func received() throws -> [DaemonMessage] {
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        var messages: [DaemonMessage] = []
        _ = try FrameReader.frames(in: bytes.span.bytes) { (frame) throws(WireError) in
            try FrameReader.messages(in: frame) { (kind, fields) throws(WireError) in
                if let message = try DaemonMessage(kind: kind, fields: &fields) { messages.append(message) }
            }
        }
        return messages
    }

    /// Ends the connection from the app's side.
    func close() {
        channel.close(promise: nil)
        loop.run()
    }
}

extension EmbeddedChannel {
    /// Makes it active, as a socket is that was accepted.
    func activate() {
        guard let address = try? SocketAddress(unixDomainSocketPath: "/accepted.sock") else { return }
        connect(to: address, promise: nil)
    }
}
