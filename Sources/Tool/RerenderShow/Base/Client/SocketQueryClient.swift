// SPDX-License-Identifier: MIT
// Speaks HTTP/1.1 over the daemon's Unix socket, one connection for each request, and gives up on a silent daemon.

import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import RerenderModel

/// Talks to the daemon whose query socket is at a path.
package struct SocketQueryClient: DaemonClient {
    package let path: String
    /// How long the daemon may be silent while its answer is awaited: commands wait for apps in the daemon, and an
    /// activated daemon has to start first.
    package var patience: Duration = Self.usualPatience

    package init(path: String, patience: Duration = Self.usualPatience) {
        (self.path, self.patience) = (path, patience)
    }
    static let usualPatience = Duration.seconds(10)
    /// The longest path that the kernel takes for a socket: `sun_path` with its final zero.
    package static let longestPath = 107
    /// How long a connection may take. The kernel makes it at once unless the daemon's queue is full.
    private static let connectTimeout = TimeAmount.seconds(5)

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    package func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws {
        let connection = try await connect()
        do {
            try await connection.executeThenClose { inbound, outbound in
                try await Self.write(request, to: outbound)
                try await Self.read(inbound, receive)
            }
        } catch {
            throw Self.failure(error, patience)
        }
    }

    private func connect() async throws -> Connection {
        let patience = TimeAmount(patience)
        guard path.utf8.count <= Self.longestPath else {
            let reason =
                "a socket's path may have at most \(Self.longestPath) bytes: "
                + "set RERENDER_RUNTIME_DIR to a shorter one"
            throw ToolFailure.noDaemon(at: path, because: reason)
        }
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(Self.connectTimeout)
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(ReadDeadlineHandler(limit: patience))
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            throw ToolFailure.noDaemon(at: path, because: ConnectText.of(error))
        }
    }

    private static func write(
        _ request: QueryRequest, to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
        var headers = HTTPHeaders([("Host", "localhost"), ("Connection", "close"), ("Accept", request.type)])
        if let body = request.body {
            headers.add(name: "Content-Type", value: "application/json")
            headers.add(name: "Content-Length", value: String(body.count))
        }
        let method: HTTPMethod = request.body == nil ? .GET : .POST
        let head = HTTPRequestHead(version: .http1_1, method: method, uri: request.target, headers: headers)
        let body = request.body.map { [HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: $0)))] } ?? []
        // In one go: a daemon that has all it needs may answer and close before a second write.
        try await outbound.write(contentsOf: [.head(head)] + body + [.end(nil)])
    }

    private static func read(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>, _ receive: (_ bytes: [UInt8]) throws -> Void
    ) async throws {
        var refusal: (code: Int, text: [UInt8])?
        for try await part in inbound {
            switch part {
            case .head(let head):
                if head.status.code != 200 { refusal = (Int(head.status.code), []) }
            case .body(let buffer):
                guard let code = refusal?.code, let text = refusal?.text else {
                    try receive(Array(buffer.readableBytesView))
                    continue
                }
                refusal = (code, text.count < 65_536 ? text + Array(buffer.readableBytesView) : text)
            case .end:
                if let refusal { throw ToolFailure.refused(refusal.code, errorText(refusal.text)) }
                return
            }
        }
        throw ToolFailure.brokenAnswer("closed the connection before its answer was complete")
    }

    private static func errorText(_ body: [UInt8]) -> String {
        if let error = try? JSONDecoder().decode(QueryError.self, from: Data(body)) { return error.error }
        return String(decoding: body.prefix(200), as: UTF8.self)
    }

    private static func failure(_ error: any Error, _ patience: Duration) -> any Error {
        switch error {
        case is ReadDeadlineHandler.Silence:
            ToolFailure.brokenAnswer("did not respond for \(patience.components.seconds) seconds")
        case let error as HTTPParserError where error == .invalidEOFState:
            ToolFailure.brokenAnswer("closed the connection before its answer was complete")
        case let error as HTTPParserError: ToolFailure.unreadable("it is not HTTP (\(error))")
        case is IOError, is ChannelError: ToolFailure.brokenAnswer("closed the connection (\(ConnectText.of(error)))")
        default: error
        }
    }
}

/// Why a connection could not be made, in a few words.
package enum ConnectText {
    /// Why nobody takes a connection to a socket; nil where somebody does.
    package static func fault(at path: String, timeout: Duration) async -> String? {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        do {
            let channel = try await bootstrap.connectTimeout(TimeAmount(timeout)).connect(unixDomainSocketPath: path)
                .get()
            try? await channel.close()
            return nil
        } catch {
            return of(error)
        }
    }

    /// The text for an error of NIO's.
    static func of(_ error: any Error) -> String {
        switch error {
        case let error as IOError: SystemText.of(error.errnoCode)
        case ChannelError.connectTimeout: "timed out"
        default: "\(error)"
        }
    }
}

/// Closes the connection with ``Silence`` if an expected byte does not arrive in time.
///
/// The clock runs only while a read is outstanding, so that a reader that is slow itself (a pager) does not blame the
/// daemon, and only once something was asked.
final class ReadDeadlineHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// The daemon was silent for too long.
    struct Silence: Error {}

    private let limit: TimeAmount
    private var alarm: Scheduled<Void>?
    private var hasAsked = false
    private var isReading = false

    init(limit: TimeAmount) {
        self.limit = limit
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        hasAsked = true
        startClock(context)
        context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        startClock(context)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = false
        cancel()
        context.fireChannelRead(data)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        cancel()
    }

    private func startClock(_ context: ChannelHandlerContext) {
        guard hasAsked, isReading, alarm == nil else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        alarm = context.eventLoop.scheduleTask(in: limit) {
            bound.value.fireErrorCaught(Silence())
            bound.value.close(promise: nil)
        }
    }

    private func cancel() {
        alarm?.cancel()
        alarm = nil
    }
}
