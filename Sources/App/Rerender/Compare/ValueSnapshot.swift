// SPDX-License-Identifier: MIT
// Keeps what the stored properties of a value were, as words and bytes, and compares them with what they are.

internal import CRerender

/// What the stored properties of one value were.
///
/// Holds bytes of its own, and references that keep memory but no object alive. One thread at a time; any thread may end it.
@safe
package struct ValueSnapshot: ~Copyable {
    /// Kept for ever, so not retained.
    private var layout: Unmanaged<ValueLayout>?
    /// The bytes of the trivial leaves, then a recording for each that is walked.
    private var memory: UInt = 0
    private var walkedCount = 0
    private var recordingsOffset = 0

    package init() {}

    deinit { Self.free(memory, recordingsOffset, walkedCount) }

    /// Whether nothing is recorded.
    package var isEmpty: Bool { memory == 0 }

    /// Whether values of the recorded type have anything to compare.
    package var hasLeaves: Bool { unsafe layout?._withUnsafeGuaranteedRef { !$0.isEmpty } ?? false }

    /// The layout that is recorded, if it is that of values of a type. Kept for ever.
    @inline(__always)
    func layout(of type: Any.Type, depth: Int) -> Unmanaged<ValueLayout>? {
        guard memory != 0, let layout = unsafe layout else { return nil }
        let isSame = unsafe layout._withUnsafeGuaranteedRef { $0.isLayout(ofValues: type, depth: depth) }
        return unsafe isSame ? layout : nil
    }

    /// Whether what is recorded is of that layout.
    func isRecorded(_ other: ValueLayout) -> Bool {
        guard memory != 0, let layout = unsafe layout else { return false }
        return unsafe layout._withUnsafeGuaranteedRef { $0 === other }
    }

    /// Whether a value of the recorded layout, all of whose leaves are bytes, is what is recorded; false for another layout.
    @inline(__always)
    func isUnchanged(_ value: UnsafeRawPointer, _ layout: ValueLayout) -> Bool {
        guard layout.walked.count == 0 else { return false }
        let (record, value) = (Address(bits: memory), unsafe Address(value))
        var index = 0
        while index < layout.runs.count {
            let run = layout.runs[index]
            guard (record + run.record).equals(value + run.offset, run.size) else { return false }
            index += 1
        }
        return true
    }

    /// Forgets what is recorded, and the references with it.
    package mutating func forget() {
        Self.free(memory, recordingsOffset, walkedCount)
        memory = 0
        unsafe layout = nil
    }

    /// Compares a value with what is recorded, then records what is new. With nothing recorded, or a value of another
    /// layout, it records and says `.first`.
    ///
    /// - Parameter value: A value of the layout's type, or an object if it is an object's layout. It must live, and must
    ///   not be written to, until this returns.
    package mutating func update(_ value: UnsafeRawPointer, _ layout: ValueLayout) -> ValueChange {
        let value = unsafe Address(value)
        guard memory != 0, unsafe self.layout?.toOpaque() == Unmanaged.passUnretained(layout).toOpaque() else {
            forget()
            return start(value, layout)
        }
        var change = ValueChange()
        change.isOpaque = layout.isOpaque
        compareBytes(value, layout, &change)
        layout.walked.forEach { compare($1, $0, value, &change) }
        return change
    }

    // MARK: Bytes

    private func compareBytes(_ value: Address, _ layout: ValueLayout, _ change: inout ValueChange) {
        let record = Address(bits: memory)
        layout.runs.forEach { _, run in
            guard !(record + run.record).equals(value + run.offset, run.size) else { return }
            for index in run.start..<run.end {
                let range = layout.bytes[index]
                guard !(record + range.record).equals(value + range.offset, range.size) else { continue }
                change.insert(range.leaf)
                (record + range.record).copy(from: value + range.offset, range.size)
            }
        }
    }

    // MARK: Walks

    private func compare(_ leaf: ValueLayout.Walked, _ index: Int, _ value: Address, _ change: inout ValueChange) {
        let place = recordingPlace(index)
        var walk = ShapeWalk(comparing: place.load(0, as: ValueRecording.self))
        let step = walk.walk(leaf.shape, value + leaf.offset, leaf.depth)
        let findings = walk.findings
        if step == .differs { change.insert(leaf.leaf) }
        // Of most values there is nothing else to say.
        if findings.isEmpty { return }
        if step != .differs {
            if findings.contains(.replaced) {
                change.insert(replaced: leaf.leaf)
            }
            if findings.contains(.unknown) { change.unknown = true }
            if findings.contains(.newIdentity) { change.hasNewIdentity = true }
        }
        if findings.contains(.newClosure) { change.hasNewClosure = true }
        if findings.contains(.otherClosure) { change.hasOtherClosure = true }
        if findings.contains(.opaque) { change.isOpaque = true }
        // What could not prove anything may do so now.
        let hasNews = findings.contains(.unproved) && walk.recording.proofs != TrackedFields.proofs
        if findings.contains(.stale) || hasNews {
            let found = record(leaf, index, value)
            if isOpaque(found) || found.contains(.unproved) { change.isOpaque = true }
        } else if findings.contains(.unproved) {
            change.isOpaque = true
        }
    }

    private func record(_ leaf: ValueLayout.Walked, _ index: Int, _ value: Address) -> Findings {
        let place = recordingPlace(index)
        var recording = place.load(0, as: ValueRecording.self)
        let old = recording.count
        recording.rewind()
        recording.proofs = TrackedFields.proofs
        let room = StoreLimits.comparedValueBytes - recordingsOffset - (usedBytes - old)
        var walk = ShapeWalk(recording: recording, limit: max(0, min(StoreLimits.comparedLeafBytes, room)))
        let limit = walk.limit
        let step = walk.walk(leaf.shape, value + leaf.offset, leaf.depth)
        walk.recording.limit = walk.recording.isLost ? 0 : step == .full ? min(limit, walk.limit) : limit
        place.store(walk.recording)
        return walk.findings
    }

    /// Whether what was recorded cannot prove that it is the same later, whatever is proved until then.
    private func isOpaque(_ findings: Findings) -> Bool { !findings.isDisjoint(with: [.opaque, .unknown]) }

    private var usedBytes: Int {
        (0..<walkedCount).reduce(0) { $0 + recordingPlace($1).load(0, as: ValueRecording.self).count }
    }

    private func recordingPlace(_ index: Int) -> Address {
        Address(bits: memory) + (recordingsOffset + index * MemoryLayout<ValueRecording>.stride)
    }

    // MARK: Memory

    private mutating func start(_ value: Address, _ layout: ValueLayout) -> ValueChange {
        walkedCount = layout.walked.count
        recordingsOffset = (layout.recordSize + 15) & ~15
        let size = recordingsOffset + walkedCount * MemoryLayout<ValueRecording>.stride
        // Without memory the next one is the first again.
        guard let memory = Address.allocate(max(size, 1)) else { return .first }
        self.memory = memory.bits
        unsafe self.layout = unsafe Unmanaged.passUnretained(layout)
        layout.bytes.forEach { (memory + $1.record).copy(from: value + $1.offset, $1.size) }
        var change = ValueChange.first
        change.isOpaque = layout.isOpaque
        layout.walked.forEach { index, leaf in
            if isOpaque(record(leaf, index, value)) { change.isOpaque = true }
        }
        return change
    }

    private static func free(_ memory: UInt, _ recordingsOffset: Int, _ count: Int) {
        guard memory != 0 else { return }
        for index in 0..<count {
            var recording = (Address(bits: memory) + (recordingsOffset + index * MemoryLayout<ValueRecording>.stride))
                .load(0, as: ValueRecording.self)
            recording.empty()
        }
        Address.free(memory)
    }
}

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

// Compares an evaluation's output with the previous one, in the way that the caller asks for.

/// How the output of a body is compared with the previous output, to measure waste.
///
/// The store keeps what it compares until the next evaluation of the instance: the whole output with ``equatable``, only
/// the digest with ``digest(_:fileID:line:column:)``.
public struct OutputComparison<Output> {
    @usableFromInline let keep: (borrowing Output) -> any KeptOutput

    /// Compares digests: hashable values that are equal exactly if two outputs show the same.
    ///
    /// Digests of comparisons that were made at different places of the source are not compared with each other.
    ///
    /// - Parameters:
    ///   - digest: Makes the digest; runs once per evaluation, on its thread, after the body's time is taken. At one place
    ///     of the source, it is always the same function.
    ///   - fileID: The file of the call.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    public static func digest(
        _ digest: @escaping (Output) -> some Hashable, fileID: StaticString = #fileID, line: UInt32 = #line,
        column: UInt32 = #column
    ) -> Self {
        // A word, so that small digests are kept without an allocation. Two addresses for one file only compare less.
        var hasher = Hasher()
        hasher.combine(unsafe UInt(bitPattern: fileID.utf8Start))
        hasher.combine(line)
        hasher.combine(column)
        let place = hasher.finalize()
        return Self { output in KeptDigest(value: digest(copy output), place: place) }
    }
}

@available(*, unavailable)
extension OutputComparison: Sendable {}

extension OutputComparison where Output: Equatable {
    /// Compares outputs by `==`, on the evaluation's thread, after the body's time is taken.
    public static var equatable: Self {
        Self { output in Kept(value: copy output) }
    }
}

@usableFromInline
protocol KeptOutput {
    /// Whether the outputs are the same; nil if they were not kept in the same way.
    func isEqual(to other: any KeptOutput) -> Bool?
}

/// A value that can be compared with one of its kind.
@usableFromInline
struct Kept<Value: Equatable>: KeptOutput {
    let value: Value

    @usableFromInline
    func isEqual(to other: any KeptOutput) -> Bool? {
        (other as? Kept<Value>).map { $0.value == value }
    }
}

@available(*, unavailable)
extension Kept: Sendable {}

struct KeptDigest<Value: Equatable>: KeptOutput {
    let value: Value
    let place: Int

    func isEqual(to other: any KeptOutput) -> Bool? {
        guard let other = other as? KeptDigest<Value>, other.place == place else { return nil }
        return other.value == value
    }
}

@available(*, unavailable)
extension KeptDigest: Sendable {}
