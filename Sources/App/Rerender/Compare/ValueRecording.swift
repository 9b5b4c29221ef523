// SPDX-License-Identifier: MIT
// A recording of one property: words and bytes in the order of a walk, and the references that it remembers.

internal import CRerender

/// Memory that grows, and the holds on references that stand in it. Plain data; its owner calls ``empty()`` once.
struct ValueRecording: BitwiseCopyable {
    private var bytes: UInt = 0
    private var holds: UInt = 0
    private(set) var count = 0
    private var capacity = 0
    private var holdCount = 0
    private var holdCapacity = 0
    /// Whether there was no memory for what is missing; then nothing here proves anything.
    private(set) var isLost = false
    /// Where the walk that recorded this had to stop.
    var limit = 0
    /// How many proofs there were when it began.
    var proofs: UInt = 0

    @inline(__always)
    func word(_ offset: Int) -> UInt { Address(bits: bytes).word(offset) }
    @inline(__always)
    func address(_ offset: Int) -> Address { Address(bits: bytes) + offset }

    /// False if there is no memory.
    mutating func append(_ word: UInt) -> Bool {
        guard reserve(count + 8) else { return false }
        Address(bits: bytes).store(word, count)
        count += 8
        return true
    }

    /// Appends bytes and rounds up to whole words.
    mutating func append(_ source: Address, _ size: Int) -> Bool {
        let end = count + (size + 7) & ~7
        guard reserve(end) else { return false }
        address(count).copy(from: source, size)
        count = end
        return true
    }

    mutating func patch(_ word: UInt, at offset: Int) { Address(bits: bytes).store(word, offset) }
    mutating func truncate(to count: Int) { self.count = count }

    /// Remembers a reference until the recording is emptied; what comes back tells whether it is still the same object.
    mutating func remember(_ object: UInt) -> UInt {
        keep(UInt(crerender_remember(object, StoreLimits.rememberedObjectBytes)))
    }

    /// Keeps what remembers a reference, until the recording is emptied.
    mutating func keep(_ hold: UInt) -> UInt {
        guard hold > 1 else { return hold }
        if holdCount == holdCapacity {
            let capacity = max(4, holdCapacity * 2)
            guard let memory = Address.resize(holds, capacity * 8) else {
                crerender_forget(hold)
                return 1
            }
            holds = memory.bits
            holdCapacity = capacity
        }
        Address(bits: holds).store(hold, holdCount * 8)
        holdCount += 1
        return hold
    }

    /// Forgets everything; the memory stays for the next recording.
    mutating func rewind() {
        for index in 0..<holdCount { crerender_forget(Address(bits: holds).word(index * 8)) }
        holdCount = 0
        count = 0
        isLost = false
    }

    mutating func empty() {
        rewind()
        Address.free(bytes)
        Address.free(holds)
        self = ValueRecording()
    }

    private mutating func reserve(_ size: Int) -> Bool {
        guard !isLost else { return false }
        guard size > capacity else { return true }
        let new = max(size, capacity * 2, 32)
        guard let memory = Address.resize(bytes, new) else {
            isLost = true
            return false
        }
        bytes = memory.bits
        capacity = new
        return true
    }
}
