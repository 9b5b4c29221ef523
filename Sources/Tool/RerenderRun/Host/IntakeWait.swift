// SPDX-License-Identifier: MIT
// Waits until the daemon has taken in everything that processes sent before they ended.

import RerenderQuery
import RerenderToolBase

/// Waits for a daemon to catch up.
struct IntakeWait: Sendable {
    let session: Session

    /// How long the daemon may take in nothing: it reads a socket in milliseconds, and longer on a loaded machine.
    static let limit = Duration.seconds(5)

    /// Returns true once everything is in, false when the daemon has taken in nothing for `limit`.
    func wait(limit: Duration = IntakeWait.limit) async throws -> Bool {
        var (deadline, received) = (ContinuousClock.now + limit, UInt64(0))
        var pause = Duration.milliseconds(2)
        while true {
            let health = try await session.client.document(.get(.health), as: HealthReport.self)
            if health.drained { return true }
            if health.bytesReceived > received {
                (deadline, received) = (ContinuousClock.now + limit, health.bytesReceived)
            }
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
