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
