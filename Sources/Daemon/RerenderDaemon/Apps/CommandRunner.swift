// SPDX-License-Identifier: MIT
// Sends commands to apps, and waits for their answers.

internal import NIOCore
import RerenderModel
import RerenderWire

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
