// SPDX-License-Identifier: MIT
// The priority of the watchdog's thread, obtained on the thread itself and shown in the health report.

import RerenderQuery
internal import Synchronization

/// Keeps what the thread obtained.
package final class WatchdogPriority: Sendable {
    private let obtained = Mutex<ThreadPriority?>(nil)

    package init() {}

    /// Obtains it for the calling thread; at most a second, see ``RealtimePriority/obtain(ownsProcess:)``.
    func obtain(ownsProcess: Bool) {
        let priority = RealtimePriority.obtain(ownsProcess: ownsProcess)
        obtained.withLock { $0 = priority }
    }

    /// Says it in a report, once there is a thread.
    func fill(_ report: inout HealthReport.Watchdog) {
        guard let obtained = obtained.withLock({ $0 }) else { return }
        RealtimePriority.current(after: obtained).write(into: &report)
    }
}
