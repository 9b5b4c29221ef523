// SPDX-License-Identifier: MIT
// The priority that a thread obtained, how, and what prevented more.

package import RerenderQuery

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

    package var way: Way
    /// The real-time priority; 0 if it has none.
    package var realtimePriority: Int
    /// The nice value; 0 if it was not changed.
    package var nice: Int
    /// What stood in the way of real-time priority and what to do, for people; empty if it was obtained.
    package var hindrance: String

    package init(way: Way = .none, realtimePriority: Int = 0, nice: Int = 0, hindrance: String = "") {
        self.way = way
        self.realtimePriority = realtimePriority
        self.nice = nice
        self.hindrance = hindrance
    }

    /// Puts it into the daemon's report.
    package func write(into report: inout HealthReport.Watchdog) {
        report.priority = way.rawValue
        report.realtimePriority = realtimePriority
        report.nice = nice
        report.hindrance = hindrance
    }

    /// The outcome in a few words, for a log.
    package var text: String {
        let source = way == .limit ? "RLIMIT_RTPRIO or CAP_SYS_NICE" : way.rawValue
        if realtimePriority > 0 { return "real-time priority \(realtimePriority) (\(source))" }
        return nice < 0 ? "nice value \(nice) (\(way.rawValue))" : "normal priority"
    }

    /// How a user gets real-time priority. The limit of the user's manager bounds that of its services.
    package static let advice =
        "Install rtkit; or put LimitRTPRIO=10 under [Service] in /etc/systemd/system/user@.service.d/rerender.conf, or "
        + "\"USER - rtprio 10\" in /etc/security/limits.d/rerender.conf for a daemon started in a terminal, and log out "
        + "and in again"
}
