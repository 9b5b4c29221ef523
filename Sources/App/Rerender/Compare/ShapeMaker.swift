// SPDX-License-Identifier: MIT
// Makes the shape of a type from its metadata, once per type.

import Synchronization

enum ShapeMaker {
    static let unknown = ShapeReference(Shape(.unknown, TypeMetadata(Void.self), size: 0))

    private struct Key: Hashable {
        let type: TypeMetadata
        var isObject = false
        /// How a variable of the type holds what it refers to.
        var ownership = TypeMetadata.Ownership.strong
    }

    private static let known = Mutex<[Key: ShapeReference]>([:])

    /// The shape of a type; unknown once more types are known than the limits allow.
    static func shape(of type: TypeMetadata) -> ShapeReference {
        cached(Key(type: type)) { ShapeReference(make(type)) }
    }

    /// The shape of what an object of this class stores, if nothing of it can change after it was made; else nil.
    static func immutableContents(of type: TypeMetadata) -> ShapeReference? {
        let found = cached(Key(type: type, isObject: true)) {
            // An object without contents is nothing but its identity.
            guard let fields = type.fields, !fields.isEmpty,
                fields.allSatisfy({ !$0.isMutable && $0.ownership == .strong })
            else { return unknown }
            return ShapeReference(Shape(.parts, type, size: 0, parts: parts(of: fields)))
        }
        return found.shape.kind == .unknown ? nil : found
    }

    private static func cached(_ key: Key, _ make: () -> ShapeReference) -> ShapeReference {
        let found = known.withLock { $0.count >= StoreLimits.comparedTypes ? $0[key] ?? unknown : $0[key] }
        if let found { return found }
        // Not under the lock: a shape is made of others. Two threads may make the same; one is kept.
        let made = make()
        return known.withLock { table in
            if let other = table[key] { return other }
            table[key] = made
            return made
        }
    }

    private static func make(_ type: TypeMetadata) -> Shape {
        guard type.isCopyable else { return unknown.shape }
        switch type.kind {
        case .class: return Shape(.reference, type, size: 8)
        case .struct: return structure(type)
        case .tuple: return Shape(.parts, type, size: type.size, parts: parts(of: type.fields ?? []))
        case .enum, .optional: return enumeration(type)
        case .function: return Shape(.closure, type, size: type.size)
        case .existential:
            switch type.existential {
            case .opaque: return Shape(.existential, type, size: type.size)
            case .object: return Shape(.reference, type, size: type.size)
            case .error: return Shape(.errorExistential, type, size: type.size)
            case nil: return unknown.shape
            }
        case .fixedArray:
            guard let (element, count) = type.fixedArray else { return unknown.shape }
            var shape = Shape(.inlineArray, type, size: type.size, lazies: [LazyShape(element)])
            shape.count = count
            return shape
        case .metatype, .other: return type.isTrivial ? bytes(type) : unknown.shape
        }
    }

    private static func bytes(_ type: TypeMetadata) -> Shape { Shape(.bytes, type, size: type.size) }

    /// Bytes whose equality proves that of the values, and whose difference proves nothing.
    private static func doubtfulBytes(_ type: TypeMetadata) -> Shape {
        guard type.isTrivial else { return unknown.shape }
        let part = Shape.Part(offset: 0, size: type.size, shape: nil)
        return Shape(.doubtful, type, size: type.size, parts: [part])
    }

    private static func structure(_ type: TypeMetadata) -> Shape {
        let isSystem = SystemModules.contains(type.module)
        if isSystem, let shape = special(type) { return shape }
        guard let fields = type.fields else { return doubtfulBytes(type) }
        var parts = parts(of: fields, isSystem: isSystem && !SystemModules.isTransparent(type))
        guard isSystem, !type.isTrivial, !SystemModules.isTransparent(type) else {
            if parts.count == 1, parts[0].shape == nil, parts[0].offset == 0 {
                return Shape(.bytes, type, size: parts[0].size)
            }
            return Shape(.parts, type, size: type.size, parts: parts)
        }
        // What a type of the system keeps beside its value, and whether it fills its bytes, is its own affair.
        if parts.isEmpty { parts = [Shape.Part(offset: 0, size: 0, shape: nil)] }
        return Shape(.doubtful, type, size: type.size, parts: parts)
    }

    /// Types of the standard library whose layout is known here.
    private static func special(_ type: TypeMetadata) -> Shape? {
        if type.module?.hasPrefix("Foundation") == true {
            guard type.name == "URL", type.size >= 8 else { return nil }
            // An object that never changes; an equal one may be another.
            let object = ShapeReference(Shape(.unownedReference, type, size: 8))
            return Shape(.doubtful, type, size: 8, parts: [Shape.Part(offset: 0, size: 8, shape: object)])
        }
        guard type.module == "Swift" else { return nil }
        return switch type.name {
        case "String": Shape(.string, type, size: 16)
        case "Array", "ContiguousArray": Shape(.array, type, size: 8, lazies: [LazyShape(type.genericArgument(0))])
        case "Set": Shape(.set, type, size: 8, lazies: [LazyShape(type.genericArgument(0))])
        case "Dictionary":
            Shape(
                .dictionary, type, size: 8,
                lazies: [LazyShape(type.genericArgument(0)), LazyShape(type.genericArgument(1))])
        // The rest of its 16 bytes is padding.
        case "Float80": Shape(.bytes, type, size: 10)
        // A fourth lane that is not used.
        case "SIMD3": doubtfulBytes(type)
        default: nil
        }
    }

    private static func enumeration(_ type: TypeMetadata) -> Shape {
        guard let cases = type.payloadCases else { return doubtfulBytes(type) }
        if cases.isEmpty { return type.isTrivial ? bytes(type) : unknown.shape }
        let lazies = cases.map { LazyShape($0.type, isIndirect: $0.isIndirect) }
        if cases.count == 1 { return Shape(.singlePayload, type, size: type.size, lazies: lazies) }
        guard type.size <= StoreLimits.projectedBytes, type.alignment <= 16, type.isBitwiseTakable else {
            return unknown.shape
        }
        return Shape(.multiPayload, type, size: type.size, lazies: lazies)
    }

    /// The parts of some stored properties, those of nested structs among them, adjacent bytes joined.
    static func parts(of fields: [TypeMetadata.Field], isSystem: Bool = false) -> [Shape.Part] {
        var parts: [Shape.Part] = []
        for field in fields { append(field, isSystem: isSystem, to: &parts) }
        return parts
    }

    private static func append(_ field: TypeMetadata.Field, isSystem: Bool, to parts: inout [Shape.Part]) {
        let reference = shape(of: field)
        let shape = reference.shape
        switch shape.kind {
        case .bytes where shape.size == 0: break
        case .bytes:
            if let last = parts.last, last.shape == nil, last.offset + last.size == field.offset {
                parts[parts.count - 1].size += shape.size
            } else {
                parts.append(Shape.Part(offset: field.offset, size: shape.size, shape: nil))
            }
        case .parts:
            for index in 0..<shape.count {
                let part = shape.part(index)
                parts.append(Shape.Part(offset: field.offset + part.offset, size: part.size, shape: part.shape))
            }
        // A class of the system may change behind the value that owns it.
        case _ where isSystem && hidesObject(field.type):
            parts.append(Shape.Part(offset: field.offset, size: 8, shape: unknown))
        default: parts.append(Shape.Part(offset: field.offset, size: shape.size, shape: reference))
        }
    }

    /// Whether a value of the system's may keep an object of the system's behind it.
    private static func hidesObject(_ type: TypeMetadata?, depth: Int = 4) -> Bool {
        guard let type, depth > 0 else { return true }
        switch type.kind {
        case .class: return SystemModules.contains(type.module)
        case .existential: return true
        case .enum, .optional:
            guard let cases = type.payloadCases else { return true }
            return cases.contains { hidesObject($0.type, depth: depth - 1) }
        default: return false
        }
    }

    /// The shape of a stored property, with regard to how it holds what it refers to.
    static func shape(of field: TypeMetadata.Field) -> ShapeReference {
        guard let type = field.type else { return unknown }
        switch field.ownership {
        case .strong: return shape(of: type)
        case .weak: return shape(.weakReference, type, .weak)
        case .unowned: return shape(.unownedReference, type, .unowned)
        case .unmanaged: return shape(.bytes, type, .unmanaged)
        }
    }

    private static func shape(
        _ kind: Shape.Kind, _ type: TypeMetadata, _ ownership: TypeMetadata.Ownership
    ) -> ShapeReference {
        cached(Key(type: type, ownership: ownership)) { ShapeReference(Shape(kind, type, size: 8)) }
    }
}

/// The modules whose structs are one value to a reader, not a group of properties.
enum SystemModules {
    private static let names: Set<String> = [
        "Swift", "Synchronization", "Dispatch", "_Concurrency", "Observation",
    ]
    /// Structs that are just their stored properties.
    private static let transparent: Set<String> = [
        "Range", "ClosedRange", "PartialRangeFrom", "PartialRangeUpTo", "PartialRangeThrough", "CollectionOfOne",
        "AnyHashable", "_ConcreteHashableBox", "Character", "InlineArray", "KeyValuePairs",
    ]

    static func contains(_ module: String?) -> Bool {
        guard let module else { return false }
        return names.contains(module) || module.hasPrefix("Foundation")
    }

    static func isTransparent(_ type: TypeMetadata) -> Bool {
        type.module == "Swift" && type.name.map(transparent.contains) == true
    }
}
