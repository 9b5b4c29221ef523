// SPDX-License-Identifier: MIT
// Waits until the daemon has taken in everything that processes sent before they ended.

import RerenderShow

extension Session {
    /// How long the daemon may take in nothing: it reads a socket in milliseconds, and longer on a loaded machine.
    static let intakeLimit = Duration.seconds(5)

    /// Waits for the daemon to catch up. Returns true once everything is in, false when it has taken in nothing for `limit`.
    func waitForIntake(
        limit: Duration = intakeLimit, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Bool {
        var (deadline, received) = (clock.now.advanced(by: limit), UInt64(0))
        var pause = Duration.milliseconds(2)
        while true {
            let health = try await client.health()
            if health.drained { return true }
            if health.bytesReceived > received {
                (deadline, received) = (clock.now.advanced(by: limit), health.bytesReceived)
            }
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
