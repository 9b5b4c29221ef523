// SPDX-License-Identifier: MIT
// Walks over values of the system's whose equality is not that of their bytes.

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
