// SPDX-License-Identifier: MIT
// Reads the memory of values that are compared, with that of strings, dictionaries and sets. All unsafe reads of Compare are here.

import Glibc

/// An address inside a value that is alive, or of what such a value refers to.
///
/// Proof of the unsafe parts: an address comes from the caller of `ValueSnapshot.update`, whose value lives during the call,
/// and is only moved by offsets that the value's type gives, or follows a reference that the value holds; so what it
/// leads to lives as long. Bytes are read by `memcmp` or as trivial types, never as a type that has references.
@safe
struct Address: Equatable {
    let bits: UInt

    @inline(__always)
    init(_ pointer: UnsafeRawPointer) { bits = UInt(bitPattern: pointer) }
    @inline(__always)
    init(bits: UInt) { self.bits = bits }

    @inline(__always)
    var pointer: UnsafeRawPointer { unsafe UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped }
    @inline(__always)
    var mutable: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(bitPattern: bits).unsafelyUnwrapped }

    @inline(__always)
    static func + (address: Address, offset: Int) -> Address { Address(bits: address.bits &+ UInt(bitPattern: offset)) }

    /// The first address from here that a type of this alignment may have.
    func aligned(to alignment: Int) -> Address {
        Address(bits: (bits &+ UInt(alignment - 1)) & ~UInt(alignment - 1))
    }

    @inline(__always)
    func word(_ offset: Int = 0) -> UInt { unsafe pointer.loadUnaligned(fromByteOffset: offset, as: UInt.self) }
    @inline(__always)
    func byte(_ offset: Int = 0) -> UInt8 { unsafe pointer.load(fromByteOffset: offset, as: UInt8.self) }
    @inline(__always)
    func int32(_ offset: Int) -> Int32 { unsafe pointer.loadUnaligned(fromByteOffset: offset, as: Int32.self) }
    /// The type whose metadata the word here points to.
    @inline(__always)
    func type(_ offset: Int = 0) -> TypeMetadata {
        TypeMetadata(unsafe pointer.load(fromByteOffset: offset, as: (Any.Type).self))
    }

    @inline(__always)
    func equals(_ other: Address, _ count: Int) -> Bool {
        // A call takes longer than one word.
        if count == 8 { return word() == other.word() }
        return unsafe count == 0 || memcmp(pointer, other.pointer, count) == 0
    }

    /// Whether two texts in UTF-8 that are not the same bytes are canonically equivalent. Allocates only where they first
    /// differ in letters beyond ASCII.
    func isEquivalent(_ count: Int, to other: Address, _ otherCount: Int) -> Bool {
        let common = min(count, otherCount)
        guard
            let place = (0..<common).first(where: { byte($0) != other.byte($0) })
                ?? (count == otherCount ? nil : common)
        else { return true }
        // A letter of ASCII stands for itself alone, and nothing is moved past it.
        let isPlain = place == count || byte(place) < 0x80
        let isOtherPlain = place == otherCount || other.byte(place) < 0x80
        if isPlain, isOtherPlain { return false }
        return text(count) == other.text(otherCount)
    }

    private func text(_ count: Int) -> String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: pointer, count: count), as: UTF8.self)
    }

    // MARK: Our own memory

    func store(_ word: UInt, _ offset: Int = 0) {
        unsafe mutable.storeBytes(of: word, toByteOffset: offset, as: UInt.self)
    }

    func store<Value: BitwiseCopyable>(_ value: Value) { unsafe mutable.storeBytes(of: value, as: Value.self) }

    func copy(from other: Address, _ count: Int) {
        if count > 0 { unsafe mutable.copyMemory(from: other.pointer, byteCount: count) }
    }

    /// The same memory with room for `count` bytes, set to zero if it is new; nil if there is none to be had.
    static func allocate(_ count: Int) -> Address? {
        guard let memory = unsafe calloc(1, count) else { return nil }
        return unsafe Address(memory)
    }

    /// Makes room for `count` bytes in memory that `allocate` gave, or in none (0).
    static func resize(_ memory: UInt, _ count: Int) -> Address? {
        guard let memory = unsafe realloc(UnsafeMutableRawPointer(bitPattern: memory), count) else { return nil }
        return unsafe Address(memory)
    }

    static func free(_ memory: UInt) { unsafe Glibc.free(UnsafeMutableRawPointer(bitPattern: memory)) }

    /// A value that stays in memory for ever.
    static func immortal<Value: BitwiseCopyable>(_ values: [Value]) -> Address {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(values.count, 1))
        unsafe _ = UnsafeMutableBufferPointer(start: memory, count: values.count).initialize(fromContentsOf: values)
        return unsafe Address(UnsafeRawPointer(memory))
    }

    @inline(__always)
    func load<Value: BitwiseCopyable>(_ index: Int, as _: Value.Type) -> Value {
        unsafe pointer.load(fromByteOffset: index &* MemoryLayout<Value>.stride, as: Value.self)
    }

    /// A copy of an enum's bytes whose payload can be looked at; on the stack, gone after `body`.
    func projected<Result>(as type: TypeMetadata, size: Int, _ body: (Address) -> Result) -> Result {
        // No temporary allocation: a debug build takes that from the heap. Most enums fit into the small one.
        if size <= 64 {
            var scratch = InlineArray<4, UInt128>(repeating: 0)
            return unsafe withUnsafeMutableBytes(of: &scratch) { unsafe project($0, type, size, body) }
        }
        var scratch = InlineArray<64, UInt128>(repeating: 0)
        return unsafe withUnsafeMutableBytes(of: &scratch) { unsafe project($0, type, size, body) }
    }

    private func project<Result>(
        _ scratch: UnsafeMutableRawBufferPointer, _ type: TypeMetadata, _ size: Int, _ body: (Address) -> Result
    ) -> Result {
        let copy = unsafe scratch.baseAddress.unsafelyUnwrapped
        unsafe copy.copyMemory(from: pointer, byteCount: size)
        unsafe type.projectPayload(copy)
        return unsafe body(Address(copy))
    }

    /// The type whose metadata lie at this address, which was read from where a type stands.
    static func type(at metadata: UInt) -> TypeMetadata {
        unsafe withUnsafePointer(to: metadata) { unsafe Address(UnsafeRawPointer($0)).type() }
    }
}

/// Plain data that stays in memory for ever. Unlike an array it is read without counting references, and in a debug build
/// without allocating.
struct Immortal<Element: BitwiseCopyable>: Sendable {
    let count: Int
    private let first: Address

    init(_ elements: [Element]) {
        count = elements.count
        first = .immortal(elements)
    }

    @inline(__always)
    subscript(index: Int) -> Element { first.load(index, as: Element.self) }

    @inline(__always)
    func forEach(_ body: (Int, Element) -> Void) {
        var index = 0
        while index < count {
            body(index, self[index])
            index += 1
        }
    }
}

/// The entries of a dictionary or a set. The standard library's inlinable code fixes their layout.
struct TableStorage {
    let address: Address
    let key: LazyShape
    let value: LazyShape?
    private let buckets: TableBuckets

    init(_ address: Address, _ shape: Shape) {
        self.address = address
        key = shape.lazy(0)
        value = shape.kind == .dictionary ? shape.lazy(1) : nil
        unsafe buckets = TableBuckets(address.pointer, keyStride: key.stride, valueStride: value?.stride)
    }

    var count: Int { buckets.count }

    /// Keys and values in the order of the storage, until a step is not the ordinary one. The value is not used for a set.
    func forEach(_ body: (Address, Address) -> ShapeWalk.Step) -> ShapeWalk.Step {
        var step = ShapeWalk.Step.more
        unsafe buckets.forEach { key, value in
            unsafe step = body(Address(key), Address(value ?? key))
            return step == .more
        }
        return step
    }
}

/// The two words of a string.
enum StringStorage {
    /// Whether the words alone say what the string is: small ones, and literals, which live for ever.
    static func isFixed(_ second: UInt) -> Bool { second >> 63 == 1 }

    /// The length in UTF-8 of a string that `isFixed`.
    static func fixedSize(_ first: UInt, _ second: UInt) -> Int {
        second >> 61 & 1 == 1 ? Int(second >> 56 & 0xF) : Int(first & 0xFFFF_FFFF_FFFF)
    }

    /// The string's UTF-8, in place.
    static func withBytes(
        _ value: Address, _ first: UInt, _ second: UInt, _ body: (Address, Int) -> ShapeWalk.Step
    ) -> ShapeWalk.Step {
        // Small: up to 15 bytes in the words themselves, their number in the last one.
        if second >> 61 & 1 == 1 { return body(value, Int(second >> 56 & 0xF)) }
        // Large, neither foreign nor shared: behind the 32 bytes of its object, or of a bias if it is a literal.
        if second >> 60 & 1 == 0, first >> 60 & 1 == 1 {
            return body(Address(bits: second & 0x0FFF_FFFF_FFFF_FFFF) + 32, Int(first & 0xFFFF_FFFF_FFFF))
        }
        return withOtherBytes(value, body)
    }

    /// Strings that others store (bridged or shared). The only ones that are retained while they are read.
    private static func withOtherBytes(_ value: Address, _ body: (Address, Int) -> ShapeWalk.Step) -> ShapeWalk.Step {
        let string = unsafe value.pointer.assumingMemoryBound(to: String.self)
        let step = unsafe string.pointee.utf8.withContiguousStorageIfAvailable { bytes in
            guard let base = bytes.baseAddress else { return body(value, 0) }
            return unsafe body(Address(base), bytes.count)
        }
        // No string on Linux is without contiguous bytes.
        return step ?? .doubtful
    }
}

/// A part of a string.
enum SubstringStorage {
    /// Its UTF-8 in place, and the offset of its beginning; retained while it is read.
    static func withBytes(_ value: Address, _ body: (Address, Int, Int) -> ShapeWalk.Step) -> ShapeWalk.Step {
        let text = unsafe value.pointer.assumingMemoryBound(to: Substring.self)
        // The first of its words is the index.
        let start = Int(value.word() >> 16)
        let step = unsafe text.pointee.utf8.withContiguousStorageIfAvailable { bytes in
            guard let base = bytes.baseAddress else { return body(value, 0, start) }
            return unsafe body(Address(base), bytes.count, start)
        }
        return step ?? .doubtful
    }
}
