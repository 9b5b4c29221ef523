// SPDX-License-Identifier: MIT
// Self times of the views in the current turn: which view has which entry of the page's table.

import RerenderWire
import Synchronization

/// The entries of one turn, in private memory; what changes is written to the page.
///
/// Only the loop's thread uses it. A view's record remembers its entry (``ViewRecord/loopEntry``) as a hint, which is
/// taken only where the entry is of this turn and says the same view and epoch: so it does not matter who wrote it.
struct LoopTable: Sendable {
    /// Stands for the entry of views that found no room.
    static let others = LoopLayout.entries

    /// View, epoch, nanoseconds, and the view whose key the page has there.
    private let words = AtomicWords.allocate(count: (LoopLayout.entries + 1) * 4 + 1)
    private let usedIndex = (LoopLayout.entries + 1) * 4

    init() {
        for entry in 0..<LoopLayout.entries { words[entry * 4 + 3] = LoopLayout.noView }
    }

    var used: Int { min(Int(truncatingIfNeeded: words[usedIndex]), LoopLayout.entries) }
    var otherNanoseconds: UInt64 { nanoseconds(Self.others) }
    /// What the views have together.
    var total: UInt64 { (0..<used).reduce(otherNanoseconds) { $0 &+ nanoseconds($1) } }

    @inline(__always)
    func view(_ entry: Int) -> UInt64 { words[entry &* 4] }
    @inline(__always)
    func epoch(_ entry: Int) -> UInt64 { words[entry &* 4 &+ 1] }
    @inline(__always)
    func nanoseconds(_ entry: Int) -> UInt64 { words[entry &* 4 &+ 2] }
    /// Whether the page has the key of the entry's view.
    func hasKey(_ entry: Int) -> Bool { entry < Self.others && words[entry * 4 + 3] == view(entry) }

    /// The entry of the page that has the view's key; it may be of an earlier turn.
    func placeOfKey(of view: UInt64) -> Int? {
        guard view != LoopLayout.noView else { return nil }
        var entry = 0
        while entry < LoopLayout.entries {
            if words[entry * 4 + 3] == view { return entry }
            entry += 1
        }
        return nil
    }

    /// Begins anew with nothing but the view that runs on; returns its entry.
    func begin(carrying running: borrowing AtomicView, _ page: LoopPage) -> Int {
        words[usedIndex] = 0
        words[Self.others * 4 + 2] = 0
        guard running.word != LoopLayout.noView else { return 0 }
        let old = running.entry
        if old != 0 {
            // Every entry but the first is found by its view's hint; this one has no hint to be found by.
            let hadKey = hasKey(old) && view(old) == running.word
            words[3] = hadKey ? running.word : LoopLayout.noView
            if hadKey { page.copyKey(of: running.word, from: old, to: 0) }
        }
        fill(0, running.word, UInt64(running.epoch))
        words[usedIndex] = 1
        return 0
    }

    /// The view's entry in this turn, made if it has none.
    @inline(__always)
    func entry(of view: ViewRecord, _ epoch: UInt32, turn: UInt64, _ page: LoopPage) -> Int {
        let word = view.pageWord
        let hint = view.loopEntry.load(ordering: .relaxed)
        let entry = Int(truncatingIfNeeded: hint & 0xFF)
        if hint >> 8 == turn & (.max >> 8), isFilled(entry, word, UInt64(epoch)) { return entry }
        return makeEntry(of: view, word, UInt64(epoch), turn, page)
    }

    /// Adds a slice to the running view's time, here and in the page.
    @inline(__always)
    func credit(
        _ running: borrowing AtomicView, _ nanoseconds: UInt64, until now: UInt64, turn: UInt64, _ page: LoopPage
    ) {
        let entry = min(running.entry, Self.others)
        let sum = words[entry &* 4 &+ 2] &+ nanoseconds
        words[entry &* 4 &+ 2] = sum
        if entry < Self.others {
            page.write(entry: entry, running.word, UInt64(running.epoch), sum, until: now, turn: turn)
        } else {
            page.write(others: sum, until: now, turn: turn)
        }
    }

    @inline(__always)
    private func isFilled(_ entry: Int, _ word: UInt64, _ epoch: UInt64) -> Bool {
        let used = words[usedIndex]
        if entry >= Self.others { return used >= UInt64(LoopLayout.entries) }
        return UInt64(entry) < used && view(entry) == word && self.epoch(entry) == epoch
    }

    private func makeEntry(of view: ViewRecord, _ word: UInt64, _ epoch: UInt64, _ turn: UInt64, _ page: LoopPage)
        -> Int
    {
        var entry = used
        if entry > 0, self.view(0) == word, self.epoch(0) == epoch {
            entry = 0
        } else if entry < LoopLayout.entries {
            fill(entry, word, epoch)
            words[usedIndex] = UInt64(entry + 1)
        } else {
            entry = Self.others
        }
        if entry < Self.others, words[entry * 4 + 3] != word {
            page.write(key: view.pageKey, of: word, entry: entry)
            words[entry * 4 + 3] = word
        }
        view.loopEntry.store(turn << 8 | UInt64(entry), ordering: .relaxed)
        return entry
    }

    private func fill(_ entry: Int, _ word: UInt64, _ epoch: UInt64) {
        words[entry * 4] = word
        words[entry * 4 + 1] = epoch
        words[entry * 4 + 2] = 0
    }
}
