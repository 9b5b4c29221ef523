// SPDX-License-Identifier: MIT
// The check of what priority a watchdog could have.

/// Looks at whether this login may use real-time priority.
///
/// The hang watchdog of the daemon wants it, to be woken in time on a busy machine.
struct PriorityCheck: Sendable {
    let system: any DoctorSystem

    /// Bit of the capability to set any priority, CAP_SYS_NICE.
    private static let niceCapability = 23

    /// What the limits allow now.
    func finding() -> Finding {
        let name = "watchdog priority"
        if hasCapability { return .ok(name, "real-time priority is allowed (CAP_SYS_NICE)") }
        let limit = Self.limit(in: system.read("/proc/self/limits"))
        if limit > 0 { return .ok(name, "real-time priority up to \(limit) is allowed (RLIMIT_RTPRIO)") }
        if system.file("/usr/share/dbus-1/system-services/org.freedesktop.RealtimeKit1.service") != nil {
            return .ok(name, "the limit allows no real-time priority (RLIMIT_RTPRIO 0); rtkit can grant it")
        }
        return .warn(
            name,
            "no real-time priority is allowed (RLIMIT_RTPRIO 0), so the hang watchdog can be late on a busy machine",
            "Install rtkit, or add \"\(system.environment("USER") ?? "USER") - rtprio 10\" to "
                + "/etc/security/limits.d/rerender.conf"
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
