// SPDX-License-Identifier: MIT
// Makes the shape of a type from its metadata, once per type.

import Synchronization

enum ShapeMaker {
    static let unknown = ShapeReference(Shape(.unknown, TypeMetadata(Void.self), size: 0))
    /// That of each model of which more has to be proved.
    private static let unproved = ShapeReference(Shape(.unprovedObject, TypeMetadata(Void.self), size: 0))

    private struct Key: Hashable {
        let type: TypeMetadata
        /// Whether it is that of what an object of the class holds, not of a reference to one.
        var isObject = false
        /// Whether it is that of a property's wrapper.
        var isWrapper = false
        /// How a variable of the type holds what it refers to.
        var ownership = TypeMetadata.Ownership.strong
    }

    private static let known = Mutex<[Key: ShapeReference]>([:])

    /// The shape of a type; unknown once more types are known than the limits allow.
    static func shape(of type: TypeMetadata) -> ShapeReference {
        cached(Key(type: type)) { ShapeReference(make(type)) }
    }

    /// The shape of what an object holds, by the metadata that it begins with; made once for each class and each kind of
    /// closure's context, and once more for a model of which something is proved later.
    static func shape(ofObject type: TypeMetadata) -> ShapeReference {
        cached(Key(type: type, isObject: true)) { ObjectMaker.make(type).map { ShapeReference($0) } ?? unproved }
    }

    /// After a proof that ``TrackedFields/proofs`` counts already.
    static func forgetUnproved() {
        known.withLock { known in known = known.filter { $0.value.shape.kind != .unprovedObject } }
    }

    private static func cached(_ key: Key, _ make: () -> ShapeReference) -> ShapeReference {
        let found = known.withLock { $0.count >= StoreLimits.comparedTypes ? $0[key] ?? unknown : $0[key] }
        if let found { return found }
        let proofs = TrackedFields.proofs
        // Not under the lock: a shape is made of others. Two threads may make the same; one is kept.
        let made = make()
        return known.withLock { table in
            if let other = table[key] { return other }
            // Of what was proved meanwhile, nobody would ask again.
            if made.shape.kind == .unprovedObject, proofs != TrackedFields.proofs { return made }
            table[key] = made
            return made
        }
    }

    private static func make(_ type: TypeMetadata) -> Shape {
        guard type.isCopyable else { return unknown.shape }
        switch type.kind {
        case .class: return Shape(.reference, type, size: 8)
        case .struct: return structure(type)
        case .tuple:
            guard let fields = type.fields else { return unknown.shape }
            return Shape(.parts, type, size: type.size, parts: parts(of: fields), isOpaque: areOpaque(fields))
        case .enum, .optional: return enumeration(type)
        case .function:
            guard let isNative = type.isNativeFunction else { return unknown.shape }
            return isNative ? function.shape : Shape(.functionPointer, type, size: 8)
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
        // It has one value, and mostly no bytes.
        case .metatype where type.isThinMetatype: return Shape(.bytes, type, size: 0)
        case .metatype: return type.isTrivial ? Shape(.bytes, type, size: type.size) : unknown.shape
        case .other:
            guard type.isTrivial else { return unknown.shape }
            return Shape(.bytes, type, size: type.size, isOpaque: !SystemTypes.isValue(type))
        }
    }

    /// A function of Swift's and its context.
    static let function = ShapeReference(Shape(.closure, TypeMetadata((() -> Void).self), size: 16))

    /// Bytes of which nothing is known: their difference proves no other value, and they may be the address of one.
    private static func doubtfulBytes(_ type: TypeMetadata) -> Shape {
        guard type.isTrivial else { return unknown.shape }
        let part = Shape.Part(offset: 0, size: type.size, shape: nil)
        return Shape(.doubtful, type, size: type.size, parts: [part], isOpaque: true)
    }

    private static func structure(_ type: TypeMetadata) -> Shape {
        let form = SystemTypes.form(of: type)
        if let form, let shape = SystemShape.make(type, form) { return shape }
        if let shape = FoundationShape.make(type) { return shape }
        guard let fields = type.fields, !fields.isEmpty || type.size == 0 else { return doubtfulBytes(type) }
        let isSystem = SystemTypes.contains(type)
        let isNumber = fields.count == 1 && fields[0].type.map(SystemTypes.isValue) == true
        let isExact = !isSystem || form == .properties || isNumber
        var parts = parts(of: fields, hidesObjects: !isExact)
        var isOpaque = areOpaque(fields)
        // Members that are not imported may lie between those that are.
        if type.module == "__C", parts.reduce(0, { $0 + $1.size }) < type.size { isOpaque = true }
        guard isExact else {
            // What a type of the system keeps beside its value, and whether it fills its bytes, is its own affair.
            if parts.isEmpty { parts = [Shape.Part(offset: 0, size: 0, shape: nil)] }
            return Shape(.doubtful, type, size: type.size, parts: parts, isOpaque: isOpaque)
        }
        if parts.count == 1, parts[0].shape == nil, parts[0].offset == 0 {
            return Shape(.bytes, type, size: parts[0].size, isOpaque: isOpaque)
        }
        return Shape(.parts, type, size: type.size, parts: parts, isOpaque: isOpaque)
    }

    private static func areOpaque(_ fields: [TypeMetadata.Field]) -> Bool {
        fields.contains { shape(of: $0, among: fields).shape.isOpaque }
    }

    private static func enumeration(_ type: TypeMetadata) -> Shape {
        guard let cases = type.payloadCases else { return doubtfulBytes(type) }
        if cases.isEmpty { return type.isTrivial ? Shape(.bytes, type, size: type.size) : unknown.shape }
        let lazies = cases.map { LazyShape($0.type, isIndirect: $0.isIndirect) }
        if cases.count == 1 { return Shape(.singlePayload, type, size: type.size, lazies: lazies) }
        return canProject(type) ? Shape(.multiPayload, type, size: type.size, lazies: lazies) : unknown.shape
    }

    /// Whether the payload of an enum can be looked at in a copy of its bytes.
    static func canProject(_ type: TypeMetadata) -> Bool {
        type.size <= StoreLimits.projectedBytes && type.alignment <= 16 && type.isBitwiseTakable
    }

    /// The parts of some stored properties, those of nested structs among them, adjacent bytes joined.
    static func parts(of fields: [TypeMetadata.Field], hidesObjects: Bool = false) -> [Shape.Part] {
        var parts: [Shape.Part] = []
        for field in fields {
            append(field, shape(of: field, among: fields), hidesObjects: hidesObjects, to: &parts)
        }
        return parts
    }

    private static func append(
        _ field: TypeMetadata.Field, _ reference: ShapeReference, hidesObjects: Bool, to parts: inout [Shape.Part]
    ) {
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
        case _ where hidesObjects && hidesObject(field.type):
            parts.append(Shape.Part(offset: field.offset, size: 8, shape: unknown))
        default: parts.append(Shape.Part(offset: field.offset, size: shape.size, shape: reference))
        }
    }

    /// Whether a value of the system's may keep an object of the system's behind it.
    private static func hidesObject(_ type: TypeMetadata?, depth: Int = 4) -> Bool {
        guard let type, depth > 0 else { return true }
        switch type.kind {
        case .class: return SystemTypes.contains(type)
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

    /// The same, with regard to whether it is a property's wrapper.
    static func shape(of field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) -> ShapeReference {
        guard let type = field.type else { return unknown }
        guard let wrapper = PropertyWrapper.of(field, among: fields) else {
            guard DeclaredName(of: field, among: fields).isStorage, case .unknown = PropertyWrapper.kind(of: type)
            else {
                return shape(of: field)
            }
            // What the macro of Observation stores is reported.
            let isReported = fields.contains { $0.name == "_$observationRegistrar" }
            if isReported { return mayBeBoxing(type) ? doubtful(type, shape(of: type)) : shape(of: field) }
            return cached(Key(type: type, isWrapper: true)) { ShapeReference(possiblyWrapping(type)) }
        }
        return cached(Key(type: type, isWrapper: true)) { ShapeReference(wrapping(type, wrapper.content)) }
    }

    private static func wrapping(_ type: TypeMetadata, _ content: PropertyWrapper.Content?) -> Shape {
        guard let content else { return Shape(.parts, type, size: type.size, isOpaque: true) }
        if !content.place.hops.isEmpty {
            let inner =
                content.shape
                ?? ShapeReference(
                    Shape(.deferred, content.type, size: content.type.size, lazies: [LazyShape(content.type)]))
            return .boxed(type, content.place, size: content.type.size, inner, isOpaque: !content.isWhole)
        }
        let inner = content.shape ?? shape(of: content.type)
        var parts = [Shape.Part(offset: content.place.offset, size: content.type.size, shape: inner)]
        if let rest = rest(of: content) { parts.append(Shape.Part(offset: 0, size: type.size, shape: rest)) }
        return Shape(.parts, type, size: type.size, parts: parts, isOpaque: !content.isWhole || inner.shape.isOpaque)
    }

    /// That of what may be a property wrapper as far as anything tells: its getter may give what the type does not hold. That it is or
    /// has another object proves no other value.
    private static func possiblyWrapping(_ type: TypeMetadata) -> Shape {
        let shape = shape(of: type)
        return (type.kind == .class || mayBeBoxing(type) ? doubtful(type, shape) : shape).shape.opaque
    }

    /// Whether it is a struct around an object of which nobody knows whether it is a property wrapper: that the object is another
    /// proves no change then.
    static func mayBeBoxing(_ type: TypeMetadata) -> Bool {
        guard type.kind == .struct, case .unknown = PropertyWrapper.kind(of: type) else { return false }
        let shape = shape(of: type).shape
        guard shape.kind == .parts else { return false }
        return (0..<shape.count).contains { index in
            let kind = shape.part(index).shape?.shape.kind
            return kind == .reference || kind == .singlePayload
        }
    }

    /// The same, where a difference proves none in the value.
    static func doubtful(_ type: TypeMetadata, _ shape: ShapeReference) -> ShapeReference {
        let part = Shape.Part(offset: 0, size: shape.shape.size, shape: shape)
        return ShapeReference(Shape(.doubtful, type, size: type.size, parts: [part], isOpaque: shape.shape.isOpaque))
    }

    /// What lies in a wrapper beside its content: if it differs, nobody knows what that changes. nil if there is nothing.
    static func rest(of content: PropertyWrapper.Content) -> ShapeReference? {
        guard !content.rest.isEmpty else { return nil }
        return ShapeReference(Shape(.doubtful, content.type, size: 0, parts: parts(of: content.rest)))
    }

    /// The shape of a captured reference that is not strong.
    static func shape(ofReference ownership: TypeMetadata.Ownership) -> ShapeReference {
        let object = TypeMetadata(AnyObject.self)
        return switch ownership {
        case .strong: shape(of: object)
        case .weak: shape(.weakReference, object, .weak)
        case .unowned: shape(.unownedReference, object, .unowned)
        case .unmanaged: shape(.bytes, object, .unmanaged)
        }
    }

    private static func shape(
        _ kind: Shape.Kind, _ type: TypeMetadata, _ ownership: TypeMetadata.Ownership
    ) -> ShapeReference {
        cached(Key(type: type, ownership: ownership)) {
            // An address, and nothing that tells whether its object is there.
            ShapeReference(Shape(kind, type, size: 8, isOpaque: ownership == .unmanaged))
        }
    }
}
