// SPDX-License-Identifier: MIT
// Serves apps: takes in their connections, does what the registry asks for after a frame, and tells stores the user's settings.

import Glibc
import NIOCore
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
    /// What the frames take that are not complete.
    private var unfinishedBytes = 0

    init(
        _ context: DaemonContext, connections: AppConnections, hangs: HangCoordinator, commands: CommandRunner,
        ended: EndedProcesses, status: ServiceStatus
    ) {
        (self.context, self.connections, self.hangs) = (context, connections, hangs)
        (self.commands, self.ended, self.status) = (commands, ended, status)
        settings = StoreSettings(context.registry, context.settings, send: connections.send)
    }

    private var registry: Registry { context.registry }

    /// Takes in an accepted connection; throws an error that closes it.
    @discardableResult
    func accept(_ channel: any Channel, from peer: PeerCredentials) throws -> PushHandler {
        try context.admit(peer, "connection", count: connections.count, limit: context.limits.connections)
        latestConnection &+= 1
        let handler = PushHandler(connection: AppConnection(serial: latestConnection, pid: peer.pid), server: self)
        try channel.pipeline.syncOperations.addHandler(handler)
        connections.add(handler)
        // Also when the connection ends before it was ever active.
        channel.closeFuture.assumeIsolated().whenComplete { _ in self.closed(handler) }
        return handler
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
        guard let process = handler.connection.process else { return }
        _ = handler.send(.welcome(version: WireProtocol.version, copy: process.identity.copy))
        hangs.connected(process)
        // It may be the successor of a program whose connection has long been closed.
        if process.identity.copy > 0 { context.loop.execute { self.ended.mayHaveEnded() } }
        context.log.write(.processes, "connected", of: handler.connection)
        status.changed()
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

/// The apps that are connected, and what waits in their sockets. Confined to the event loop.
final class AppConnections {
    private var handlers: [UInt64: PushHandler] = [:]
    /// The socket that apps connect to; nil until the daemon listens.
    private var listener: (any Channel)?

    var count: Int { handlers.count }
    var all: [PushHandler] { Array(handlers.values) }

    /// The daemon listens from now on.
    func listen(on channel: any Channel) { listener = channel }

    func add(_ handler: PushHandler) { handlers[handler.connection.serial] = handler }

    /// Removes a connection; false if it was removed before.
    func remove(_ handler: PushHandler) -> Bool { handlers.removeValue(forKey: handler.connection.serial) != nil }

    /// Sends a message; false if the app is gone, or does not read what it was sent before.
    func send(_ message: DaemonMessage, to connection: UInt64) -> Bool { handlers[connection]?.send(message) ?? false }

    func close(_ connection: UInt64) { handlers[connection]?.close() }

    // MARK: Intake

    /// Whether everything that apps have sent so far is taken in.
    ///
    /// Asks the kernel, also about connections that wait to be accepted: on a busy machine a pause proves nothing.
    var isDrained: Bool { !hasWaiting && !handlers.values.contains(where: \.hasUnread) }

    /// Whether connections wait to be accepted.
    var hasWaiting: Bool { listener?.hasUnread ?? false }

    /// The connections whose process has ended, or has closed its end; bytes from it may still wait to be read.
    ///
    /// One question to the kernel about all of them.
    var ofEndedProcesses: [PushHandler] {
        var questions: [pollfd] = []
        var asked: [PushHandler] = []
        questions.reserveCapacity(2 * handlers.count)
        asked.reserveCapacity(2 * handlers.count)
        for handler in handlers.values {
            handler.askForEnd(&questions)
            while asked.count < questions.count { asked.append(handler) }
        }
        UnixSocket.answer(&questions)
        var ended: [UInt64: PushHandler] = [:]
        for (question, handler) in zip(questions, asked) where question.revents != 0 {
            ended[handler.connection.serial] = handler
        }
        for handler in handlers.values where handler.hasEndedUnwatched { ended[handler.connection.serial] = handler }
        return Array(ended.values)
    }
}

/// Tells stores what the user has set. Confined to the event loop.
///
/// A store counts as told once its app's connection has taken the message: one that is full gets it when the app reads again.
final class StoreSettings {
    private let registry: Registry
    private let settings: CurrentSettings
    private let send: (DaemonMessage, _ connection: UInt64) -> Bool

    init(
        _ registry: Registry, _ settings: CurrentSettings,
        send: @escaping (DaemonMessage, _ connection: UInt64) -> Bool
    ) {
        (self.registry, self.settings, self.send) = (registry, settings, send)
    }

    /// Tells a store, unless it was told.
    func tell(_ serial: UInt32) {
        guard let (process, store) = registry.storesBySerial[serial], !store.isConfigured else { return }
        guard let change = settings.now.change(of: store.state) else {
            store.isConfigured = true
            return
        }
        guard let connection = process.connection else { return }
        // No command waits for the answer.
        let message = DaemonMessage.configure(request: 0, storeID: store.state.storeID, change)
        store.isConfigured = send(message, connection.serial)
    }

    /// Tells the stores of a process that could not be told: it reads again.
    func tellAll(of process: ProcessEntry) {
        for store in process.stores where !store.isConfigured && !store.hasEnded { tell(store.serial) }
    }
}

// Sends commands to apps, and waits for their answers.

/// Carries out commands. Confined to the event loop.
final class CommandRunner {
    private var pending = PendingCommands()
    private var reports: [UInt64: EventLoopPromise<CommandReport>] = [:]
    private let context: DaemonContext
    private let send: (DaemonMessage, _ connection: UInt64) -> Bool

    /// - Parameter send: sends a message to an app; false if it could not be sent.
    init(_ context: DaemonContext, send: @escaping (DaemonMessage, _ connection: UInt64) -> Bool) {
        self.context = context
        self.send = send
    }

    /// Whether a command can be sent without more requests than may wait for an answer.
    func hasRoom(for plan: CommandPlan) -> Bool {
        pending.requestCount + plan.targets.count <= context.limits.commandRequests
            && reports.count < context.limits.commandRequests
    }

    /// Sends a command; the report comes when all apps have answered, or when the time is up.
    func run(_ plan: CommandPlan) -> EventLoopFuture<CommandReport> {
        let promise = context.loop.nonisolated().makePromise(of: CommandReport.self)
        let (command, requests) = pending.open(plan.targets)
        reports[command] = promise
        for (target, request) in zip(plan.targets, requests) {
            _ = send(plan.message(request, target.storeID), target.connection)
        }
        let deadline = context.loop.scheduleTask(in: context.limits.commandTimeout) { self.finish(command) }
        if plan.targets.isEmpty { finish(command) }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        return promise.futureResult
    }

    /// Takes in an app's answer.
    func done(_ result: CommandResult, from connection: UInt64) {
        if let command = pending.done(result, from: connection) { finish(command) }
    }

    /// Stops waiting for an app.
    func disconnected(_ connection: UInt64) {
        for command in pending.disconnected(connection) { finish(command) }
    }

    /// Ends all commands with the answers that they have.
    func stop() {
        for command in Array(reports.keys) { finish(command) }
    }

    private func finish(_ command: UInt64) {
        guard let promise = reports.removeValue(forKey: command) else { return }
        promise.succeed(pending.close(command) ?? CommandReport(sent: 0, confirmed: 0, reached: 0))
    }
}

/// A command and the apps that it is for.
struct CommandPlan {
    /// A store, or all stores, of a connection.
    struct Target: Hashable {
        var connection: UInt64
        var storeID: UInt32?
    }

    var targets: [Target]
    /// The message for one target under a number of its own.
    var message: (_ request: UInt32, _ storeID: UInt32?) -> DaemonMessage
}

/// Matches the answers of apps to commands. Pure; time and sockets are the caller's.
struct PendingCommands {
    private struct Command {
        /// Requests that each connection has still to answer.
        var waiting: [UInt64: Int]
        var report: CommandReport
    }

    private var commands: [UInt64: Command] = [:]
    private var requests: [UInt32: (command: UInt64, connection: UInt64)] = [:]
    private var nextCommand: UInt64 = 0
    private var nextRequest: UInt32 = 0

    /// Requests that wait for an answer.
    var requestCount: Int { requests.count }

    /// Opens a command and returns its number and a request number for each target.
    mutating func open(_ targets: [CommandPlan.Target]) -> (command: UInt64, requests: [UInt32]) {
        nextCommand &+= 1
        var command = Command(waiting: [:], report: CommandReport(sent: 0, confirmed: 0, reached: 0))
        let numbers = targets.map { target in
            nextRequest &+= 1
            requests[nextRequest] = (nextCommand, target.connection)
            command.waiting[target.connection, default: 0] += 1
            return nextRequest
        }
        command.report.sent = command.waiting.count
        commands[nextCommand] = command
        return (nextCommand, numbers)
    }

    /// Takes an answer; returns the command if it was the last one that was missing.
    mutating func done(_ result: CommandResult, from connection: UInt64) -> UInt64? {
        guard let request = requests[result.request], request.connection == connection,
            var command = commands[request.command]
        else { return nil }
        requests[result.request] = nil
        command.report.reached += Int(result.reached)
        command.report.answered += Int(result.answered)
        command.report.shown += Int(result.shown)
        command.report.instances += Int(result.instances)
        let left = (command.waiting[connection] ?? 1) - 1
        command.waiting[connection] = left == 0 ? nil : left
        if left == 0 { command.report.confirmed += 1 }
        commands[request.command] = command
        return command.waiting.isEmpty ? request.command : nil
    }

    /// Stops waiting for a connection that ended; returns the commands that are complete now.
    mutating func disconnected(_ connection: UInt64) -> [UInt64] {
        requests = requests.filter { $0.value.connection != connection }
        var complete: [UInt64] = []
        for (number, command) in commands where command.waiting[connection] != nil {
            commands[number]?.waiting[connection] = nil
            if command.waiting.count == 1 { complete.append(number) }
        }
        return complete
    }

    /// Removes a command, complete or not, and returns its report.
    mutating func close(_ command: UInt64) -> CommandReport? {
        requests = requests.filter { $0.value.command != command }
        return commands.removeValue(forKey: command)?.report
    }
}
