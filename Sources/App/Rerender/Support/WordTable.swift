// SPDX-License-Identifier: MIT
// The lock-free table in which an evaluation finds its view.

import Synchronization

/// Maps a 64-bit word to an object; read without a lock, written under the owner's.
///
/// Proof of the unsafe parts. A block is one word `mask` and `mask + 1` slots of two words, the word looked up and the
/// object's address. A writer fills the word before it stores the address (release), a reader loads the address first
/// (acquire), so what a reader compares is complete. A slot that was filled never changes. Growing copies into a new
/// block and publishes it; the old blocks stay allocated until the table goes, so a reader may finish in one; together
/// they are no larger than the newest. Objects are retained when they are inserted and released with the table, and a
/// caller of `first` holds the table's owner.
@safe
final class WordTable<Object: AnyObject & Sendable>: @unchecked Sendable {
    private let current: Atomic<UnsafeMutableRawPointer>
    /// Blocks in the order in which they were made; touched by the writer only.
    private var blocks: [UnsafeMutableRawPointer]
    /// Of objects; the writer's.
    private(set) var count = 0

    init() {
        let block = unsafe Self.makeBlock(capacity: 16)
        unsafe current = Atomic(block)
        unsafe blocks = [block]
    }

    deinit {
        let block = unsafe current.load(ordering: .relaxed)
        for slot in 0...(unsafe Self.mask(of: block)) {
            let address = unsafe Self.address(slot, of: block).relaxed
            if let pointer = unsafe UnsafeRawPointer(bitPattern: address) {
                unsafe Unmanaged<Object>.fromOpaque(pointer).release()
            }
        }
        unsafe blocks.forEach { unsafe $0.deallocate() }
    }

    /// The first object under that word that `matches`; for any thread, without a lock.
    ///
    /// Not retained: reference counting would cost the hot path more than the look-up. It lives as long as the table.
    @inline(__always)
    func first(_ word: UInt64, where matches: (Object) -> Bool) -> Unmanaged<Object>? {
        let block = unsafe current.load(ordering: .acquiring)
        let mask = unsafe Self.mask(of: block)
        var slot = Int(truncatingIfNeeded: word) & mask
        while true {
            let address = unsafe Self.address(slot, of: block).acquired
            guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
            if unsafe Self.word(slot, of: block).relaxed == UInt(word) {
                let object = unsafe Unmanaged<Object>.fromOpaque(pointer)
                if unsafe object._withUnsafeGuaranteedRef(matches) { return unsafe object }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Adds an object under a word; the caller holds the owner's lock.
    func insert(_ object: Object, under word: UInt64) {
        var block = unsafe current.load(ordering: .relaxed)
        let capacity = unsafe Self.mask(of: block) + 1
        if (count + 1) * 2 > capacity { unsafe block = grow(block) }
        let address = UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque())
        unsafe Self.put(address, under: UInt(word), in: block)
        count += 1
    }

    private func grow(_ old: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let block = unsafe Self.makeBlock(capacity: (Self.mask(of: old) + 1) * 2)
        for slot in 0...(unsafe Self.mask(of: old)) {
            let address = unsafe Self.address(slot, of: old).relaxed
            if address != 0 {
                unsafe Self.put(address, under: Self.word(slot, of: old).relaxed, in: block)
            }
        }
        unsafe blocks.append(block)
        unsafe current.store(block, ordering: .releasing)
        return unsafe block
    }

    private static func put(_ address: UInt, under word: UInt, in block: UnsafeMutableRawPointer) {
        let mask = unsafe mask(of: block)
        var slot = Int(bitPattern: word) & mask
        while unsafe Self.address(slot, of: block).relaxed != 0 { slot = (slot + 1) & mask }
        unsafe Self.word(slot, of: block).release(word)
        unsafe Self.address(slot, of: block).release(address)
    }

    private static func makeBlock(capacity: Int) -> UnsafeMutableRawPointer {
        let words = 1 + capacity * 2
        let block = UnsafeMutableRawPointer.allocate(byteCount: words * 8, alignment: 8)
        unsafe block.initializeMemory(as: UInt.self, repeating: 0, count: words)
        unsafe block.storeBytes(of: capacity - 1, as: Int.self)
        return unsafe block
    }

    @inline(__always)
    private static func mask(of block: UnsafeMutableRawPointer) -> Int {
        unsafe block.load(as: Int.self)
    }

    @inline(__always)
    private static func word(_ slot: Int, of block: UnsafeMutableRawPointer) -> UnsafeAtomicWord {
        unsafe UnsafeAtomicWord(at: block + (1 &+ slot &* 2) &* 8)
    }

    @inline(__always)
    private static func address(_ slot: Int, of block: UnsafeMutableRawPointer) -> UnsafeAtomicWord {
        unsafe UnsafeAtomicWord(at: block + (2 &+ slot &* 2) &* 8)
    }
}

/// A word of memory that is only ever read and written atomically.
@unsafe
struct UnsafeAtomicWord {
    private let pointer: UnsafeMutablePointer<Atomic<UInt>>

    /// The memory must be a word that was set to zero, aligned, and stay allocated.
    @inline(__always)
    init(at memory: UnsafeMutableRawPointer) {
        unsafe pointer = memory.assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inline(__always)
    var relaxed: UInt { unsafe pointer.pointee.load(ordering: .relaxed) }
    @inline(__always)
    var acquired: UInt { unsafe pointer.pointee.load(ordering: .acquiring) }
    @inline(__always)
    func release(_ value: UInt) { unsafe pointer.pointee.store(value, ordering: .releasing) }
    @inline(__always)
    func add(_ value: UInt) { unsafe pointer.pointee.wrappingAdd(value, ordering: .relaxed) }
}
