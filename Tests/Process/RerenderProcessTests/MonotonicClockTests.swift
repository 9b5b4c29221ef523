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

    /// How far the clock lies outside of two readings of the kernel's, in nanoseconds: being interrupted only widens these.
    private static var error: UInt64 {
        let before = crerender_monotonic()
        let now = MonotonicClock.now
        let after = crerender_monotonic()
        return now < before ? before - now : now > after ? now - after : 0
    }

    @Test("it is within a microsecond of the kernel's clock, also on many threads at once")
    func isKernels() async {
        let worst = await withTaskGroup(of: UInt64.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<200_000).reduce(0) { worst, _ in max(worst, Self.error) } }
            }
            return await group.reduce(0, max)
        }
        #expect(worst <= 1_000, "\(worst) ns")
    }

    @Test("a time on the clock becomes the same wall-clock time as Date's")
    func wallClock() {
        let wall = WallClock().time(at: MonotonicClock.now)
        #expect(abs(wall.date.timeIntervalSinceNow) < 1)
    }
}
