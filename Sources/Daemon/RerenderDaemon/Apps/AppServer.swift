// SPDX-License-Identifier: MIT
// Serves apps: takes in their connections, and does what the registry asks for after a frame.

internal import NIOCore
import RerenderModel
import RerenderWire

/// What all apps' connections share. Confined to the event loop.
final class AppServer {
    let context: DaemonContext
    let connections: AppConnections
    let hangs: HangCoordinator
    private let commands: CommandRunner
    let ended: EndedProcesses
    private let status: ServiceStatus
    private let settings: StoreSettings
    private var latestConnection: UInt64 = 0
    let startedAt = Timestamp.now
    private(set) var bytesReceived: UInt64 = 0
    /// No page is to move to memory any more.
    private var isEnding = false
    /// What the frames take that are not complete.
    private var unfinishedBytes = 0

    init(
        _ context: DaemonContext, connections: AppConnections, hangs: HangCoordinator, commands: CommandRunner,
        ended: EndedProcesses, status: ServiceStatus
    ) {
        self.context = context
        self.connections = connections
        self.hangs = hangs
        self.commands = commands
        self.ended = ended
        self.status = status
        settings = StoreSettings(context.registry, context.settings, send: connections.send)
    }

    private var registry: Registry { context.registry }

    /// Takes in an accepted connection; throws an error that closes it.
    func accept(_ channel: any Channel, from peer: PeerCredentials) throws {
        try context.admit(peer, "connection", count: connections.count, limit: context.limits.connections)
        latestConnection &+= 1
        let handler = PushHandler(connection: AppConnection(serial: latestConnection, pid: peer.pid), server: self)
        try channel.pipeline.syncOperations.addHandler(handler)
        connections.add(handler)
        // Also when the connection ends before it was ever active.
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.closed(handler) }
    }

    /// Counts bytes of frames that are not complete. Where they are too many, the one that was begun first is given up.
    func keepUnfinished(_ change: Int) {
        unfinishedBytes += change
        while unfinishedBytes > context.limits.unfinishedBytes {
            let waiting = connections.all.filter { $0.unfinishedSince != nil }
            guard let first = waiting.min(by: { ($0.unfinishedSince ?? .now()) < ($1.unfinishedSince ?? .now()) })
            else { return }
            first.giveUpUnfinished()
        }
    }

    func received(bytes: Int) { bytesReceived &+= UInt64(bytes) }

    /// Does what the registry asked for after a frame of `handler`.
    func perform(_ handler: PushHandler) {
        let actions = registry.actions
        registry.actions.removeAll(keepingCapacity: true)
        for action in actions {
            switch action {
            case .welcome: welcome(handler)
            case .hold(let offer): hold(offer, of: handler)
            case .tellCounts(let store):
                settings.tell(store)
                hangs.tellCounts(ofStore: store)
            case .supersede(let connection): connections.close(connection)
            case .done(let result, let connection): commands.done(result, from: connection)
            }
        }
    }

    private func welcome(_ handler: PushHandler) {
        handler.greeted()
        _ = handler.send(.welcome(version: WireProtocol.version))
        if let process = handler.connection.process {
            let program = ProcessTable.program(of: process.identity.pid)
            // What the old program was to be told is not for the new one.
            if let old = process.program, let program, old != program { process.waitingNotices = [] }
            process.program = program ?? process.program
            hangs.connected(process)
            // It may be the successor of a program whose connection has long been closed, or that had none.
            if process.identity.copy > 0 { context.loop.execute { self.ended.mayHaveEnded() } }
        }
        context.log.write(.processes, "connected", of: handler.connection)
        status.changed()
    }

    /// Holds the memory of an app, so that its page can move there: the watchdog knows of it before.
    private func hold(_ offer: MemoryOffer, of handler: PushHandler) {
        guard !isEnding, let process = handler.connection.process, process.ownsPage,
            let memory = OpenPage(offer, of: handler.connection.pid),
            (try? FlightPages.page(in: memory))?.startTicks == process.identity.startTicks
        else { return }
        process.memory = memory
        hangs.watch(process)
        _ = handler.send(.holdsMemory(true))
    }

    /// Asks apps to move their pages to files: this daemon is about to end.
    func returnPages() {
        isEnding = true
        for handler in connections.all where handler.connection.process?.memory != nil {
            _ = handler.send(.holdsMemory(false))
        }
    }

    /// Whether no page of a connected app is in memory.
    var areInFiles: Bool {
        connections.all.allSatisfy { $0.connection.process?.memory?.isMoved ?? true }
    }

    /// An app reads again.
    func becameWritable(_ handler: PushHandler) {
        guard let process = handler.connection.process, process.connection === handler.connection else { return }
        hangs.flush(process)
        settings.tellAll(of: process)
    }

    private func closed(_ handler: PushHandler) {
        guard connections.remove(handler) else { return }
        commands.disconnected(handler.connection.serial)
        registry.disconnected(handler.connection)
        ended.mayHaveEnded()
        status.changed()
    }
}
