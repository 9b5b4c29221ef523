// SPDX-License-Identifier: MIT
// Serves clients of the query socket: takes in their connections, bounds the bytes of a request, and answers it.

internal import NIOCore
internal import NIOHTTP1
import RerenderModel

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
