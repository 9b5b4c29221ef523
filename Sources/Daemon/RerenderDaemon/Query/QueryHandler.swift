// SPDX-License-Identifier: MIT
// One client of the query socket: HTTP requests in, answers out as fast as the client reads.

internal import NIOCore
internal import NIOHTTP1
import RerenderQuery

/// Serves one HTTP/1.1 connection, one request at a time.
final class QueryHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case receiving(HTTPRequestHead, body: [UInt8])
        /// The body is too large; the rest is thrown away.
        case refusing
        case waiting
        case exporting(any DocumentCursor)
        case events(EventQueue)
        case closed
    }

    private let service: QueryService
    private var state = State.idle
    private var keepsAlive = true
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// A piece is on its way, or the next one is about to be made.
    private var isPumping = false

    init(service: QueryService) {
        self.service = service
    }

    private var limits: DaemonLimits { service.context.limits }
    private var registry: Registry { service.context.registry }
    private var loop: NIOIsolatedEventLoop { service.context.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        closeUnlessHeard(in: limits.requestTimeout)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        leave()
        state = .closed
        self.context = nil
        context.fireChannelInactive()
    }

    private func leave() {
        switch state {
        case .exporting: service.streams -= 1
        case .events: service.events.remove(self)
        default: break
        }
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle):
            keepsAlive = head.isKeepAlive
            state = .receiving(head, body: [])
        case (.body(let bytes), .receiving(let head, var body)):
            guard body.count + bytes.readableBytes <= limits.requestBytes else {
                keepsAlive = false
                state = .refusing
                let error = QueryError("the body is over \(limits.requestBytes) bytes: no request needs so much")
                return answer(.json(error, .payloadTooLarge), to: head)
            }
            body.append(contentsOf: bytes.readableBytesView)
            state = .receiving(head, body: body)
        case (.end, .receiving(let head, let body)):
            deadline?.cancel()
            state = .waiting
            answer(service.answer(ReceivedRequest(method: head.method, uri: head.uri, body: body)), to: head)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, case .idle = state else { return close() }
        keepsAlive = false
        state = .waiting
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        answer(.json(QueryError("this is not HTTP/1.1: try curl --unix-socket"), .badRequest), to: head)
    }

    // MARK: Answers

    private func answer(_ answer: QueryAnswer, to head: HTTPRequestHead) {
        switch answer {
        case .document(let status, let bytes, let headers):
            send(status, bytes, headers: headers, to: head)
        case .command(let plan):
            service.commands.run(plan).assumeIsolated().whenSuccess { self.answer(.json($0), to: head) }
        case .export where head.method == .HEAD, .hangs where head.method == .HEAD, .list where head.method == .HEAD,
            .events where head.method == .HEAD:
            sendHead(.ok, [("Content-Type", "application/json")], to: head)
            end()
        case .export(let query): stream(to: head) { ExportCursor(of: registry, query) }
        case .hangs(let hangs): stream(to: head) { HangsCursor(hangs) }
        case .list(let list): stream(to: head) { list }
        case .events: tellEvents(to: head)
        }
    }

    private func send(
        _ status: HTTPResponseStatus, _ bytes: [UInt8], headers: [(String, String)], to head: HTTPRequestHead
    ) {
        guard let context else { return }
        let content = [("Content-Type", "application/json"), ("Content-Length", "\(bytes.count)")]
        sendHead(status, content + headers, to: head)
        if head.method != .HEAD {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        }
        end()
    }

    private func sendHead(_ status: HTTPResponseStatus, _ headers: [(String, String)], to head: HTTPRequestHead) {
        // A client of HTTP/1.0 knows the end of a stream by the end of the connection.
        if head.version == .http1_0 { keepsAlive = keepsAlive && headers.contains { $0.0 == "Content-Length" } }
        var fields = HTTPHeaders(headers)
        if !keepsAlive { fields.add(name: "Connection", value: "close") }
        let response = HTTPResponseHead(version: head.version, status: status, headers: fields)
        context?.write(wrapOutboundOut(.head(response)), promise: nil)
    }

    private func end() {
        guard let context else { return }
        leave()
        let keepsAlive = keepsAlive
        state = keepsAlive ? .idle : .closed
        if keepsAlive { closeUnlessHeard(in: limits.requestTimeout) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            if !keepsAlive { self.close() }
        }
    }

    private func close() {
        context?.close(promise: nil)
    }

    /// Closes a connection on which no request arrives and which takes nothing of an answer.
    private func closeUnlessHeard(in time: TimeAmount) {
        deadline?.cancel()
        deadline = loop.scheduleTask(in: time) { self.close() }
    }

    // MARK: Streams

    private func stream(to head: HTTPRequestHead, _ cursor: () -> any DocumentCursor) {
        guard service.streams < limits.streams else {
            let error = QueryError("\(limits.streams) long answers are being read already: try again in a moment")
            return answer(.json(error, .serviceUnavailable, headers: [("Retry-After", "1")]), to: head)
        }
        service.streams += 1
        state = .exporting(cursor())
        sendHead(.ok, [("Content-Type", "application/json")], to: head)
        pump()
    }

    private func tellEvents(to head: HTTPRequestHead) {
        guard service.events.hasRoom else {
            let error = QueryError("\(limits.eventReaders) clients read events already: stop one of them")
            return answer(.json(error, .serviceUnavailable), to: head)
        }
        keepsAlive = false
        service.events.add(self)
        state = .events(EventQueue(of: registry, backlog: limits.eventBacklog))
        sendHead(.ok, [("Content-Type", "application/x-ndjson")], to: head)
        context?.flush()
        pump()
    }

    func add(_ changes: ChangeLog) {
        guard case .events(var queue) = state else { return }
        state = .waiting  // The queue has one owner while it changes, or it would be copied.
        queue.add(changes, of: registry)
        state = .events(queue)
        pump()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { pump() }
        context.fireChannelWritabilityChanged()
    }

    /// Writes the next piece if the client takes it, and comes back after the loop has done other things.
    private func pump() {
        guard let context, !isPumping, context.channel.isWritable, let piece = nextPiece() else { return }
        isPumping = true
        if case .exporting = state { closeUnlessHeard(in: limits.stalledTimeout) }
        if !piece.isEmpty {
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: piece)))), promise: nil)
        }
        loop.scheduleTask(in: limits.streamPause) { self.pumped() }
    }

    private func pumped() {
        isPumping = false
        if case .exporting(let cursor) = state, cursor.isDone { return end() }
        pump()
    }

    /// The next bytes; nil if there is nothing to say now.
    private func nextPiece() -> [UInt8]? {
        switch state {
        case .exporting(var cursor):
            state = .waiting
            let piece = cursor.next(size: limits.pieceBytes)
            state = .exporting(cursor)
            return piece
        case .events(var queue):
            guard !queue.isEmpty else { return nil }
            state = .waiting
            let (lines, missed) = queue.lines(size: limits.pieceBytes, of: registry)
            state = .events(queue)
            registry.drops.events &+= missed
            return lines
        default: return nil
        }
    }
}
