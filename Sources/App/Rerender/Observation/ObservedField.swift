// SPDX-License-Identifier: MIT
// Where a model keeps the value of an observed property.

import Synchronization

/// The stored fields behind observed properties.
enum ObservedField {
    private struct Key: Hashable, Sendable {
        let root: TypeMetadata
        let value: TypeMetadata
        let property: String
    }

    private static let cache = Mutex<[Key: TypeMetadata.Field?]>([:])

    /// The field in which an object that the key path is for keeps the property: `_tick`, as the macro names it, or
    /// `tick`; nil if it is computed, or if its name or the object's layout is not known, or if the class was made
    /// observable by hand: its accessors may take a lock that this would not. Once per property microseconds, then 100 ns.
    static func field(of path: AnyKeyPath, in object: UnsafeRawPointer) -> TypeMetadata.Field? { field(of: path) }

    /// The same for all objects: a class's fields lie at the same place in its subclasses.
    static func field(of path: AnyKeyPath) -> TypeMetadata.Field? {
        guard let property = KeyPathName.property(of: path)?.property else { return nil }
        let key = Key(
            root: TypeMetadata(type(of: path).rootType), value: TypeMetadata(type(of: path).valueType),
            property: property)
        if let known = cache.withLock({ $0[key] }) { return known }
        let field = find(key)
        cache.withLock { cache in
            if cache.count < StoreLimits.propertyNames { cache[key] = .some(field) }
        }
        return field
    }

    private static func find(_ key: Key) -> TypeMetadata.Field? {
        guard key.root.kind == .class, let fields = key.root.fields,
            fields.contains(where: { $0.name == "_$observationRegistrar" })
        else { return nil }
        // The last are the class's own; a computed property may have something of another type behind it.
        return fields.last { $0.name == "_" + key.property && $0.type == key.value }
            ?? fields.last { $0.name == key.property && $0.type == key.value }
    }
}
