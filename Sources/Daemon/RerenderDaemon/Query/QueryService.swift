// SPDX-License-Identifier: MIT
// Serves clients of the query socket: takes in their connections, bounds the bytes of a request, and answers it.

import NIOCore
import NIOHTTP1
import RerenderModel
import RerenderWire

/// What all connections of the query socket share. Confined to the event loop.
final class QueryService {
    let context: DaemonContext
    let commands: CommandRunner
    let events: EventBroadcaster
    private let router: QueryRouter
    private let refresh: () -> Void
    private var handlers: [ObjectIdentifier: QueryHandler] = [:]

    /// - Parameter refresh: brings the registry up to date before each answer.
    init(_ context: DaemonContext, router: QueryRouter, commands: CommandRunner, refresh: @escaping () -> Void) {
        (self.context, self.router, self.commands, self.refresh) = (context, router, commands, refresh)
        events = EventBroadcaster(context)
    }

    /// Takes in an accepted connection; throws an error that closes it.
    func accept(_ channel: any Channel, from peer: PeerCredentials) throws {
        if peer.isTrusted(), handlers.count >= context.limits.queryConnections { closeIdle() }
        try context.admit(peer, "query", count: handlers.count, limit: context.limits.queryConnections)
        let intake = RequestIntake(limit: context.limits.requestBytes + context.limits.requestHeadBytes)
        try channel.pipeline.syncOperations.addHandler(intake)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false)
        let handler = QueryHandler(service: self, intake: intake)
        try channel.pipeline.syncOperations.addHandler(handler)
        handlers[ObjectIdentifier(handler)] = handler
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.handlers[ObjectIdentifier(handler)] = nil }
    }

    // MARK: Places

    /// Whether there is a place for another long answer, if need be that of a client that takes nothing of its own.
    func hasPlace() -> Bool {
        let long = handlers.values.filter(\.isLong)
        return long.count < context.limits.streams || close(longestWaiting(long, for: context.limits.yieldTime))
    }

    /// Closes the connection on which nothing has been asked for the longest time, or else that of the client that has taken
    /// nothing of its answer for the longest time.
    private func closeIdle() {
        let closed =
            close(longestWaiting(handlers.values.filter(\.isIdle), for: .zero))
            || close(longestWaiting(Array(handlers.values), for: context.limits.yieldTime))
        guard closed else { return }
        context.registry.drops.connections &+= 1
        context.log.write(.refusedConnection, "closed an idle query: the limit is \(context.limits.queryConnections)")
    }

    private func longestWaiting(_ handlers: [QueryHandler], for time: TimeAmount) -> QueryHandler? {
        let end = NIODeadline.now() - time
        return handlers.filter { ($0.waitsSince ?? .distantFuture) <= end }
            .min { ($0.waitsSince ?? .distantFuture) < ($1.waitsSince ?? .distantFuture) }
    }

    private func close(_ handler: QueryHandler?) -> Bool {
        guard let handler else { return false }
        handlers[ObjectIdentifier(handler)] = nil
        handler.close()
        return true
    }

    func answer(_ request: ReceivedRequest) -> QueryAnswer {
        refresh()
        return router.answer(request)
    }

    /// What is known now.
    var current: Registry {
        refresh()
        return context.registry
    }

    func export(_ query: StatsQuery) -> StatsExport {
        refresh()
        return router.export(query)
    }

    func health() -> HealthReport {
        refresh()
        return router.health()
    }
}

/// Refuses a request that is longer than a limit, with all its headers. Stands before the HTTP decoder, which holds what it
/// is given until a request is complete.
final class RequestIntake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let limit: Int
    private var received = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// A request begins or is complete: the bytes up to here are read.
    func restart() { received = 0 }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard received <= limit else { return }
        received += unwrapInboundIn(data).readableBytes
        if received > limit {
            context.fireErrorCaught(HTTPParserError.headerOverflow)
        } else {
            context.fireChannelRead(data)
        }
    }
}

// What a request asks for: the path of an HTTP request and its parameters, checked, with errors that say what is allowed.

/// The path and the parameters of a request.
struct RequestTarget {
    var path: String
    var parameters: [(name: String, value: String)]

    /// Splits `path?name=value&…` and undoes the percent encoding; bytes that are no UTF-8 become U+FFFD.
    init(_ uri: String) {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts.first ?? "", plusIsBlank: false)
        parameters = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                Self.decoded(sides[0], plusIsBlank: true),
                sides.count > 1 ? Self.decoded(sides[1], plusIsBlank: true) : ""
            )
        }
    }

    private static func decoded(_ text: Substring, plusIsBlank: Bool) -> String {
        let encoded = Array(text.utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < encoded.count {
            let byte = encoded[index]
            if byte == UInt8(ascii: "%"), index + 2 < encoded.count,
                let high = Character(Unicode.Scalar(encoded[index + 1])).hexDigitValue,
                let low = Character(Unicode.Scalar(encoded[index + 2])).hexDigitValue
            {
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsBlank ? UInt8(ascii: " ") : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StatsQuery {
    static let parameters = ["sort", "limit", "process", "key", "match", "skip", "reverse", "handles"]
    /// A longer part would fit no key.
    static let longestMatch = 1_024

    /// Which views are considered.
    var filter: ViewFilter { ViewFilter(key: key, match: match) }

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        self.init()
        for (name, value) in parameters {
            switch name {
            case "sort": order = try Self.order(value)
            case "limit":
                limit = try Int(parameter: name, value, within: limits, or: ", or leave it out for all views")
            case "process": process = value
            case "key": key = value
            case "match": match = try Self.match(value)
            case "skip": skip = try Int(parameter: name, value, within: 0...limits.upperBound)
            case "reverse": isReversed = try Self.flag(name, value)
            case "handles": hasHandles = try Self.flag(name, value)
            default: throw QueryError.unknownParameter(name, of: Self.parameters)
            }
        }
        guard skip == 0 || limit != nil else { throw QueryError("skip needs limit: say how many views are wanted") }
    }

    private static func flag(_ name: String, _ value: String) throws(QueryError) -> Bool {
        guard let flag = Bool(value) else { throw .badParameter(name, value, use: "true, false") }
        return flag
    }

    private static func match(_ value: String) throws(QueryError) -> String? {
        guard value.utf8.count <= longestMatch else {
            throw QueryError("match is longer than \(longestMatch) bytes, and no key is")
        }
        return value.isEmpty ? nil : value
    }

    private static func order(_ value: String) throws(QueryError) -> StatsOrder {
        let orders = StatsOrder.allCases.filter { $0 != .rate }
        guard let order = orders.first(where: { $0.rawValue == value }) else {
            throw .badParameter("sort", value, use: orders.map(\.rawValue).joined(separator: ", "))
        }
        return order
    }
}

extension HangsQuery {
    static let parameters = ["process", "since", "limit"]

    /// Reads the query part of a URI; throws a ``QueryError`` that says what is allowed.
    init(parameters: [(name: String, value: String)], limits: ClosedRange<Int>) throws(QueryError) {
        self.init()
        for (name, value) in parameters {
            switch name {
            case "process": process = value
            case "since": since = try Self.time(value)
            case "limit":
                limit = try Int(parameter: name, value, within: limits, or: ", or leave it out for all hangs")
            default: throw QueryError.unknownParameter(name, of: Self.parameters)
            }
        }
    }

    private static func time(_ value: String) throws(QueryError) -> Timestamp {
        if let time = Timestamp(typed: value) { return time }
        throw .badParameter("since", value, use: "a time such as 2026-11-20T22:45:00Z")
    }
}

extension QueryError {
    /// A parameter has a value that it cannot have; `use` says what it takes.
    static func badParameter(_ name: String, _ value: String, use: String) -> QueryError {
        QueryError("\(name) cannot be \"\(value.shortened)\": use \(use)")
    }

    static func unknownParameter(_ name: String, of known: [String]) -> QueryError {
        QueryError("there is no parameter \"\(name.shortened)\": use \(known.joined(separator: ", "))")
    }
}

extension Int {
    /// Reads the number of a parameter; throws an error with the allowed range and, if there is one, the alternative.
    init(
        parameter name: String, _ value: String, within limits: ClosedRange<Int>, or alternative: String = ""
    ) throws(QueryError) {
        guard let number = Int(value), limits.contains(number) else {
            throw .badParameter(
                name, value, use: "a number from \(limits.lowerBound) to \(limits.upperBound)" + alternative)
        }
        self = number
    }
}

extension String {
    /// Short enough to be quoted in an error.
    var shortened: String { utf8.count <= 80 ? self : prefix(utf8Bytes: 80) + "…" }
}
