// SPDX-License-Identifier: MIT
// Obtains priority for the calling thread from the kernel and rtkit.

internal import CMessageBus
internal import Glibc

/// Asks the system for priority.
package enum RealtimePriority {
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
    package static func current(after obtained: ThreadPriority) -> ThreadPriority {
        guard obtained.realtimePriority > 0, cmessagebus_was_demoted() else { return obtained }
        return ThreadPriority(
            hindrance: "it ran longer without waiting than RLIMIT_RTTIME allows, and is an ordinary thread since")
    }
}

/// The running system.
struct KernelPriority: PrioritySystem {
    var scheduling: Scheduling {
        let now = cmessagebus_scheduling()
        return Scheduling(realtimePriority: Int(now.realtime_priority), nice: Int(now.nice))
    }

    var realtimeLimit: Int { Int(clamping: cmessagebus_limit_rtprio()) }
    // The limit counts from the worst value: 20 is nice 0, 40 is nice -20 (getrlimit(2)).
    var niceLimit: Int { 20 - Int(min(40, cmessagebus_limit_nice())) }

    func setRealtime(_ priority: Int) throws(SystemRefusal) {
        try Self.check(cmessagebus_set_realtime(Int32(clamping: priority)))
    }

    func setNice(_ value: Int) throws(SystemRefusal) { try Self.check(cmessagebus_set_nice(Int32(clamping: value))) }

    func limitRuntime(microseconds: Int64) throws(SystemRefusal) {
        try Self.check(cmessagebus_guard_rttime())
        try Self.check(cmessagebus_limit_rttime(UInt64(clamping: microseconds)))
    }

    func connectKit() throws(SystemRefusal) -> MessageBus {
        try MessageBus(.system, milliseconds: PriorityLimits.busMilliseconds)
    }

    private static func check(_ error: Int32) throws(SystemRefusal) {
        if error != 0 { throw SystemRefusal(text: text(error)) }
    }

    // Safe: the text is copied before anything else is called.
    private static func text(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }
}
