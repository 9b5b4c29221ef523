// SPDX-License-Identifier: MIT
// The texts of an event's fields, as the C side takes them.

public import CShared

/// Makes texts for events, which they are lent to.
///
/// Proof of the unsafe parts: the bytes of a text are there for ever (a static string's), or as long as the closure of `lend`
/// runs, which must not let the value out. The C side copies them.
@usableFromInline
package enum FieldText: Sendable {
    @inlinable
    package static func constant(_ text: StaticString) -> csignpost_text {
        guard text.hasPointerRepresentation else { return csignpost_text() }
        return csignpost_text(address: unsafe UInt(bitPattern: text.utf8Start), length: text.utf8CodeUnitCount)
    }

    /// Lends the bytes of a text while `body` runs.
    @inlinable
    @inline(__always)
    package static func lend(_ text: String, to body: (csignpost_text) -> Void) {
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
        to body: (csignpost_text, csignpost_text, csignpost_text, csignpost_text, csignpost_text) -> Void
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
    static func lent(_ text: String, _ room: UnsafeMutableRawBufferPointer) -> csignpost_text {
        let lent = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count <= shortBytes else {
                return csignpost_text(address: UInt(bitPattern: bytes.baseAddress), length: bytes.count)
            }
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(bytes))
            return csignpost_text(address: UInt(bitPattern: room.baseAddress), length: bytes.count)
        }
        // Strings are contiguous on Linux; one that is not would be recorded as the empty text.
        return lent ?? csignpost_text()
    }
}
