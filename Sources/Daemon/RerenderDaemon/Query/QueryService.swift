// SPDX-License-Identifier: MIT
// Serves clients of the query socket: takes in their connections and answers requests.

internal import NIOCore
internal import NIOHTTP1

/// What all connections of the query socket share. Confined to the event loop.
final class QueryService {
    let context: DaemonContext
    let commands: CommandRunner
    let events: EventBroadcaster
    private let router: QueryRouter
    private let refresh: () -> Void
    private var connections = 0
    /// Answers that are being streamed.
    var streams = 0
    /// Makes answers a slice at a time.
    let slices: SliceQueue

    /// - Parameter refresh: brings the registry up to date before each answer.
    init(_ context: DaemonContext, router: QueryRouter, commands: CommandRunner, refresh: @escaping () -> Void) {
        self.context = context
        self.router = router
        self.commands = commands
        self.refresh = refresh
        events = EventBroadcaster(context)
        slices = SliceQueue(loop: context.loop, pause: context.limits.slicePause)
    }

    /// Takes in an accepted connection; throws an error that closes it.
    func accept(_ channel: any Channel, from peer: PeerCredentials) throws {
        try context.admit(peer, "query", count: connections, limit: context.limits.queryConnections)
        let intake = RequestIntake(limit: context.limits.requestBytes + context.limits.requestHeadBytes)
        try channel.pipeline.syncOperations.addHandler(intake)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(QueryHandler(service: self, intake: intake))
        connections += 1
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.connections -= 1 }
    }

    func answer(_ request: ReceivedRequest) -> QueryAnswer {
        refresh()
        return router.answer(request)
    }
}
