// SPDX-License-Identifier: MIT
// Finds the views of a store by their labels, and by the places of their probes in the source.

import RerenderModel
import RerenderWire
import Synchronization

/// The views of one store, made when they are first asked for, and kept as long as the store.
///
/// Any thread. What is known is found without a lock.
struct ViewIndex: ~Copyable, Sendable {
    private let views = Mutex<[ViewRecord]>([])
    private let byLabel = WordTable<ViewRecord>()
    private let bySite = WordTable<Site>()
    private let areSitesFull = Atomic<Bool>(false)

    /// In the order in which they were made, which is that of their numbers.
    var all: [ViewRecord] { views.withLock { $0 } }

    /// The view of a label; nil if there is none.
    func known(_ label: String) -> Unmanaged<ViewRecord>? {
        unsafe known(label, word: LabelHash.word(of: label))
    }

    @inline(__always)
    private func known(_ label: String, word: UInt64) -> Unmanaged<ViewRecord>? {
        unsafe byLabel.first(word, where: { $0.key.rawValue == label })
    }

    /// The view of a label, made if it is new; nil if there is no room for another.
    ///
    /// - Parameter make: Makes the view of a label that is new, by its number; nil if there is no room.
    func view(
        label: String, make: (_ label: String, _ index: UInt32) -> ViewRecord?
    ) -> Unmanaged<ViewRecord>? {
        let label = LongText.bounded(label, to: WireLimits.keyBytes)
        let word = LabelHash.word(of: label)
        if let view = unsafe known(label, word: word) { return unsafe view }
        return unsafe views.withLock { views in
            if let view = unsafe known(label, word: word) { return unsafe view }
            guard let view = make(label, UInt32(views.count)) else { return nil }
            views.append(view)
            byLabel.insert(view, under: word)
            return unsafe Unmanaged.passUnretained(view)
        }
    }

    /// The view that a place in the source names by a label, or without one; nil where it was not found there before.
    ///
    /// - Parameter word: That of the place.
    @inline(__always)
    func view(_ label: String?, at word: UInt64) -> Unmanaged<ViewRecord>? {
        let words = LabelWords(label)
        guard let site = unsafe bySite.first(word, where: { $0.words == words }) else { return nil }
        return unsafe site._withUnsafeGuaranteedRef { unsafe $0.view }
    }

    /// Notes that a place names a view by a label, or without one, to find it there.
    ///
    /// The first label of a place is noted, and its own key always. Others are looked for without the lock.
    func note(_ view: Unmanaged<ViewRecord>, _ label: String?, at word: UInt64) {
        func isTaken() -> Bool { unsafe bySite.first(word, where: { $0.isLabelled == (label != nil) }) != nil }
        guard LabelWords(label).areOfNoStorage, !areSitesFull.load(ordering: .relaxed), !isTaken() else { return }
        views.withLock { _ in
            areSitesFull.store(bySite.count >= StoreLimits.sites, ordering: .relaxed)
            if !isTaken(), bySite.count < StoreLimits.sites {
                unsafe bySite.insert(Site(label, view: view), under: word)
            }
        }
    }
}

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
/// Proof of the bit cast: a string is two words on 64-bit platforms, as is an optional one. Its highest bit is set where Swift counts no
/// references to it: of a short text, which is in the words themselves, and of a literal, which lasts as long as its code. It is
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
