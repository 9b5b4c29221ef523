// SPDX-License-Identifier: MIT
// Makes the shape of what objects and the contexts of closures hold: what of them can change, and what cannot.

/// Decides what is known of objects by the metadata that they begin with.
enum ObjectMaker {
    /// `opaqueObject` unless nothing of an object can change without a word.
    static func make(_ type: TypeMetadata) -> Shape {
        if type.kind == .class { return object(type) }
        guard let captures = type.captures?.captures else { return opaque(type) }
        return context(type, captures)
    }

    private static func opaque(_ type: TypeMetadata) -> Shape { Shape(.opaqueObject, type, size: 0) }

    // MARK: Objects

    private static func object(_ type: TypeMetadata) -> Shape {
        guard let (constants, isObserved) = constants(of: type) else { return opaque(type) }
        return settled(
            Shape(
                isObserved ? .observedObject : .immutableObject, type, size: 0, parts: ShapeMaker.parts(of: constants),
                isOpaque: constants.contains { ShapeMaker.shape(of: $0).shape.isOpaque }))
    }

    /// What objects of a class hold that never changes, and whether it is a model; nil if anything else of them can change
    /// without a word.
    static func constants(of type: TypeMetadata) -> (constants: [TypeMetadata.Field], isObserved: Bool)? {
        guard !SystemTypes.declares(type), let levels = type.classLevels else { return nil }
        var constants: [TypeMetadata.Field] = []
        var isObserved = false
        for fields in levels {
            let isModel = fields.contains(where: isRegistrar)
            isObserved = isObserved || isModel
            for field in fields where !isRegistrar(field) {
                if !field.isMutable, field.ownership == .strong {
                    constants.append(field)
                } else if !isModel || !isTracked(field, among: fields) {
                    return nil
                }
            }
        }
        return (constants, isObserved)
    }

    /// What the macro `@Observable` adds to a model.
    static func isRegistrar(_ field: TypeMetadata.Field) -> Bool {
        field.name == "_$observationRegistrar" && field.type.map(SystemTypes.isRegistrar) == true
    }

    /// Whether the macro made the field for a property whose reads and writes Observation learns of: it is called `_tick`
    /// where the property `tick` is computed. A weak one becomes nil without a write.
    private static func isTracked(_ field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) -> Bool {
        guard field.isMutable, field.ownership != .weak, field.name.hasPrefix("_") else { return false }
        let property = field.name.dropFirst()
        return !property.isEmpty && !fields.contains { $0.name == property }
    }

    // MARK: Contexts of closures

    private static func context(_ type: TypeMetadata, _ captures: [CaptureDescriptor.Capture]) -> Shape {
        let parts = captures.map { capture in
            switch capture.content {
            case .value(let value):
                let shape = ShapeMaker.shape(of: value)
                let isBytes = shape.shape.kind == .bytes && !shape.shape.isOpaque
                return Shape.Part(offset: capture.offset, size: shape.shape.size, shape: isBytes ? nil : shape)
            case .reference(let ownership):
                let shape = ShapeMaker.shape(ofReference: ownership)
                return Shape.Part(offset: capture.offset, size: 8, shape: shape)
            case .function: return Shape.Part(offset: capture.offset, size: 16, shape: ShapeMaker.function)
            }
        }
        if captures.count == 1 {
            // A box looks the same, and other threads may write to its variable: only what can be read in any state is read.
            guard case .value(let value) = captures[0].content, value.isTrivial else { return opaque(type) }
        }
        return settled(Shape(.captures, type, size: 0, parts: parts))
    }

    private static func settled(_ shape: Shape) -> Shape {
        var shape = shape
        shape.isSettled = Settlement.isSettled(shape)
        return shape
    }
}

/// Finds out by types alone whether values can hold anything that changes while they are held.
enum Settlement {
    private static let known = BoundedCache<TypeMetadata, Bool>(limit: StoreLimits.comparedTypes)

    /// Whether a value of the type is a value all the way down: no address, no closure, and no object but those of final
    /// classes whose properties are constants of such types or tracked. Once per type microseconds, then 50 ns.
    static func isSettled(_ type: TypeMetadata) -> Bool {
        known.value(for: type) {
            var visited: Set<UInt> = []
            return isSettled(ShapeMaker.shape(of: type), &visited)
        }
    }

    static func isSettled(_ shape: Shape) -> Bool {
        var visited: Set<UInt> = []
        return isSettled(shape, &visited)
    }

    private static func isSettled(_ reference: ShapeReference, _ visited: inout Set<UInt>) -> Bool {
        // A type that contains itself is what the rest of it is.
        guard visited.insert(reference.address.bits).inserted else { return true }
        return isSettled(reference.shape, &visited)
    }

    private static func isSettled(_ shape: Shape, _ visited: inout Set<UInt>) -> Bool {
        if shape.isOpaque { return false }
        switch shape.kind {
        case .bytes, .string, .substring, .stringIndex, .functionPointer, .data: return true
        case .parts, .doubtful, .pointee, .immutableObject, .observedObject, .captures:
            return (0..<shape.count).allSatisfy { index in
                shape.part(index).shape.map { isSettled($0, &visited) } ?? true
            }
        case .singlePayload, .multiPayload, .array, .arraySlice, .dictionary, .set:
            return (0..<shape.count).allSatisfy { isSettled(shape.lazy($0), &visited) }
        case .inlineArray: return isSettled(shape.lazy(0), &visited)
        case .reference:
            guard shape.type.isFinal, let (constants, _) = ObjectMaker.constants(of: shape.type) else { return false }
            return constants.allSatisfy { isSettled(ShapeMaker.shape(of: $0), &visited) }
        case .weakReference, .unownedReference, .closure, .existential, .errorExistential, .unknown,
            .opaqueObject:
            return false
        }
    }

    private static func isSettled(_ lazy: LazyShape, _ visited: inout Set<UInt>) -> Bool {
        lazy.type != nil && isSettled(lazy.shape, &visited)
    }
}
