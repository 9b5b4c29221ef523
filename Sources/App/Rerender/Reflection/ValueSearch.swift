// SPDX-License-Identifier: MIT
// Finds in values those of certain types.

import CRerender

/// Goes over values and what they hold: fields, payloads of cases, elements, what is in a protocol's container or in an error, what a
/// closure captured, and what an object holds for as long as it lives. Values of types in which nothing can be found are not entered.
///
/// Proof of the unsafe parts: the caller's value is initialised and does not change meanwhile. A field lies inside of its value,
/// at the offset that the metadata has; a payload is projected in a copy of the bytes, which nobody destroys. The storage of a
/// collection is not written while a value refers to it. An object's constants are written before anybody else can reach it; its
/// variables are not read, since other threads may write them, and neither are those that closures share. Of an actor nothing is
/// read: the properties of one that is elsewhere were never written.
package struct ValueSearch {
    /// How many values are looked at each time. What lies in the bytes of a value itself counts as well.
    private static let mostValues = 4096
    /// How many elements of a collection are entered each time: from another one on in each search.
    private static let mostElements = 64
    /// How many words of a table's buckets are looked at each time: all of them may be empty.
    private static let mostBucketWords = 256
    /// How many bytes of enums are copied each time, and how many take as long as a value.
    private static let (mostCopied, copiedPerValue) = (1 << 16, 256)
    /// How many words of buckets take as long as a value.
    private static let bucketWordsPerValue = 8

    /// The declarations of the types whose values are searched for.
    ///
    /// Taking one away is cheap, and only makes searches quicker after ``forget()``.
    package private(set) var wanted: Set<UInt> = []
    /// How many values were looked at in all searches.
    package private(set) var values: UInt64 = 0
    private var types = SearchedTypes()

    package init() {}

    package mutating func add(_ declaration: UInt) {
        if wanted.insert(declaration).inserted { forget() }
    }

    package mutating func remove(_ declaration: UInt) { wanted.remove(declaration) }

    /// Forgets in which types something may be found, after what is wanted has changed.
    package mutating func forget() { types.forget() }

    /// Whether a value of a type may hold one that is wanted, by the types of its parts. Its cost is bounded, and small once it was asked.
    package mutating func mayFind(in type: UnsafeRawPointer) -> Bool {
        unsafe !wanted.isEmpty && mayHold(TypeMetadata(unsafeBitCast(type, to: Any.Type.self)))
    }

    /// The wanted declarations of which there are values in a value.
    ///
    /// - Parameter type: The metadata of its type.
    package mutating func declarations(in value: UnsafeRawPointer, type: UnsafeRawPointer) -> Set<UInt> {
        let type = unsafe TypeMetadata(unsafeBitCast(type, to: Any.Type.self))
        let root = types.contents(of: type)
        root.searches += 1
        // Evenly spread over an array, also where every second search is of another value.
        let turn = (Double(root.searches) * 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        var walk = unsafe Walk(waiting: [(value, type)], left: Self.mostValues, turn: turn)
        defer { unsafe walk.freeCopies() }
        // What is near comes first: a large part must not keep the search from all others.
        while unsafe walk.left > 0, let (value, type) = unsafe walk.next() {
            unsafe walk.left -= 1
            if mayHold(type) { unsafe enter(value, type, &walk) }
        }
        values += unsafe UInt64(Self.mostValues - walk.left)
        return unsafe walk.found
    }

    private mutating func mayHold(_ type: TypeMetadata) -> Bool { types.mayHold(type, wanted) }

    // MARK: Values

    @unsafe
    fileprivate struct Walk {
        private var waiting: [(value: UnsafeRawPointer, type: TypeMetadata)]
        private var taken = 0
        /// Objects and contexts that were entered: closures refer to themselves, and several values to one object.
        private var entered: Set<UInt> = []
        var left: Int
        /// Where in collections to begin, from 0 to 1.
        let turn: Double
        var found: Set<UInt> = []
        var copied = 0
        var copies: [UnsafeMutableRawPointer] = unsafe []

        init(waiting: [(UnsafeRawPointer, TypeMetadata)], left: Int, turn: Double) {
            unsafe (self.waiting, self.left, self.turn) = (waiting, left, turn)
        }

        /// Adds a value, unless it would not be reached.
        mutating func append(_ value: UnsafeRawPointer, _ type: TypeMetadata) {
            if unsafe waiting.count - taken < left { unsafe waiting.append((value, type)) }
        }

        mutating func next() -> (UnsafeRawPointer, TypeMetadata)? {
            guard unsafe taken < waiting.count else { return nil }
            defer { unsafe taken += 1 }
            return unsafe waiting[taken]
        }

        /// Whether an object is entered for the first time.
        mutating func enters(_ object: UnsafeRawPointer) -> Bool {
            unsafe entered.insert(UInt(bitPattern: object)).inserted
        }

        func freeCopies() { unsafe copies.forEach { unsafe $0.deallocate() } }
    }

    private mutating func enter(_ value: UnsafeRawPointer, _ type: TypeMetadata, _ walk: inout Walk) {
        let contents = types.contents(of: type)
        if let declaration = contents.declaration, wanted.contains(declaration) {
            unsafe walk.found.insert(declaration)
        }
        switch contents.form {
        case .parts(let parts):
            for part in parts { unsafe walk.append(value + part.offset, part.type) }
        case .array(let element): unsafe enterArray(value, element, &walk)
        case .slice(let element): unsafe enterSlice(value, element, &walk)
        case .inlineArray(let element, let count): unsafe enterElements(value, count, element, &walk)
        case .table(let key, let content): unsafe enterTable(value, key, content, &walk)
        case .cases(let payloads, let empty): unsafe enterCase(value, type, payloads, empty, &walk)
        case .container:
            if let (value, type) = unsafe type.contained(in: value) { unsafe walk.append(value, type) }
        case .error: unsafe enterError(value, &walk)
        case .reference: unsafe enterObject(value.load(as: UnsafeRawPointer?.self), &walk)
        // The function is the first word.
        case .function: unsafe enterContext(value.load(fromByteOffset: 8, as: UnsafeRawPointer?.self), &walk)
        case .nothing: break
        }
    }

    private mutating func enterError(_ value: UnsafeRawPointer, _ walk: inout Walk) {
        guard unsafe value.load(as: UInt.self) != 0 else { return }
        let error = unsafe crerender_error_value(value.load(as: UInt.self))
        if let value = unsafe UnsafeRawPointer(bitPattern: error.value) {
            let type = unsafe TypeMetadata(unsafeBitCast(error.type, to: Any.Type.self))
            unsafe walk.append(value, type)
        }
    }

    // MARK: Collections

    private mutating func enterElements(
        _ first: UnsafeRawPointer, _ count: Int, _ element: TypeMetadata, _ walk: inout Walk
    ) {
        guard count > 0, mayHold(element) else { return }
        let begin = unsafe Int(walk.turn * Double(count))
        for number in 0..<min(count, Self.mostElements) {
            let index = (begin + number) % count
            unsafe walk.append(first + index * element.stride, element)
        }
    }

    /// An array is a reference to its count, two words on, and its elements, two words further on.
    private mutating func enterArray(_ array: UnsafeRawPointer, _ element: TypeMetadata, _ walk: inout Walk) {
        guard let storage = unsafe array.load(as: UnsafeRawPointer?.self) else { return }
        let first = (32 + element.alignment - 1) & ~(element.alignment - 1)
        let count = unsafe storage.load(fromByteOffset: 16, as: Int.self)
        unsafe enterElements(storage + first, count, element, &walk)
    }

    /// A slice is a reference to its storage, the address that the element 0 would have, its first index, and its end's, doubled.
    private mutating func enterSlice(_ slice: UnsafeRawPointer, _ element: TypeMetadata, _ walk: inout Walk) {
        let begin = unsafe slice.load(fromByteOffset: 16, as: Int.self)
        let end = unsafe Int(slice.load(fromByteOffset: 24, as: UInt.self) >> 1)
        guard let zero = unsafe slice.load(fromByteOffset: 8, as: UnsafeRawPointer?.self) else { return }
        unsafe enterElements(zero + begin * element.stride, end - begin, element, &walk)
    }

    private mutating func enterTable(
        _ value: UnsafeRawPointer, _ key: TypeMetadata, _ content: TypeMetadata?, _ walk: inout Walk
    ) {
        guard let storage = unsafe value.load(as: UnsafeRawPointer?.self) else { return }
        let (entersKeys, entersContents) = (mayHold(key), content.map { mayHold($0) } ?? false)
        let buckets = unsafe TableBuckets(storage, keyStride: key.stride, valueStride: content?.stride)
        guard buckets.count > 0, entersKeys || entersContents else { return }
        var left = Self.mostElements
        var found: [(UnsafeRawPointer, TypeMetadata)] = unsafe []
        let begin = unsafe Int(walk.turn * Double(buckets.words))
        unsafe walk.left -= min(buckets.words, Self.mostBucketWords) / Self.bucketWordsPerValue
        unsafe buckets.forEach(from: begin, words: Self.mostBucketWords) { place, contentPlace in
            if entersKeys { unsafe found.append((place, key)) }
            if entersContents, let contentPlace = unsafe contentPlace, let content {
                unsafe found.append((contentPlace, content))
            }
            left -= 1
            return left > 0
        }
        unsafe found.forEach { unsafe walk.append($0.0, $0.1) }
    }

    // MARK: Cases

    private mutating func enterCase(
        _ value: UnsafeRawPointer, _ type: TypeMetadata, _ payloads: [TypeMetadata.PayloadCase],
        _ empty: [TypeMetadata?], _ walk: inout Walk
    ) {
        // Without one, it may be an enum of C, which has no witnesses for its cases.
        guard !payloads.isEmpty || empty.contains(where: { $0 != nil }) else { return }
        let tag = Int(unsafe type.enumTag(of: value))
        guard tag < payloads.count else {
            // What has no size lies anywhere.
            if tag - payloads.count < empty.count, let type = empty[tag - payloads.count] {
                unsafe walk.append(value, type)
            }
            return
        }
        // The runtime's size of a payload may be another one than the enum's.
        guard let payload = payloads[tag].type, mayHold(payload),
            payloads[tag].isIndirect || payload.size <= type.size,
            let copy = unsafe walk.copy(of: value, size: type.size, alignment: type.alignment)
        else { return }
        unsafe type.projectPayload(copy)
        guard payloads[tag].isIndirect else { return unsafe walk.append(UnsafeRawPointer(copy), payload) }
        // A box, which nobody changes: the payload is after its header, as far on as its alignment asks.
        let header = (16 + payload.alignment - 1) & ~(payload.alignment - 1)
        if let box = unsafe copy.load(as: UnsafeRawPointer?.self) {
            unsafe walk.append(box + header, payload)
        }
    }

    // MARK: Objects

    /// Enters what a closure captured, as far as its captures can be named.
    private mutating func enterContext(_ context: UnsafeRawPointer?, _ walk: inout Walk) {
        guard let context = unsafe context else { return }
        let type = unsafe TypeMetadata(ofObject: context)
        // With a single capture of a class, the object itself is the context.
        guard type.kind != .class else { return unsafe enterObject(context, &walk) }
        guard unsafe walk.enters(context) else { return }
        let captures = captures(of: type)
        for capture in captures {
            switch capture.content {
            case .value(let type):
                if mayHold(type) { unsafe walk.append(context + capture.offset, type) }
            case .function:
                unsafe walk.append(context + capture.offset, SearchedTypes.function)
            case .reference, .variable: break
            }
        }
    }

    private mutating func captures(of type: TypeMetadata) -> [CaptureDescriptor.Capture] {
        if let known = contexts[type] { return known }
        var captures = type.captures?.firstCaptures ?? []
        // A variable's box looks the same, and may be written meanwhile: only what can be read in any state is read.
        if type.captures?.count == 1, captures.first?.isReadableInAnyState != true { captures = [] }
        contexts[type] = captures
        return captures
    }

    private var contexts: [TypeMetadata: [CaptureDescriptor.Capture]] = [:]

    /// Enters the constants of an object, of whatever class it is.
    private mutating func enterObject(_ object: UnsafeRawPointer?, _ walk: inout Walk) {
        guard let object = unsafe object, unsafe walk.enters(object) else { return }
        let type = unsafe TypeMetadata(ofObject: object)
        guard type.kind == .class else { return }
        var level: TypeMetadata? = type
        while let current = level {
            if let declaration = current.declaration, wanted.contains(declaration) {
                unsafe walk.found.insert(declaration)
            }
            level = current.superclass
        }
        for part in constants(of: type) where mayHold(part.type) {
            unsafe walk.append(object + part.offset, part.type)
        }
    }

    private var objects: [TypeMetadata: [(offset: Int, type: TypeMetadata)]] = [:]

    private mutating func constants(of type: TypeMetadata) -> [(offset: Int, type: TypeMetadata)] {
        if let known = objects[type] { return known }
        let constants = type.isActor ? [] : SearchedTypes.parts(type.fields?.filter { !$0.isMutable })
        objects[type] = constants
        return constants
    }
}

extension ValueSearch.Walk {
    /// A copy of an enum's bytes, until the walk ends; nil where too much was copied already.
    fileprivate mutating func copy(
        of value: UnsafeRawPointer, size: Int, alignment: Int
    ) -> UnsafeMutableRawPointer? {
        let bytes = max(MemoryLayout<UInt>.size, size)
        guard unsafe copied + bytes <= ValueSearch.mostCopied else { return nil }
        unsafe copied += bytes
        unsafe left -= bytes / ValueSearch.copiedPerValue
        let copy = UnsafeMutableRawPointer.allocate(
            byteCount: bytes, alignment: max(alignment, MemoryLayout<UInt>.alignment))
        unsafe copies.append(copy)
        unsafe copy.copyMemory(from: value, byteCount: size)
        return unsafe copy
    }
}
