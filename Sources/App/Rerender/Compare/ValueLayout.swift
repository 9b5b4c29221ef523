// SPDX-License-Identifier: MIT
// The named leaves of a type: their places in a value, how each is compared, and how values can differ.

import Synchronization

/// How to compare values of one type. Made once per type and depth, and kept for ever; safe to use from any thread.
package final class ValueLayout: Sendable {
    /// A stored property that is compared and named as a whole.
    struct Leaf: Sendable {
        /// The path of property names from the value: `title`, `size.width`, `pair.0`.
        let name: String
        let offset: Int
        /// nil if the runtime cannot name it.
        let type: TypeMetadata?
        /// Who read it, where its holder keeps that.
        var readers: ContentReaders?
        /// The leaf of the object whose property it is.
        var object: Int?
    }

    /// Bytes of a leaf that are compared as they are.
    struct Bytes: BitwiseCopyable {
        let offset: Int
        let size: Int
        let leaf: Int
        let record: Int
    }

    /// Adjacent bytes that are compared at once.
    struct Run: BitwiseCopyable {
        let offset: Int
        var size: Int
        let record: Int
        /// The first of the bytes in it, and the one after the last.
        let start: Int
        var end: Int
    }

    /// A leaf that has to be walked.
    struct Walked: BitwiseCopyable {
        let offset: Int
        let leaf: Int
        let shape: ShapeReference
        let depth: Int
    }

    let leaves: [Leaf]
    let bytes: Immortal<Bytes>
    let runs: Immortal<Run>
    let walked: Immortal<Walked>
    /// How many bytes the trivial leaves take in a snapshot.
    let recordSize: Int
    /// Whether equal bytes of a leaf may have other contents.
    let isOpaque: Bool
    /// Whether some leaf may change without being a cause.
    private let hasNoCauses: Bool
    private let names = Mutex<[LeafSet: String]>([:])
    private let key: Key

    private struct Key: Equatable, Sendable {
        let type: TypeMetadata
        var depth = 0
        /// Whether it is that of an object of the class, not of a reference to one.
        var isObject = false
    }

    /// Leaves out of a change what cannot have caused another evaluation: what the last one of an instance did not read, and the
    /// properties of an object that is another one.
    ///
    /// - Parameter value: The value that was compared, which must live and not be written to until this returns.
    func leaveOutNoCauses(_ change: inout ValueChange, _ value: UnsafeRawPointer, instance: UInt64?) {
        guard hasNoCauses, !change.changed.isEmpty else { return }
        let (value, all) = (unsafe Address(value), change.changed)
        for (index, leaf) in leaves.prefix(LeafSet.capacity - 1).enumerated() where all.contains(index) {
            let isOfAnother = leaf.object.map { all.contains($0) } ?? false
            let isRead = instance.flatMap { leaf.readers?.contain($0, in: value) } ?? true
            if isOfAnother || !isRead { change.remove(index) }
        }
    }

    /// Whether it is that of values of a type.
    @inline(__always)
    func isLayout(ofValues type: Any.Type, depth: Int) -> Bool {
        !key.isObject && key.depth == depth && key.type.type == type
    }

    /// Whether there is nothing to compare.
    package var isEmpty: Bool { leaves.isEmpty }

    private init(_ maker: LeafMaker, _ key: Key) {
        self.key = key
        leaves = maker.leaves
        bytes = Immortal(maker.bytes)
        walked = Immortal(maker.walked)
        recordSize = maker.recordSize
        isOpaque = maker.isOpaque
        hasNoCauses = maker.leaves.contains { $0.readers != nil || $0.object != nil }
        var runs: [Run] = []
        for (index, range) in maker.bytes.enumerated() {
            if let last = runs.last, last.offset + last.size == range.offset, last.record + last.size == range.record {
                runs[runs.count - 1].size += range.size
                runs[runs.count - 1].end = index + 1
            } else {
                runs.append(
                    Run(offset: range.offset, size: range.size, record: range.record, start: index, end: index + 1))
            }
        }
        self.runs = Immortal(runs)
    }

    /// The names of what changed in the order of declaration, joined by ", "; at most eight, then `+n`, and
    /// `maybe more` where the comparison does not distinguish all.
    package func names(of change: ValueChange) -> String {
        names.withLock { known in
            if let text = known[change.changed] { return text }
            let text = joinedNames(change.changed)
            if known.count < StoreLimits.comparedNames { known[change.changed] = text }
            return text
        }
    }

    /// The names of what changed in a value that has a name itself.
    func names(of change: ValueChange, below name: String) -> [String] {
        (0..<LeafSet.capacity).filter(change.changed.contains).map { place in
            let leaf = self.name(place)
            return leaf == "self" ? name : "\(name).\(leaf)"
        }
    }

    private func joinedNames(_ set: LeafSet) -> String {
        let names = (0..<LeafSet.capacity).filter(set.contains).map(name)
        let more = names.count - StoreLimits.namedCauses
        guard more > 0 else { return names.joined(separator: ", ") }
        // Of those that share the last place, several may have changed.
        let isShared = leaves.count > LeafSet.capacity && set.contains(LeafSet.capacity - 1)
        let shown = names.prefix(StoreLimits.namedCauses).joined(separator: ", ")
        return "\(shown), +\(more)" + (isShared ? ", maybe more" : "")
    }

    /// The last place of a set names no leaf if several share it.
    private func name(_ place: Int) -> String {
        place == LeafSet.capacity - 1 && leaves.count > LeafSet.capacity ? "other" : leaves[place].name
    }

    // MARK: Finding

    private static let table = WordTable<ValueLayout>()
    private static let count = Mutex(0)
    /// Stands for all types past the limit.
    private static let unknown = ValueLayout(LeafMaker(unknown: "self"), Key(type: TypeMetadata(Void.self)))

    /// The layout of values of a type: a struct's stored properties, a tuple's elements; anything else is one leaf `self`.
    package static func layout(of type: Any.Type, depth: Int) -> ValueLayout {
        find(TypeMetadata(type), depth, isObject: false)
    }

    /// The layout of what an instance of a class stores, its ancestors' properties first; offsets are from its address.
    package static func layout(ofObject type: Any.Type, depth: Int) -> ValueLayout {
        find(TypeMetadata(type), depth, isObject: true)
    }

    @inline(__always)
    private static func find(_ type: TypeMetadata, _ depth: Int, isObject: Bool) -> ValueLayout {
        let word = type.hashWord &+ UInt64(truncatingIfNeeded: depth) &* 2 &+ (isObject ? 1 : 0)
        let key = Key(type: type, depth: depth, isObject: isObject)
        if let known = unsafe table.first(word, where: { $0.key == key }) { return unsafe known.takeUnretainedValue() }
        // Made under the lock, as what it stays in memory for ever: of two made at once, one would be left over.
        return count.withLock { count in
            if let known = unsafe table.first(word, where: { $0.key == key }) {
                return unsafe known.takeUnretainedValue()
            }
            guard count < StoreLimits.comparedTypes else { return unknown }
            let maker =
                isObject ? LeafMaker(object: type, depth: depth) : LeafMaker.leaves(ofValue: type, depth: depth)
            let made = ValueLayout(maker, key)
            count += 1
            table.insert(made, under: word)
            return made
        }
    }
}

/// A set of a value's leaves. Those past the 63rd share the last place.
package struct LeafSet: Hashable, Sendable {
    static let capacity = 64
    var bits: UInt64 = 0

    package var isEmpty: Bool { bits == 0 }
    package var count: Int { bits.nonzeroBitCount }
    mutating func insert(_ leaf: Int) { bits |= 1 << UInt64(min(leaf, Self.capacity - 1)) }
    mutating func remove(_ leaf: Int) { bits &= ~(1 << UInt64(min(leaf, Self.capacity - 1))) }
    package func contains(_ leaf: Int) -> Bool { bits >> UInt64(min(leaf, Self.capacity - 1)) & 1 == 1 }
}

/// How a value differs from its predecessor.
///
/// Bytes decide: floats by their bits (a NaN equals itself, -0.0 is not 0.0, for it prints differently), strings by their
/// UTF-8, references by identity. That a value is not changed does not prove that nothing behind a reference is; what does is
/// `isProved`. Nothing in here is a guess: what cannot be told is `unknown`.
package struct ValueChange: Sendable {
    /// Nothing was known to compare with.
    package var isFirst = false
    /// The leaves that changed in value; further ones among the `unknown` may have.
    package var changed = LeafSet()
    /// Some leaf cannot be told.
    package var unknown = false
    /// Some leaf has an equal value in new storage, or a new immutable object with equal contents. Not said of strings,
    /// whose storage the program cannot see.
    package var hasNewIdentity = false
    /// Some closure has another identity, and does the same: its function and all that it captures are equal.
    package var hasNewClosure = false
    /// Some closure has another function or captures something else, so that it may do something else.
    package var hasOtherClosure = false
    /// Something can be reached from the value that may have changed without a sign: an object with variables, a closure of
    /// which it is not known what it captures, an address.
    package var isOpaque = false
    /// Whether all that can be reached is known to be as it was, except for leaves among `changed`.
    package var isProved: Bool { !isFirst && !unknown && !hasOtherClosure && !isOpaque }
    /// Leaves changed, and in each that did, only immutable objects were replaced by equal ones.
    package var equalReplacement: Bool { !changed.isEmpty && differing.isEmpty }

    /// The leaves among `changed` in which more than that happened.
    private var differing = LeafSet()

    static var first: ValueChange {
        var change = ValueChange()
        change.isFirst = true
        return change
    }

    mutating func insert(_ leaf: Int) {
        changed.insert(leaf)
        differing.insert(leaf)
    }

    /// Adds how another part of the inputs differs. Which of the leaves changed is not told apart then, and of what comes first
    /// is nothing known.
    mutating func formUnion(_ other: ValueChange) {
        changed.bits |= other.changed.bits
        differing.bits |= other.differing.bits
        unknown = unknown || other.unknown
        hasNewIdentity = hasNewIdentity || other.hasNewIdentity
        hasNewClosure = hasNewClosure || other.hasNewClosure
        hasOtherClosure = hasOtherClosure || other.hasOtherClosure
        isOpaque = isOpaque || other.isOpaque
    }

    /// Takes back that a leaf changed. It may change what else the view does, so nothing is proved.
    mutating func remove(_ leaf: Int) {
        changed.remove(leaf)
        differing.remove(leaf)
        isOpaque = true
    }

    mutating func insert(replaced leaf: Int) { changed.insert(leaf) }

    package func isChanged(leaf: Int) -> Bool { changed.contains(leaf) }
}
