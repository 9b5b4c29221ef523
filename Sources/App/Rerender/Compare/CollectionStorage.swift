// SPDX-License-Identifier: MIT
// Reads the storage of strings, and goes over that of dictionaries and sets. The standard library's inlinable code fixes their layout.

/// The entries of a dictionary or a set.
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
