// SPDX-License-Identifier: MIT
// The priority of the watchdog's thread, obtained on the thread itself and shown in the health report.

import RerenderModel
internal import Synchronization

/// Keeps what the thread obtained.
package final class WatchdogPriority: Sendable {
    private let obtained = Mutex(ThreadPriority())

    /// Obtains it for the calling thread; at most a second, see ``ThreadPriority/obtain(ownsProcess:)``.
    func obtain(ownsProcess: Bool) {
        let priority = ThreadPriority.obtain(ownsProcess: ownsProcess)
        obtained.withLock { $0 = priority }
    }

    /// Says it in a report; before there is a thread, that it has none.
    func fill(_ report: inout HealthReport.Watchdog) { obtained.withLock { $0 }.current.write(into: &report) }
}
