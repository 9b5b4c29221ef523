// SPDX-License-Identifier: MIT
// Words of memory that one thread writes while others, or other processes, read them.

import Glibc
import Synchronization

/// Some words of a row, whose places are not looked at.
///
/// Proof of the unsafe parts: each access is at a constant below the count that ``AtomicWords/row(from:count:)`` was asked for.
@unsafe
struct AtomicRow {
    private let base: UnsafeMutablePointer<Atomic<UInt64>>

    @inline(__always)
    fileprivate init(_ base: UnsafeMutablePointer<Atomic<UInt64>>) { unsafe self.base = base }

    subscript(index: Int) -> UInt64 {
        @inline(__always) get { unsafe base[index].load(ordering: .relaxed) }
        @inline(__always) nonmutating set { unsafe base[index].store(newValue, ordering: .relaxed) }
    }

    @inline(__always)
    func release(_ index: Int, _ value: UInt64) { unsafe base[index].store(value, ordering: .releasing) }
}

/// A row of words in memory.
///
/// Proof of the unsafe parts: the caller that makes a row gives it aligned memory, set to zero or shared with other processes,
/// that outlives it, and each access is inside: an index outside ends at the last word.
@safe
struct AtomicWords: @unchecked Sendable {
    private let base: UnsafeMutablePointer<Atomic<UInt64>>
    private let last: Int

    /// The words at `memory`, of which there is at least one.
    init(at memory: UnsafeMutableRawPointer, count: Int) {
        unsafe base = memory.assumingMemoryBound(to: Atomic<UInt64>.self)
        last = count &- 1
    }

    /// The words from `index` on.
    func part(from index: Int) -> AtomicWords {
        let index = min(max(index, 0), last)
        return unsafe AtomicWords(at: UnsafeMutableRawPointer(base + index), count: last - index + 1)
    }

    /// Words in private memory that is never freed; for what lives as long as the process.
    static func allocate(count: Int) -> AtomicWords {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * 8, alignment: 64)
        unsafe memory.initializeMemory(as: UInt64.self, repeating: 0, count: count)
        return unsafe AtomicWords(at: memory, count: count)
    }

    /// The same, of which the system gives each page when it is first written to.
    static func allocate(untouched count: Int) -> AtomicWords {
        guard let memory = unsafe calloc(count, 8) else { return allocate(count: count) }
        return unsafe AtomicWords(at: memory, count: count)
    }

    /// `count` words from `index` on, which are looked at once: the last ones where they would be outside.
    @inline(__always)
    func row(from index: Int, count: Int) -> AtomicRow {
        let most = max(last &+ 1 &- count, 0)
        return unsafe AtomicRow(base + Int(truncatingIfNeeded: min(UInt(bitPattern: index), UInt(bitPattern: most))))
    }

    subscript(index: Int) -> UInt64 {
        @inline(__always) get { unsafe word(index).pointee.load(ordering: .relaxed) }
        @inline(__always) nonmutating set { unsafe word(index).pointee.store(newValue, ordering: .relaxed) }
    }

    @inline(__always)
    func acquire(_ index: Int) -> UInt64 { unsafe word(index).pointee.load(ordering: .acquiring) }

    @inline(__always)
    func release(_ index: Int, _ value: UInt64) { unsafe word(index).pointee.store(value, ordering: .releasing) }

    func add(_ index: Int, _ value: UInt64) { unsafe word(index).pointee.wrappingAdd(value, ordering: .relaxed) }

    /// Stores `value` if the word is `expected` still.
    func replace(_ index: Int, _ expected: UInt64, with value: UInt64) {
        _ = unsafe word(index).pointee.compareExchange(
            expected: expected, desired: value, ordering: .acquiringAndReleasing)
    }

    @inline(__always)
    private func word(_ index: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
        // As an unsigned number a negative index is a large one.
        unsafe base + Int(truncatingIfNeeded: min(UInt(bitPattern: index), UInt(bitPattern: last)))
    }
}
