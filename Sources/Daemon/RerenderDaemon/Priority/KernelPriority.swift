// SPDX-License-Identifier: MIT
// The calling thread's priority by the kernel's own calls, and by rtkit over a connection to the system bus.

internal import CShared
internal import Glibc

/// The running system.
struct KernelPriority: PrioritySystem {
    /// What a thread starts does not inherit its priority: SCHED_RESET_ON_FORK of sched(7), which Glibc's module lacks.
    private static let resetOnFork: CInt = 0x4000_0000

    var scheduling: Scheduling {
        var parameters = sched_param()
        // Safe: the kernel fills the value, with priority 0 for a thread that is not real-time.
        _ = unsafe sched_getparam(0, &parameters)
        // On Linux the 0 of PRIO_PROCESS is the calling thread.
        errno = 0
        let nice = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        return Scheduling(realtimePriority: Int(parameters.sched_priority), nice: errno == 0 ? Int(nice) : 0)
    }

    var realtimeLimit: Int { Int(clamping: Self.softLimit(__RLIMIT_RTPRIO)) }
    // The limit counts from the worst value: 20 is nice 0, 40 is nice -20 (getrlimit(2)).
    var niceLimit: Int { 20 - Int(min(40, Self.softLimit(__RLIMIT_NICE))) }

    private static func softLimit(_ resource: __rlimit_resource) -> rlim_t {
        var limit = rlimit()
        // Safe: the kernel fills the value that it is given.
        return unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 ? limit.rlim_cur : 0
    }

    func setRealtime(_ priority: Int) throws(SystemRefusal) {
        var parameters = sched_param(sched_priority: CInt(clamping: priority))
        // Safe: the kernel reads the value that it is given.
        guard unsafe sched_setscheduler(0, SCHED_RR | Self.resetOnFork, &parameters) == 0 else {
            throw SystemRefusal(errno: errno)
        }
    }

    func setNice(_ value: Int) throws(SystemRefusal) {
        guard setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, CInt(clamping: value)) == 0 else {
            throw SystemRefusal(errno: errno)
        }
    }

    func limitRuntime(microseconds: Int64) throws(SystemRefusal) {
        let number = cmessagebus_limit_rttime(UInt64(clamping: microseconds))
        guard number == 0 else { throw SystemRefusal(errno: number) }
    }

    func connectKit() throws(SystemRefusal) -> MessageBus {
        try MessageBus(.system, milliseconds: PriorityLimits.busMilliseconds)
    }
}

extension MessageBus: RealtimeKit {
    func limits() throws(SystemRefusal) -> RealtimeKitLimits {
        RealtimeKitLimits(
            runtimeMicroseconds: try property("RTTimeUSecMax", type: "x"),
            priority: Int(try property("MaxRealtimePriority", type: "i")),
            nice: Int(try property("MinNiceLevel", type: "i")))
    }

    private func property(_ name: String, type: Unicode.Scalar) throws(SystemRefusal) -> Int64 {
        var value: Int64 = 0
        // Safe: the name ends with 0 and, like both places, outlives the call.
        try attempt {
            unsafe cmessagebus_rtkit_property(bus, name, CChar(bitPattern: UInt8(ascii: type)), &value, &$0)
        }
        return value
    }

    func makeRealtime(_ priority: Int) throws(SystemRefusal) {
        try attempt { unsafe cmessagebus_rtkit_ask(bus, CMESSAGEBUS_REALTIME, Int32(clamping: priority), &$0) }
    }

    func makeHighPriority(_ nice: Int) throws(SystemRefusal) {
        try attempt { unsafe cmessagebus_rtkit_ask(bus, CMESSAGEBUS_NICE, Int32(clamping: nice), &$0) }
    }
}
