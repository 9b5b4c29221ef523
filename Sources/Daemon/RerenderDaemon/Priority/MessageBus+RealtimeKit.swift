// SPDX-License-Identifier: MIT
// rtkit over a connection to the system bus.

internal import CShared

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
