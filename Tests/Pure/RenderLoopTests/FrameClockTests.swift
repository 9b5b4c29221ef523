// SPDX-License-Identifier: MIT
// When frames are due.

import RenderLoop
import Testing

@Suite struct FrameClockTests {
    @Test func aDriverThatWaitsForTheNextFrameMeetsEachOfThemWhateverItBeginsAt() {
        for begin in [0, 1, 499, 999, 1_000, 1_001] as [UInt64] {
            var clock = FrameClock(interval: 1_000)
            var now = begin
            clock.restart(at: now)
            for _ in 0..<5 {
                #expect(clock.nanosecondsLeft(at: now) > 0 && clock.nanosecondsLeft(at: now) <= 1_000)
                now += clock.nanosecondsLeft(at: now)
                #expect(clock.frame(at: now - 1) == nil, "not before")
                let frame = clock.frame(at: now)
                #expect(frame?.skipped == 0)
                #expect(frame?.number == now / 1_000)
                // It comes up to most of a frame late.
                now += begin % 999
            }
        }
    }

    @Test func aLateDriverWaitsNoLonger() {
        let clock = FrameClock(interval: 1_000)
        #expect(clock.nanosecondsLeft(at: 5_500) == 0)
    }
}
