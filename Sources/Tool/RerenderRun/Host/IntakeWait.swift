// SPDX-License-Identifier: MIT
// Waiting until the daemon has read everything that processes which ended had sent.

import RerenderModel
import RerenderToolBase

/// What is known at one moment of what a daemon has still to read.
struct IntakeState: Hashable, Sendable {
    var sockets: KernelSockets
    /// Processes that the daemon holds for connected.
    var connected: Set<Int32>
    /// Those of them that have ended.
    var dead: Set<Int32>

    /// Connections beyond one for each connected process: not yet introduced, or not yet closed.
    var excess: Int { max(0, sockets.accepted - connected.count) }

    /// Whether all that ended processes sent is in, given the excess that there was before.
    ///
    /// Bytes of a process that ended wait in a connection that is not accepted, in one that has not said yet who it is,
    /// or in one whose process counts as connected though it is gone. Where none of these is left, all is in.
    func isSettled(usualExcess: Int) -> Bool {
        sockets.waiting == 0 && dead.isEmpty && excess <= usualExcess
    }
}

/// Waits for a daemon to catch up.
struct IntakeWait: Sendable {
    let session: Session
    /// Connections that were there before, and belong to no process that the daemon knows.
    let usualExcess: Int

    /// How long to wait: a daemon reads what a socket holds in milliseconds, a loaded machine takes longer.
    static let limit = Duration.seconds(5)
    private let limit: Duration

    /// Learns what is usual before a command starts.
    init(session: Session, limit: Duration = IntakeWait.limit) async throws {
        self.session = session
        self.limit = limit
        self.usualExcess = try await Self.state(session).excess
    }

    /// Returns true as soon as everything is in, false when the time is over.
    ///
    /// Polls: the kernel tells nobody when another process closes a socket.
    func wait() async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        var pause = Duration.milliseconds(2)
        while try await !Self.state(session).isSettled(usualExcess: usualExcess) {
            guard clock.now < deadline else { return false }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
        return true
    }

    private static func state(_ session: Session) async throws -> IntakeState {
        // The kernel first: what it lists as closed is in the daemon's answer that is asked for afterwards.
        let sockets = KernelSockets.now(to: session.directory.pushSocket)
        let stores = try await session.processes()
        let connected = Set(stores.filter(\.connected).map(\.pid))
        return IntakeState(sockets: sockets, connected: connected, dead: connected.filter { !ProcessLife.isAlive($0) })
    }
}
