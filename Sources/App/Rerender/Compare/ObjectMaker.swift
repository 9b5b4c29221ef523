// SPDX-License-Identifier: MIT
// Makes the shape of what objects and the contexts of closures hold: what of them can change, and what cannot.

/// Decides what is known of objects by the metadata that they begin with.
enum ObjectMaker {
    /// `opaqueObject` unless nothing of an object can change without a word; nil while that waits for a proof.
    static func make(_ type: TypeMetadata) -> Shape? {
        if type.kind == .class { return object(type) }
        guard let captures = type.captures?.captures else { return opaque(type) }
        return context(type, captures)
    }

    private static func opaque(_ type: TypeMetadata) -> Shape { Shape(.opaqueObject, type, size: 0) }

    // MARK: Objects

    private static func object(_ type: TypeMetadata) -> Shape? {
        guard let contents = contents(of: type) else { return opaque(type) }
        guard contents.isProved else { return nil }
        return settled(
            Shape(
                contents.isObserved ? .observedObject : .immutableObject, type, size: 0,
                parts: ShapeMaker.parts(of: contents.constants),
                isOpaque: contents.constants.contains { ShapeMaker.shape(of: $0).shape.isOpaque }))
    }

    /// What objects of a class hold of which nothing can change without a word.
    struct Contents {
        /// What never changes.
        var constants: [TypeMetadata.Field] = []
        /// Whether it is a model.
        var isObserved = false
        /// Whether it is proved that all else is tracked.
        var isProved = true
    }

    /// nil if anything of the objects can change without a word.
    static func contents(of type: TypeMetadata) -> Contents? {
        guard !SystemTypes.declares(type), let levels = type.classLevels else { return nil }
        var contents = Contents()
        var doubts: [(model: TypeMetadata, properties: [DeclaredProperty])] = []
        for (fields, declaring) in zip(levels.reversed(), sequence(first: type, next: \.superclass)) {
            let isModel = fields.contains(where: isRegistrar)
            contents.isObserved = contents.isObserved || isModel
            let others = fields.filter { !isRegistrar($0) }
            let variables = others.filter { $0.isMutable || $0.ownership != .strong }
            guard variables.isEmpty || isModel && variables.allSatisfy({ isTracked($0, among: fields) }) else {
                return nil
            }
            contents.constants.insert(contentsOf: others.filter { !$0.isMutable && $0.ownership == .strong }, at: 0)
            doubts.append((declaring, variables.compactMap(property)))
        }
        // Each is asked, so that the proofs of all are waited for.
        contents.isProved = doubts.filter { !TrackedFields.areProved($0.properties, of: $0.model) }.isEmpty
        return contents
    }

    /// What the macro `@Observable` adds to a model.
    static func isRegistrar(_ field: TypeMetadata.Field) -> Bool {
        field.name == "_$observationRegistrar" && field.type.map(SystemTypes.isRegistrar) == true
    }

    /// Whether the macro may have made the field for a property whose reads and writes Observation learns of: it is called
    /// `_tick` where the property `tick` is computed. So is a wrapper, and what an app calls so. A weak one becomes nil without
    /// a write.
    private static func isTracked(_ field: TypeMetadata.Field, among fields: [TypeMetadata.Field]) -> Bool {
        guard field.isMutable, field.ownership != .weak, field.name.hasPrefix("_"), field.type != nil else {
            return false
        }
        let property = field.name.dropFirst()
        return !property.isEmpty && !fields.contains { $0.name == property }
    }

    /// The property behind which the macro makes such a field.
    private static func property(_ field: TypeMetadata.Field) -> DeclaredProperty? {
        field.type.map { DeclaredProperty(name: String(field.name.dropFirst()), type: $0) }
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
            // Not among those that can all be told.
            case .variable: return Shape.Part(offset: capture.offset, size: 8, shape: ShapeMaker.unknown)
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
    /// classes whose properties are constants of such types or tracked. Once per type microseconds, then 50 ns; once more
    /// after proofs.
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

    /// Asks again of the types that are not settled, when more is proved of models.
    static func forgetUnsettled() { known.removeAll { !$0 } }

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
        case .inlineArray, .deferred: return isSettled(shape.lazy(0), &visited)
        case .reference:
            guard shape.type.isFinal, let contents = ObjectMaker.contents(of: shape.type) else { return false }
            return contents.isProved && contents.constants.allSatisfy { isSettled(ShapeMaker.shape(of: $0), &visited) }
        case .weakReference, .unownedReference, .closure, .existential, .errorExistential, .unknown,
            .opaqueObject, .unprovedObject, .boxed, .alternatives:
            return false
        }
    }

    private static func isSettled(_ lazy: LazyShape, _ visited: inout Set<UInt>) -> Bool {
        lazy.type != nil && isSettled(lazy.shape, &visited)
    }
}
