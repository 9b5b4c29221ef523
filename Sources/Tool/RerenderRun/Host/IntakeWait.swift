// SPDX-License-Identifier: MIT
// Waits until the daemon has taken in everything that processes sent before they ended.

import RerenderQuery
import RerenderToolBase

/// Waits for a daemon to catch up.
struct IntakeWait: Sendable {
    let session: Session

    /// How long to wait: a daemon reads what a socket holds in milliseconds, and longer on a loaded machine.
    static let limit = Duration.seconds(5)

    /// Returns true once everything is in, false when the time is over.
    func wait(limit: Duration = IntakeWait.limit) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        var pause = Duration.milliseconds(2)
        while try await !session.client.document(.get(.health), as: HealthReport.self).drained {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
        return true
    }
}
