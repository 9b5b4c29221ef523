// SPDX-License-Identifier: MIT
// Sends commands to apps and waits for their answers.

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
