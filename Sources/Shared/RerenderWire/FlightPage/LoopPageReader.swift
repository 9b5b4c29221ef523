// SPDX-License-Identifier: MIT
// What the main loop's part of a flight page says, read from bytes that anyone may have written.

package import RerenderModel

/// A view in one of its phases as a flight page names it, or an event handler in the place of one.
package struct FlightView: Hashable, Sendable {
    package var storeID: UInt32
    package var index: UInt32
    package var epoch: UInt32
    package var phase: HangPhase
    /// The beginning of its key, or empty. A reader that knows the store's views takes the whole key from there.
    package var key: String

    package init(storeID: UInt32, index: UInt32, epoch: UInt32, phase: HangPhase = .body, key: String) {
        self.storeID = storeID
        self.index = index
        self.epoch = epoch
        self.phase = phase
        self.key = key
    }

    /// In the place of bodies that no view had room for.
    package static let unlisted = FlightView(storeID: .max, index: .max - 1, epoch: 0, key: "")

    /// Whether it stands for bodies that no view had room for: their time is that of other views.
    package var isUnlisted: Bool { (storeID, index) == (Self.unlisted.storeID, Self.unlisted.index) }

    /// What a page names it by.
    package var word: UInt64 {
        isUnlisted ? LoopLayout.unlistedView : LoopLayout.word(storeID: storeID, index: index, phase: phase)
    }

    /// The number of the event handler that it stands for; nil for a view.
    package var handler: UInt32? { phase == .handler ? index : nil }
}

/// The main loop at one moment. All times are CLOCK_MONOTONIC in nanoseconds.
package struct LoopReading: Hashable, Sendable {
    package var monitor: MainLoopKind = .none
    /// The loop's thread, as the app sees it.
    package var threadID: Int32 = 0
    /// The shortest of the stores' thresholds.
    package var hangThresholdMilliseconds: UInt32 = HangThreshold.hangMilliseconds
    package var microHangThresholdMilliseconds: UInt32 = HangThreshold.microHangMilliseconds
    /// The turn's number; of the latest one between two.
    package var turn: UInt64 = 0
    /// When the turn began; 0 while the loop waits, and outside of it. Of a pinged loop: since when a ping is unanswered.
    package var turnStartedAt: UInt64 = 0
    /// How much earlier it may have begun; 0 where its beginning was seen, as that of a hooked loop's is.
    package var turnSlack: UInt64 = 0
    /// What runs: a view in a phase, or an event handler, the innermost one.
    package var running: FlightView?
    /// Since when: its own time since then is not in ``TurnShares`` yet.
    package var runningSince: UInt64 = 0
    /// The view whose evaluation ended last.
    package var last: FlightView?
    package var lastEndedAt: UInt64 = 0
    /// How many turns were longer than the micro-hang threshold since the page was made.
    package var longTurns: UInt64 = 0
    /// How often a thread worked for as long as a hang on what may have been the main queue, and no daemon looked.
    package var unseen: UInt32 = 0
    /// The turn during which the loop was seen to be left, and when; 0 if none was.
    package var leftTurn: UInt64 = 0
    package var leftAt: UInt64 = 0
    /// Evaluations of the turn.
    package var evaluations: UInt64 = 0

    package init() {}
}

/// Self times of the views in the turn that runs, each up to ``LoopReading/runningSince`` if it is the one that runs.
package struct TurnShares: Hashable, Sendable {
    package var turn: UInt64 = 0
    package var views: [FlightShare] = []
    /// Of views that are not in the table, and of bodies that no view had room for.
    package var otherNanoseconds: UInt64 = 0
    /// When the last of the slices that are in it ended. If that is later than ``LoopReading/runningSince``, the table is
    /// newer than the reading, which then must not be used to add anything.
    package var until: UInt64 = 0
    /// The reading's running and last views, with the keys that the page has of them.
    package var running: FlightView?
    package var last: FlightView?

    package init() {}
}

/// A turn that ended and took longer than the micro-hang threshold.
package struct LongTurn: Hashable, Sendable {
    /// Counts the long turns of the page from 1.
    package var number: UInt64 = 0
    package var turn: UInt64 = 0
    package var startedAt: UInt64 = 0
    package var endedAt: UInt64 = 0
    /// How much earlier it may have begun.
    package var slack: UInt64 = 0
    /// How much later it may have ended: its loop was left.
    package var endSlack: UInt64 = 0
    /// What ran when the hang threshold was crossed: a view in a phase, or an event handler.
    package var inBody: FlightView?
    /// Most first, at most ``WireLimits/sharesPerHang``; their sum with the others' is at most the duration.
    package var shares: [FlightShare] = []
    package var otherNanoseconds: UInt64 = 0
    /// Whether times of bodies that ran after the turn are among the shares: its loop was left, which was seen later.
    package var isMixed = false
    /// The view evaluated last before the turn ended, in it or before it.
    package var last: FlightView?
    /// The most that one source or handler of the main loop took of it; 0 where that is not known.
    package var inSource: UInt64 = 0

    package init() {}
}

/// The own time of a view in a phase, or of an event handler, in a turn.
package struct FlightShare: Hashable, Sendable {
    package var view: FlightView
    package var nanoseconds: UInt64

    package init(view: FlightView, nanoseconds: UInt64) {
        self.view = view
        self.nanoseconds = nanoseconds
    }
}

extension LoopReading {
    /// Reads the head: ``LoopLayout/headBytes`` bytes of a page whose version is known, from ``FlightPageLayout/loopOffset``
    /// on. Views come without their keys.
    ///
    /// Throws a ``WireError`` if no slot is valid: no slot was written yet, or the writer was faster than the reader. In
    /// that case reading again helps. Guaranteed are a known monitor, a thread that is no negative number, thresholds that
    /// can be set, and that a view does not run for longer than its turn. Times may lie in the future.
    package init(head: RawSpan) throws(WireError) {
        guard head.byteCount >= LoopLayout.headBytes else { throw .truncated }
        let code = Int(head.integer(at: LoopLayout.monitorOffset, as: UInt32.self))
        guard code < LoopLayout.monitors.count else { throw .invalid("the kind of main loop") }
        guard let slot = head.newestSlot else { throw .invalid("the main loop's state") }
        monitor = LoopLayout.monitors[code]
        threadID = max(0, head.integer(at: LoopLayout.threadOffset, as: Int32.self))
        hangThresholdMilliseconds = head.threshold(at: LoopLayout.hangThresholdOffset)
        microHangThresholdMilliseconds = head.threshold(at: LoopLayout.microHangThresholdOffset)
        longTurns = head.word(at: LoopLayout.longTurnsOffset)
        unseen = head.unseen
        turn = head.word(at: slot + 8)
        turnStartedAt = head.word(at: slot + 16)
        evaluations = head.word(at: slot + 64)
        last = FlightView(head.word(at: slot + 48), epoch: head.integer(at: slot + 36, as: UInt32.self))
        lastEndedAt = last == nil ? 0 : head.word(at: slot + 56)
        if monitor == .ping { readPing(head) }
        let view = FlightView(head.word(at: slot + 24), epoch: head.integer(at: slot + 32, as: UInt32.self))
        if turnStartedAt > 0, let view {
            running = view
            runningSince = max(head.word(at: slot + 40), turnStartedAt)
        }
        readLeaving(head)
    }

    /// Reads a whole page, with its views' keys; otherwise as ``init(head:)``.
    package init(page: RawSpan) throws(WireError) {
        guard page.byteCount >= FlightPageLayout.byteCount else { throw .truncated }
        self = try LoopReading(head: page.extracting(droppingFirst: FlightPageLayout.loopOffset))
        running = page.named(running)
        last = page.named(last)
    }

    /// The turn of a pinged loop began when the ping was sent, whether its thread has noticed or not.
    private mutating func readPing(_ head: RawSpan) {
        let sentAt = head.word(at: LoopLayout.pingSentOffset)
        let isAnswered = head.word(at: LoopLayout.pingAnsweredOffset) >= sentAt
        let noticedAt = turnStartedAt
        turnStartedAt = isAnswered ? 0 : sentAt
        if !isAnswered { turnSlack = sentAt - notBefore(head, of: sentAt) }
        guard !isAnswered, noticedAt != sentAt else { return }
        turn &+= 1
        evaluations = 0
    }

    /// When a turn that is known of since `sentAt` began at the earliest: not before the loop was known to be free.
    private func notBefore(_ head: RawSpan, of sentAt: UInt64) -> UInt64 {
        let answeredAt = head.word(at: LoopLayout.pingAnsweredOffset)
        let freeAt = answeredAt == 0 ? sentAt : answeredAt
        let range = LoopLayout.notBeforeOffset..<LoopLayout.notBeforeCheckOffset
        guard head.fitsCheck(at: range), head.word(at: LoopLayout.notBeforeOffset + 8) == sentAt else { return freeAt }
        return min(sentAt, max(answeredAt, head.word(at: LoopLayout.notBeforeOffset)))
    }

    private mutating func readLeaving(_ head: RawSpan) {
        guard head.fitsCheck(at: LoopLayout.leftTurnOffset..<LoopLayout.leftCheckOffset) else { return }
        (leftTurn, leftAt) = (head.word(at: LoopLayout.leftTurnOffset), head.word(at: LoopLayout.leftAtOffset))
    }
}

extension TurnShares {
    /// Reads the table of the turn that a reading of the same page shows; empty while the loop waits.
    ///
    /// Entries that are of another turn, or half written, are left out: their time belongs to no view. Throws a ``WireError``
    /// if the page is too short or if the times add up to more than there was since the turn began, which no app
    /// writes. ``until`` may lie in the future.
    package init(page: RawSpan, of reading: LoopReading) throws(WireError) {
        guard page.byteCount >= FlightPageLayout.byteCount else { throw .truncated }
        turn = reading.turn
        running = page.named(reading.running)
        last = page.named(reading.last)
        guard reading.turnStartedAt > 0 else { return }
        until = reading.turnStartedAt
        var sum: UInt64 = 0
        if let others = SliceSum(othersOf: turn, in: page) {
            otherNanoseconds = others.nanoseconds
            sum = others.nanoseconds
            until = max(until, others.until)
        }
        for entry in 0..<LoopLayout.entries {
            guard let slices = SliceSum(entry: entry, of: turn, in: page), let view = slices.view else { continue }
            let (next, isTooLarge) = sum.addingReportingOverflow(slices.nanoseconds)
            guard !isTooLarge else { throw .invalid("the sum of the shares") }
            sum = next
            until = max(until, slices.until)
            var named = view
            named.key = page.key(entry: entry, of: view)
            views.append(FlightShare(view: named, nanoseconds: slices.nanoseconds))
        }
        guard sum <= until - reading.turnStartedAt else { throw .invalid("the sum of the shares") }
    }

    /// The shares at `now` with what the running view has got meanwhile, most first; together with ``otherNanoseconds``
    /// never more than the time from the turn's beginning to `now`.
    ///
    /// A table that is newer than the reading tells of slices that the reading does not know: the time since then
    /// belongs to no view.
    package func views(at now: UInt64, of reading: LoopReading) -> [FlightShare] {
        guard reading.turnStartedAt > 0, now > reading.turnStartedAt, reading.turn == turn else { return [] }
        var shares = views
        if let running = reading.running, until <= reading.runningSince, now > reading.runningSince {
            let slice = now - reading.runningSince
            if let at = shares.firstIndex(where: { $0.view.isSame(as: running) }) {
                shares[at].nanoseconds = shares[at].nanoseconds.clampedSum(slice)
            } else {
                shares.append(FlightShare(view: self.running ?? running, nanoseconds: slice))
            }
        }
        shares.sort { $0.nanoseconds > $1.nanoseconds }
        let duration = now - reading.turnStartedAt
        var left = duration - min(duration, otherNanoseconds)
        for at in shares.indices {
            shares[at].nanoseconds = min(shares[at].nanoseconds, left)
            left -= shares[at].nanoseconds
        }
        return shares.filter { $0.nanoseconds > 0 }
    }
}

extension LongTurn {
    /// The long turns of a page that are still there, with numbers above `number`, in their order; at most
    /// ``LoopLayout/longTurns``.
    ///
    /// Those half written are left out. Throws a ``WireError`` if the page is too short. Guaranteed is that none ends
    /// before it began, and that shares add up to no more than the duration. Times may lie in the future.
    package static func list(in page: RawSpan, after number: UInt64) throws(WireError) -> [LongTurn] {
        guard page.byteCount >= FlightPageLayout.byteCount else { throw .truncated }
        return (0..<LoopLayout.longTurns)
            .compactMap { LongTurn(place: $0, in: page) }
            .filter { $0.number > number }
            .sorted { $0.number < $1.number }
    }

    private init?(place: Int, in page: RawSpan) {
        let start = FlightPageLayout.loopOffset + LoopLayout.longTurnsStart + place * LoopLayout.longTurnBytes
        guard page.fitsCheck(at: start..<start + LoopLayout.longTurnCheckOffset) else { return nil }
        number = page.word(at: start)
        turn = page.word(at: start + 8)
        startedAt = page.word(at: start + 16)
        endedAt = page.word(at: start + 24)
        otherNanoseconds = page.word(at: start + 56)
        let count = page.integer(at: start + 64, as: UInt32.self)
        let flags = page.integer(at: start + 68, as: UInt32.self)
        isMixed = flags & 1 != 0
        let epochs = page.word(at: start + 40)
        guard number > 0, (number - 1) % UInt64(LoopLayout.longTurns) == UInt64(place) else { return nil }
        guard endedAt >= startedAt, count <= UInt32(WireLimits.sharesPerHang) else { return nil }
        inBody = FlightView(
            page.word(at: start + 32), epoch: UInt32(truncatingIfNeeded: epochs), key: page.longTurnKey(0, start))
        last = FlightView(
            page.word(at: start + 48), epoch: UInt32(truncatingIfNeeded: epochs >> 32), key: page.longTurnKey(1, start))
        let slackAt = start + LoopLayout.longTurnSlackOffset
        if page.fitsCheck(at: slackAt..<slackAt + 8, after: number) {
            if flags & 2 != 0 {
                endSlack = page.word(at: slackAt)
            } else {
                slack = min(page.word(at: slackAt), startedAt)
            }
        }
        var left = endedAt - startedAt
        inSource = min(UInt64(flags >> 2) * 1_000, left)
        guard otherNanoseconds <= left else { return nil }
        left -= otherNanoseconds
        for share in 0..<Int(count) {
            let at = start + LoopLayout.longTurnSharesOffset + share * LoopLayout.longTurnShareBytes
            let nanoseconds = page.word(at: at + 16)
            let view = FlightView(
                page.word(at: at), epoch: UInt32(truncatingIfNeeded: page.word(at: at + 8)),
                key: page.longTurnKey(2 + share, start))
            guard let view, nanoseconds <= left, nanoseconds <= shares.last?.nanoseconds ?? .max else { return nil }
            left -= nanoseconds
            shares.append(FlightShare(view: view, nanoseconds: nanoseconds))
        }
    }
}

// MARK: - Parts

/// A sum of slices of one turn.
private struct SliceSum {
    var view: FlightView?
    var nanoseconds: UInt64
    var until: UInt64

    init?(entry: Int, of turn: UInt64, in page: RawSpan) {
        let start = FlightPageLayout.loopOffset + LoopLayout.entriesOffset + entry * LoopLayout.entryBytes
        guard page.fitsCheck(at: start..<start + LoopLayout.entryBytes - 8, after: turn) else { return nil }
        view = FlightView(page.word(at: start), epoch: UInt32(truncatingIfNeeded: page.word(at: start + 8)))
        nanoseconds = page.word(at: start + 16)
        until = page.word(at: start + 24)
    }

    init?(othersOf turn: UInt64, in page: RawSpan) {
        let start = FlightPageLayout.loopOffset + LoopLayout.othersOffset
        guard page.fitsCheck(at: start..<start + 16, after: turn) else { return nil }
        nanoseconds = page.word(at: start)
        until = page.word(at: start + 8)
    }
}

extension FlightView {
    fileprivate init?(_ word: UInt64, epoch: UInt32, key: String = "") {
        guard word != LoopLayout.unlistedView else {
            self = .unlisted
            return
        }
        guard let named = LoopLayout.named(word) else { return nil }
        self.init(storeID: named.storeID, index: named.index, epoch: epoch, phase: named.phase, key: key)
    }

    /// Whether it is the same view in the same phase, whatever is known of its key.
    package func isSame(as other: FlightView) -> Bool {
        storeID == other.storeID && index == other.index && phase == other.phase && epoch == other.epoch
    }
}

extension RawSpan {
    fileprivate func word(at offset: Int) -> UInt64 { integer(at: offset, as: UInt64.self) }

    /// Whether the words of a range have the check that stands behind them; it also covers `first`, where that is given.
    fileprivate func fitsCheck(at range: Range<Int>, after first: UInt64? = nil) -> Bool {
        var check = PageCheck()
        if let first { check.add(first) }
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) { check.add(word(at: offset)) }
        return check.value == word(at: range.upperBound)
    }

    /// Where the valid slot with the higher sequence begins; of two with the same the second.
    fileprivate var newestSlot: Int? {
        let slots = [LoopLayout.slotsOffset + LoopLayout.slotBytes, LoopLayout.slotsOffset]
        let valid = slots.filter { fitsCheck(at: $0..<$0 + LoopLayout.slotBytes - 8) }
        return valid.max { word(at: $0) < word(at: $1) }
    }

    /// 0 where it does not fit its check.
    fileprivate var unseen: UInt32 {
        let count = integer(at: LoopLayout.unseenOffset, as: UInt32.self)
        return integer(at: LoopLayout.unseenOffset + 4, as: UInt32.self) == ~count ? count : 0
    }

    fileprivate func threshold(at offset: Int) -> UInt32 {
        let allowed = HangThreshold.allowedMilliseconds
        return min(max(integer(at: offset, as: UInt32.self), allowed.lowerBound), allowed.upperBound)
    }

    /// The view with the key that a whole page has for it, if it has one.
    fileprivate func named(_ view: FlightView?) -> FlightView? {
        guard var view else { return nil }
        for entry in 0..<LoopLayout.entries where view.key.isEmpty { view.key = key(entry: entry, of: view) }
        return view
    }

    fileprivate func key(entry: Int, of view: FlightView) -> String {
        let start = FlightPageLayout.loopOffset + LoopLayout.keysOffset + entry * LoopLayout.keyRecordBytes
        return fitsCheck(at: start..<start + LoopLayout.keyBytes, after: view.word) ? key(at: start) : ""
    }

    fileprivate func longTurnKey(_ number: Int, _ start: Int) -> String {
        key(at: start + LoopLayout.longTurnKeysOffset + number * LoopLayout.keyBytes)
    }

    /// What is no UTF-8 grows when it is made readable.
    private func key(at offset: Int) -> String {
        String(text(at: offset, limit: LoopLayout.keyBytes).prefix(utf8Bytes: LoopLayout.keyBytes))
    }
}
