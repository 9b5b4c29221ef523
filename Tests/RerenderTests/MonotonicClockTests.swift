// SPDX-License-Identifier: MIT
// The clock of durations against the kernel's.

import CRerender
import Foundation
import Testing

@testable import Rerender

@Suite("Clock")
struct MonotonicClockTests {
    @Test("it never goes back and follows the kernel's monotonic clock")
    func follows() {
        let (ours, kernel) = (MonotonicClock.now, ContinuousClock.now)
        var last = ours
        var isMonotonic = true
        while ContinuousClock.now - kernel < .milliseconds(50) {
            let now = MonotonicClock.now
            isMonotonic = isMonotonic && now >= last
            last = now
        }
        #expect(isMonotonic)
        // Interruptions make it longer, never shorter.
        #expect(MonotonicClock.now - ours >= 49_000_000)
    }

    @Test("clocks that run apart by more than the kernel ever bends its own are told apart")
    func agreement() {
        #expect(CounterCalibration.agree(100_000_000, 100_000_000))
        #expect(CounterCalibration.agree(1_000_500_000, 1_000_000_000))
        #expect(CounterCalibration.agree(999_500_000, 1_000_000_000))
        #expect(!CounterCalibration.agree(1_010_000_000, 1_000_000_000))
        #expect(!CounterCalibration.agree(3_600_000_000_000, 100_000_000), "the machine slept for an hour")
        #expect(!CounterCalibration.agree(UInt64.max - 5, 100_000_000), "the counter was set back")
    }

    @Test("a counter that was set back is no time at all, and the kernel's clock stands in")
    func setBack() {
        var map = crerender_clock()
        map.base_ticks = 3_000_000_000_000
        map.base_nanoseconds = 1_000
        let oneToOne: UInt64 = 1 << 32
        #expect(crerender_map(&map, oneToOne, 3_000_000_000_000) == 1_000)
        #expect(crerender_map(&map, oneToOne, 3_000_000_000_500) == 1_500)
        #expect(crerender_map(&map, oneToOne, 2_999_999_999_999) == 0)
        #expect(crerender_map(&map, oneToOne, 0) == 0)
    }

    @Test("a time on the clock becomes the same wall-clock time as Date's")
    func wallClock() {
        let wall = WallClock().time(at: MonotonicClock.now)
        #expect(abs(wall.date.timeIntervalSinceNow) < 1)
    }
}
