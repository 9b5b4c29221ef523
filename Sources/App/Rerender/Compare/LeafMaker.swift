// SPDX-License-Identifier: MIT
// Makes the leaves of a type from its stored properties.

/// Collects the leaves of one type.
struct LeafMaker {
    private(set) var leaves: [ValueLayout.Leaf] = []
    private(set) var bytes: [ValueLayout.Bytes] = []
    private(set) var walked: [ValueLayout.Walked] = []
    private(set) var recordSize = 0
    /// Whether equal bytes of a leaf may have other contents.
    private(set) var isOpaque = false

    /// The leaves of a value. Where there are too many to tell apart, nested ones have the name of what holds them.
    static func leaves(ofValue type: TypeMetadata, depth: Int) -> LeafMaker {
        for named in stride(from: depth, to: 0, by: -1) {
            let maker = LeafMaker(value: type, depth: depth, named: named)
            if maker.leaves.count <= LeafSet.capacity { return maker }
        }
        return LeafMaker(value: type, depth: depth, named: 0)
    }

    private init(value type: TypeMetadata, depth: Int, named: Int) {
        if (type.kind == .struct && !SystemTypes.contains(type)) || type.kind == .tuple, type.isCopyable,
            let fields = type.fields
        {
            for field in fields { add(field, of: fields, path: "", at: Place(), depth: depth, named: named) }
        } else {
            addLeaf("self", at: Place(), type, ShapeMaker.shape(of: type), depth)
        }
    }

    init(object type: TypeMetadata, depth: Int) {
        guard type.kind == .class, let fields = type.fields else {
            addUnknown("self")
            return
        }
        for field in fields {
            add(field, of: fields, path: "", at: Place(), depth: depth, named: depth, entersWrappers: false)
        }
    }

    init(unknown name: String) { addUnknown(name) }

    private mutating func addUnknown(_ name: String) {
        addLeaf(name, at: Place(), nil, ShapeMaker.unknown, 0)
    }

    private mutating func add(
        _ field: TypeMetadata.Field, of all: [TypeMetadata.Field], path: String, at holder: Place, depth: Int,
        named: Int, entersWrappers: Bool = true
    ) {
        // What the macros of Observation store beside the properties.
        if field.name.hasPrefix("_$") { return }
        let place = holder.advanced(by: field.offset)
        if entersWrappers, let wrapper = PropertyWrapper.of(field, among: all) {
            return add(wrapper, path: path, at: place, depth: depth, named: named)
        }
        let declared = DeclaredName(of: field, among: all)
        let name = declared.name
        if depth > 0, named > 0, !declared.isStorage, field.ownership == .strong, let type = field.type,
            addGroup(type, path: path + name + ".", at: place, depth: depth, named: named)
        {
            return
        }
        var shape = entersWrappers ? ShapeMaker.shape(of: field, among: all) : ShapeMaker.shape(of: field)
        if depth == 0, shape.shape.kind != .bytes, let type = field.type, Self.isGroup(type), !type.isTrivial {
            shape = ShapeMaker.unknown
        }
        addLeaf(path + name, at: place, field.type, shape, depth)
    }

    /// What a property wrapper wraps, by the name of the property. Of one that cannot be entered nothing is compared.
    private mutating func add(_ wrapper: PropertyWrapper, path: String, at place: Place, depth: Int, named: Int) {
        guard let content = wrapper.content else {
            isOpaque = true
            return
        }
        if !content.isWhole { isOpaque = true }
        let name = path + wrapper.name
        let inside = place.followed(by: content.place)
        let first = leaves.count
        defer {
            if let readers = content.readers?.behind(place) {
                for index in first..<leaves.count { leaves[index].readers = readers }
            }
        }
        if let shape = content.shape { return addLeaf(name, at: inside, content.type, shape, depth) }
        // A tree of boxes has no end that its types tell.
        let isWrapper = ShapeMaker.mayBeBoxing(content.type)
        if depth == 0 || named == 0 || inside.hops.count > StoreLimits.wrapperDepth || isWrapper
            || !addGroup(content.type, path: name + ".", at: inside, depth: depth, named: named)
        {
            let shape = ShapeMaker.shape(of: content.type)
            addLeaf(name, at: inside, content.type, isWrapper ? ShapeMaker.doubtful(content.type, shape) : shape, depth)
        }
        if let rest = ShapeMaker.rest(of: content) { addLeaf(name, at: place, content.type, rest, depth) }
        if content.isEntered, leaves.count == first + 1 {
            addProperties(ofObject: content.type, path: name + ".", at: inside, depth: depth)
            for index in leaves.indices.dropFirst(first + 1) { leaves[index].object = first }
        }
    }

    /// The properties of an object that announce each write, beside those that are compared where the object is.
    private mutating func addProperties(ofObject type: TypeMetadata, path: String, at place: Place, depth: Int) {
        let type = type.kind == .optional ? type.genericArgument(0) : type
        guard type.kind == .class, !SystemTypes.declares(type), let fields = type.fields else { return }
        let inside = place.entering(type)
        for field in fields {
            guard let wrapper = PropertyWrapper.of(field, among: fields), let content = wrapper.content,
                let shape = content.shape
            else { continue }
            let place = inside.advanced(by: field.offset).followed(by: content.place)
            addLeaf(path + wrapper.name, at: place, content.type, shape, depth)
        }
    }

    /// The properties of a value each by its name; false for one that is named as a whole.
    private mutating func addGroup(
        _ type: TypeMetadata, path: String, at place: Place, depth: Int, named: Int
    ) -> Bool {
        guard Self.isGroup(type), let fields = type.fields else { return false }
        if ShapeMaker.shape(of: type).shape.isOpaque { isOpaque = true }
        for inner in fields { add(inner, of: fields, path: path, at: place, depth: depth - 1, named: named - 1) }
        return true
    }

    /// Types whose properties a reader knows by their own names.
    private static func isGroup(_ type: TypeMetadata) -> Bool {
        type.kind == .tuple || type.kind == .struct && type.isCopyable && !SystemTypes.contains(type)
    }

    private mutating func addLeaf(
        _ name: String, at place: Place, _ type: TypeMetadata?, _ reference: ShapeReference, _ depth: Int
    ) {
        let shape = reference.shape
        let (index, offset) = (leaves.count, place.first)
        if shape.isOpaque { isOpaque = true }
        switch shape.kind {
        case .bytes where shape.size == 0: return
        case .parts where shape.count == 0: return
        case _ where !place.hops.isEmpty:
            let boxed = Shape.boxed(
                type ?? shape.type, place.moved(by: -offset), size: shape.size,
                shape.kind == .bytes ? nil : reference, isOpaque: shape.isOpaque)
            walked.append(.init(offset: offset, leaf: index, shape: ShapeReference(boxed), depth: depth))
        case .bytes where recordSize + shape.size <= StoreLimits.comparedValueBytes / 2:
            addBytes(offset, shape.size, index)
        case .bytes: walked.append(.init(offset: offset, leaf: index, shape: reference, depth: depth))
        case .parts where (0..<shape.count).allSatisfy { shape.part($0).shape == nil } && fits(shape):
            for part in (0..<shape.count).map(shape.part) { addBytes(offset + part.offset, part.size, index) }
        default: walked.append(.init(offset: offset, leaf: index, shape: reference, depth: depth))
        }
        leaves.append(.init(name: name, offset: offset, type: type))
    }

    private func fits(_ shape: Shape) -> Bool {
        let size = (0..<shape.count).reduce(0) { $0 + shape.part($1).size }
        return recordSize + size <= StoreLimits.comparedValueBytes / 2
    }

    private mutating func addBytes(_ offset: Int, _ size: Int, _ leaf: Int) {
        bytes.append(.init(offset: offset, size: size, leaf: leaf, record: recordSize))
        recordSize += size
    }
}

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

    /// What objects of a class hold that cannot change without a word.
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
