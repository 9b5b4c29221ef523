// SPDX-License-Identifier: MIT
// Walks over a value and either records it or compares it with a recording.

/// What a walk learnt about a value besides whether it differs.
struct Findings: OptionSet, BitwiseCopyable {
    let rawValue: UInt16
    /// Something could not be told.
    static let unknown = Findings(rawValue: 1)
    /// What was recorded is not all as it is now, even if the value is equal.
    static let stale = Findings(rawValue: 2)
    static let newIdentity = Findings(rawValue: 4)
    static let newClosure = Findings(rawValue: 8)
    /// An immutable object stands in the place of an equal one.
    static let replaced = Findings(rawValue: 16)
    /// A closure has another function, or captures something else: what it does may differ.
    static let otherClosure = Findings(rawValue: 32)
    /// Something can be reached that may have changed without being another value.
    static let opaque = Findings(rawValue: 64)
    /// What was recorded may be a variable's content: an object that holds it may be the same and hold something else.
    static let variable = Findings(rawValue: 128)
    /// Something can be reached of which a proof may show that it cannot change so.
    static let unproved = Findings(rawValue: 256)
}

/// Walks over a value by its shape. Recording and comparing take the same path, so that they cannot disagree.
///
/// The walk of a value is a sequence of words that is the same for equal values and different for different ones; where
/// it has to stop early it stops at the same place for equal beginnings, and says `unknown`.
struct ShapeWalk {
    enum Step { case more, full, differs, doubtful }

    let isRecording: Bool
    var recording: ValueRecording
    var cursor = 0
    var limit: Int
    var findings: Findings = []
    /// How many of the shapes around cannot prove a difference.
    var doubts = 0

    init(recording: ValueRecording, limit: Int) {
        self.recording = recording
        isRecording = true
        self.limit = limit
    }

    init(comparing recording: ValueRecording) {
        self.recording = recording
        isRecording = false
        limit = recording.limit
    }

    /// The shape is handed on by reference: it is large, and most of these look at two words of it.
    @inline(__always)
    mutating func walk(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        if reference.shape.isOpaque { findings.insert(.opaque) }
        switch reference.shape.kind {
        // What views have most.
        case .string: return walkString(value)
        case .singlePayload, .multiPayload: return walkEnum(reference, value, depth)
        case .array: return walkArray(reference, value, depth)
        default: return walkOther(reference, value, depth)
        }
    }

    @inline(never)
    private mutating func walkOther(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let shape = reference.shape
        switch shape.kind {
        case .bytes: return emit(value, shape.size)
        case .parts, .immutableObject, .observedObject, .captures: return walkParts(reference, value, depth)
        case .doubtful:
            doubts += 1
            defer { doubts -= 1 }
            return walkParts(reference, value, depth)
        case .substring: return walkSubstring(value)
        // What else it knows of its place in the string does not make it another.
        case .stringIndex: return emit(value.word() >> 14)
        case .arraySlice: return walkSlice(reference, value, depth)
        case .data: return walkData(reference, value)
        case .dictionary, .set: return walkTable(reference, value, depth)
        case .inlineArray: return walkElements(shape.lazy(0), value, shape.count, depth)
        case .reference: return walkReference(value.word(), depth)
        case .weakReference: return walkWeakReference(value)
        case .unownedReference: return walkReference(value.word(), 0)
        case .closure: return walkClosure(value, depth)
        case .functionPointer: return walkFunctionPointer(value.word())
        case .boxed: return walkBoxed(reference, value, depth)
        case .alternatives: return walkAlternatives(reference, value, depth)
        case .deferred: return walk(shape.lazy(0).shape, value, depth)
        case .pointee: return walkPointee(reference, Address(bits: value.word()), depth)
        case .existential: return walkExistential(value, depth)
        case .errorExistential: return walkError(value, depth)
        case .string, .singlePayload, .multiPayload, .array, .unknown, .opaqueObject,
            .unprovedObject:
            return unknown()
        }
    }

    mutating func walkParts(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let shape = reference.shape
        for index in 0..<shape.count {
            let part = shape.part(index)
            let step: Step
            if let inner = part.shape {
                step = walk(inner, value + part.offset, depth)
            } else {
                step = emit(value + part.offset, part.size)
            }
            guard step == .more else { return step }
        }
        return .more
    }

    /// What a property wrapper keeps in its box. Which box that is makes no difference.
    private mutating func walkBoxed(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        guard cursor + 8 <= limit else { return full() }
        let shape = reference.shape
        var base = value
        var isThere: UInt = depth > 0 ? 1 : 0
        var index = 0
        while isThere == 1, index < shape.count {
            let hop = shape.detail.load(index, as: Place.Hop.self)
            base = Address(bits: base.word(hop.offset))
            // No box yet, or one of which nobody knows what it holds.
            if base.bits == 0 || base.type() != hop.type { isThere = 0 }
            index += 1
        }
        if isRecording {
            guard recording.append(isThere) else { return full() }
        } else {
            guard cursor + 8 <= recording.count else { return differs() }
            guard recording.word(cursor) == isThere else {
                findings.formUnion([.unknown, .stale])
                return .doubtful
            }
        }
        cursor += 8
        guard isThere == 1 else { return unknown() }
        let part = shape.part(0)
        guard let inner = part.shape else { return emit(base + part.offset, part.size) }
        return walk(inner, base + part.offset, depth - 1)
    }

    // MARK: Enums

    private mutating func walkEnum(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let shape = reference.shape
        let tag = Int(unsafe shape.type.enumTag(of: value.pointer))
        let step = emit(UInt(tag))
        guard step == .more, tag < shape.count else { return step }
        let payload = shape.lazy(tag)
        guard payload.type != nil else { return unknown() }
        if shape.kind == .singlePayload { return walkPayload(payload, value, depth) }
        var walk = self
        let result = value.projected(as: shape.type, size: shape.size) { walk.walkPayload(payload, $0, depth) }
        self = walk
        return result
    }

    /// What all cases of an enum lead to. Which case it is makes no difference.
    private mutating func walkAlternatives(_ reference: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let shape = reference.shape
        let tag = Int(unsafe shape.type.enumTag(of: value.pointer))
        guard tag < shape.count, let inner = shape.part(tag).shape else { return unknown() }
        var walk = self
        // The way through the case is no part of the value's depth.
        let result = value.projected(as: shape.type, size: shape.size) { walk.walk(inner, $0, depth + 1) }
        self = walk
        return result
    }

    private mutating func walkPayload(_ payload: LazyShape, _ value: Address, _ depth: Int) -> Step {
        guard payload.isIndirect else { return walk(payload.shape, value, depth) }
        guard depth > 0 else { return unknown() }
        return walk(payload.shape, Self.contents(ofBox: value.word(), payload.alignment), depth - 1)
    }

    /// A box holds its value behind the two words that every object has.
    static func contents(ofBox box: UInt, _ alignment: Int) -> Address {
        Address(bits: box + 16).aligned(to: alignment)
    }

    // MARK: The sequence

    /// A word. Where it may be another without making the value another, `finding` notes that.
    @inline(__always)
    mutating func emit(_ word: UInt, finding: Findings? = nil) -> Step {
        guard cursor + 8 <= limit else { return full() }
        if isRecording {
            guard recording.append(word) else { return full() }
        } else {
            guard cursor + 8 <= recording.count else { return differs() }
            if recording.word(cursor) != word {
                guard let finding else { return differs() }
                findings.formUnion([finding, .stale])
            }
        }
        cursor += 8
        return .more
    }

    /// Bytes as they are; as many as there is room for.
    @inline(__always)
    mutating func emit(_ bytes: Address, _ size: Int) -> Step {
        let taken = min(size, limit - cursor)
        let end = cursor + (taken + 7) & ~7
        if isRecording {
            guard recording.append(bytes, taken) else { return full() }
        } else {
            guard end <= recording.count, recording.address(cursor).equals(bytes, taken) else { return differs() }
        }
        cursor = end
        return taken == size ? .more : full()
    }

    mutating func differs() -> Step {
        findings.insert(.stale)
        guard doubts > 0 else { return .differs }
        findings.insert(.unknown)
        return .doubtful
    }

    mutating func unknown() -> Step {
        findings.insert(.unknown)
        return .more
    }

    mutating func full() -> Step {
        findings.insert(.unknown)
        limit = min(limit, cursor)
        return .full
    }
}
