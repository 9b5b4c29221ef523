// SPDX-License-Identifier: MIT
// When the uplink connects, sends and sleeps, under a clock of the test's own.

import Testing

@testable import Rerender

@Suite("Uplink schedule")
struct UplinkScheduleTests {
    private let millisecond: UInt64 = 1_000_000

    @Test("it connects at once, sends at once, and sleeps while nothing changes")
    func quietWhenIdle() {
        var schedule = UplinkSchedule()
        #expect(schedule.next(at: 0) == .connect)
        schedule.connected(at: 0)
        #expect(schedule.next(at: 0) == .burst)
        schedule.sent(at: 0, isFull: false, isMoreLeft: false)
        #expect(schedule.next(at: 0) == .wait(until: nil))
        #expect(schedule.next(at: 3_600_000 * millisecond) == .wait(until: nil))
    }

    @Test("bursts are at least 100 ms apart, however much changes")
    func paced() {
        var schedule = connected()
        schedule.changed()
        #expect(schedule.next(at: 1 * millisecond) == .wait(until: 100 * millisecond))
        #expect(schedule.next(at: 100 * millisecond) == .burst)
    }

    @Test("what the budget left is sent in the next burst without a new change")
    func moreLeft() {
        var schedule = UplinkSchedule()
        schedule.connected(at: 0)
        schedule.sent(at: 0, isFull: false, isMoreLeft: true)
        #expect(schedule.next(at: 100 * millisecond) == .burst)
    }

    @Test("while the socket is full nothing is encoded; what changed goes once it is empty")
    func full() {
        var schedule = UplinkSchedule()
        schedule.connected(at: 0)
        schedule.sent(at: 0, isFull: true, isMoreLeft: false)
        schedule.changed()
        #expect(schedule.isFull)
        #expect(schedule.next(at: 500 * millisecond) == .wait(until: nil))
        schedule.drained()
        #expect(schedule.next(at: 500 * millisecond) == .burst)
    }

    @Test("the pause between attempts doubles up to 5 s")
    func backOff() {
        var schedule = UplinkSchedule()
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<9 {
            schedule.changed()
            #expect(schedule.next(at: now) == .connect)
            schedule.failed(at: now, mustPoll: false)
            schedule.changed()
            guard case .wait(let until?) = schedule.next(at: now) else {
                Issue.record("no pause")
                return
            }
            pauses.append((until - now) / millisecond)
            now = until
        }
        #expect(pauses == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000])
    }

    @Test("an idle app without a daemon is not woken to look for one, where a notice can be had")
    func idleWithoutDaemon() {
        var schedule = UplinkSchedule()
        schedule.failed(at: 0, mustPoll: false)
        #expect(schedule.next(at: 60_000 * millisecond) == .wait(until: nil))
        schedule.socketAppeared(at: 60_000 * millisecond)
        #expect(schedule.next(at: 60_000 * millisecond) == .connect)
    }

    @Test("without a notice it polls, no more often than the back-off allows")
    func polls() {
        var schedule = UplinkSchedule()
        schedule.failed(at: 0, mustPoll: true)
        #expect(schedule.next(at: 0) == .wait(until: 100 * millisecond))
        #expect(schedule.next(at: 100 * millisecond) == .connect)
    }

    @Test("a lost connection is tried again soon, and the pauses begin anew")
    func reconnects() {
        var schedule = connected()
        schedule.disconnected(at: 50 * millisecond)
        #expect(schedule.next(at: 50 * millisecond) == .wait(until: 150 * millisecond))
        #expect(schedule.next(at: 150 * millisecond) == .connect)
    }

    @Test("a daemon that accepts and closes is called ever more rarely, until a connection lasts")
    func acceptsAndCloses() {
        var schedule = connected()
        var now: UInt64 = 0
        var pauses: [UInt64] = []
        for _ in 0..<7 {
            schedule.disconnected(at: now)
            guard case .wait(let until?) = schedule.next(at: now) else {
                Issue.record("no pause")
                return
            }
            pauses.append((until - now) / millisecond)
            now = until
            schedule.connected(at: now)
        }
        #expect(pauses == [100, 200, 400, 800, 1_600, 3_200, 5_000])
        now += 5_000 * millisecond
        schedule.disconnected(at: now)
        #expect(schedule.next(at: now) == .wait(until: now + 100 * millisecond))
    }

    @Test("a daemon that refused is left alone for 5 s")
    func refused() {
        var schedule = connected()
        schedule.refused(at: 0)
        schedule.changed()
        #expect(schedule.next(at: 0) == .wait(until: 5_000 * millisecond))
    }

    @Test("an answer does not wait for the next burst")
    func hurry() {
        var schedule = connected()
        schedule.hurry(at: 10 * millisecond)
        #expect(schedule.next(at: 10 * millisecond) == .burst)
    }

    @Test("at exit there are no pauses")
    func exit() {
        var schedule = connected()
        schedule.changed()
        schedule.exit()
        #expect(schedule.next(at: 1) == .burst)
        var down = UplinkSchedule()
        down.failed(at: 0, mustPoll: false)
        down.exit()
        #expect(down.next(at: 1) == .connect)
    }

    private func connected() -> UplinkSchedule {
        var schedule = UplinkSchedule()
        schedule.connected(at: 0)
        schedule.sent(at: 0, isFull: false, isMoreLeft: false)
        return schedule
    }
}
