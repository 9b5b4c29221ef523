// SPDX-License-Identifier: MIT
// Keeps what the main loop does, and writes it to the flight page.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// Writes what the main loop does to the flight page.
///
/// One thread at a time calls what concerns turns and views: the loop's. The rest may be called by any thread. A
/// body's beginning or end costs some twenty stores; no lock, no allocation, no system call.
///
/// What the page says is worked out from private state and never read back, so that nothing that happens to the page
/// comes back in here. All state is atomic words: a loop that moves to another thread while a body runs on the old one
/// may mix up two views for a moment, and never more than that.
final class LoopRecord: Sendable {
    /// Keeps the page's memory.
    private let flightPage: FlightPageWriter
    private let page: LoopPage
    private let table = LoopTable()
    private let frame = FrameShares()

    private let owner = Atomic<UInt32>(0)
    private let turn = Atomic<UInt64>(0)
    /// 0 while the loop waits.
    private let startedAt = Atomic<UInt64>(0)
    /// When the turn began that is paused; 0 if none is.
    private let pausedTurnStartedAt = Atomic<UInt64>(0)
    private let evaluations = Atomic<UInt64>(0)
    /// Of the slot that was written last.
    private let sequence = Atomic<UInt64>(0)
    /// When a turn becomes a hang, by the threshold that held when it began.
    private let hangsAt = Atomic<UInt64>(.max)
    /// From when on each body's beginning and end looks whether GLib's loop is still run; never for others, and between turns.
    private let looksFrom = Atomic<UInt64>(.max)
    private let sliceBeganAt = Atomic<UInt64>(0)
    private let isPinged = Atomic<Bool>(false)
    /// How much earlier the turn may have begun.
    private let slack = Atomic<UInt64>(0)
    private let running = AtomicView()
    private let last = AtomicView()
    private let lastEndedAt = Atomic<UInt64>(0)
    private let inBody = AtomicView()
    private let longTurns = Atomic<UInt64>(0)
    private let unseen = Atomic<UInt32>(0)

    init(flightPage: FlightPageWriter) {
        self.flightPage = flightPage
        page = LoopPage(flightPage.loopWords)
        setThresholds(
            hangMilliseconds: HangThreshold.hangMilliseconds,
            microHangMilliseconds: HangThreshold.microHangMilliseconds)
        publish()
    }

    // MARK: The loop's thread

    /// The loop woke up. Numbers the turn; returns its number.
    ///
    /// A turn that was not ended ends here.
    @discardableResult
    func turnBegan(at now: UInt64) -> UInt64 {
        guard !crerender_is_silent() else { return 0 }
        adoptIfMoved()
        continuePausedTurn()
        if isInTurn { endTurn(at: now, isCounted: !isPinged.load(ordering: .relaxed)) }
        beginTurn(at: now, sliceFrom: now)
        publish()
        return turn.load(ordering: .relaxed)
    }

    /// The loop is about to wait, or was left. Returns how many evaluations the turn had.
    ///
    /// Where the loop was left, `now` is when it was last seen to be run, and `leftBy` when it was seen to be left. If
    /// bodies have run since, their times are mixed with the turn's: where that shows, because they are too long for
    /// it, the turn is not kept.
    @discardableResult
    func turnEnded(at now: UInt64, leftBy: UInt64? = nil) -> UInt64 {
        adoptIfMoved()
        continuePausedTurn()
        guard isInTurn, !crerender_is_silent() else { return 0 }
        let isMixed = leftBy != nil && sliceBeganAt.load(ordering: .relaxed) > now
        let isCounted = !isMixed || table.total <= now &- startedAt.load(ordering: .relaxed)
        endTurn(at: now, isCounted: isCounted, isMixed: isMixed, leftBy: leftBy)
        return evaluations.load(ordering: .relaxed)
    }

    /// A body begins; the thread's innermost from now on. `epoch` is that of its store; `view` is nil for a body that no view
    /// had room for, whose time is that of other views. Called only on the thread of ``threadID``.
    func bodyBegan(_ view: ViewRecord?, epoch: UInt32, at now: UInt64) {
        advance(to: now)
        crerender_account_body(true, now)
        if let view { run(view, epoch) } else { runUnlisted() }
        publish()
    }

    /// The innermost body ended; `enclosing` is what runs around it: a body or a handler.
    func bodyEnded(_ view: ViewRecord?, epoch: UInt32, at now: UInt64, enclosing: LoopRunner?) {
        advance(to: now)
        if let view {
            evaluations.wrappingAdd(1, ordering: .relaxed)
            last.set(view.place.pageWord, epoch: epoch)
            lastEndedAt.store(sliceBeganAt.load(ordering: .relaxed), ordering: .relaxed)
        }
        unsafe crerender_account_body(enclosing?.isBody ?? false, now)
        unsafe run(enclosing)
        publish()
    }

    /// An event handler, or another phase of a view, begins: what runs from now on is its time, except for bodies and further
    /// spans. On the thread of ``threadID``.
    func spanBegan(_ timed: TimedPlace, epoch: UInt32, at now: UInt64) {
        advance(to: now)
        crerender_account_body(false, now)
        run(timed, epoch)
        publish()
    }

    /// The innermost span ended; `enclosing` is what runs around it. It is no evaluation, and no view was rendered.
    func spanEnded(at now: UInt64, enclosing: LoopRunner?) {
        advance(to: now)
        unsafe crerender_account_body(enclosing?.isBody ?? false, now)
        unsafe run(enclosing)
        publish()
    }

    /// A frame begins in the turn; returns its number.
    func frameBegan(at now: UInt64) -> UInt64 {
        advance(to: now)
        return frame.begin(table, turn: turn.load(ordering: .relaxed))
    }

    /// The view, in a phase, with most time in a frame that ends now; nil where that is not known.
    func largest(ofFrame number: UInt64, at now: UInt64) -> (word: UInt64, nanoseconds: UInt64)? {
        advance(to: now)
        return frame.largest(of: number, table, turn: turn.load(ordering: .relaxed))
    }

    /// The loop's thread serves its queue: the turn of a pinged loop ends.
    func pingAnswered(at now: UInt64) {
        guard !crerender_is_silent() else { return }
        guard let sentAt = page.unansweredPing else { return page.setFree(at: max(now, page.freeAt)) }
        guard page.isPinged else { return page.setFree(at: max(now, sentAt)) }
        advance(to: now)
        guard isInTurn, isPinged.load(ordering: .relaxed) else { return page.setFree(at: max(now, sentAt)) }
        // A turn that nobody had noticed gets its number on the page while it lasts there.
        publish()
        endTurn(at: now, isCounted: true, freeAt: max(now, sentAt))
    }

    /// A thread of libdispatch's has worked off what there was. If it is the one that served the queue, the turn of a pinged
    /// loop is over; false if not.
    func drainEnded(on thread: Int32, at now: UInt64) -> Bool {
        guard page.threadID == thread, isBusyPinged else { return false }
        // Another thread may have taken the queue over.
        guard let owner = LoopHooks.mainQueueOwner, owner == 0 || owner == thread else { return false }
        pingAnswered(at: now)
        return true
    }

    /// A thread of libdispatch's worked for so long, and nobody looked whether that was on the main queue. Counts it if it may
    /// have been a hang.
    func noteUnseen(from start: UInt64, to now: UInt64) {
        let since = max(start, page.freeAt)
        guard now > since, now - since >= max(page.hangNanoseconds, StoreLimits.unseenNanoseconds) else { return }
        page.setUnseen(unseen.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// An inner loop waits: the turn is not running, and whether it has ended is seen when the wait is over. What it has
    /// is kept.
    func turnPaused(at now: UInt64) {
        guard isInTurn, !crerender_is_silent() else { return }
        creditSlice(until: now)
        pausedTurnStartedAt.store(startedAt.load(ordering: .relaxed), ordering: .relaxed)
        startedAt.store(0, ordering: .relaxed)
        publish()
    }

    /// The turn goes on, begun when it was: the wait was a moment.
    func turnResumed(at now: UInt64) {
        guard continuePausedTurn(), !crerender_is_silent() else { return }
        sliceBeganAt.store(now, ordering: .relaxed)
        publish()
    }

    // MARK: Any thread

    /// The loop's thread; 0 before a monitor fired.
    @inline(__always)
    var threadID: Int32 { page.threadID }

    /// The loop's thread, and whether the loop is a pinged one; two loads.
    @inline(__always)
    var threadOfLoop: (id: Int32, isPinged: Bool) { page.threadOfLoop }

    /// From when on a body looks whether the loop was left: half of a long turn after the beginning of a GLib loop's turn.
    @inline(__always)
    var ownerIsDueAt: UInt64 { looksFrom.load(ordering: .relaxed) }

    /// Whether it is known that a pinged loop's thread is not the one that the page names.
    var hasMoved: Bool {
        let owner = page.isPinged ? LoopHooks.mainQueueOwner : nil
        return owner.map { $0 != page.threadID } ?? false
    }

    /// Whether the loop is a pinged one, and whether such a one is known to be busy.
    var isOfPings: Bool { page.isPinged }
    var isBusyPinged: Bool { page.isPinged && page.unansweredPing != nil }

    /// The turn that runs and when it began; nil while the loop waits, and outside of it.
    var runningTurn: (number: UInt64, startedAt: UInt64)? {
        let (number, startedAt) = (turn.load(ordering: .relaxed), startedAt.load(ordering: .relaxed))
        // As a reader of the page numbers it, too: the loop's thread may not have noticed the ping.
        if page.isPinged, let sentAt = page.unansweredPing, sentAt != startedAt { return (number + 1, sentAt) }
        return startedAt == 0 ? nil : (number, startedAt)
    }

    /// Which monitor tells the turns, and on which thread.
    func setMonitor(_ kind: MainLoopKind, threadID: Int32) { page.setMonitor(kind, threadID: threadID) }

    /// The shortest thresholds of all stores.
    func setThresholds(hangMilliseconds: UInt32, microHangMilliseconds: UInt32) {
        page.setThresholds(hang: hangMilliseconds, microHang: microHangMilliseconds)
    }

    /// A ping was sent and not answered yet: a pinged loop is known to be busy since then, if it is. It was not before
    /// `notBefore`, as far as that is known.
    ///
    /// Nothing happens while the loop is known to be busy.
    func pingSent(at now: UInt64, notBefore: UInt64 = 0) {
        guard page.unansweredPing == nil else { return }
        page.setBusy(since: now, notBefore: max(notBefore, page.freeAt))
    }

    func loopWasLeft(duringTurn turn: UInt64, at now: UInt64) { page.setLeft(turn: turn, at: now) }
}

// MARK: - Turns

extension LoopRecord {
    @inline(__always)
    private var isInTurn: Bool { startedAt.load(ordering: .relaxed) != 0 }

    /// False if there is none.
    @discardableResult
    private func continuePausedTurn() -> Bool {
        let began = pausedTurnStartedAt.load(ordering: .relaxed)
        guard began != 0 else { return false }
        pausedTurnStartedAt.store(0, ordering: .relaxed)
        startedAt.store(began, ordering: .relaxed)
        return true
    }

    private func beginTurn(at time: UInt64, sliceFrom sliceBegan: UInt64) {
        let now = max(time, 1)
        turn.wrappingAdd(1, ordering: .relaxed)
        startedAt.store(now, ordering: .relaxed)
        sliceBeganAt.store(max(sliceBegan, now), ordering: .relaxed)
        evaluations.store(0, ordering: .relaxed)
        isPinged.store(page.isPinged, ordering: .relaxed)
        slack.store(page.isPinged ? page.slack(of: now) : 0, ordering: .relaxed)
        hangsAt.store(now &+ page.hangNanoseconds, ordering: .relaxed)
        looksFrom.store(page.isOfGLib ? now &+ page.longTurnNanoseconds / 2 : .max, ordering: .relaxed)
        inBody.clear()
        // A body that runs a loop of its own goes on in that loop's turns.
        running.entry = table.begin(carrying: running, page)
    }

    /// A pinged loop is free from `freeAt` on. The page says so before it has no turn, because a reader takes the busy time of a
    /// pinged loop that has no turn for the next one.
    private func endTurn(
        at now: UInt64, isCounted: Bool, isMixed: Bool = false, leftBy: UInt64? = nil, freeAt: UInt64? = nil
    ) {
        creditSlice(until: now)
        let endedAt = isMixed ? now : sliceBeganAt.load(ordering: .relaxed)
        let duration = endedAt &- startedAt.load(ordering: .relaxed)
        let longest = duration &+ slack.load(ordering: .relaxed)
        if isCounted, longest >= page.longTurnNanoseconds {
            let isHang = longest >= page.hangNanoseconds
            let inSource = isHang ? crerender_rows_in_hang(turn.load(ordering: .relaxed), duration) : 0
            writeLongTurn(endedAt: endedAt, isMixed: isMixed, leftBy: leftBy, inSource: inSource)
            if !isHang { crerender_rows_in_micro_hang() }
        }
        if let freeAt { page.setFree(at: freeAt) }
        startedAt.store(0, ordering: .relaxed)
        isPinged.store(false, ordering: .relaxed)
        looksFrom.store(.max, ordering: .relaxed)
        publish()
    }

    private func writeLongTurn(endedAt: UInt64, isMixed: Bool, leftBy: UInt64?, inSource: UInt64) {
        let number = longTurns.wrappingAdd(1, ordering: .relaxed).newValue
        page.write(
            LongTurnFacts(
                number: number, turn: turn.load(ordering: .relaxed), startedAt: startedAt.load(ordering: .relaxed),
                endedAt: endedAt, isMixed: isMixed, isEndUnseen: leftBy != nil,
                slack: leftBy.map { $0 > endedAt ? $0 - endedAt : 0 } ?? slack.load(ordering: .relaxed),
                inSource: inSource),
            inBody: inBody, last: last, table)
    }

    /// A turn and a body on the thread that the loop has left are not heard of any more.
    private func adoptIfMoved() {
        let thread = UInt32(bitPattern: page.threadID)
        guard owner.load(ordering: .relaxed) != thread else { return }
        owner.store(thread, ordering: .relaxed)
        // One queue, served by one thread after the other: the turn goes on.
        if page.isPinged, isPinged.load(ordering: .relaxed) { return }
        pausedTurnStartedAt.store(0, ordering: .relaxed)
        startedAt.store(0, ordering: .relaxed)
        running.clear()
    }
}

// MARK: - Bodies

extension LoopRecord {
    /// Gives the time until now to the view that ran.
    @inline(__always)
    private func advance(to now: UInt64) {
        adoptIfMoved()
        if page.isPinged { beginPingedTurn(noticedAt: now) }
        creditSlice(until: now)
    }

    /// The first of the loop's thread to notice a ping begins the turn, where the ping was sent. So does a body, before any
    /// ping: the thread that serves the queue is busy since then, and not before it began to work.
    private func beginPingedTurn(noticedAt now: UInt64) {
        if !isInTurn, page.unansweredPing == nil, let drain = LoopHooks.ownDrainBegan {
            page.setBusy(since: now, notBefore: max(drain, page.freeAt))
        }
        guard let sentAt = page.unansweredPing, startedAt.load(ordering: .relaxed) != sentAt else { return }
        // What began before is not over yet, and cannot have begun in the future: then the clock was set back.
        beginTurn(at: sentAt, sliceFrom: min(sliceBeganAt.load(ordering: .relaxed), now))
    }

    @inline(__always)
    private func creditSlice(until now: UInt64) {
        let began = sliceBeganAt.load(ordering: .relaxed)
        // The counter may be read a few nanoseconds early by the processor.
        guard now > began else { return }
        sliceBeganAt.store(now, ordering: .relaxed)
        guard isInTurn, running.word != LoopLayout.noView else { return }
        table.credit(running, now &- began, until: now, turn: turn.load(ordering: .relaxed), page)
        let hangsAt = hangsAt.load(ordering: .relaxed)
        if began <= hangsAt, hangsAt < now { inBody.copy(running) }
    }

    @inline(__always)
    private func run(_ runner: LoopRunner?) {
        switch unsafe runner {
        case .view(let view, let epoch): unsafe view._withUnsafeGuaranteedRef { run($0, epoch) }
        case .span(let timed, let epoch): unsafe timed._withUnsafeGuaranteedRef { run($0, epoch) }
        case .unlisted: runUnlisted()
        case nil: running.clear()
        }
    }

    private func runUnlisted() {
        running.set(LoopLayout.unlistedView, epoch: 0)
        running.entry = LoopTable.others
    }

    // Two of them, which borrow no place but where it is looked for: that would retain the object.

    @inline(__always)
    private func run(_ view: ViewRecord, _ epoch: UInt32) {
        if run(view.place.pageWord, epoch, hint: view.place.entry.load(ordering: .relaxed)) { return }
        running.entry = entry(of: view.place, epoch)
    }

    @inline(__always)
    private func run(_ timed: TimedPlace, _ epoch: UInt32) {
        if run(timed.place.pageWord, epoch, hint: timed.place.entry.load(ordering: .relaxed)) { return }
        running.entry = entry(of: timed.place, epoch)
    }

    /// False where the table has to be looked through.
    @inline(__always)
    private func run(_ word: UInt64, _ epoch: UInt32, hint: UInt64) -> Bool {
        let known = table.knownEntry(of: word, hint: hint, epoch, turn: turn.load(ordering: .relaxed))
        running.set(word, epoch: epoch, entry: known ?? 0)
        return known != nil
    }

    private func entry(of place: borrowing LoopPlace, _ epoch: UInt32) -> Int {
        table.entry(
            of: place, epoch, turn: turn.load(ordering: .relaxed), at: sliceBeganAt.load(ordering: .relaxed),
            canEvict: isInTurn, page)
    }

    @inline(__always)
    private func publish() {
        let sequence = sequence.load(ordering: .relaxed) &+ 1
        self.sequence.store(sequence, ordering: .relaxed)
        page.publish(
            sequence: sequence, turn: turn.load(ordering: .relaxed),
            startedAt: startedAt.load(ordering: .relaxed), running: running.word,
            epochs: UInt64(running.epoch) | UInt64(last.epoch) << 32,
            since: sliceBeganAt.load(ordering: .relaxed), last: last.word,
            lastEndedAt: lastEndedAt.load(ordering: .relaxed), evaluations: evaluations.load(ordering: .relaxed))
    }
}
