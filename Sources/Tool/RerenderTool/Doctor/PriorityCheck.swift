// SPDX-License-Identifier: MIT
// Checks the watchdog's priority.

import RerenderDaemon
import RerenderShow

/// Looks at the priority that the running daemon's hang watchdog got, or could get where none runs.
///
/// It wants real-time priority, to be woken in time on a busy machine.
struct PriorityCheck: Sendable {
    let system: any DoctorSystem
    /// The daemon; nil where it is known not to answer.
    let client: (any QueryClient)?

    private static let name = "watchdog priority"

    /// Bit of the capability to set any priority, CAP_SYS_NICE.
    private static let niceCapability = 23

    /// What the daemon has; what the limits of this login allow where it does not say.
    func finding() async -> Finding {
        guard let report = try? await client?.health(),
            report.watchdog != HealthReport.Watchdog()
        else { return allowed }
        return Self.finding(of: report.watchdog)
    }

    private static func finding(of watchdog: HealthReport.Watchdog) -> Finding {
        let way = Printable.text(watchdog.priority)
        if watchdog.realtimePriority > 0 {
            return .ok(name, "the daemon's watchdog has real-time priority \(watchdog.realtimePriority) (\(way))")
        }
        let has = watchdog.nice < 0 ? "only the nice value \(watchdog.nice) (\(way))" : "normal priority"
        let hindrance = Printable.text(watchdog.hindrance)
        return .warn(
            name, "the daemon's watchdog has \(has): it can be late on a busy machine",
            hindrance.isEmpty ? ThreadPriority.advice : hindrance)
    }

    private var allowed: Finding {
        let name = Self.name
        if hasCapability { return .ok(name, "real-time priority is allowed (CAP_SYS_NICE)") }
        let limit = Self.limit(in: system.read("/proc/self/limits"))
        if limit > 0 { return .ok(name, "real-time priority up to \(limit) is allowed (RLIMIT_RTPRIO)") }
        if system.file("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service") != nil {
            return .ok(name, "the limit is 0 (RLIMIT_RTPRIO), but rtkit can grant real-time priority")
        }
        return .warn(
            name,
            "real-time priority is not allowed (RLIMIT_RTPRIO 0): the hang watchdog can be late on a busy machine",
            ThreadPriority.advice.replacing("USER -", with: "\(system.environment("USER") ?? "USER") -")
        )
    }

    private var hasCapability: Bool {
        let words = ProcStatus.words("CapEff", in: system.read("/proc/self/status"))
        guard let mask = words.first.flatMap({ UInt64($0, radix: 16) }) else { return false }
        return mask >> UInt64(Self.niceCapability) & 1 == 1
    }

    /// The soft limit in `/proc/self/limits`: `Max realtime priority     0     0`.
    static func limit(in limits: String) -> Int {
        let title = "Max realtime priority"
        guard let line = limits.split(separator: "\n").first(where: { $0.hasPrefix(title) }) else { return 0 }
        let words = line.dropFirst(title.count).split(separator: " ")
        guard let first = words.first else { return 0 }
        return first == "unlimited" ? 99 : Int(first) ?? 0
    }
}
