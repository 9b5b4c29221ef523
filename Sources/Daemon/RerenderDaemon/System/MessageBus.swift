// SPDX-License-Identifier: MIT
// A connection to a D-Bus.

internal import CMessageBus
import RerenderModel

/// A connection that closes with its owner; for one thread at a time.
@safe
final class MessageBus {
    /// Why something did not work, safe to print.
    struct Fault: Error, Hashable {
        var text: String
    }

    enum Which {
        case system, session
    }

    // Proof: the pointer is not null, is not given away, and is closed once, in deinit. The connection waits for nothing
    // longer than it was told to.
    private let bus: OpaquePointer

    /// Connects; this and all later calls wait at most `milliseconds` together.
    init(_ which: Which, milliseconds: UInt64) throws(Fault) {
        var fault = cmessagebus_fault()
        let kind = which == .system ? CMESSAGEBUS_SYSTEM : CMESSAGEBUS_SESSION
        // Safe: `fault` outlives the call.
        guard let opened = unsafe cmessagebus_open(kind, milliseconds, &fault) else { throw Self.fault(fault) }
        unsafe bus = opened
    }

    deinit {
        unsafe cmessagebus_close(bus)
    }

    /// Shows a desktop notification. The body may be read as markup.
    func notify(app: String, summary: String, body: String) throws(Fault) {
        var fault = cmessagebus_fault()
        // Safe: the texts end with 0 and, like `fault`, outlive the call.
        guard unsafe cmessagebus_notify(bus, app, summary, body, &fault) else { throw Self.fault(fault) }
    }

    private static func fault(_ fault: cmessagebus_fault) -> Fault {
        // The array is of bytes, and C ends the text with 0 in every case.
        let bytes = unsafe withUnsafeBytes(of: fault.text) { unsafe Array($0.prefix { $0 != 0 }) }
        let text = Printable.text(String(decoding: bytes, as: UTF8.self))
        return Fault(text: text.isEmpty ? "no reason given" : text)
    }
}

extension MessageBus: RealtimeKit {
    func limits() throws(PriorityFault) -> RealtimeKitLimits {
        var fault = cmessagebus_fault()
        var limits = cmessagebus_rtkit()
        // Safe: both values outlive the call.
        guard unsafe cmessagebus_rtkit_limits(bus, &limits, &fault) else { throw Self.priorityFault(fault) }
        return RealtimeKitLimits(
            runtimeMicroseconds: limits.max_rttime_microseconds, priority: Int(limits.max_priority),
            nice: Int(limits.min_nice))
    }

    func makeRealtime(_ priority: Int) throws(PriorityFault) {
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        guard unsafe cmessagebus_rtkit_realtime(bus, UInt32(clamping: priority), &fault) else {
            throw Self.priorityFault(fault)
        }
    }

    func makeHighPriority(_ nice: Int) throws(PriorityFault) {
        var fault = cmessagebus_fault()
        // Safe: `fault` outlives the call.
        guard unsafe cmessagebus_rtkit_nice(bus, Int32(clamping: nice), &fault) else { throw Self.priorityFault(fault) }
    }

    private static func priorityFault(_ fault: cmessagebus_fault) -> PriorityFault {
        PriorityFault(text: Self.fault(fault).text)
    }
}
