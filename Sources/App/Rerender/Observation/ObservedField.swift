// SPDX-License-Identifier: MIT
// Finds the stored field behind an observed property.

/// The stored fields behind observed properties.
enum ObservedField {
    private struct Key: Hashable, Sendable {
        let root: TypeMetadata
        let value: TypeMetadata
        let property: String
    }

    private static let cache = BoundedCache<Key, TypeMetadata.Field?>(limit: StoreLimits.propertyNames)

    /// The field in which an object that the key path is for keeps the property: `_tick`, as the macro names it, or
    /// `tick`; nil if it is computed, or if its name or the object's layout is not known, or if the class was made
    /// observable by hand: its accessors may take a lock that this would not. The memory of one that is not strong is no
    /// value of the property's type. Once per property microseconds, then 100 ns.
    ///
    /// The same for all objects: a class's fields lie at the same place in its subclasses.
    static func field(of path: AnyKeyPath) -> TypeMetadata.Field? {
        guard let property = KeyPathName.property(of: path)?.property else { return nil }
        let key = Key(
            root: TypeMetadata(type(of: path).rootType), value: TypeMetadata(type(of: path).valueType),
            property: property)
        return cache.value(for: key) { find(key) }
    }

    private static func find(_ key: Key) -> TypeMetadata.Field? {
        guard key.root.kind == .class, let fields = key.root.fields,
            fields.contains(where: ObjectMaker.isRegistrar)
        else { return nil }
        // The last are the class's own; a computed property may have something of another type behind it. One that is stored
        // under its own name has nothing behind it.
        return fields.last { $0.name == key.property && $0.type == key.value }
            ?? fields.last { $0.name == "_" + key.property && $0.isMutable && $0.type == key.value }
    }
}
