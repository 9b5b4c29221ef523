// SPDX-License-Identifier: MIT
// Where a probe stands in the source, and the view that was found for it.

/// A label at a place in the source, and the view that it names.
@safe
final class Site: Sendable {
    /// Whether it has a label of its own, or the key of the place.
    let isLabelled: Bool
    let words: LabelWords
    /// Of the store that the site is of. Proof: it keeps its views as long as its sites.
    let view: Unmanaged<ViewRecord>

    init(_ label: String?, view: Unmanaged<ViewRecord>) {
        (isLabelled, words) = (label != nil, LabelWords(label))
        unsafe self.view = view
    }
}

/// The two words that an optional string is. Of strings that are ``areOfNoStorage``, those with the same words are the same text.
///
/// Proof of the bit cast: a string is two words on 64-bit platforms, as is an optional one. Its highest bit is set where nobody counts
/// references to it, of a short text, which is in the words themselves, and of a literal, which lasts as long as its code. It is
/// Swift's ABI (`StringObject.swift`: `isImmortal`). Code of Swift's that is unloaded would break this, and much else in its runtime.
struct LabelWords: Equatable {
    private let first: UInt64
    private let second: UInt64

    @inline(__always)
    init(_ label: String?) {
        let words = unsafe unsafeBitCast(label, to: (UInt64, UInt64).self)
        // Of none, the first word may be anything.
        (first, second) = (words.1 == 0 ? 0 : words.0, words.1)
    }

    /// Whether they stand for their text as long as the process lives: those of no string do, too.
    var areOfNoStorage: Bool { second == 0 || second >> 63 == 1 }
}
