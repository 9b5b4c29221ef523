// SPDX-License-Identifier: MIT
// Walks over values with an identity: objects, closures, and the boxes of protocol types.

internal import CRerender

/// The last word of a reference's or a closure's head in a recording: how many bytes of contents follow, whether
/// something behind it may change without a word, or may as long as nothing is proved, and whether what follows may be a
/// variable's content.
private struct ContentsWord {
    private static let opaqueBit: UInt = 1 << 63
    private static let variableBit: UInt = 1 << 62
    private static let unprovedBit: UInt = 1 << 61
    let bits: UInt

    init(bits: UInt) { self.bits = bits }
    init(size: Int, isOpaque: Bool, isVariable: Bool = false, isUnproved: Bool = false) {
        bits =
            UInt(size) | (isOpaque ? Self.opaqueBit : 0) | (isVariable ? Self.variableBit : 0)
            | (isUnproved ? Self.unprovedBit : 0)
    }

    var size: Int { Int(bits & ~(Self.opaqueBit | Self.variableBit | Self.unprovedBit)) }
    /// What it says of the value that holds it.
    var findings: Findings {
        (isOpaque ? Findings.opaque : []).union(bits & Self.unprovedBit != 0 ? .unproved : [])
    }
    var isOpaque: Bool { bits & Self.opaqueBit != 0 }
    var isVariable: Bool { bits & Self.variableBit != 0 }
}

extension ShapeWalk {
    /// A reference in the recording: its address, how it is remembered, and what its contents are, which follow.
    /// With depth 0 nothing of the object is read but its class.
    mutating func walkReference(_ object: UInt, _ depth: Int) -> Step {
        guard cursor + 24 <= limit else { return full() }
        return isRecording ? record(object, depth) : compare(object, depth)
    }

    /// The same for a weak reference, whose object may end at any time.
    mutating func walkWeakReference(_ variable: Address) -> Step {
        guard cursor + 24 <= limit else { return full() }
        guard isRecording else { return compare(UInt(crerender_weak_target(variable.bits)), 0) }
        let found = crerender_remember_weak(variable.bits, StoreLimits.rememberedObjectBytes)
        let type = found.object == 0 ? nil : Address.type(at: UInt(found.metadata))
        return record(UInt(found.object), type, recording.keep(UInt(found.hold)), 0)
    }

    private mutating func record(_ object: UInt, _ depth: Int) -> Step {
        let type = object == 0 ? nil : Address(bits: object).type()
        return record(object, type, recording.remember(object), depth)
    }

    private mutating func record(_ object: UInt, _ type: TypeMetadata?, _ hold: UInt, _ depth: Int) -> Step {
        let start = cursor
        guard recording.append(object), recording.append(hold), recording.append(0) else { return full() }
        cursor += 24
        if let type { recordContents(ShapeMaker.shape(ofObject: type), object, depth, hold, at: start + 16) }
        return .more
    }

    /// A hold that does not tell whether another object took the place of the one that it is for.
    private static let onlyAddress: UInt = 1

    /// Records what an object holds that never changes, if all of it can be told, and whether something of it may change.
    private mutating func recordContents(
        _ shape: ShapeReference, _ object: UInt, _ depth: Int, _ hold: UInt, at word: Int
    ) {
        let start = cursor
        let contents = shape.shape
        // A context with one capture may be a variable.
        let isBox = contents.kind == .captures && contents.count == 1
        var isUnproved = contents.kind == .unprovedObject
        var isOpaque = !contents.isSettled && !isUnproved || hold == Self.onlyAddress || isBox
        if contents.kind != .opaqueObject, !isUnproved, depth > 0, contents.count > 0,
            contents.kind != .observedObject || isOpaque
        {
            let (isWhole, found) = isWhole { walk in
                let step = walk.emit(Address(bits: object).word())
                return step == .more ? walk.walkParts(shape, Address(bits: object), depth - 1) : step
            }
            let isVariable = isBox || found.contains(.variable)
            if isWhole {
                isOpaque = contents.isOpaque || found.contains(.opaque) || hold == Self.onlyAddress
                isUnproved = found.contains(.unproved)
            }
            // Without what it stores beside that, an observed object is no other one's equal.
            if isWhole, contents.kind != .observedObject {
                if isVariable { findings.insert(.variable) }
                finish(
                    ContentsWord(
                        size: cursor - start, isOpaque: isOpaque, isVariable: isVariable, isUnproved: isUnproved), word)
                return
            }
            if isVariable { isOpaque = true }
            // What cannot be told wholly proves no equality. The references in it stay remembered, which does no harm.
            cursor = start
            recording.truncate(to: cursor)
        }
        finish(ContentsWord(size: 0, isOpaque: isOpaque, isUnproved: isUnproved), word)
    }

    private mutating func finish(_ contents: ContentsWord, _ word: Int) {
        findings.formUnion(contents.findings)
        recording.patch(contents.bits, at: word)
    }

    /// Whether a walk over an object's contents goes to their end and can tell all of them, and what it finds; that is not
    /// the value's.
    private mutating func isWhole(_ walkContents: (inout ShapeWalk) -> Step) -> (Bool, Findings) {
        let (outerFindings, outerDoubts, outerLimit) = (findings, doubts, limit)
        findings = []
        doubts = 0
        let step = walkContents(&self)
        defer { (findings, doubts, limit) = (outerFindings, outerDoubts, outerLimit) }
        return (step == .more && findings.isDisjoint(with: [.unknown, .otherClosure]), findings)
    }

    private mutating func compare(_ object: UInt, _ depth: Int) -> Step {
        guard cursor + 24 <= recording.count else { return differs() }
        let (old, hold) = (recording.word(cursor), recording.word(cursor + 8))
        let contents = ContentsWord(bits: recording.word(cursor + 16))
        let start = cursor + 24
        cursor = start + contents.size
        findings.formUnion(contents.findings)
        if old == object, crerender_is_remembered(hold, object) {
            if contents.isVariable, !hasEqualContents(object, start, start + contents.size, depth) {
                findings.formUnion([.otherClosure, .stale])
            }
            return .more
        }
        // In doubt, one with equal contents proves no more than one with others.
        guard doubts == 0, contents.size > 0, object != 0,
            hasEqualContents(object, start, start + contents.size, depth)
        else { return differs() }
        findings.formUnion([.stale, .newIdentity, .replaced])
        return .more
    }

    /// Whether an object's contents are those in the recording.
    private mutating func hasEqualContents(_ object: UInt, _ start: Int, _ end: Int, _ depth: Int) -> Bool {
        let metadata = Address(bits: object).word()
        guard depth > 0, metadata == recording.word(start) else { return false }
        let shape = ShapeMaker.shape(ofObject: Address(bits: object).type())
        cursor = start + 8
        let (isWhole, _) = isWhole { $0.walkParts(shape, Address(bits: object), depth - 1) }
        defer { cursor = end }
        return isWhole && cursor == end
    }

    // MARK: Closures

    /// A closure in the recording: its function, its context, how that is remembered, and what it captures, which follows.
    ///
    /// One that does something else is no other value to a reader, and may still be another input: it is never a change, and
    /// never called the same.
    mutating func walkClosure(_ value: Address, _ depth: Int) -> Step {
        guard cursor + 32 <= limit else { return full() }
        let (function, context) = (value.word(), value.word(8))
        return isRecording ? record(function, context, depth) : compare(function, context, depth)
    }

    private mutating func record(_ function: UInt, _ context: UInt, _ depth: Int) -> Step {
        let hold = recording.remember(context)
        let start = cursor
        guard recording.append(function), recording.append(context), recording.append(hold), recording.append(0) else {
            return full()
        }
        cursor += 32
        guard context != 0 else { return .more }
        let shape = ShapeMaker.shape(ofObject: Address(bits: context).type())
        recordContents(shape, context, depth, hold, at: start + 24)
        return .more
    }

    private mutating func compare(_ function: UInt, _ context: UInt, _ depth: Int) -> Step {
        guard cursor + 32 <= recording.count else { return differs() }
        let (oldFunction, old, hold) = (
            recording.word(cursor), recording.word(cursor + 8), recording.word(cursor + 16)
        )
        let contents = ContentsWord(bits: recording.word(cursor + 24))
        let start = cursor + 32
        let end = start + contents.size
        cursor = end
        findings.formUnion(contents.findings)
        let isSame = old == context && crerender_is_remembered(hold, context)
        // What looks like a context may be the box of a variable, which can be written.
        let isEqual =
            function == oldFunction
            && (contents.size > 0 && context != 0 ? hasEqualContents(context, start, end, depth) : isSame)
        if !isEqual {
            findings.formUnion([.otherClosure, .stale])
        } else if !isSame {
            findings.formUnion([.newClosure, .stale])
        }
        return .more
    }

    /// A function without a context.
    mutating func walkFunctionPointer(_ function: UInt) -> Step {
        guard cursor + 8 <= limit else { return full() }
        if isRecording {
            guard recording.append(function) else { return full() }
        } else {
            guard cursor + 8 <= recording.count else { return differs() }
            if recording.word(cursor) != function { findings.formUnion([.otherClosure, .stale]) }
        }
        cursor += 8
        return .more
    }

    // MARK: Containers

    /// Three words for the value or its box, then its type.
    mutating func walkExistential(_ value: Address, _ depth: Int) -> Step {
        let type = value.word(24)
        let metadata = value.type(24)
        let contents = metadata.isInline ? value : Self.contents(ofBox: value.word(), metadata.alignment)
        return walkDynamic(type, contents, depth)
    }

    mutating func walkError(_ value: Address, _ depth: Int) -> Step {
        let error = crerender_error_value(value.word())
        return walkDynamic(error.type, Address(bits: error.value), depth)
    }

    /// A value in the recording after its type and the type's shape, so that this need not be looked up again.
    private mutating func walkDynamic(_ type: UInt, _ value: Address, _ depth: Int) -> Step {
        guard depth > 0 else { return unknown() }
        var step = emit(type)
        guard step == .more else { return step }
        guard cursor + 8 <= limit else { return full() }
        let shape: ShapeReference
        if isRecording {
            shape = ShapeMaker.shape(of: Address.type(at: type))
            step = emit(shape.address.bits)
            guard step == .more else { return step }
        } else {
            guard cursor + 8 <= recording.count else { return differs() }
            shape = ShapeReference(address: Address(bits: recording.word(cursor)))
            cursor += 8
        }
        return walk(shape, value, depth - 1)
    }
}
