// SPDX-License-Identifier: MIT
// The result of comparing a value with the one before.

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
