// SPDX-License-Identifier: MIT
// The fields of one event, by place. Part of the fence around libbabeltrace2's C calls.

internal import CBabeltrace2

/// Reads the fields of an event's structure where its schema says that they are.
///
/// Proof of the unsafe parts: a place was found in the class of this very structure, so that there is a member of that
/// form; a text is read before the event is put.
@safe
struct FieldReader {
    /// The structure; nil where the event has none, and then no schema has a place in it.
    let structure: OpaquePointer?

    @inline(__always)
    func number(_ place: FieldPlace) -> UInt64 {
        guard let structure = unsafe structure, place.form == .unsigned || place.form == .signed else { return 0 }
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        return unsafe place.form == .unsigned
            ? bt_field_integer_unsigned_get_value(field) : UInt64(bitPattern: bt_field_integer_signed_get_value(field))
    }

    @inline(__always)
    func text(_ place: FieldPlace, _ texts: TraceTexts) -> TextID {
        guard let structure = unsafe structure, place.form == .text else { return .empty }
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        return unsafe texts.intern(
            UnsafeRawBufferPointer(
                start: bt_field_string_get_value(field), count: Int(bt_field_string_get_length(field))))
    }
}
