// SPDX-License-Identifier: MIT
// The stored properties of a type, for bridges, and the way from a value to what lies in it or behind it.

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

/// The way from the beginning of a value to something that it holds.
struct Place: Sendable {
    /// A reference on the way, and the class that its object must be of, or nothing behind it is read.
    struct Hop: BitwiseCopyable, Sendable {
        /// Where the reference lies, from the beginning of what holds it.
        var offset: Int
        let type: TypeMetadata
    }

    var hops: [Hop] = []
    /// From the beginning of the last object, or of the value.
    var offset = 0

    /// Where the first thing that is read lies in the value.
    var first: Int { hops.first?.offset ?? offset }

    /// The same way from what holds the value at an offset.
    func moved(by distance: Int) -> Place {
        var place = self
        if hops.isEmpty { place.offset += distance } else { place.hops[0].offset += distance }
        return place
    }

    /// The way on to what lies at an offset from here.
    func advanced(by distance: Int) -> Place { Place(hops: hops, offset: offset + distance) }

    /// The way on into the object to which a reference here leads.
    func entering(_ type: TypeMetadata) -> Place { Place(hops: hops + [Hop(offset: offset, type: type)], offset: 0) }

    /// This way, and from its end another one.
    func followed(by next: Place) -> Place {
        let next = next.moved(by: offset)
        return Place(hops: hops + next.hops, offset: next.offset)
    }
}
