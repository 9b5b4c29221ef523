// SPDX-License-Identifier: MIT
// The two sockets: made or taken over, served, watched and removed if they are ours.

internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
import RerenderModel

/// The listening sockets of a daemon.
struct DaemonSockets: ~Copyable {
    private var push: any Channel
    private var query: any Channel
    private var files: [(path: String, identity: FileIdentity)]
    /// Held while the daemon runs, so that a second one cannot replace the sockets.
    private var lock: Descriptor?

    /// Makes the sockets or takes over the service manager's, and begins to serve.
    static func open(_ core: NIOLoopBound<DaemonCore>, _ configuration: DaemonConfiguration) async throws
        -> DaemonSockets
    {
        switch configuration.sockets {
        case .systemd(let push, let query):
            return try await serve(core, push: push, query: query, files: [], lock: nil, configuration.limits)
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
            let sockets = try await serve(
                core, push: push.socket, query: query.socket,
                files: [(directory.pushSocket, push.file), (directory.querySocket, query.file)], lock: lock,
                configuration.limits)
            FileSystem.wakeReaders(of: directory.startNotice)
            return sockets
        }
    }

    private static func serve(
        _ core: NIOLoopBound<DaemonCore>, push: CInt, query: CInt,
        files: [(path: String, identity: FileIdentity)], lock: consuming Descriptor?, _ limits: DaemonLimits
    ) async throws -> DaemonSockets {
        let pushChannel = try await pushBootstrap(core, limits).withBoundSocket(push).get()
        let queryChannel = try await queryBootstrap(core, limits).withBoundSocket(query).get()
        // SwiftNIO listens anew on a socket that it is given, with a queue of 128.
        for socket in [push, query] { UnixSocket.lengthenQueue(of: socket) }
        try await core.eventLoop.submit { core.value.connections.listen(on: pushChannel) }.get()
        return DaemonSockets(push: pushChannel, query: queryChannel, files: files, lock: lock)
    }

    /// Removes the sockets' files if this daemon made them, so that apps do not find it any more.
    func removeFiles() {
        for file in files where Self.isThere(file) { FileSystem.remove(file.path) }
    }

    private static func isThere(_ file: (path: String, identity: FileIdentity)) -> Bool {
        FileSystem.status(of: file.path).map(FileIdentity.init) == file.identity
    }

    /// Whether files that this daemon made are there no more, or are another one's.
    var areGone: Bool { !files.allSatisfy(Self.isThere) }

    /// Listens anew, as at the start. Connections stay; those that wait to be accepted are closed.
    mutating func reopen(_ core: NIOLoopBound<DaemonCore>, _ configuration: DaemonConfiguration) async throws {
        removeFiles()
        await stopListening()
        lock = nil
        self = try await Self.open(core, configuration)
    }

    /// Takes no more connections; those that wait to be accepted stay with a service manager's socket.
    func stopListening() async {
        try? await push.close().get()
        try? await query.close().get()
    }

    private static func pushBootstrap(_ core: NIOLoopBound<DaemonCore>, _ limits: DaemonLimits) -> ServerBootstrap {
        bootstrap(core) { channel, peer in
            let handler = try core.value.apps.accept(channel, from: peer)
            let buffers = PushBuffers(of: handler, on: channel.eventLoop)
            try channel.syncOptions?.setOption(ChannelOptions.recvAllocator, value: buffers)
        }
        // One read of a frame's size from each app in turn: no app delays the others.
        .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
        .childChannelOption(ChannelOptions.socketOption(.so_sndbuf), value: limits.appSendBytes)
        .childChannelOption(
            ChannelOptions.writeBufferWaterMark,
            value: .init(low: limits.appPendingBytes / 2, high: limits.appPendingBytes))
    }

    private static func queryBootstrap(_ core: NIOLoopBound<DaemonCore>, _ limits: DaemonLimits) -> ServerBootstrap {
        bootstrap(core) { try core.value.queries.accept($0, from: $1) }
            // Few requests at a time: each takes more memory than its bytes, and waits until those before it are answered.
            .childChannelOption(ChannelOptions.maxMessagesPerRead, value: 1)
            .childChannelOption(
                ChannelOptions.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: limits.requestReadBytes)
            )
    }

    private static func bootstrap(
        _ core: NIOLoopBound<DaemonCore>, accept: @escaping @Sendable (any Channel, PeerCredentials) throws -> Void
    ) -> ServerBootstrap {
        ServerBootstrap(group: core.eventLoop)
            .serverChannelOption(ChannelOptions.backlog, value: UnixSocket.backlog)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pause = AcceptPause(of: core.value.limits.acceptPause) { core.value.cannotAccept($0) }
                    // Before the handler of SwiftNIO's that keeps such errors to itself.
                    try channel.pipeline.syncOperations.addHandler(pause, position: .first)
                }
            }
            .childChannelInitializer { channel in
                PeerCredentials.of(channel).flatMapThrowing { try accept(channel, $0) }
            }
    }
}

/// The kernel's notices of files that are removed from a directory (inotify(7)). The daemon sleeps until one comes.
struct RemovalNotices {
    /// The event loop closes it at its end.
    private let instance: CInt

    /// Has `look` called on the event loop after each; throws where the user has no instance left.
    init(on loop: any EventLoop, look: @escaping @Sendable () -> Void) async throws {
        let number = inotify_init1(CInt(IN_CLOEXEC))
        guard number >= 0 else { throw DaemonError.last("have an instance of inotify") }
        let new = Descriptor(owning: number)
        // The kernel gives whole notices, of at most 272 bytes each.
        let buffer = FixedSizeRecvByteBufferAllocator(capacity: 4_096)
        _ = try await NIOPipeBootstrap(group: loop).channelOption(ChannelOptions.recvAllocator, value: buffer)
            .channelInitializer { $0.pipeline.addHandler(RemovalHandler(look: look)) }
            .takingOwnershipOfDescriptor(input: number).get()
        instance = new.release()
    }

    /// Watches the directory that lies at a path now, if there is one. A directory that is removed is emptied first; one that was watched
    /// before, and was moved, is watched beside.
    func watch(_ path: String) throws(DaemonError) {
        let events = UInt32(IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_ONLYDIR)
        let watch = unsafe inotify_add_watch(instance, path, events)
        guard watch >= 0 || errno == ENOENT else { throw .last("watch \(path)") }
    }
}

private final class RemovalHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let look: @Sendable () -> Void

    init(look: @escaping @Sendable () -> Void) { self.look = look }

    /// The notices need not be read: too many, and the end of the directory, are notices as well.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Who removes a whole directory is through by then, and does not find a new socket in it.
        context.eventLoop.scheduleTask(in: .milliseconds(100), look)
    }
}
