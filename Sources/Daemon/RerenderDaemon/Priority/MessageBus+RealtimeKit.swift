// SPDX-License-Identifier: MIT
// rtkit over a connection to the system bus.

internal import CMessageBus

extension MessageBus: RealtimeKit {
    func limits() throws(SystemRefusal) -> RealtimeKitLimits {
        var fault = cmessagebus_fault()
        var limits = cmessagebus_rtkit()
        // Safe: both values outlive the call.
        guard unsafe cmessagebus_rtkit_limits(bus, &limits, &fault) else { throw SystemRefusal(fault) }
        return RealtimeKitLimits(
            runtimeMicroseconds: limits.max_rttime_microseconds, priority: Int(limits.max_priority),
            nice: Int(limits.min_nice))
    }

    func makeRealtime(_ priority: Int) throws(SystemRefusal) {
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        guard unsafe cmessagebus_rtkit_realtime(bus, UInt32(clamping: priority), &fault) else {
            throw SystemRefusal(fault)
        }
    }

    func makeHighPriority(_ nice: Int) throws(SystemRefusal) {
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        guard unsafe cmessagebus_rtkit_nice(bus, Int32(clamping: nice), &fault) else { throw SystemRefusal(fault) }
    }
}
