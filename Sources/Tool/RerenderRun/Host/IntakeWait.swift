// SPDX-License-Identifier: MIT
// Waits until the daemon has taken in everything that processes sent before they ended.

import RerenderToolBase

extension Session {
    /// How long the daemon may take in nothing: it reads a socket in milliseconds, and longer on a loaded machine.
    static let intakeLimit = Duration.seconds(5)

    /// Waits for the daemon to catch up. Returns true once everything is in, false when it has taken in nothing for `limit`.
    func waitForIntake(limit: Duration = intakeLimit) async throws -> Bool {
        var (deadline, received) = (ContinuousClock.now + limit, UInt64(0))
        var pause = Duration.milliseconds(2)
        while true {
            let health = try await client.document(.get(.health), as: HealthReport.self)
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
