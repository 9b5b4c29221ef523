// SPDX-License-Identifier: MIT
// A connection to a D-Bus.

internal import CShared
import RerenderModel

/// A connection that closes with its owner; for one thread at a time.
@safe
final class MessageBus {
    enum Which {
        case system, session
    }

    // Proof: the pointer is not null, is not given away, and is closed once, in deinit. No call on the connection waits
    // longer than its limit.
    let bus: OpaquePointer

    /// Connects; this and all later calls wait at most `milliseconds` together.
    init(_ which: Which, milliseconds: UInt64) throws(SystemRefusal) {
        var fault = cmessagebus_fault()
        let kind = which == .system ? CMESSAGEBUS_SYSTEM : CMESSAGEBUS_SESSION
        // Safe: `fault` outlives the call.
        guard let opened = unsafe cmessagebus_open(kind, milliseconds, &fault) else { throw SystemRefusal(fault) }
        unsafe bus = opened
    }

    deinit {
        unsafe cmessagebus_close(bus)
    }

    /// Shows a desktop notification. Some desktops read the body as markup, others show it as it is.
    func notify(app: String, summary: String, body: Markup) throws(SystemRefusal) {
        // Safe: the texts end with 0 and outlive the call.
        try attempt { unsafe cmessagebus_notify(bus, app, summary, body.text, &$0) }
    }

    /// Makes a call that says in its place for a fault why it failed.
    func attempt(_ call: (inout cmessagebus_fault) -> Bool) throws(SystemRefusal) {
        var fault = cmessagebus_fault()
        guard call(&fault) else { throw SystemRefusal(fault) }
    }
}

extension SystemRefusal {
    /// What the C functions say of a failure.
    init(_ fault: cmessagebus_fault) {
        // The array is of bytes, and C ends the text with 0 in every case.
        let bytes = unsafe withUnsafeBytes(of: fault.text) { unsafe Array($0.prefix { $0 != 0 }) }
        let text = Printable.text(String(decoding: bytes, as: UTF8.self))
        self.init(text: text.isEmpty ? "no reason given" : text)
    }
}
