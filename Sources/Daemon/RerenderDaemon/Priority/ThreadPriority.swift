// SPDX-License-Identifier: MIT
// The priority that a thread obtained, how, and what prevented more; that of the watchdog's thread is kept for the health report.

internal import CShared
internal import Glibc
package import RerenderModel
internal import Synchronization

/// The outcome of asking for real-time priority.
package struct ThreadPriority: Hashable, Codable, Sendable {
    /// Where priority came from.
    package enum Way: String, Hashable, Codable, Sendable, CaseIterable {
        /// The process may take it itself: by this limit, or by a capability.
        case limit = "RLIMIT_RTPRIO"
        /// The rtkit service gave it.
        case rtkit
        /// There is none.
        case none
    }

    package var way = Way.none
    /// The real-time priority; 0 if it has none.
    package var realtimePriority = 0
    /// What stood in the way of real-time priority and what to do, for people; empty if it was obtained.
    package var hindrance = ""

    /// Above ordinary threads and below what sound servers take (rtkit grants 20), which must not wait for us.
    private static let wanted: CInt = 10
    /// rtkit's own maximum. One poll of all flight pages takes a hundredth of it.
    private static let runtimeMicroseconds: Int64 = 200_000
    /// What a thread starts does not inherit its priority: SCHED_RESET_ON_FORK of sched(7), which Glibc's module lacks.
    private static let resetOnFork: CInt = 0x4000_0000

    /// Obtains real-time priority for the calling thread, and says what it has then.
    ///
    /// By RLIMIT_RTPRIO (or a capability), or else by rtkit. Blocks for seconds, where rtkit does not answer; so call it
    /// on the thread itself and never on an event loop. Threads and processes that the thread starts do not inherit it.
    ///
    /// - Parameter ownsProcess: Whether limits of the whole process may be set, which programs that it starts inherit. One that has
    ///   real-time threads of its own would be killed by them. Only then is the run time of real-time threads bounded (RLIMIT_RTTIME), and
    ///   rtkit asked, which demands that.
    package static func obtain(ownsProcess: Bool) -> ThreadPriority {
        // A thread that runs away with real-time priority leaves nothing for others, on one processor nothing at all. In another
        // program it has only the kernel's bound for all real-time threads.
        let bound = ownsProcess ? cmessagebus_limit_rttime(UInt64(runtimeMicroseconds)) : 0
        guard bound == 0 else { return refused("RLIMIT_RTTIME cannot be set: \(SystemRefusal(errno: bound).text)") }
        let limit = realtimeLimit
        // Without a limit it works with a capability alone, and costs one system call to find out.
        var parameters = sched_param(sched_priority: limit > 0 ? min(limit, wanted) : wanted)
        // Safe: the kernel reads the value that it is given.
        _ = unsafe sched_setscheduler(0, SCHED_RR | resetOnFork, &parameters)
        if kernelPriority > 0 { return ThreadPriority(way: .limit, realtimePriority: kernelPriority) }
        let byLimit = "RLIMIT_RTPRIO is \(limit)" + (limit > 0 ? ", and the kernel refused" : "")
        guard ownsProcess else { return refused("\(byLimit); rtkit is not asked by a daemon inside another program") }
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        let isGranted = unsafe cmessagebus_ask_rtkit(wanted, runtimeMicroseconds, &fault)
        if kernelPriority > 0 { return ThreadPriority(way: .rtkit, realtimePriority: kernelPriority) }
        let byKit = isGranted ? "it answered, and the thread has no real-time priority" : text(of: fault)
        return refused("\(byLimit); rtkit: \(byKit)")
    }

    private static func refused(_ hindrance: String) -> ThreadPriority {
        ThreadPriority(hindrance: hindrance + ". " + advice)
    }

    /// What the kernel has set for the calling thread; 0 for one that is not real-time.
    private static var kernelPriority: Int {
        var parameters = sched_param()
        // Safe: the kernel fills the value.
        _ = unsafe sched_getparam(0, &parameters)
        return Int(parameters.sched_priority)
    }

    private static var realtimeLimit: CInt {
        var limit = rlimit()
        // Safe: the kernel fills the value that it is given.
        _ = unsafe getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit)
        return CInt(clamping: limit.rlim_cur)
    }

    private static func text(of fault: cmessagebus_fault) -> String {
        // The array is of bytes, and C ends the text with 0 in every case.
        let bytes = unsafe withUnsafeBytes(of: fault.text) { unsafe Array($0.prefix { $0 != 0 }) }
        return Printable.text(String(decoding: bytes, as: UTF8.self))
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

    /// Obtains it for the calling thread, which may take seconds: see ``ThreadPriority/obtain(ownsProcess:)``.
    func obtain(ownsProcess: Bool) {
        let priority = ThreadPriority.obtain(ownsProcess: ownsProcess)
        obtained.withLock { $0 = priority }
    }

    /// Says it in a report; before there is a thread, that it has none.
    func fill(_ report: inout HealthReport.Watchdog) { obtained.withLock { $0 }.current.write(into: &report) }
}
