// SPDX-License-Identifier: MIT
// Types of the standard library and of Foundation that are not just their stored properties: their shapes, and walks over their values.

/// Shapes of the standard library's types. Its inlinable code fixes their layout.
enum SystemShape {
    /// nil where the type has not the extent that it is known by.
    static func make(_ type: TypeMetadata, _ form: SystemTypes.Form) -> Shape? {
        func collection(_ kind: Shape.Kind, size: Int, _ arguments: Int) -> Shape? {
            guard type.size == size else { return nil }
            return Shape(kind, type, size: size, lazies: (0..<arguments).map { LazyShape(type.genericArgument($0)) })
        }
        switch form {
        case .string: return collection(.string, size: 16, 0)
        case .substring: return collection(.substring, size: 32, 0)
        case .stringIndex: return collection(.stringIndex, size: 8, 0)
        case .array: return collection(.array, size: 8, 1)
        case .arraySlice: return collection(.arraySlice, size: 32, 1)
        case .set: return collection(.set, size: 8, 1)
        case .dictionary: return collection(.dictionary, size: 8, 2)
        case .bytes(let size): return type.size >= size ? Shape(.bytes, type, size: size) : nil
        case .vector(let lanes):
            let scalar = type.genericArgument(0)
            let size = lanes * scalar.stride
            guard SystemTypes.isScalar(scalar), size <= type.size else { return nil }
            return Shape(.bytes, type, size: size)
        case .properties: return nil
        }
    }
}

/// Shapes of types of Foundation, which are made only where their own metadata say that they are as they are taken to be.
enum FoundationShape {
    static func make(_ type: TypeMetadata) -> Shape? {
        if SystemTypes.isFoundation(type, "URL") { return link(type) }
        if SystemTypes.isFoundation(type, "Data") {
            return DataLayout(type).map { Shape(.data, type, size: type.size, detail: .immortal([$0])) }
        }
        return nil
    }

    /// A URL: its text decides; the rest is what was found in the text, and what it is relative to.
    private static func link(_ type: TypeMetadata) -> Shape? {
        guard let fields = type.fields, let first = fields.first, first.name == "_url", first.offset == 0,
            let object = constants(first.type), let info = object.first(where: { $0.name == "_parseInfo" }),
            let found = constants(info.type), let text = found.first(where: { $0.name == "urlString" }),
            text.type?.type == String.self, let objectType = first.type, let infoType = info.type
        else { return nil }
        let parsed = pointee(
            infoType, first: part(text, ShapeMaker.shape(of: text)), found.filter { $0.name != text.name })
        let whole = pointee(objectType, first: part(info, parsed), object.filter { $0.name != info.name })
        let parts = [part(first, whole)] + doubtful(type, Array(fields.dropFirst()))
        return Shape(.parts, type, size: type.size, parts: parts)
    }

    private static func part(_ field: TypeMetadata.Field, _ shape: ShapeReference) -> Shape.Part {
        Shape.Part(offset: field.offset, size: shape.shape.size, shape: shape)
    }

    private static func pointee(
        _ type: TypeMetadata, first: Shape.Part, _ rest: [TypeMetadata.Field]
    ) -> ShapeReference {
        ShapeReference(Shape(.pointee, type, size: 8, parts: [first] + doubtful(type, rest)))
    }

    /// Properties whose difference does not make another value.
    private static func doubtful(_ type: TypeMetadata, _ fields: [TypeMetadata.Field]) -> [Shape.Part] {
        let parts = ShapeMaker.parts(of: fields)
        guard !parts.isEmpty else { return [] }
        return [Shape.Part(offset: 0, size: 0, shape: ShapeReference(Shape(.doubtful, type, size: 0, parts: parts)))]
    }

    /// What an object of a class holds, if that never changes.
    private static func constants(_ type: TypeMetadata?) -> [TypeMetadata.Field]? {
        guard let type, type.kind == .class, let fields = type.fields,
            fields.allSatisfy({ !$0.isMutable && $0.ownership == .strong && $0.type != nil })
        else { return nil }
        return fields
    }
}

/// Where the bytes of Foundation's `Data` lie.
struct DataLayout: BitwiseCopyable {
    /// In which case of the representation they are, by its tag.
    let inlineTag, sliceTag, largeTag: Int
    let representation: TypeMetadata
    /// In the value itself: behind the bytes, which are first.
    let inlineCount: Int
    /// A short range of an object's bytes.
    let sliceLower, sliceUpper, sliceStorage: Int
    /// A range that is in an object of its own.
    let largeRange, largeStorage: Int
    let range: TypeMetadata
    let rangeLower, rangeUpper: Int
    let storage: TypeMetadata
    let bytes, length, start: Int

    /// nil unless the type's metadata describe all of it.
    init?(_ type: TypeMetadata) {
        guard let fields = type.fields, fields.count == 1, fields[0].offset == 0, type.size <= 16,
            let representation = fields[0].type, let cases = representation.payloadCases, cases.count == 3,
            let inline = cases.firstIndex(where: { $0.name == "inline" && !$0.isIndirect }),
            let slice = cases.firstIndex(where: { $0.name == "slice" && !$0.isIndirect }),
            let large = cases.firstIndex(where: { $0.name == "large" && !$0.isIndirect }),
            let inlineFields = cases[inline].type?.fields, inlineFields.map(\.name) == ["bytes", "length"],
            inlineFields[0].offset == 0, inlineFields[1].type?.type == UInt8.self,
            let sliceFields = cases[slice].type?.fields, sliceFields.map(\.name) == ["slice", "storage"],
            sliceFields[0].type?.type == Range<Int32>.self,
            let largeFields = cases[large].type?.fields, largeFields.map(\.name) == ["slice", "storage"],
            let range = largeFields[0].type, range.kind == .class, let rangeFields = range.fields,
            rangeFields.map(\.name) == ["range"], rangeFields[0].type?.type == Range<Int>.self,
            let storage = largeFields[1].type, storage.kind == .class, sliceFields[1].type == storage,
            let storageFields = storage.fields
        else { return nil }
        func field<Value>(_ name: String, _: Value.Type) -> Int? {
            storageFields.first { $0.name == name && $0.type?.type == Value.self }?.offset
        }
        guard let bytes = unsafe field("_bytes", UnsafeMutableRawPointer?.self),
            let length = field("_length", Int.self),
            let start = field("_offset", Int.self)
        else { return nil }
        (inlineTag, sliceTag, largeTag) = (inline, slice, large)
        self.representation = representation
        inlineCount = inlineFields[1].offset
        (sliceLower, sliceUpper) = (sliceFields[0].offset, sliceFields[0].offset + 4)
        (sliceStorage, largeStorage) = (sliceFields[1].offset, largeFields[1].offset)
        largeRange = largeFields[0].offset
        self.range = range
        (rangeLower, rangeUpper) = (rangeFields[0].offset, rangeFields[0].offset + 8)
        self.storage = storage
        (self.bytes, self.length, self.start) = (bytes, length, start)
    }
}

extension ShapeWalk {
    /// Emits what may differ between equal values.
    mutating func emitDoubtful(_ word: UInt) -> Step {
        doubts += 1
        defer { doubts -= 1 }
        return emit(word)
    }

    /// A part of a string: its length, its bytes, and where it begins, which an equal one need not share.
    mutating func walkSubstring(_ value: Address) -> Step {
        guard cursor + 40 <= limit else { return full() }
        var walk = self
        let step = SubstringStorage.withBytes(value) { bytes, count, start in
            let step = walk.walkText(bytes, count)
            return step == .more ? walk.emitDoubtful(UInt(start)) : step
        }
        self = walk
        return step
    }

    /// A part of an array: as an array, and where it begins, which an equal one need not share.
    mutating func walkSlice(_ shape: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let (first, start, end) = (value.word(8), Int(bitPattern: value.word(16)), Int(value.word(24) >> 1))
        let count = end - start
        guard count >= 0 else { return unknown() }
        let element = shape.shape.lazy(0)
        let elements = Address(bits: first) + start * element.stride
        var step = emit(count == 0 ? 0 : elements.bits, finding: .newIdentity)
        if step == .more { step = emit(UInt(count)) }
        if step == .more { step = emitDoubtful(UInt(start)) }
        guard step == .more, count > 0 else { return step }
        return bounded { $0.walkElements(element, elements, count, depth) }
    }

    /// An object that never changes, by what it holds.
    mutating func walkPointee(_ shape: ShapeReference, _ object: Address, _ depth: Int) -> Step {
        guard depth > 0, object.bits != 0, object.type() == shape.shape.type else { return unknown() }
        return walkParts(shape, object, depth - 1)
    }

    /// Foundation's bytes: how many, the bytes, and where they begin, which equal ones need not share.
    mutating func walkData(_ reference: ShapeReference, _ value: Address) -> Step {
        guard cursor + 40 <= limit else { return full() }
        let shape = reference.shape
        let layout = shape.detail.load(0, as: DataLayout.self)
        let tag = Int(unsafe layout.representation.enumTag(of: value.pointer))
        var walk = self
        let step = value.projected(as: layout.representation, size: shape.size) { payload in
            guard let (bytes, count, start) = layout.content(tag, payload) else { return walk.unknown() }
            let step = walk.walkBytes(bytes, count, count)
            return step == .more ? walk.emitDoubtful(UInt(bitPattern: start)) : step
        }
        self = walk
        return step
    }
}

extension DataLayout {
    /// The bytes, how many, and the index of the first; nil for objects of other classes than the layout was made for.
    func content(_ tag: Int, _ payload: Address) -> (bytes: Address, count: Int, start: Int)? {
        switch tag {
        case inlineTag: return (payload, Int(payload.byte(inlineCount)), 0)
        case sliceTag:
            let (lower, upper) = (Int(payload.int32(sliceLower)), Int(payload.int32(sliceUpper)))
            return stored(Address(bits: payload.word(sliceStorage)), lower, upper)
        case largeTag:
            let range = Address(bits: payload.word(largeRange))
            guard range.type() == self.range else { return nil }
            let (lower, upper) = (Int(bitPattern: range.word(rangeLower)), Int(bitPattern: range.word(rangeUpper)))
            return stored(Address(bits: payload.word(largeStorage)), lower, upper)
        // Empty: no bytes are read.
        default: return (payload, 0, 0)
        }
    }

    private func stored(_ storage: Address, _ lower: Int, _ upper: Int) -> (bytes: Address, count: Int, start: Int)? {
        guard storage.type() == self.storage else { return nil }
        let bytes = storage.word(self.bytes)
        let (length, first) = (Int(bitPattern: storage.word(length)), Int(bitPattern: storage.word(start)))
        guard lower <= upper, lower >= first, upper - first <= length else { return nil }
        guard bytes != 0, upper > lower else { return (storage, 0, lower) }
        return (Address(bits: bytes) + (lower - first), upper - lower, lower)
    }
}
