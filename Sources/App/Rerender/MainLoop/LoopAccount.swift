// SPDX-License-Identifier: MIT
// What the main loop's thread did with its processor time, as values that travel.

import CRerender
import RerenderModel

/// Reads the account that the loop's thread keeps.
///
/// Proof of the unsafe parts: the C function fills the value that it is given, and keeps nothing of it.
enum LoopAccount {
    /// Has the ledger ask for the account and for other threads.
    ///
    /// - Parameter news: Called on the loop's thread when something is worth a message: see `crerender_account_on_news`.
    static func provide(to ledger: LoopLedger, news: @convention(c) () -> Void) {
        let threads = OwnThreads()
        ledger.provideTotals { wallClock in
            let totals = Self.totals(wallClock)
            // Files are read there, for which the loop's thread, which may have a HUD, does not wait.
            if totals != nil, crerender_account_thread() != crerender_this_thread() { threads.lookFirst() }
            return totals
        }
        ledger.provideThreads { threads.read() }
        ledger.onReset {
            crerender_account_reset()
            threads.wasReset()
        }
        crerender_account_on_news(news)
    }

    /// When the seconds began for which the loop's thread has been busy without input, or has turned often. Nil where these are over or few.
    /// Nil also where samples can tell nothing: less than a tenth of the thread's time is in sources that are not seen, and in each source in
    /// which a library calls a function that is not known.
    static func sampledBegan(at now: UInt64) -> UInt64? {
        var account = crerender_account()
        guard unsafe crerender_account_read(&account) else { return nil }
        let longer = account.spinning.nanoseconds > account.busy.nanoseconds ? account.spinning : account.busy
        guard longer.nanoseconds >= QuietStretch.least, now < longer.latest_at &+ QuietStretch.pause else {
            return nil
        }
        let totals = LoopTotals(account, WallClock())
        // A source that takes a moment is taken for the loop itself.
        let unseen = crerender_account_sees_all_sources() ? nil : totals.rest.clampedSum(totals.loop.processor)
        let tenth = totals.processor / 10
        guard unseen.map({ $0 >= tenth }) == true || LoopRows.hasUnknownCallee(of: tenth) else { return nil }
        return longer.latest_at &- longer.nanoseconds
    }

    /// What is known now; nil before a loop of GLib or CoreFoundation has turned, and in a forked child.
    static func totals(_ wallClock: WallClock) -> LoopTotals? {
        guard !crerender_is_forked() else { return nil }
        var account = crerender_account()
        guard unsafe crerender_account_read(&account) else { return nil }
        return LoopTotals(account, wallClock)
    }
}

extension LoopTotals {
    fileprivate init(_ account: crerender_account, _ wallClock: WallClock) {
        self.init()
        counted = account.counted
        turns = account.turns
        pollsWithoutWait = account.polls_without_wait
        emptyTurns = account.empty_turns
        wakeups = account.wakeups
        processor = account.processor
        process = account.process
        bodies = LoopPart(account.parts.0)
        style = LoopPart(account.parts.1)
        layout = LoopPart(account.parts.2)
        update = LoopPart(account.parts.3)
        snapshot = LoopPart(account.parts.4)
        drawing = LoopPart(account.parts.5)
        sources = LoopPart(account.parts.6)
        loop = LoopPart(account.parts.7)
        frames = QuietStretch(account.frames, wallClock)
        spinning = QuietStretch(account.spinning, wallClock)
        busy = QuietStretch(account.busy, wallClock)
        isInputKnown = account.is_input_known
    }
}

extension LoopPart {
    fileprivate init(_ time: crerender_part_time) {
        self.init()
        (wall, processor) = (time.wall, time.processor)
    }
}

extension QuietStretch {
    fileprivate init(_ stretch: crerender_stretch, _ wallClock: WallClock) {
        self.init()
        guard stretch.nanoseconds > 0 else { return }
        nanoseconds = stretch.nanoseconds
        latestAt = wallClock.time(at: stretch.latest_at)
        processor = stretch.processor
        turns = stretch.turns
        pollsWithoutWait = stretch.polls_without_wait
        emptyTurns = stretch.empty_turns
        sameTurns = stretch.same_turns
        row = stretch.row
        wakeups = stretch.wakeups
        frames = stretch.frames
        unpainted = stretch.unpainted
        sameFrames = stretch.same_frames
        (compared, comparedSame) = (stretch.compared, stretch.compared_same)
        (likely, likelySame) = (stretch.likely, stretch.likely_same)
    }
}
