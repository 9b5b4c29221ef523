// SPDX-License-Identifier: MIT
// The fields of one kind of event: found once by name, and read for each event. Part of the fence around libbabeltrace2's C calls.

internal import CScreen
internal import CShared

/// The structure of an event's fields; nil where the event has none, and then no schema has a place in it. Lives until the
/// event is put.
@safe
struct FieldStructure {
    fileprivate let pointer: OpaquePointer?

    @inline(__always)
    init(_ pointer: OpaquePointer?) { unsafe self.pointer = unsafe pointer }
}

/// Where the fields of an event are in its recording, and where they go in the struct that the table of events has for it.
///
/// Each event is read by it, so it has memory of its own: an array would be retained each time, or copied. Proof: the memory has
/// `count` places, and lives until ``free()``, which the decoder calls when it reads no more.
@safe
struct FieldPlaces {
    private struct Place {
        enum Form: UInt8 { case absent, unsigned, signed, text }

        /// In the recording's structure.
        let index: UInt32
        /// In the struct, with its size in bytes.
        let offset: UInt16
        let size: UInt8
        /// In the recording; absent if the struct gets all ones.
        let form: Form
    }

    private var all: UnsafeMutablePointer<Place>?
    private var count = 0
    /// How large the struct is at least.
    private var end = 0

    /// No fields.
    init() {}

    func free() { unsafe all?.deallocate() }
}

/// Proof of the unsafe parts: classes are borrowed from an event that is alive for the call, and names are copied.
extension FieldPlaces {
    /// Finds the fields of a row of the table by name; nil if one is missing that each version has written.
    init?(_ row: (shape: Int, kind: Int), in structure: OpaquePointer?) {
        var found: [Place] = []
        for number in 0... {
            let field = unsafe csignpost_field(CInt(row.shape), CInt(row.kind), number)
            guard let name = unsafe field.name else { break }
            let (offset, size) = unsafe (Int(field.offset), Int(field.size))
            let (isText, absent) = unsafe (field.is_text != 0, Int(field.absent))
            let (index, form) = unsafe Self.find(String(cString: name), isText: isText, in: structure)
            end = max(end, offset + size)
            if form == .absent, absent != CSIGNPOST_ONES {
                if absent == CSIGNPOST_NEEDED { return nil }
                continue
            }
            found.append(Place(index: index, offset: UInt16(offset), size: UInt8(size), form: form))
        }
        let room = UnsafeMutablePointer<Place>.allocate(capacity: found.count)
        for number in found.indices { unsafe (room + number).initialize(to: found[number]) }
        unsafe all = unsafe room
        count = found.count
    }

    private static func find(
        _ name: String, isText: Bool, in structure: OpaquePointer?
    ) -> (index: UInt32, form: Place.Form) {
        guard let structure = unsafe structure,
            unsafe bt_field_class_get_type(structure) == BT_FIELD_CLASS_TYPE_STRUCTURE
        else { return (0, .absent) }
        for index in unsafe 0..<bt_field_class_structure_get_member_count(structure) {
            guard let member = unsafe bt_field_class_structure_borrow_member_by_index_const(structure, index),
                let text = unsafe bt_field_class_structure_member_get_name(member),
                unsafe String(cString: text) == name
            else { continue }
            let form = unsafe form(of: bt_field_class_structure_member_borrow_field_class_const(member))
            return (UInt32(clamping: index), (form == .text) == isText ? form : .absent)
        }
        return (0, .absent)
    }

    private static func form(of fieldClass: OpaquePointer?) -> Place.Form {
        guard let fieldClass = unsafe fieldClass else { return .absent }
        return switch unsafe bt_field_class_get_type(fieldClass) {
        case BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER, BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION: .unsigned
        case BT_FIELD_CLASS_TYPE_SIGNED_INTEGER, BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION: .signed
        case BT_FIELD_CLASS_TYPE_STRING: .text
        default: .absent
        }
    }
}

/// Proof of the unsafe parts: a place was found in the class of this very structure, so that there is a member of that form; a
/// text is read before the event is put. Each place is in the struct, whose size is checked, and holds a number of its size.
extension FieldPlaces {
    /// Reads an event's fields into its struct, in which all is zero.
    @inline(__always)
    func read<Event: BitwiseCopyable>(_ structure: FieldStructure, into zero: Event, _ texts: TraceTexts) -> Event {
        precondition(end <= MemoryLayout<Event>.size)
        var event = zero
        unsafe withUnsafeMutableBytes(of: &event) { unsafe fill($0, structure.pointer, texts) }
        return event
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer, _ structure: OpaquePointer?, _ texts: TraceTexts) {
        guard let all = unsafe all else { return }
        for number in 0..<count {
            let place = unsafe all[number]
            if place.form == .absent {
                unsafe Self.store(.max, at: place, in: room)
            } else if let structure = unsafe structure {
                unsafe Self.store(Self.value(place, of: structure, texts), at: place, in: room)
            }
        }
    }

    @inline(__always)
    private static func value(_ place: Place, of structure: OpaquePointer, _ texts: TraceTexts) -> UInt64 {
        let field = unsafe bt_field_structure_borrow_member_field_by_index_const(structure, UInt64(place.index))
        switch place.form {
        case .unsigned: return unsafe bt_field_integer_unsigned_get_value(field)
        case .signed: return unsafe UInt64(bitPattern: bt_field_integer_signed_get_value(field))
        case .text, .absent:
            let text = unsafe texts.intern(
                UnsafeRawBufferPointer(
                    start: bt_field_string_get_value(field), count: Int(bt_field_string_get_length(field))))
            return UInt64(text.index)
        }
    }

    /// Cuts the number to the bits of its field.
    @inline(__always)
    private static func store(_ number: UInt64, at place: Place, in room: UnsafeMutableRawBufferPointer) {
        let offset = Int(place.offset)
        switch place.size {
        case 1: unsafe room.storeBytes(of: UInt8(truncatingIfNeeded: number), toByteOffset: offset, as: UInt8.self)
        case 4: unsafe room.storeBytes(of: UInt32(truncatingIfNeeded: number), toByteOffset: offset, as: UInt32.self)
        default: unsafe room.storeBytes(of: number, toByteOffset: offset, as: UInt64.self)
        }
    }
}
