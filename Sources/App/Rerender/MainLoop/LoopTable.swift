// SPDX-License-Identifier: MIT
// Self times of the views in the current turn, and in its latest frame.

import RerenderWire
import Synchronization

/// The entries of one turn, in private memory; what changes is written to the page.
///
/// They are the views with most time of their own, and the one that runs. Where a turn has more views than entries, the one
/// that has least makes room. Its time is kept (``EvictedTimes``), so that it comes back with it: what a turn's record says
/// of a view is exact, however many views the turn has.
///
/// Only the loop's thread uses it. A view's record remembers its entry (``LoopPlace/entry``) as a hint, which is
/// taken only where the entry is of this turn and says the same view: so it does not matter who wrote it. An event handler
/// has an entry in the same way.
struct LoopTable: Sendable {
    /// Stands for the entry of what is in no other: views that made room, and bodies that no view had room for.
    static let others = LoopLayout.entries

    /// View, epoch, nanoseconds, and the view whose key the page has there; then the three numbers below.
    private let words = AtomicWords.allocate(count: (LoopLayout.entries + 1) * 4 + 3)
    private let usedIndex = (LoopLayout.entries + 1) * 4
    /// The entry that had least when all were looked at, and the least that any other had: entries only grow.
    private let leastIndex = (LoopLayout.entries + 1) * 4 + 1
    private let othersLeastIndex = (LoopLayout.entries + 1) * 4 + 2
    private let evicted = EvictedTimes()

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
        words[leastIndex] = 0
        words[othersLeastIndex] = 0
        words[Self.others * 4 + 2] = 0
        guard running.word != LoopLayout.noView else { return 0 }
        guard running.word != LoopLayout.unlistedView else { return Self.others }
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

    /// The view's entry in this turn, made if it has none. `now` is the end of the latest slice.
    ///
    /// - Parameter canEvict: Whether another view may make room; where no turn runs, no time is added.
    @inline(never)
    func entry(
        of place: borrowing LoopPlace, _ epoch: UInt32, turn: UInt64, at now: UInt64, canEvict: Bool, _ page: LoopPage
    ) -> Int {
        findEntry(of: place, UInt64(epoch), turn, now, canEvict, page)
    }

    /// The entry that a view's hint says, if it is the view's in this turn and this epoch.
    @inline(__always)
    func knownEntry(of word: UInt64, hint: UInt64, _ epoch: UInt32, turn: UInt64) -> Int? {
        guard hint >> 8 == turn & (.max >> 8) else { return nil }
        let entry = Int(truncatingIfNeeded: hint & 0xFF)
        guard UInt64(truncatingIfNeeded: entry) < words[usedIndex] else { return nil }
        let row = unsafe words.row(from: entry &* 4, count: 2)
        return unsafe row[0] == word && row[1] == UInt64(epoch) ? entry : nil
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
    private func has(_ word: UInt64, at entry: Int) -> Bool {
        UInt64(truncatingIfNeeded: entry) < words[usedIndex] && view(entry) == word
    }

    private func findEntry(
        of place: borrowing LoopPlace, _ epoch: UInt64, _ turn: UInt64, _ now: UInt64, _ canEvict: Bool,
        _ page: LoopPage
    ) -> Int {
        let word = place.pageWord
        let hint = place.entry.load(ordering: .relaxed)
        var entry = Int(truncatingIfNeeded: hint & 0xFF)
        if hint >> 8 == turn & (.max >> 8), has(word, at: entry) {
            // After a reset it is the same view still.
            words[entry * 4 + 1] = epoch
            return entry
        }
        entry = used
        if has(word, at: 0) {
            entry = 0
            words[1] = epoch
        } else if entry < LoopLayout.entries {
            fill(entry, word, epoch)
            words[usedIndex] = UInt64(entry + 1)
        } else if canEvict {
            entry = evict(for: word, epoch, turn, now, page)
        } else {
            return Self.others
        }
        if words[entry * 4 + 3] != word {
            page.write(key: place.pageKey, of: word, entry: entry)
            words[entry * 4 + 3] = word
        }
        place.entry.store(turn << 8 | UInt64(entry), ordering: .relaxed)
        return entry
    }

    /// Gives a view the entry of the one that has least; returns it.
    private func evict(for word: UInt64, _ epoch: UInt64, _ turn: UInt64, _ now: UInt64, _ page: LoopPage) -> Int {
        let entry = leastEntry
        let (time, before) = (evicted.time(of: word, turn: turn), otherNanoseconds)
        let others = before &+ nanoseconds(entry) &- min(time, before)
        evicted.set(nanoseconds(entry), of: view(entry), turn: turn)
        fill(entry, word, epoch)
        words[entry * 4 + 2] = time
        words[Self.others * 4 + 2] = others
        // In an order in which a reader between the two misses time and never counts it twice.
        if others < before { page.write(others: others, until: now, turn: turn) }
        page.write(entry: entry, word, epoch, time, until: now, turn: turn)
        if others >= before { page.write(others: others, until: now, turn: turn) }
        return entry
    }

    /// The entry that has least. Looks at all of them only where the one that had least has grown past another.
    private var leastEntry: Int {
        let known = Int(truncatingIfNeeded: words[leastIndex])
        if nanoseconds(known) <= words[othersLeastIndex] { return known }
        var (least, others) = (0, UInt64.max)
        var entry = 1
        while entry < LoopLayout.entries {
            if nanoseconds(entry) < nanoseconds(least) {
                (least, others) = (entry, nanoseconds(least))
            } else {
                others = min(others, nanoseconds(entry))
            }
            entry += 1
        }
        words[leastIndex] = UInt64(least)
        words[othersLeastIndex] = others
        return least
    }

    private func fill(_ entry: Int, _ word: UInt64, _ epoch: UInt64) {
        words[entry * 4] = word
        words[entry * 4 + 1] = epoch
        words[entry * 4 + 2] = 0
    }
}

/// The times in one turn of views that made room in the table: a hash table of fixed size, which a new turn finds empty.
///
/// Where it is full of other views, a view's time is not kept: it stays that of other views, and the view begins at zero.
private struct EvictedTimes: Sendable {
    /// Far more views than a turn has, and no memory until the first is kept.
    private static let slots = 8_192
    private static let probes = 8

    /// View, turn and nanoseconds.
    private let words = AtomicWords.allocate(untouched: slots * 3)

    func time(of view: UInt64, turn: UInt64) -> UInt64 {
        guard let slot = slot(of: view, turn), words[slot + 1] == turn else { return 0 }
        return words[slot + 2]
    }

    func set(_ nanoseconds: UInt64, of view: UInt64, turn: UInt64) {
        guard let slot = slot(of: view, turn) else { return }
        words[slot] = view
        words[slot + 1] = turn
        words[slot + 2] = nanoseconds
    }

    /// The view's slot, or one that it can have: of a view of an earlier turn. Nil where all are taken.
    private func slot(of view: UInt64, _ turn: UInt64) -> Int? {
        let start = Int(truncatingIfNeeded: (view &* 0x9E37_79B9_7F4A_7C15) >> 32)
        var probe = 0
        while probe < Self.probes {
            let slot = (start + probe) % Self.slots * 3
            if words[slot + 1] != turn || words[slot] == view { return slot }
            probe += 1
        }
        return nil
    }
}

/// The times of the turn's views at the beginning of the latest frame. Only the loop's thread uses it.
struct FrameShares: Sendable {
    /// Views and nanoseconds, then the numbers below.
    private let words = AtomicWords.allocate(count: LoopLayout.entries * 2 + 3)
    private let usedIndex = LoopLayout.entries * 2
    private let turnIndex = LoopLayout.entries * 2 + 1
    private let numberIndex = LoopLayout.entries * 2 + 2

    /// Keeps the times as they are; returns the number of the frame.
    func begin(_ table: LoopTable, turn: UInt64) -> UInt64 {
        let used = table.used
        var entry = 0
        while entry < used {
            words[entry * 2] = table.view(entry)
            words[entry * 2 + 1] = table.nanoseconds(entry)
            entry += 1
        }
        words[usedIndex] = UInt64(used)
        words[turnIndex] = turn
        words[numberIndex] &+= 1
        return words[numberIndex]
    }

    /// The view, in a phase, with most time since the frame began, and that time. Nil where another frame began meanwhile, or
    /// another turn, and where nothing ran.
    ///
    /// A view that was not in a full table may have had time before: it is left out, so that no view has time of another frame.
    func largest(of frame: UInt64, _ table: LoopTable, turn: UInt64) -> (word: UInt64, nanoseconds: UInt64)? {
        guard words[numberIndex] == frame, words[turnIndex] == turn else { return nil }
        var best: (word: UInt64, nanoseconds: UInt64)?
        let used = table.used
        var entry = 0
        while entry < used {
            if let before = before(table.view(entry), at: entry) {
                let time = table.nanoseconds(entry) &- min(before, table.nanoseconds(entry))
                if time > best?.nanoseconds ?? 0 { best = (table.view(entry), time) }
            }
            entry += 1
        }
        return best
    }

    private func before(_ view: UInt64, at place: Int) -> UInt64? {
        let used = Int(truncatingIfNeeded: words[usedIndex])
        if place < used, words[place * 2] == view { return words[place * 2 + 1] }
        var entry = 0
        while entry < used {
            if words[entry * 2] == view { return words[entry * 2 + 1] }
            entry += 1
        }
        return used < LoopLayout.entries ? 0 : nil
    }
}

/// What runs on the loop's thread. What it names is alive while it runs: see ``EvaluationFrame`` and ``TimedSpan``.
@unsafe
enum LoopRunner {
    case view(Unmanaged<ViewRecord>, epoch: UInt32)
    case span(Unmanaged<TimedPlace>, epoch: UInt32)
    /// A body that no view had room for.
    case unlisted

    /// Whether it is a body, or another evaluation of a view.
    var isBody: Bool {
        switch unsafe self {
        case .view, .unlisted: true
        case .span: false
        }
    }
}

/// A view or a handler, and where the turn's table has it.
struct AtomicView: ~Copyable, Sendable {
    private let words = Atomic<UInt64>(LoopLayout.noView)
    private let epochAndEntry = Atomic<UInt64>(0)

    @inline(__always)
    var word: UInt64 { words.load(ordering: .relaxed) }
    @inline(__always)
    var epoch: UInt32 { UInt32(truncatingIfNeeded: epochAndEntry.load(ordering: .relaxed)) }
    @inline(__always)
    var entry: Int {
        get { Int(truncatingIfNeeded: epochAndEntry.load(ordering: .relaxed) >> 32) }
        nonmutating set { epochAndEntry.store(UInt64(epoch) | UInt64(newValue) << 32, ordering: .relaxed) }
    }

    @inline(__always)
    func set(_ word: UInt64, epoch: UInt32, entry: Int = 0) {
        words.store(word, ordering: .relaxed)
        epochAndEntry.store(UInt64(epoch) | UInt64(entry) << 32, ordering: .relaxed)
    }

    @inline(__always)
    func clear() { words.store(LoopLayout.noView, ordering: .relaxed) }

    func copy(_ other: borrowing AtomicView) {
        words.store(other.word, ordering: .relaxed)
        epochAndEntry.store(other.epochAndEntry.load(ordering: .relaxed), ordering: .relaxed)
    }
}
