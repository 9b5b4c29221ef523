// SPDX-License-Identifier: MIT
// Reads the storage of strings, dictionaries and sets. The standard library's inlinable code fixes their layout.

/// The storage of a dictionary or a set: a bit for each bucket that is in use, and buckets.
struct TableStorage {
    let address: Address
    let key: LazyShape
    let value: LazyShape?

    init(_ address: Address, _ shape: Shape) {
        self.address = address
        key = shape.lazy(0)
        value = shape.kind == .dictionary ? shape.lazy(1) : nil
    }

    var count: Int { Int(bitPattern: address.word(16)) }

    /// Keys and values in the order of the storage, until a step is not the ordinary one. The value is not used for a set.
    func forEach(_ body: (Address, Address) -> ShapeWalk.Step) -> ShapeWalk.Step {
        let buckets = 1 << Int(address.byte(32))
        let keys = Address(bits: address.word(48))
        let values = Address(bits: value == nil ? 0 : address.word(56))
        let bits = address + (value == nil ? 56 : 64)
        for base in stride(from: 0, to: buckets, by: 64) {
            var word = bits.word(base / 8)
            // Bits past the last bucket are set.
            if buckets < 64 { word &= 1 << UInt(buckets) - 1 }
            while word != 0 {
                let bucket = base + word.trailingZeroBitCount
                word &= word - 1
                let step = body(keys + bucket * key.stride, values + bucket * (value?.stride ?? 0))
                guard step == .more else { return step }
            }
        }
        return .more
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
