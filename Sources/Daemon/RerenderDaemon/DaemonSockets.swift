// SPDX-License-Identifier: MIT
// The two sockets: made or taken over, served, and removed if they are ours.

internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
import RerenderModel
import RerenderQuery

/// The listening sockets of a daemon.
struct DaemonSockets: ~Copyable {
    private var push: any Channel
    private var query: any Channel
    private var files: [(path: String, identity: FileIdentity)]
    /// Held as long as the sockets are ours, so that a second daemon does not take their place while we start.
    private let lock: Descriptor?

    /// Makes the sockets or takes over the service manager's, and begins to serve.
    static func open(_ core: NIOLoopBound<DaemonCore>, _ configuration: DaemonConfiguration) async throws
        -> DaemonSockets
    {
        switch configuration.sockets {
        case .systemd(let push, let query):
            return try await serve(core, push: push, query: query, files: [], lock: nil)
        case .own:
            let directory = configuration.runtimeDirectory
            try UnixSocket.checkLength(of: directory.querySocket)
            let lock = try Descriptor(path: directory.path, flags: O_RDONLY | O_DIRECTORY)
            guard lock.lock() else { throw DaemonError.alreadyRunning(path: directory.pushSocket) }
            let push = try UnixSocket.listen(at: directory.pushSocket)
            let query: (socket: CInt, file: FileIdentity)
            do {
                query = try UnixSocket.listen(at: directory.querySocket)
            } catch {
                FileSystem.remove(directory.pushSocket)
                _ = Descriptor(owning: push.socket)
                throw error
            }
            return try await serve(
                core, push: push.socket, query: query.socket,
                files: [(directory.pushSocket, push.file), (directory.querySocket, query.file)], lock: lock)
        }
    }

    private static func serve(
        _ core: NIOLoopBound<DaemonCore>, push: CInt, query: CInt,
        files: [(path: String, identity: FileIdentity)], lock: consuming Descriptor?
    ) async throws -> DaemonSockets {
        let pushChannel = try await pushBootstrap(core).withBoundSocket(push).get()
        let queryChannel = try await queryBootstrap(core).withBoundSocket(query).get()
        try await core.eventLoop.submit { core.value.hasWaitingApps = { pushChannel.hasUnread } }.get()
        return DaemonSockets(push: pushChannel, query: queryChannel, files: files, lock: lock)
    }

    /// Removes the sockets' files if they are ours and still the ones that we made: nobody finds us any more.
    func removeFiles() {
        for file in files where FileSystem.status(of: file.path).map(FileIdentity.init) == file.identity {
            FileSystem.remove(file.path)
        }
    }

    /// Whether an app waits to be accepted.
    func hasWaiting() async -> Bool {
        let push = push
        return (try? await push.eventLoop.submit { push.hasUnread }.get()) ?? false
    }

    /// Takes no more connections; those that wait to be accepted stay with a service manager's socket.
    func stopListening() async {
        try? await push.close().get()
        try? await query.close().get()
    }

    private static func pushBootstrap(_ core: NIOLoopBound<DaemonCore>) -> ServerBootstrap {
        ServerBootstrap(group: core.eventLoop)
            .serverChannelOption(ChannelOptions.backlog, value: UnixSocket.backlog)
            .childChannelInitializer { channel in
                PeerCredentials.of(channel).flatMapThrowing { try core.value.accept(channel, from: $0) }
            }
            // One read of a frame's size from each app in turn: nobody keeps the others waiting.
            .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
            .childChannelOption(
                ChannelOptions.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
    }

    private static func queryBootstrap(_ core: NIOLoopBound<DaemonCore>) -> ServerBootstrap {
        ServerBootstrap(group: core.eventLoop)
            .serverChannelOption(ChannelOptions.backlog, value: UnixSocket.backlog)
            .childChannelInitializer { channel in
                PeerCredentials.of(channel).flatMapThrowing { try core.value.acceptQuery(channel, from: $0) }
            }
    }
}

extension DaemonCore {
    /// Takes in a client of the query socket, or says why not by an error that closes it.
    func acceptQuery(_ channel: any Channel, from peer: PeerCredentials) throws {
        guard peer.isTrusted() else {
            registry.drops.foreignPeers &+= 1
            note(.refusedConnection, "refused a query of user \(peer.uid)")
            throw Refused()
        }
        guard queryConnections < configuration.limits.queryConnections else {
            registry.drops.connections &+= 1
            note(.refusedConnection, "refused a query over the limit of \(configuration.limits.queryConnections)")
            throw Refused()
        }
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(QueryHandler(core: self))
        queryConnections += 1
        let bound = NIOLoopBound(self, eventLoop: loop)
        channel.closeFuture.whenComplete { _ in bound.value.queryConnections -= 1 }
    }
}
