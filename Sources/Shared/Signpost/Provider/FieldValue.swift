// SPDX-License-Identifier: MIT
// The values of an event's fields, as the C side takes them.

public import CSignpost

/// A number, or a text that is lent for the call that records it.
///
/// Proof for `@safe`: the bytes of a text are there for ever (a static string's), or as long as the closure of `lend`
/// runs, which must not let the value out. The C side copies them.
@usableFromInline
@safe
package struct FieldValue {
    @usableFromInline let raw: csignpost_value

    @inlinable
    init(_ raw: csignpost_value) { unsafe self.raw = raw }

    @inlinable
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        let text = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        unsafe self.init(csignpost_value(number: UInt64(bytes.count), text: text))
    }

    @inlinable
    package static func number(_ number: UInt64) -> FieldValue {
        unsafe FieldValue(csignpost_value(number: number, text: nil))
    }

    @inlinable
    package static func text(_ text: StaticString) -> FieldValue {
        guard text.hasPointerRepresentation else { return number(0) }
        return unsafe FieldValue(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Lends the bytes of a text while `body` runs.
    @inlinable
    @inline(__always)
    package static func lend(_ text: String, to body: (FieldValue) -> Void) {
        // Strings are contiguous on Linux; one that is not would be recorded as the empty text.
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe body(FieldValue($0)) }
        if isDone == nil { body(.number(0)) }
    }

    /// Lends the bytes of up to five texts while `body` runs.
    @inlinable
    @inline(__always)
    package static func lend(
        _ first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = "",
        to body: (FieldValue, FieldValue, FieldValue, FieldValue, FieldValue) -> Void
    ) {
        lend(first) { first in
            lend(second) { second in
                lend(third) { third in
                    lend(fourth) { fourth in
                        lend(fifth) { fifth in body(first, second, third, fourth, fifth) }
                    }
                }
            }
        }
    }
}

/// A lent text belongs to the thread that lends it.
@available(*, unavailable)
extension FieldValue: Sendable {}
