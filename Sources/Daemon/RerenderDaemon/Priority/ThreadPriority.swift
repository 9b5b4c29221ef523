// SPDX-License-Identifier: MIT
// The priority that a thread obtained, how, and what prevented more; that of the watchdog's thread is kept for the health report.

internal import CShared
package import RerenderModel
internal import Synchronization

/// The outcome of asking for priority.
package struct ThreadPriority: Hashable, Codable, Sendable {
    /// Where priority came from.
    package enum Way: String, Hashable, Codable, Sendable, CaseIterable {
        /// The process may take it itself: by this limit, or by a capability.
        case limit = "RLIMIT_RTPRIO"
        /// The rtkit service gave it.
        case rtkit
        /// A nice value was allowed, and no real-time priority.
        case nice
        /// There is none.
        case none
    }

    package var way = Way.none
    /// The real-time priority; 0 if it has none.
    package var realtimePriority = 0
    /// The nice value; 0 if it was not changed.
    package var nice = 0
    /// What stood in the way of real-time priority and what to do, for people; empty if it was obtained.
    package var hindrance = ""

    /// Obtains the best priority that can be had for the calling thread, and says what it is.
    ///
    /// In this order: real-time by RLIMIT_RTPRIO (or a capability), real-time or a nice value by rtkit, a nice value by
    /// RLIMIT_NICE. Blocks for at most a second, where rtkit's bus does not answer; so call it on the thread itself and never
    /// on an event loop. Threads and processes that the thread starts do not inherit it.
    ///
    /// - Parameter ownsProcess: Whether limits of the whole process may be set, which programs that it starts inherit. Only
    ///   then is the run time of real-time threads bounded (RLIMIT_RTTIME), and rtkit asked, which demands that.
    package static func obtain(ownsProcess: Bool) -> ThreadPriority {
        PrioritySearch.obtain(from: KernelPriority(), ownsProcess: ownsProcess)
    }

    /// What the thread has now, where it may have lost what it obtained: the kernel's limit for real-time threads makes it
    /// an ordinary one.
    package var current: ThreadPriority {
        guard realtimePriority > 0, cmessagebus_was_demoted() else { return self }
        return ThreadPriority(
            hindrance: "it ran longer without waiting than RLIMIT_RTTIME allows, and is an ordinary thread since")
    }

    /// Puts it into the daemon's report.
    package func write(into report: inout HealthReport.Watchdog) {
        report.priority = way.rawValue
        report.realtimePriority = realtimePriority
        report.nice = nice
        report.hindrance = hindrance
    }

    /// How a user gets real-time priority. The limit of the user's manager bounds that of its services.
    package static let advice =
        "Install rtkit; or put LimitRTPRIO=10 under [Service] in /etc/systemd/system/user@.service.d/rerender.conf, or "
        + "\"USER - rtprio 10\" in /etc/security/limits.d/rerender.conf for a daemon started in a terminal, and log out "
        + "and in again"
}

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
