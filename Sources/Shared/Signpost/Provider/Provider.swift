// SPDX-License-Identifier: MIT
// LTTng providers: with FieldText.swift the fence around the C calls that record.

public import CShared

/// One LTTng provider, or none: records the events of one category.
///
/// Making one is idempotent: a process has one provider of each name, for ever. Any thread may record, and none waits.
///
/// Proof for `@safe` and `@unchecked Sendable`: the pointers are immutable and point to a provider that
/// `csignpost_provider_make` never frees, or to the static zero below; what they point to is read with one atomic load
/// (`csignpost_is_on`), and the emit function may be called from any thread.
@usableFromInline
@safe
package struct Provider: @unchecked Sendable {
    @usableFromInline let raw: OpaquePointer?
    @usableFromInline let begin: UnsafePointer<CInt>
    @usableFromInline let end: UnsafePointer<CInt>
    @usableFromInline let event: UnsafePointer<CInt>

    /// Events of a provider, in the order of the C enumeration.
    @usableFromInline
    @frozen
    package enum Kind: CInt {
        case begin, end, event
    }

    /// The fields of a provider's events, in the order of the C enumeration; `event_table.h` lists them.
    package enum Shape: CInt {
        case generic, bodyEval, write, turn, hang, phase, view
    }

    /// Finds or makes the provider of a signposter; where there is none, `error` is the C side's reason.
    static func named(_ name: String, error: inout CInt) -> Provider {
        // A NUL would end the name early and make a provider of another name.
        guard !name.utf8.contains(0) else {
            error = CInt(CSIGNPOST_BAD_NAME)
            return .none
        }
        return unsafe Provider(csignpost_provider_make(name, Shape.generic.rawValue, &error))
    }

    /// Finds or makes the provider `com.rerender.…` of events that Rerender itself records.
    package static func reserved(_ shape: Shape) -> Provider {
        guard let name = unsafe csignpost_reserved_name(shape.rawValue) else { return .none }
        return unsafe Provider(csignpost_provider_make(name, shape.rawValue, nil))
    }

    /// Records nothing, ever.
    package static let none: Provider = {
        let off = UnsafeMutablePointer<CInt>.allocate(capacity: 1)
        unsafe off.initialize(to: 0)
        return unsafe Provider(raw: nil, begin: UnsafePointer(off), end: UnsafePointer(off), event: UnsafePointer(off))
    }()

}

extension Provider {
    private init(_ raw: OpaquePointer?) {
        guard let raw = unsafe raw else {
            self = .none
            return
        }
        unsafe self.init(
            raw: raw, begin: csignpost_state(raw, Kind.begin.rawValue), end: csignpost_state(raw, Kind.end.rawValue),
            event: csignpost_state(raw, Kind.event.rawValue))
    }

    /// A provider in one word, for what is passed about a lot.
    @safe
    struct Reference: @unchecked Sendable, BitwiseCopyable {
        fileprivate let raw: OpaquePointer?

        var provider: Provider { unsafe Provider(raw) }
    }

    var reference: Reference { unsafe Reference(raw: raw) }

    package var exists: Bool { unsafe raw != nil }

    /// SUBSYSTEM.CATEGORY; empty without a provider.
    var name: String {
        guard let raw = unsafe raw else { return "" }
        return unsafe String(cString: csignpost_name(raw))
    }

    /// Whether two stand for the same provider.
    func isSame(as other: Reference) -> Bool { unsafe raw == other.raw }

    /// Whether a session records begins: one load.
    @inlinable
    package var beginIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(begin) != 0 }
    }

    /// Whether a session records ends: one load.
    @inlinable
    package var endIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(end) != 0 }
    }

    /// Whether a session records moments: one load.
    @inlinable
    package var eventIsOn: Bool {
        @inline(__always) get { unsafe csignpost_is_on(event) != 0 }
    }

    /// Records an event of a signposter. Does nothing while no session records.
    @inline(__always)
    func emit(_ kind: Kind, _ event: csignpost_generic) {
        guard let raw = unsafe raw else { return }
        unsafe event.emit(raw, kind.rawValue)
    }
}
