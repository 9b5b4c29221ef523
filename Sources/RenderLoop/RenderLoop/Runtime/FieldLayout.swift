// SPDX-License-Identifier: MIT
// The stored properties of a type, by the runtime's own reflection. The fence around it.

import Rerender
@_spi(Reflection) import Swift

/// A stored property.
struct Field {
    let name: String
    let offset: Int
    let type: Any.Type
    /// False for `weak` and `unowned`, whose memory must not be read as a value of the type.
    let isKept: Bool
}

enum FieldLayout {
    /// The stored properties of a struct or the elements of a tuple, in order; nil for everything else.
    ///
    /// Proof of the unsafe parts: the runtime calls with a name that lives as long as the type, and with offsets of
    /// properties in values of that type.
    static func fields(of type: Any.Type) -> [Field]? {
        var fields: [Field] = []
        let unkept = UnkeptProperties.offsets(in: type)
        func add(_ name: UnsafePointer<CChar>, _ offset: Int, _ type: Any.Type, _ kind: _MetadataKind) -> Bool {
            unsafe fields.append(
                Field(name: String(cString: name), offset: offset, type: type, isKept: !unkept.contains(offset)))
            return true
        }
        guard isStructOrTuple(type) else { return nil }
        let isKnown = unsafe _forEachField(of: type, body: add)
        return isKnown ? fields : nil
    }

    /// Proof: the first word of all metadata is its kind (docs/ABI/TypeMetadata.rst of the compiler).
    private static func isStructOrTuple(_ type: Any.Type) -> Bool {
        let kind = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self)
        return kind == 0x200 || kind == 0x301
    }
}

/// A property's name without the underscore of a wrapper's storage.
func plainName(_ name: String) -> String { name.hasPrefix("_") ? String(name.dropFirst()) : name }
