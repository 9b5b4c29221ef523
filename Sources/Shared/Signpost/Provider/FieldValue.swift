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
        unsafe withUnsafeTemporaryAllocation(byteCount: shortBytes, alignment: 1) { room in
            unsafe body(lent(text, room))
        }
        withExtendedLifetime(text) {}
    }

    /// Lends the bytes of up to five texts while `body` runs.
    ///
    /// The body is there once. With a closure around each text, the compiler made it anew for each way in which a string keeps its bytes:
    /// a fifth of the time in which it optimised `Rerender`.
    @inlinable
    @inline(__always)
    package static func lend(
        _ first: String, _ second: String, _ third: String = "", _ fourth: String = "", _ fifth: String = "",
        to body: (FieldValue, FieldValue, FieldValue, FieldValue, FieldValue) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(byteCount: 5 * shortBytes, alignment: 1) { room in
            func part(_ number: Int) -> UnsafeMutableRawBufferPointer {
                unsafe UnsafeMutableRawBufferPointer(rebasing: room[number * shortBytes..<(number + 1) * shortBytes])
            }
            unsafe body(
                lent(first, part(0)), lent(second, part(1)), lent(third, part(2)), lent(fourth, part(3)),
                lent(fifth, part(4)))
        }
        withExtendedLifetime((first, second, third, fourth, fifth)) {}
    }

    /// No text that Swift keeps in the string itself has more bytes.
    @usableFromInline static var shortBytes: Int { 15 }

    /// The bytes of a text that lives as long as they are lent.
    ///
    /// Proof: the bytes of a longer text are those of an object that it holds, or of the program, and stay where they are. Those of a
    /// short one may be in the string itself, which has no place of its own; they are copied to `room`, which has space for them.
    @usableFromInline
    @inline(never)
    static func lent(_ text: String, _ room: UnsafeMutableRawBufferPointer) -> FieldValue {
        let bytes = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count <= shortBytes else { return unsafe bytes }
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return unsafe UnsafeBufferPointer(
                start: room.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
        // Strings are contiguous on Linux; one that is not would be recorded as the empty text.
        return unsafe bytes.map { unsafe FieldValue($0) } ?? .number(0)
    }
}

/// A lent text belongs to the thread that lends it.
@available(*, unavailable)
extension FieldValue: Sendable {}
