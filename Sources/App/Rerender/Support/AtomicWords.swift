// SPDX-License-Identifier: MIT
// Words of memory that threads or processes share: rows that one thread writes, and the table in which an evaluation finds its view.

import CRerender
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

// A call of ours that the program may leave by a jump: what it needs is in memory of its thread, and not on the stack.

/// Proof of the unsafe parts: the mark is on the stack of the call for as long as it runs, and the memory is its own until it has ended
/// or was dropped, which the mark shows. No memory is freed before the thread ends.
enum RunningCall {
    /// Runs a body.
    ///
    /// - Parameters:
    ///   - drop: Takes back what `begin` began, where the call was left; it is given the call's memory.
    ///   - begin: Called first, unless there is no memory.
    ///   - end: Called when the body has returned or thrown an error, unless the call was taken for left meanwhile.
    @inline(__always)
    static func run<Output, Failure>(
        drop: @convention(c) (UnsafeMutableRawPointer) -> Void,
        begin: (UnsafeMutablePointer<crerender_running>) -> Void,
        end: (UnsafeMutablePointer<crerender_running>) -> Void,
        _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var mark = crerender_running_mark(number: 0)
        return try unsafe withUnsafeMutablePointer(to: &mark) { mark throws(Failure) in
            guard let running = unsafe crerender_begin_running(mark, crerender_own_frame(), drop) else {
                return try body()
            }
            unsafe begin(running)
            defer {
                if unsafe crerender_begin_ending(running, mark) {
                    unsafe end(running)
                    unsafe crerender_has_ended(running)
                }
            }
            return try body()
        }
    }

    /// Keeps an object for a call, at least until it has ended. It costs a comparison where the memory kept it for another call before.
    @inline(__always)
    static func keep(_ object: AnyObject, in running: UnsafeMutablePointer<crerender_running>) {
        let kept = unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        if unsafe UInt(bitPattern: running.pointee.kept) != kept { unsafe replaceKept(object, in: running) }
    }

    @inline(never)
    private static func replaceKept(_ object: AnyObject, in running: UnsafeMutablePointer<crerender_running>) {
        let old = unsafe running.pointee.kept
        unsafe running.pointee.kept = Unmanaged.passRetained(object).toOpaque()
        unsafe running.pointee.release = { unsafe Unmanaged<AnyObject>.fromOpaque($0).release() }
        guard let old = unsafe old else { return }
        // This may run the app's code. While it does, the call has not begun what its `drop` takes back.
        let drop = unsafe running.pointee.drop.take()
        unsafe Unmanaged<AnyObject>.fromOpaque(old).release()
        unsafe running.pointee.drop = drop
    }
}
