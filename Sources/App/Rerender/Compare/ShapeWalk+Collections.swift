// SPDX-License-Identifier: MIT
// Walks over strings and collections. Reads their storage without retaining it.

extension ShapeWalk {
    /// A string in the recording: its two words, its length, its bytes.
    mutating func walkString(_ value: Address) -> Step {
        // With room for the length of the whole, too, or a string would be cut off in the middle of its head.
        guard cursor + 32 <= limit else { return full() }
        let (first, second) = (value.word(), value.word(8))
        let isFixed = StringStorage.isFixed(second)
        if isRecording {
            guard recording.append(first), recording.append(second) else { return full() }
        } else {
            guard cursor + 24 <= recording.count else { return differs() }
            if isFixed, recording.word(cursor) == first, recording.word(cursor + 8) == second {
                let taken = Int(recording.word(cursor + 16))
                // The whole length follows where not all bytes do.
                cursor += 24 + (taken + 7) & ~7 + (taken < StringStorage.fixedSize(first, second) ? 8 : 0)
                return .more
            }
        }
        cursor += 16
        var walk = self
        let step = StringStorage.withBytes(value, first, second) { bytes, count in
            walk.walkText(bytes, count)
        }
        self = walk
        return step
    }

    /// The UTF-8 of a text. Canonically equivalent texts are equal to the program, which can tell them apart all the same:
    /// that is no change, and nothing follows from it.
    mutating func walkText(_ bytes: Address, _ count: Int) -> Step {
        let (start, room) = (cursor, min(StoreLimits.comparedBytes, limit - cursor - 16))
        let before = findings
        let step = walkBytes(bytes, count, count)
        guard step == .differs, !isRecording, start + 8 <= recording.count else { return step }
        let recorded = Int(recording.word(start))
        let old = recording.address(start + 8)
        // Where there was just room for what is recorded, it may be a part of the text.
        guard recorded < room, count < room, old.isEquivalent(recorded, to: bytes, count) else { return step }
        cursor = start + 8 + (recorded + 7) & ~7
        findings = before.union([.unknown, .stale])
        return .more
    }

    /// What arrays and strings end in: how many there are (a difference proves one), then the bytes that there is room for.
    mutating func walkBytes(_ bytes: Address, _ size: Int, _ count: Int) -> Step {
        // The length that is in the recording, not the whole one, leads to what follows.
        let taken = min(size, StoreLimits.comparedBytes, limit - cursor - 16)
        var step = emit(UInt(taken))
        if step == .more { step = emit(bytes, taken) }
        if step == .more, taken < size {
            step = emit(UInt(count))
            findings.insert(.unknown)
        }
        return step
    }

    /// An array in the recording: its storage (an identity), its count, its elements.
    mutating func walkArray(_ shape: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let storage = Address(bits: value.word())
        let count = Int(bitPattern: storage.word(16))
        var step = emit(count == 0 ? 0 : storage.bits, finding: .newIdentity)
        if step == .more { step = emit(UInt(count)) }
        guard step == .more, count > 0 else { return step }
        let element = shape.shape.lazy(0)
        return bounded { $0.walkElements(element, (storage + 32).aligned(to: element.alignment), count, depth) }
    }

    mutating func walkElements(_ element: LazyShape, _ first: Address, _ count: Int, _ depth: Int) -> Step {
        let shape = element.shape
        let (kind, size) = (shape.shape.kind, shape.shape.size)
        if shape.shape.isOpaque { findings.insert(.opaque) }
        if kind == .bytes, size == element.stride { return emit(first, size * count) }
        if kind == .bytes && size == 0 { return .more }
        guard depth > 0, kind != .unknown else { return unknown() }
        var value = first
        for _ in 0..<count {
            let step = walk(shape, value, depth - 1)
            guard step == .more else { return step }
            value = value + element.stride
        }
        return .more
    }

    /// Walks over no more than may be kept of one collection; what is beyond is unknown.
    mutating func bounded(_ body: (inout ShapeWalk) -> Step) -> Step {
        let outer = limit
        let inner = min(limit, cursor + StoreLimits.comparedBytes)
        limit = inner
        let step = body(&self)
        limit = outer
        // Where the outer limit is the nearer one, nothing may follow either.
        return step == .full && inner < outer ? .more : step
    }

    // MARK: Dictionaries and sets

    /// A table in the recording: its storage (an identity), its count, the size of its entries (0 if they are not all there);
    /// then for each entry its size and contents, in any order.
    mutating func walkTable(_ shape: ShapeReference, _ value: Address, _ depth: Int) -> Step {
        let storage = TableStorage(Address(bits: value.word()), shape.shape)
        var step = emit(storage.count == 0 ? 0 : storage.address.bits, finding: .newIdentity)
        if step == .more { step = emit(UInt(storage.count)) }
        guard step == .more, storage.count > 0 else { return step }
        guard cursor + 8 <= limit else { return full() }
        guard depth > 0, storage.count <= StoreLimits.comparedEntries else { return unknown() }
        return isRecording ? record(storage, depth - 1) : compare(storage, depth - 1)
    }

    private mutating func record(_ storage: TableStorage, _ depth: Int) -> Step {
        guard emit(0) == .more else { return .full }
        let start = cursor
        let step = bounded { walk in
            storage.forEach { key, value in
                let entry = walk.cursor
                var step = walk.emit(0)
                if step == .more { step = walk.walkEntry(storage, key, value, depth) }
                if step == .more { walk.recording.patch(UInt(walk.cursor - entry - 8), at: entry) }
                // Here and not at the caller's, who takes what is full for enough.
                return step == .full ? .differs : step
            }
        }
        if step == .more {
            recording.patch(UInt(cursor - start), at: start - 8)
        } else {
            cursor = start
            recording.truncate(to: start)
            findings.insert(.unknown)
        }
        return .more
    }

    private mutating func compare(_ storage: TableStorage, _ depth: Int) -> Step {
        guard cursor + 8 <= recording.count else { return differs() }
        let start = cursor + 8
        let end = start + Int(recording.word(cursor))
        guard end > start else {
            cursor = start
            return unknown()
        }
        // The limit of the recording, or what was cut off there would not be cut off here.
        let outer = limit
        limit = min(limit, start + StoreLimits.comparedBytes)
        defer { limit = outer }
        var next = start
        let step = storage.forEach { key, value in
            find(storage, key, value, depth, from: &next, in: start..<end)
        }
        guard step == .more else { return step }
        cursor = end
        return .more
    }

    /// Looks for an entry in the recording, first where it is if the order is the same. Keys are unique, so that different
    /// entries cannot be found in the same place. In another order the collection is equal, and a body that goes over it may
    /// show something else: nothing follows from it.
    private mutating func find(
        _ storage: TableStorage, _ key: Address, _ value: Address, _ depth: Int, from next: inout Int,
        in entries: Range<Int>
    ) -> Step {
        let before = (findings, limit)
        let first = next
        var isDoubtful = false
        repeat {
            let place = next
            let end = place + 8 + Int(recording.word(place))
            cursor = place + 8
            let step = walkEntry(storage, key, value, depth)
            next = end < entries.upperBound ? end : entries.lowerBound
            if step == .more, cursor == end {
                if place != first { findings.formUnion([.unknown, .stale]) }
                return .more
            }
            if step != .differs { isDoubtful = true }
            (findings, limit) = before
        } while next != first
        findings.insert(.stale)
        guard isDoubtful else { return .differs }
        findings.insert(.unknown)
        return .doubtful
    }

    private mutating func walkEntry(_ storage: TableStorage, _ key: Address, _ value: Address, _ depth: Int) -> Step {
        let step = walk(storage.key.shape, key, depth)
        guard step == .more, let shape = storage.value?.shape else { return step }
        return walk(shape, value, depth)
    }
}
