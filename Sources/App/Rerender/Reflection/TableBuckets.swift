// SPDX-License-Identifier: MIT
// Reads the storage of dictionaries and sets. The standard library's inlinable code fixes its layout.

/// The buckets of a dictionary or a set, with a bit for each that is in use.
///
/// Proof of the unsafe parts: a value refers to the storage, which is not written as long as it does. A bucket that is in use holds an
/// initialised key, and in a dictionary a value.
@safe
struct TableBuckets {
    private let storage: UnsafeRawPointer
    private let keyStride: Int
    private let valueStride: Int?

    /// - Parameter valueStride: nil for a set.
    init(_ storage: UnsafeRawPointer, keyStride: Int, valueStride: Int?) {
        unsafe self.storage = unsafe storage
        (self.keyStride, self.valueStride) = (keyStride, valueStride)
    }

    /// How many are in use.
    var count: Int { unsafe storage.load(fromByteOffset: 16, as: Int.self) }

    private var buckets: Int { 1 << Int(unsafe storage.load(fromByteOffset: 32, as: UInt8.self)) }

    /// How many words the bits of all buckets take.
    var words: Int { (buckets + 63) / 64 }

    /// The places of keys and values in the order of the storage, until `body` returns false; a set has no values.
    ///
    /// - Parameters:
    ///   - first: The word of bits to begin with. After the last one, the first one follows.
    ///   - most: How many words are looked at.
    @inline(__always)
    func forEach(
        from first: Int = 0, words most: Int = .max, _ body: (UnsafeRawPointer, UnsafeRawPointer?) -> Bool
    ) {
        let keys = unsafe storage.load(fromByteOffset: 48, as: UnsafeRawPointer.self)
        let values = unsafe valueStride == nil ? nil : storage.load(fromByteOffset: 56, as: UnsafeRawPointer.self)
        let (bits, words) = unsafe (storage + (valueStride == nil ? 56 : 64), words)
        var (index, left) = (first, min(most, words))
        while left > 0 {
            if index >= words { index = 0 }
            var word = unsafe bits.load(fromByteOffset: index * 8, as: UInt.self)
            // Bits past the last bucket are set.
            if buckets < 64 { word &= 1 << UInt(buckets) - 1 }
            while word != 0 {
                let bucket = index * 64 + word.trailingZeroBitCount
                word &= word - 1
                let value = unsafe values.map { unsafe $0 + bucket * (valueStride ?? 0) }
                guard unsafe body(keys + bucket * keyStride, value) else { return }
            }
            (index, left) = (index + 1, left - 1)
        }
    }
}

@available(*, unavailable)
extension TableBuckets: Sendable {}
