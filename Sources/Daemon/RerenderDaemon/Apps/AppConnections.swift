// SPDX-License-Identifier: MIT
// The connections of apps, by number.

internal import Glibc
internal import NIOCore
import RerenderWire

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
