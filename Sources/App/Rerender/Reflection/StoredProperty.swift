// SPDX-License-Identifier: MIT
// The stored properties of a type, for bridges that compare views or update their properties.

/// A stored property of a struct, or an element of a tuple.
@_spi(Bridge)
public struct StoredProperty {
    /// Its name in the source; that of a wrapper's storage begins with an underscore.
    public let name: String
    /// How many bytes it lies behind the beginning of the value.
    public let offset: Int
    /// The type that it is declared with.
    public let type: Any.Type
    /// False for `weak` and `unowned`, whose memory must not be read as a value of the type.
    public let isStrong: Bool

    /// The stored properties in order; nil for other types, and where the runtime cannot name the type of one.
    public static func all(of type: Any.Type) -> [StoredProperty]? {
        let metadata = TypeMetadata(type)
        guard metadata.kind == .struct || metadata.kind == .tuple, let fields = metadata.fields else { return nil }
        let properties = fields.compactMap { field in
            field.type.map {
                StoredProperty(
                    name: field.name, offset: field.offset, type: $0.type, isStrong: field.ownership == .strong)
            }
        }
        return properties.count == fields.count ? properties : nil
    }

    /// Whether a class stores numbers and texts that are constant, and nothing else, so that nothing in it can change.
    ///
    /// False also where that cannot be known, and where it stores nothing: such an object is there to send.
    public static func areConstantValues(of type: AnyObject.Type) -> Bool {
        guard let fields = TypeMetadata(type).fields, !fields.isEmpty else { return false }
        return fields.allSatisfy { field in
            guard !field.isMutable, field.ownership == .strong, let type = field.type?.type else { return false }
            return type is any Numeric.Type || type == Bool.self || type == String.self
        }
    }
}

@available(*, unavailable)
extension StoredProperty: Sendable {}
