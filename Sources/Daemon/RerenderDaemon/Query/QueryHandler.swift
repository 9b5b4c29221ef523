// SPDX-License-Identifier: MIT
// One client of the query socket: HTTP requests in, answers out as fast as the client reads.

internal import NIOCore
internal import NIOHTTP1
import RerenderModel

/// Serves one HTTP/1.1 connection, one request at a time.
///
/// The next request is not looked at, and nothing more is read, before the client has taken the answer to the one before.
/// So at most one piece of an answer waits for a client.
final class QueryHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        case idle
        case receiving(HTTPRequestHead, body: [UInt8])
        /// The body is too large; the rest is thrown away.
        case refusing
        /// For apps, or for the client to take the end of the answer.
        case waiting
        case streaming(AnswerText, to: HTTPRequestHead)
        case events(EventQueue)
        case closed
    }

    private let service: QueryService
    private let intake: RequestIntake
    private var state = State.idle
    private var keepsAlive = true
    private var deadline: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// Since when the client is waited for: for a request, or to take a piece of an answer.
    private(set) var waitsSince: NIODeadline?
    /// A reader of events has yet to take the lines before.
    private var isBusy = false

    init(service: QueryService, intake: RequestIntake) {
        self.service = service
        self.intake = intake
    }

    /// No request is complete that is not answered.
    var isIdle: Bool {
        switch state {
        case .idle, .receiving: true
        default: false
        }
    }

    /// Whether the answer takes a place among the long ones.
    var isLong: Bool {
        guard case .streaming(let text, _) = state else { return false }
        return text.elements > limits.shortElements
    }

    private var limits: DaemonLimits { service.context.limits }
    private var registry: Registry { service.context.registry }
    private var loop: NIOIsolatedEventLoop { service.context.loop }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        waitsSince = .now()
        closeUnlessHeard(in: limits.requestTimeout)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        if case .events = state { service.events.remove(self) }
        state = .closed
        self.context = nil
        context.fireChannelInactive()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), state) {
        case (.head(let head), .idle):
            intake.restart()
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
            intake.restart()
            deadline?.cancel()
            waitsSince = nil
            state = .waiting
            let takesLines = head.headers["Accept"].contains { $0.contains(MediaType.lines) }
            let request = ReceivedRequest(method: head.method, uri: head.uri, body: body, takesLines: takesLines)
            answer(service.answer(request), to: head)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? HTTPParserError, case .idle = state else { return close() }
        keepsAlive = false
        state = .waiting
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        guard error == .headerOverflow else {
            return answer(.json(QueryError("this is not HTTP/1.1: try curl --unix-socket"), .badRequest), to: head)
        }
        let text = "the request has over \(limits.requestHeadBytes) bytes of headers: no request needs so much"
        answer(.json(QueryError(text), .requestHeaderFieldsTooLarge), to: head)
    }

    // MARK: Answers

    private func answer(_ answer: QueryAnswer, to head: HTTPRequestHead) {
        switch answer {
        case .document(let status, let bytes, let headers):
            send(status, bytes, headers: headers, to: head)
        case .command(let plan) where !service.commands.hasRoom(for: plan):
            let error = QueryError("too many commands wait for apps: try again in a moment, or name a process")
            self.answer(.json(error, .serviceUnavailable, headers: [("Retry-After", "3")]), to: head)
        case .command(let plan):
            service.commands.run(plan).assumeIsolated().whenSuccess { self.answer(.json($0), to: head) }
        case .text where head.method == .HEAD, .events where head.method == .HEAD:
            closeUnlessHeard(in: limits.stalledTimeout)
            write(self.head(.ok, [("Content-Type", MediaType.document)], to: head)) { self.end() }
        case .text(let text) where text.elements > limits.shortElements && !service.hasPlace():
            let error = QueryError("\(limits.streams) long answers are being read already: try again in a moment")
            self.answer(.json(error, .serviceUnavailable, headers: [("Retry-After", "1")]), to: head)
        case .text(let text):
            state = .streaming(text, to: head)
            goOn()
        case .events: tellEvents(to: head)
        }
    }

    private func send(
        _ status: HTTPResponseStatus, _ bytes: [UInt8], type: String = MediaType.document,
        headers: [(String, String)] = [], to head: HTTPRequestHead
    ) {
        guard let context else { return }
        closeUnlessHeard(in: limits.stalledTimeout)
        let content = [("Content-Type", type), ("Content-Length", "\(bytes.count)")]
        let response = self.head(status, content + headers, to: head)
        guard head.method != .HEAD else { return write(response) { self.end() } }
        context.write(wrapOutboundOut(response), promise: nil)
        write(body: bytes) { self.end() }
    }

    private func head(
        _ status: HTTPResponseStatus, _ headers: [(String, String)], to head: HTTPRequestHead
    ) -> HTTPServerResponsePart {
        // A client of HTTP/1.0 knows the end of a stream by the end of the connection.
        if head.version == .http1_0 { keepsAlive = keepsAlive && headers.contains { $0.0 == "Content-Length" } }
        var fields = HTTPHeaders(headers)
        if !keepsAlive { fields.add(name: "Connection", value: "close") }
        return .head(HTTPResponseHead(version: head.version, status: status, headers: fields))
    }

    /// Sends a part of an answer. Goes on once the client has taken it, as far as a socket's buffer can tell, and the loop had time for
    /// other things.
    private func write(_ part: HTTPServerResponsePart, then next: @escaping () -> Void) {
        guard let context else { return }
        waitsSince = .now()
        context.writeAndFlush(wrapOutboundOut(part)).assumeIsolated().whenSuccess {
            self.waitsSince = nil
            self.loop.scheduleTask(in: self.limits.piecePause) { next() }
        }
    }

    private func write(body bytes: [UInt8], then next: @escaping () -> Void) {
        write(.body(.byteBuffer(ByteBuffer(bytes: bytes))), then: next)
    }

    /// Ends an answer that the client has taken. The request behind it is looked at before this returns.
    private func end() {
        guard let context else { return }
        let keepsAlive = keepsAlive
        state = keepsAlive ? .idle : .closed
        waitsSince = .now()
        if keepsAlive { closeUnlessHeard(in: limits.requestTimeout) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            if !keepsAlive { self.close() }
        }
    }

    func close() {
        context?.close(promise: nil)
    }

    /// Closes a connection on which no request arrives and which takes nothing of an answer.
    private func closeUnlessHeard(in time: TimeAmount) {
        deadline?.cancel()
        deadline = loop.scheduleTask(in: time) { self.close() }
    }

    // MARK: Long answers

    private func tellEvents(to head: HTTPRequestHead) {
        guard service.events.hasRoom else {
            let error = QueryError("\(limits.eventReaders) clients read events already: stop one of them")
            return answer(.json(error, .serviceUnavailable), to: head)
        }
        keepsAlive = false
        service.events.add(self)
        state = .events(EventQueue(of: registry, backlog: limits.eventBacklog))
        isBusy = true
        write(self.head(.ok, [("Content-Type", MediaType.lines)], to: head)) { self.goOn() }
    }

    func add(_ changes: ChangeLog) {
        guard case .events(var queue) = state else { return }
        state = .waiting  // The queue has one owner while it changes, or it would be copied.
        queue.add(changes, of: registry)
        state = .events(queue)
        if queue.isBehind { return close() }
        if !isBusy { goOn() }
    }

    /// Makes the next piece and sends it, or ends an answer that is complete.
    private func goOn() {
        switch state {
        case .streaming(let text, _) where text.isDone: end()
        case .streaming(let text, let head): sendPiece(of: text, to: head)
        case .events(var queue):
            state = .waiting
            let lines = queue.lines(size: limits.pieceBytes, of: registry)
            state = .events(queue)
            isBusy = !lines.isEmpty
            if isBusy { write(body: lines) { self.goOn() } }
        default: break
        }
    }

    private func sendPiece(of text: AnswerText, to head: HTTPRequestHead) {
        let (type, hadBegun) = (text.isLines ? MediaType.lines : MediaType.document, text.hasBegun)
        guard let piece = try? text.piece(size: limits.pieceBytes) else { return close() }
        // An answer that is done with its first piece has a length that can be told.
        guard hadBegun || !text.isDone else { return send(.ok, piece, type: type, to: head) }
        closeUnlessHeard(in: limits.stalledTimeout)
        if !hadBegun, let context {
            context.write(wrapOutboundOut(self.head(.ok, [("Content-Type", type)], to: head)), promise: nil)
        }
        write(body: piece) { self.goOn() }
    }
}
