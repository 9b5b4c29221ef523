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
            for field in fields { add(field, of: fields, path: "", base: 0, depth: depth, named: named) }
        } else {
            addLeaf("self", offset: 0, type, ShapeMaker.shape(of: type), depth)
        }
    }

    init(object type: TypeMetadata, depth: Int) {
        guard type.kind == .class, let fields = type.fields else {
            addUnknown("self")
            return
        }
        for field in fields { add(field, of: fields, path: "", base: 0, depth: depth, named: depth) }
    }

    init(unknown name: String) { addUnknown(name) }

    private mutating func addUnknown(_ name: String) {
        addLeaf(name, offset: 0, nil, ShapeMaker.unknown, 0)
    }

    private mutating func add(
        _ field: TypeMetadata.Field, of all: [TypeMetadata.Field], path: String, base: Int, depth: Int, named: Int
    ) {
        // What the macros of Observation store beside the properties.
        if field.name.hasPrefix("_$") { return }
        let declared = DeclaredName(of: field, among: all)
        let name = declared.name
        let offset = base + field.offset
        if depth > 0, named > 0, !declared.isStorage, field.ownership == .strong, let type = field.type,
            Self.isGroup(type),
            let fields = type.fields
        {
            if ShapeMaker.shape(of: type).shape.isOpaque { isOpaque = true }
            for inner in fields {
                add(inner, of: fields, path: path + name + ".", base: offset, depth: depth - 1, named: named - 1)
            }
            return
        }
        var shape = ShapeMaker.shape(of: field)
        if depth == 0, shape.shape.kind != .bytes, let type = field.type, Self.isGroup(type), !type.isTrivial {
            shape = ShapeMaker.unknown
        }
        addLeaf(path + name, offset: offset, field.type, shape, depth)
    }

    /// Types whose properties a reader knows by their own names.
    private static func isGroup(_ type: TypeMetadata) -> Bool {
        type.kind == .tuple || type.kind == .struct && type.isCopyable && !SystemTypes.contains(type)
    }

    private mutating func addLeaf(
        _ name: String, offset: Int, _ type: TypeMetadata?, _ reference: ShapeReference, _ depth: Int
    ) {
        let shape = reference.shape
        let index = leaves.count
        if shape.isOpaque { isOpaque = true }
        switch shape.kind {
        case .bytes where shape.size == 0: return
        case .bytes where recordSize + shape.size <= StoreLimits.comparedValueBytes / 2:
            addBytes(offset, shape.size, index)
        case .bytes: walked.append(.init(offset: offset, leaf: index, shape: reference, depth: depth))
        case .parts where shape.count == 0: return
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
