// SPDX-License-Identifier: MIT
// Writes the main loop's fields of the flight page, each followed by its check.

import RerenderModel
import RerenderWire
import Synchronization

/// What a long turn's record begins with.
struct LongTurnFacts {
    var number: UInt64
    var turn: UInt64
    var startedAt: UInt64
    var endedAt: UInt64
    /// Whether times of bodies that ran after the turn are in the table.
    var isMixed = false
    /// Whether its end was seen late. Then its beginning was seen: they are of different loops.
    var isEndUnseen = false
    /// How much earlier it may have begun, or how much later it may have ended.
    var slack: UInt64 = 0
    /// The most that one source or handler of the main loop took of it, in nanoseconds; 0 where that is not known.
    var inSource: UInt64 = 0
}

/// Writes fields of the main loop's part; knows the layout, and nothing of turns.
struct LoopPage: Sendable {
    private let words: AtomicWords

    init(_ words: AtomicWords) { self.words = words }

    // MARK: What any thread writes

    var threadID: Int32 {
        @inline(__always) get { Int32(truncatingIfNeeded: words.acquire(LoopLayout.monitorOffset / 8) >> 32) }
    }

    var threadOfLoop: (id: Int32, isPinged: Bool) {
        @inline(__always) get {
            let word = words.acquire(LoopLayout.monitorOffset / 8)
            return (
                Int32(truncatingIfNeeded: word >> 32),
                UInt32(truncatingIfNeeded: word) == LoopLayout.pinged
            )
        }
    }

    var isPinged: Bool {
        @inline(__always) get {
            UInt32(truncatingIfNeeded: words[LoopLayout.monitorOffset / 8]) == LoopLayout.pinged
        }
    }

    var isOfGLib: Bool { UInt32(truncatingIfNeeded: words[LoopLayout.monitorOffset / 8]) == LoopLayout.glib }

    var hangNanoseconds: UInt64 {
        UInt64(UInt32(truncatingIfNeeded: words[LoopLayout.hangThresholdOffset / 8])) * 1_000_000
    }

    /// From when on a turn is kept: a hang may be set to be shorter than a micro-hang.
    var longTurnNanoseconds: UInt64 {
        let thresholds = words[LoopLayout.hangThresholdOffset / 8]
        return min(thresholds & 0xFFFF_FFFF, thresholds >> 32) * 1_000_000
    }

    /// When the ping was sent that is unanswered.
    var unansweredPing: UInt64? {
        let sentAt = words.acquire(LoopLayout.pingSentOffset / 8)
        return sentAt > words[LoopLayout.pingAnsweredOffset / 8] ? sentAt : nil
    }

    func setMonitor(_ kind: MainLoopKind, threadID: Int32) {
        words.release(
            LoopLayout.monitorOffset / 8, UInt64(LoopLayout.code(of: kind)) | UInt64(UInt32(bitPattern: threadID)) << 32
        )
    }

    func setThresholds(hang: UInt32, microHang: UInt32) {
        words.release(LoopLayout.hangThresholdOffset / 8, UInt64(hang) | UInt64(microHang) << 32)
    }

    /// Since when a pinged loop is known to be busy, unless another thread says so at the same moment; it began to be so at
    /// `notBefore` at the earliest, if that is known and not 0.
    ///
    /// A time that was taken before the loop was last free counts as just after that: it must not say that the loop is free.
    func setBusy(since now: UInt64, notBefore: UInt64) {
        let known = words[LoopLayout.pingSentOffset / 8]
        let freeAt = freeAt
        guard known <= freeAt else { return }
        let now = max(now, freeAt &+ 1)
        var check = PageCheck()
        put(LoopLayout.notBeforeOffset / 8, notBefore == 0 ? now : min(notBefore, now), &check)
        put(LoopLayout.notBeforeOffset / 8 + 1, now, &check)
        words.release(LoopLayout.notBeforeCheckOffset / 8, check.value)
        words.replace(LoopLayout.pingSentOffset / 8, known, with: now)
    }

    /// How much earlier a turn may have begun that is known of since `sentAt`.
    func slack(of sentAt: UInt64) -> UInt64 {
        let isKnown = words[LoopLayout.notBeforeOffset / 8 + 1] == sentAt
        let notBefore = isKnown ? words[LoopLayout.notBeforeOffset / 8] : words[LoopLayout.pingAnsweredOffset / 8]
        return notBefore != 0 && notBefore < sentAt ? sentAt - notBefore : 0
    }

    /// When a pinged loop was known to be free, or answered a ping, last.
    var freeAt: UInt64 { words[LoopLayout.pingAnsweredOffset / 8] }
    func setFree(at now: UInt64) { words.release(LoopLayout.pingAnsweredOffset / 8, now) }

    /// How often a thread worked for as long as a hang on what may have been the main queue, and nobody looked.
    func setUnseen(_ count: UInt32) {
        words.release(LoopLayout.unseenOffset / 8, UInt64(count) | UInt64(~count) << 32)
    }

    func setLeft(turn: UInt64, at now: UInt64) {
        var check = PageCheck()
        put(LoopLayout.leftTurnOffset / 8, turn, &check)
        put(LoopLayout.leftAtOffset / 8, now, &check)
        words.release(LoopLayout.leftCheckOffset / 8, check.value)
    }

    // MARK: What the loop's thread writes

    /// Writes the slot that is not the latest, so that there is a whole one at every moment.
    @inline(__always)
    func publish(
        sequence: UInt64, turn: UInt64, startedAt: UInt64, running: UInt64, epochs: UInt64, since: UInt64,
        last: UInt64, lastEndedAt: UInt64, evaluations: UInt64
    ) {
        let at = (LoopLayout.slotsOffset + Int(truncatingIfNeeded: sequence & 1) &* LoopLayout.slotBytes) / 8
        let row = unsafe words.row(from: at, count: 10)
        var check = PageCheck()
        unsafe put(row, 0, sequence, &check)
        unsafe put(row, 1, turn, &check)
        unsafe put(row, 2, startedAt, &check)
        unsafe put(row, 3, running, &check)
        unsafe put(row, 4, epochs, &check)
        unsafe put(row, 5, since, &check)
        unsafe put(row, 6, last, &check)
        unsafe put(row, 7, lastEndedAt, &check)
        unsafe put(row, 8, evaluations, &check)
        unsafe row.release(9, check.value)
    }

    @inline(__always)
    func write(entry: Int, _ view: UInt64, _ epoch: UInt64, _ nanoseconds: UInt64, until: UInt64, turn: UInt64) {
        let at = LoopLayout.entriesOffset / 8 &+ entry &* (LoopLayout.entryBytes / 8)
        let row = unsafe words.row(from: at, count: 5)
        var check = PageCheck()
        check.add(turn)
        unsafe put(row, 0, view, &check)
        unsafe put(row, 1, epoch, &check)
        unsafe put(row, 2, nanoseconds, &check)
        unsafe put(row, 3, until, &check)
        unsafe row.release(4, check.value)
    }

    func write(others nanoseconds: UInt64, until: UInt64, turn: UInt64) {
        var check = PageCheck()
        check.add(turn)
        put(LoopLayout.othersOffset / 8, nanoseconds, &check)
        put(LoopLayout.othersOffset / 8 + 1, until, &check)
        words.release(LoopLayout.othersOffset / 8 + 2, check.value)
    }

    func write(key: PageKey, of view: UInt64, entry: Int) {
        let at = Self.keyIndex(entry)
        var check = PageCheck()
        check.add(view)
        var word = 0
        while word < LoopLayout.keyBytes / 8 {
            put(at + word, key.words[word], &check)
            word += 1
        }
        words.release(at + LoopLayout.keyBytes / 8, check.value)
    }

    func copyKey(of view: UInt64, from old: Int, to new: Int) {
        var word = 0
        while word < LoopLayout.keyRecordBytes / 8 {
            words[Self.keyIndex(new) + word] = words[Self.keyIndex(old) + word]
            word += 1
        }
    }

    /// Writes the record of a long turn, then that there is one more.
    func write(
        _ facts: LongTurnFacts, inBody: borrowing AtomicView, last: borrowing AtomicView, _ table: LoopTable
    ) {
        var record = LongTurnRecord(facts, inBody, last)
        record.add(table)
        record.addKeys { view in table.placeOfKey(of: view).flatMap { key(of: view, entry: $0) } }
        let place = Int(truncatingIfNeeded: (facts.number &- 1) % UInt64(LoopLayout.longTurns))
        let start = (LoopLayout.longTurnsStart + place * LoopLayout.longTurnBytes) / 8
        var check = PageCheck()
        var word = 0
        while word < LoopLayout.longTurnCheckOffset / 8 {
            put(start + word, record.words[word], &check)
            word += 1
        }
        words.release(start + LoopLayout.longTurnCheckOffset / 8, check.value)
        var slackCheck = PageCheck()
        slackCheck.add(facts.number)
        put(start + LoopLayout.longTurnSlackOffset / 8, facts.slack, &slackCheck)
        words.release(start + LoopLayout.longTurnSlackCheckOffset / 8, slackCheck.value)
        words.release(LoopLayout.longTurnsOffset / 8, facts.number)
    }

    /// The key of an entry's view; nil where another view's is there, or a part of one.
    func key(of view: UInt64, entry: Int) -> PageKey? {
        let at = Self.keyIndex(entry)
        var key = PageKey()
        var check = PageCheck()
        check.add(view)
        var word = 0
        while word < LoopLayout.keyBytes / 8 {
            key.words[word] = words[at + word]
            check.add(key.words[word])
            word += 1
        }
        return check.value == words[at + LoopLayout.keyBytes / 8] ? key : nil
    }

    private static func keyIndex(_ entry: Int) -> Int {
        (LoopLayout.keysOffset + entry * LoopLayout.keyRecordBytes) / 8
    }

    @inline(__always)
    private func put(_ row: AtomicRow, _ index: Int, _ word: UInt64, _ check: inout PageCheck) {
        unsafe row[index] = word
        check.add(word)
    }

    @inline(__always)
    private func put(_ index: Int, _ word: UInt64, _ check: inout PageCheck) {
        words[index] = word
        check.add(word)
    }
}

/// A long turn's record up to its check, put together in private memory: nothing of it is read back from the page.
private struct LongTurnRecord {
    private(set) var words = InlineArray<93, UInt64>(repeating: 0)

    init(_ facts: LongTurnFacts, _ inBody: borrowing AtomicView, _ last: borrowing AtomicView) {
        words[0] = facts.number
        words[1] = facts.turn
        words[2] = facts.startedAt
        words[3] = facts.endedAt
        words[4] = inBody.word
        words[5] = UInt64(inBody.epoch) | UInt64(last.epoch) << 32
        words[6] = last.word
        let microseconds = min(facts.inSource / 1_000, LoopLayout.mostInSource)
        words[8] = ((facts.isMixed ? 1 : 0) | (facts.isEndUnseen ? 2 : 0) | microseconds << 2) << 32
    }

    /// Adds the largest shares, their number, and the sum of the others.
    mutating func add(_ table: LoopTable) {
        var taken: UInt64 = 0
        var count = 0
        var others = table.otherNanoseconds
        let used = table.used
        while count < WireLimits.sharesPerHang, let entry = Self.largest(of: used, besides: taken, table) {
            taken |= 1 << UInt64(entry)
            let at = (LoopLayout.longTurnSharesOffset + count * LoopLayout.longTurnShareBytes) / 8
            words[at] = table.view(entry)
            words[at + 1] = table.epoch(entry)
            words[at + 2] = table.nanoseconds(entry)
            count += 1
        }
        var entry = 0
        while entry < used {
            if taken & 1 << UInt64(entry) == 0 { others &+= table.nanoseconds(entry) }
            entry += 1
        }
        words[7] = others
        words[8] |= UInt64(count)
    }

    private static func largest(of used: Int, besides taken: UInt64, _ table: LoopTable) -> Int? {
        var best: Int?
        var most: UInt64 = 0
        var entry = 0
        while entry < used {
            if taken & 1 << UInt64(entry) == 0, table.nanoseconds(entry) > most {
                (best, most) = (entry, table.nanoseconds(entry))
            }
            entry += 1
        }
        return best
    }

    /// Adds the keys of the views; zeros for one that is not known.
    mutating func addKeys(_ key: (_ view: UInt64) -> PageKey?) {
        addKey(key(words[4]), 0)
        addKey(key(words[6]), 1)
        var share = 0
        while share < Int(truncatingIfNeeded: words[8] & 0xFFFF_FFFF) {
            addKey(key(words[(LoopLayout.longTurnSharesOffset + share * LoopLayout.longTurnShareBytes) / 8]), 2 + share)
            share += 1
        }
    }

    private mutating func addKey(_ key: PageKey?, _ number: Int) {
        guard let key else { return }
        let to = (LoopLayout.longTurnKeysOffset + number * LoopLayout.keyBytes) / 8
        var word = 0
        while word < LoopLayout.keyBytes / 8 {
            words[to + word] = key.words[word]
            word += 1
        }
    }
}
