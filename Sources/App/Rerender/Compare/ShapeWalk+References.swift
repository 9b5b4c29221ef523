// SPDX-License-Identifier: MIT
// Walks over values with an identity: objects, closures, and the boxes of protocol types.

internal import CRerender

/// What a weak variable refers to.
enum WeakTarget {
    static func of(_ variable: Address) -> UInt { UInt(crerender_weak_target(variable.bits)) }
}

extension ShapeWalk {
    /// A reference in the recording: its address, how it is remembered, and the size of its contents, which follow.
    mutating func walkReference(_ object: UInt, _ depth: Int) -> Step {
        guard cursor + 24 <= limit else { return full() }
        return isRecording ? record(object, depth) : compare(object, depth)
    }

    private mutating func record(_ object: UInt, _ depth: Int) -> Step {
        let hold = recording.remember(object)
        let start = cursor
        guard recording.append(object), recording.append(hold), recording.append(0) else { return full() }
        cursor += 24
        guard depth > 0, object != 0, let contents = Self.contents(of: object) else { return .more }
        let isWhole = isWhole { walk in
            let step = walk.emit(Address(bits: object).word())
            return step == .more ? walk.walk(contents, Address(bits: object), depth - 1) : step
        }
        if isWhole {
            recording.patch(UInt(cursor - start - 24), at: start + 16)
        } else {
            // What cannot be told wholly proves no equality. The references in it stay remembered, which does no harm.
            cursor = start + 24
            recording.truncate(to: cursor)
        }
        return .more
    }

    /// Whether a walk over an object's contents goes to their end and can tell all of them. What it finds is not the value's.
    private mutating func isWhole(_ walkContents: (inout ShapeWalk) -> Step) -> Bool {
        let (outerFindings, outerDoubts, outerLimit) = (findings, doubts, limit)
        findings = []
        doubts = 0
        let step = walkContents(&self)
        defer { (findings, doubts, limit) = (outerFindings, outerDoubts, outerLimit) }
        return step == .more && !findings.contains(.unknown)
    }

    private mutating func compare(_ object: UInt, _ depth: Int) -> Step {
        guard cursor + 24 <= recording.count else { return differs() }
        let (old, hold) = (recording.word(cursor), recording.word(cursor + 8))
        let start = cursor + 24
        let end = start + Int(recording.word(cursor + 16))
        cursor = end
        if old == object, crerender_is_remembered(hold, object) { return .more }
        guard end > start, object != 0, Address(bits: object).word() == recording.word(start),
            let contents = Self.contents(of: object)
        else { return differs() }
        cursor = start + 8
        guard isWhole({ $0.walk(contents, Address(bits: object), depth - 1) }), cursor == end else { return differs() }
        findings.formUnion([.stale, .newIdentity, .replaced])
        return .more
    }

    private static func contents(of object: UInt) -> ShapeReference? {
        let type = Address(bits: object).type()
        guard type.kind == .class else { return nil }
        return ShapeMaker.immutableContents(of: type)
    }

    /// A closure in the recording: its function, its context, and how that is remembered. One in C has no context.
    mutating func walkClosure(_ value: Address, _ size: Int) -> Step {
        guard cursor + 24 <= limit else { return full() }
        let function = value.word()
        let context = size >= 16 ? value.word(8) : 0
        if isRecording {
            guard recording.append(function), recording.append(context), recording.append(recording.remember(context))
            else {
                return full()
            }
        } else {
            guard cursor + 24 <= recording.count else { return differs() }
            if recording.word(cursor) != function || recording.word(cursor + 8) != context
                || !crerender_is_remembered(recording.word(cursor + 16), context)
            {
                findings.formUnion([.newClosure, .stale])
            }
        }
        cursor += 24
        return .more
    }

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
