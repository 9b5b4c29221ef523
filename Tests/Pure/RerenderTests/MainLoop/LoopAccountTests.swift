// SPDX-License-Identifier: MIT
// Where the processor time of a main loop goes, on clocks that the tests set.

import CRerender
import RerenderModel
import Synchronization
import Testing

@testable import Rerender

/// A loop's thread: the test says what it does, and for how long.
private final class LoopThread {
    private struct Times {
        var now: UInt64 = 1_000_000_000
        var own: UInt64 = 0
        var readings = 0
        var news = 0
    }

    /// By thread: C functions have no context.
    private static let times = Mutex<[Int32: Times]>([:])

    private static func change(_ change: (inout Times) -> Void) {
        let thread = crerender_this_thread()
        times.withLock { change(&$0[thread, default: Times()]) }
    }

    private static func state(of thread: Int32) -> Times { times.withLock { $0[thread] ?? Times() } }
    private static var own: Times { state(of: crerender_this_thread()) }

    init() {
        Self.change { $0 = Times() }
        var clocks = crerender_account_clocks(
            now: { LoopThread.own.now },
            own: {
                LoopThread.change { $0.readings += 1 }
                return LoopThread.own.own
            }, thread: { LoopThread.state(of: $0).own }, process: { LoopThread.own.own * 2 })
        crerender_account_set_test_clocks(&clocks)
        crerender_account_on_news { LoopThread.change { $0.news += 1 } }
        crerender_account_sees_sources(false)
        poll()
    }

    func end() { crerender_account_set_test_clocks(nil) }

    var now: UInt64 { Self.own.now }
    var readings: Int { Self.own.readings }
    var news: Int { Self.own.news }
    var totals: LoopTotals { LoopAccount.totals(WallClock()) ?? LoopTotals() }

    func wait(_ nanoseconds: UInt64) { Self.change { $0.now += nanoseconds } }

    func run(_ nanoseconds: UInt64) {
        wait(nanoseconds)
        Self.change { $0.own += nanoseconds }
    }

    func poll(for nanoseconds: UInt64 = 0, waits: Bool = true, _ loop: Int = CRERENDER_GLIB) {
        crerender_account_turn_ended(CInt(loop), now, waits)
        wait(nanoseconds)
        crerender_account_turn_began(CInt(loop), now)
    }

    @discardableResult
    func piece(_ part: crerender_part = CRERENDER_PART_SOURCES, _ body: () -> Void) -> crerender_piece {
        let around = crerender_account_enter(part, now)
        body()
        crerender_account_leave(around, now)
        return crerender_account_piece()
    }

    func body(_ nanoseconds: UInt64) {
        crerender_account_body(true, now)
        run(nanoseconds)
        crerender_account_body(false, now)
    }

    /// Turns without a wait, of a millisecond each.
    func spin(seconds: Int, row: UInt32? = nil) {
        for _ in 0..<seconds * 1_000 {
            if let row { crerender_account_dispatched(row) }
            run(1_000_000)
            poll(waits: false)
        }
    }

    /// Calls it further down the stack.
    @inline(never)
    func deeper(_ body: () -> Void) { body() }
}

@Suite("The account of a main loop")
struct LoopAccountTests {
    private static let second: UInt64 = 1_000_000_000

    private func with(_ body: (LoopThread) throws -> Void) rethrows {
        let thread = LoopThread()
        defer { thread.end() }
        try body(thread)
    }

    @Test("gives each part what it ran, bodies apart, and the loop what is between")
    func parts() {
        with { thread in
            thread.poll(for: 1_000_000)
            thread.run(5_000)
            let piece = thread.piece {
                thread.run(20_000)
                thread.body(10_000)
                thread.run(5_000)
            }
            thread.run(2_000)
            thread.poll(for: 1_000_000)
            let totals = thread.totals
            #expect(totals.sources.wall == 25_000 && totals.sources.processor == 25_000)
            #expect(totals.bodies.wall == 10_000 && totals.bodies.processor == 10_000)
            #expect(totals.loop.wall == 7_000 && totals.loop.processor == 7_000)
            #expect(totals.processor == 42_000 && totals.rest == 0 && totals.process == 84_000)
            #expect(piece.wall == 25_000 && piece.processor == 25_000 && piece.is_shared)
        }
    }

    @Test("gives what was blocked no time of what ran before it")
    func blocked() {
        with { thread in
            thread.piece { thread.run(40_000) }
            let piece = thread.piece {
                thread.wait(3 * Self.second)
                thread.run(1_000_000)
            }
            #expect(piece.wall == 3_001_000_000 && piece.processor == 1_000_000 && !piece.is_shared)
            thread.poll()
            #expect(thread.totals.sources.processor == 1_040_000)
        }
    }

    @Test("gives nothing to the loop of a function that is not seen, and calls its turn not empty")
    func unseen() {
        with { thread in
            thread.run(5_000_000)
            thread.poll()
            thread.run(10_000)
            thread.poll()
            let totals = thread.totals
            #expect(totals.rest == 5_000_000 && totals.loop.processor == 10_000)
            #expect(totals.turns == 2 && totals.emptyTurns == 1)
        }
    }

    @Test("has a part inside of another one once")
    func nested() {
        with { thread in
            var inner = crerender_piece()
            let outer = thread.piece {
                thread.run(100_000)
                inner = thread.piece(CRERENDER_PART_LAYOUT) { thread.run(70_000) }
                thread.run(60_000)
            }
            thread.poll()
            #expect(inner.wall == 70_000 && inner.processor == 70_000 && !inner.is_shared)
            #expect(outer.wall == 160_000 && outer.processor == 160_000)
            #expect(thread.totals.sources.wall == 160_000 && thread.totals.layout.wall == 70_000)
        }
    }

    @Test("reads the clock at each hundredth of many turns, and shares out what is between")
    func together() {
        with { thread in
            var isShared = false
            // The first poll has been.
            for _ in 0..<999 {
                isShared = thread.piece { thread.run(30_000) }.is_shared
                thread.body(20_000)
                thread.poll(waits: false)
            }
            let totals = thread.totals
            #expect(totals.processor == 999 * 50_000 && isShared)
            let parts = totals.sources.processor + totals.bodies.processor
            #expect(totals.processor - parts < 1_000)
            #expect(abs(Int(totals.sources.processor) - 999 * 30_000) < 1_000)
            #expect(thread.readings < 250)
        }
    }

    @Test("counts polls that did not wait, and wake-ups of those that did")
    func polls() {
        with { thread in
            for _ in 0..<3 { thread.poll(for: 1_000_000) }
            for _ in 0..<2 { thread.poll(waits: false) }
            thread.poll(for: 2_000)
            let totals = thread.totals
            #expect(totals.wakeups == 3 && totals.pollsWithoutWait == 2 && totals.turns == 6)
        }
    }

    @Test("tells of a loop that spins, with the source that is always dispatched")
    func spinning() {
        with { thread in
            thread.spin(seconds: 8, row: 3)
            let totals = thread.totals
            // Two seconds are the program's start.
            #expect(totals.spinning.nanoseconds == 6 * Self.second && totals.spinning.turns == 6_000)
            #expect(totals.spinning.row == 4 && totals.spinning.sameTurns == 6_000)
            #expect(totals.spinning.pollsWithoutWait == 6_000 && totals.spinning.emptyTurns == 0)
            #expect(totals.busy.processor == 6 * Self.second && totals.frames.nanoseconds == 0)
            #expect(thread.news == 8)
        }
    }

    @Test(
        "tells of turns once a second, and of few after ten of them", arguments: [(20, 10, 10), (2, 10, 2), (1, 9, 0)])
    func turns(rate: Int, seconds: Int, news: Int) {
        with { thread in
            for _ in 0..<rate * seconds { thread.poll(for: Self.second / UInt64(rate)) }
            #expect(thread.news == news)
        }
    }

    @Test("tells of a long turn as soon as it ends, and at most once a second")
    func longTurn() {
        with { thread in
            let turns = [(1_000, 100, 1), (1_000, 99, 1), (1_000, 600, 2), (300, 600, 2), (300, 600, 3)]
            for (pause, length, news) in turns {
                thread.poll(for: UInt64(pause) * 1_000_000)
                thread.run(UInt64(length) * 1_000_000)
                thread.poll()
                #expect(thread.news == news)
            }
        }
    }

    @Test("tells at once of a turn whose frame shows what slow input led to, however soon, and of no other frame")
    func slowFrame() {
        with { thread in
            let turns: [(hasSlow: Bool?, news: Int)] = [
                (false, 0), (true, 1), (true, 2), (nil, 2), (false, 2), (true, 3),
            ]
            thread.poll(for: 1_000_000_000)
            for turn in turns {
                thread.run(1_000_000)
                if let hasSlow = turn.hasSlow { crerender_account_frame(true, false, hasSlow) }
                thread.poll()
                #expect(thread.news == turn.news)
            }
        }
    }

    @Test("calls a turn neither empty nor one source's where it is not known which source it was")
    func unknownRow() {
        with { thread in
            thread.spin(seconds: 8, row: UInt32(CRERENDER_ROWS))
            let spinning = thread.totals.spinning
            #expect(spinning.turns == 6_000 && spinning.emptyTurns == 0 && spinning.sameTurns == 0)
        }
    }

    @Test("names the source that says that it is due where turns are empty")
    func due() {
        with { thread in
            for _ in 0..<8_000 {
                thread.run(10_000)
                crerender_account_due(1)
                thread.poll(for: 990_000, waits: false)
            }
            let spinning = thread.totals.spinning
            #expect(spinning.emptyTurns == spinning.turns && spinning.row == 2)
        }
    }

    @Test("keeps a row that input has ended, and begins another one two seconds later")
    func input() {
        with { thread in
            thread.spin(seconds: 8)
            crerender_account_input(thread.now)
            thread.spin(seconds: 5)
            #expect(thread.totals.busy.nanoseconds == 6 * Self.second)
            thread.spin(seconds: 5)
            #expect(thread.totals.busy.nanoseconds == 8 * Self.second)
        }
    }

    @Test("forgets a row that ends by itself within 15 seconds, and keeps a longer one", arguments: [9, 20])
    func ends(seconds: Int) {
        with { thread in
            thread.spin(seconds: seconds)
            let news = thread.news
            thread.poll(for: 5 * Self.second)
            let length = UInt64(seconds - 2) * Self.second
            #expect(thread.totals.busy.nanoseconds == (length < QuietStretch.leastOver ? 0 : length))
            // The daemon knew it as one that goes on.
            #expect(thread.news == (length < QuietStretch.leastOver ? news + 1 : news))
        }
    }

    @Test("counts frames of seconds without input, from two seconds after the first one on")
    func frames() {
        with { thread in
            thread.spin(seconds: 4)
            crerender_account_first_frame(thread.now)
            for frame in 0..<80 {
                thread.run(1_000_000)
                crerender_account_frame(frame % 2 == 0, true, false)
                thread.poll(for: 99_000_000)
            }
            let frames = thread.totals.frames
            #expect(frames.nanoseconds == 6 * Self.second)
            #expect(frames.frames * 100_000_000 == frames.nanoseconds)
            #expect(frames.sameFrames == frames.frames && frames.unpainted * 2 == frames.frames)
            #expect(thread.totals.spinning.nanoseconds == 0)
        }
    }

    @Test("adds up what samples of frames say in seconds without input")
    func samples() {
        with { thread in
            thread.poll()
            crerender_account_first_frame(thread.now)
            for frame in 0..<100 {
                crerender_account_frame(true, false, false)
                // Those of the first two seconds are none without input.
                if frame % 10 == 9 { crerender_account_compared(3, 2, 10, 7) }
                thread.poll(for: 100_000_000)
            }
            let frames = thread.totals.frames
            let samples = frames.likely / 10
            #expect(samples >= 5 && samples < 10 && frames.likely <= frames.frames, "\(frames)")
            #expect(frames.compared == samples * 3 && frames.comparedSame == samples * 2)
            #expect(frames.likelySame == samples * 7 && frames.sameFrames == 0)
        }
    }

    @Test("does not count what a loop inside of a handler waits")
    func innerLoop() {
        with { thread in
            thread.poll()
            thread.piece {
                thread.run(10_000)
                thread.deeper {
                    thread.poll(for: Self.second)
                    thread.piece { thread.run(20_000) }
                    thread.run(3_000)
                    thread.poll(for: Self.second)
                }
            }
            thread.poll()
            let totals = thread.totals
            #expect(totals.sources.wall == 30_000 && totals.sources.processor == 30_000)
            #expect(totals.loop.processor == 3_000)
        }
    }

    @Test("has of a function that ran a loop of its own what lies in that loop's last turn, too")
    func lastInnerTurn() {
        with { thread in
            thread.poll()
            var inner = crerender_piece()
            let outer = thread.piece {
                thread.run(200_000)
                thread.deeper {
                    thread.poll(for: Self.second)
                    inner = thread.piece { thread.run(300_000) }
                }
                thread.run(100_000)
            }
            #expect(inner.wall == 300_000 && inner.in_turn == 300_000)
            #expect(outer.wall == 300_000 && outer.in_turn == 100_000)
            let next = thread.piece { thread.run(70_000) }
            #expect(next.in_turn == 70_000)
        }
    }

    @Test("counts no turn of a loop of another kind inside of it")
    func otherKind() {
        with { thread in
            thread.piece {
                thread.run(10_000)
                thread.poll(for: 1_000_000, CRERENDER_CFRUNLOOP)
                thread.run(10_000)
            }
            thread.poll()
            #expect(thread.totals.turns == 1 && thread.totals.sources.processor == 20_000)
        }
    }

    @Test("knows no turn of CoreFoundation's main loop as empty, nor its input, where GLib is in the process, too")
    func runLoopBesideGLib() {
        with { thread in
            crerender_account_sees_sources(true)
            thread.run(10_000)
            thread.poll()
            #expect(thread.totals.emptyTurns == 1 && thread.totals.isInputKnown == 1)
            // GLib's loop has not turned for so long that another one is the main loop.
            thread.wait(2 * Self.second)
            for _ in 0..<3 {
                thread.run(10_000)
                thread.poll(CRERENDER_CFRUNLOOP)
            }
            let totals = thread.totals
            #expect(totals.turns == 3 && totals.emptyTurns == 1 && totals.isInputKnown == 0)
        }
    }

    @Test("drops a piece that was left by a jump at the next outermost poll")
    func jump() {
        with { thread in
            thread.poll()
            _ = crerender_account_enter(CRERENDER_PART_SOURCES, thread.now)
            thread.run(10_000)
            thread.poll()
            thread.run(7_000)
            thread.poll()
            #expect(thread.totals.sources.processor == 10_000 && thread.totals.loop.processor == 7_000)
        }
    }

    @Test("has what runs since the last turn, and begins anew by a reset")
    func reset() {
        with { thread in
            thread.spin(seconds: 1)
            thread.run(30_000)
            #expect(thread.totals.processor == Self.second + 30_000)
            crerender_account_reset()
            #expect(thread.totals.turns == 0 && thread.totals.processor == 0 && thread.totals.counted == 0)
            thread.run(20_000)
            #expect(thread.totals.processor == 20_000 && thread.totals.counted == 20_000)
            thread.poll()
            thread.run(5_000)
            thread.poll()
            #expect(thread.totals.turns == 2 && thread.totals.processor == 25_000)
        }
    }

    @Test("is not there before a loop has turned, and counts no other thread")
    func others() {
        #expect(LoopAccount.totals(WallClock()) == nil)
        #expect(crerender_account_enter(CRERENDER_PART_SOURCES, 1) == CRERENDER_PARTS)
        #expect(crerender_account_turn() == 0)
    }
}
