// SPDX-License-Identifier: MIT
// The fields of one event, by name. Part of the fence around libbabeltrace2's C calls.

internal import CBabeltrace2

/// Where a field is in its structure, and how to read it.
struct FieldPlace: Sendable {
    enum Form: UInt8, Sendable { case absent, unsigned, signed, text }

    var index: UInt32 = 0
    var form = Form.absent
}

/// The places of an event's fields, by the raw values of an ``EventField``.
typealias FieldPlaces = InlineArray<20, FieldPlace>

/// The structure of an event's fields; nil where the event has none, and then no schema has a place in it. Lives until the
/// event is put.
@safe
struct FieldStructure {
    fileprivate let pointer: OpaquePointer?

    @inline(__always)
    init(_ pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }
}

/// Reads the fields of an event's structure where its schema says that they are.
///
/// Proof of the unsafe parts: a place was found in the class of this very structure, so that there is a member of that
/// form; a text is read before the event is put.
@safe
struct FieldReader<Field: EventField> {
    private let structure: OpaquePointer?
    private let places: FieldPlaces
    private let texts: TraceTexts

    @inline(__always)
    init(_ structure: FieldStructure, _ places: FieldPlaces, _ texts: TraceTexts) {
        unsafe self.structure = unsafe structure.pointer
        (self.places, self.texts) = (places, texts)
    }

    /// Whether events of this class have the field.
    @inline(__always)
    func has(_ field: Field) -> Bool { places[field.rawValue].form != .absent }

    /// A number, cut to the bits of its type; 0 where there is none.
    @inline(__always)
    func number<Number: FixedWidthInteger>(_ field: Field) -> Number {
        let place = places[field.rawValue]
        guard let structure = unsafe structure, place.form == .unsigned || place.form == .signed else { return 0 }
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        return unsafe place.form == .unsigned
            ? Number(truncatingIfNeeded: bt_field_integer_unsigned_get_value(field))
            : Number(truncatingIfNeeded: bt_field_integer_signed_get_value(field))
    }

    /// A text; empty where there is none.
    @inline(__always)
    func text(_ field: Field) -> TextID {
        let place = places[field.rawValue]
        guard let structure = unsafe structure, place.form == .text else { return .empty }
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        return unsafe texts.intern(
            UnsafeRawBufferPointer(
                start: bt_field_string_get_value(field), count: Int(bt_field_string_get_length(field))))
    }
}
