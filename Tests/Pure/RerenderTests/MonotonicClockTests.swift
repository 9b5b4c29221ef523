// SPDX-License-Identifier: MIT
// The clock of durations against the kernel's.

import CRerender
import Foundation
import Testing

@testable import Rerender

@Suite("Clock")
struct MonotonicClockTests {
    @Test("rates that are further apart than the kernel ever bends its clock are told apart")
    func agreement() {
        #expect(CounterCalibration.agree(1_431_655_765, 1_431_655_765))
        #expect(CounterCalibration.agree(1_431_655_765, 1_431_655_765 / 2_000 * 2_001))
        #expect(CounterCalibration.agree(1_431_655_765, 1_431_655_765 / 2_000 * 1_999))
        #expect(!CounterCalibration.agree(1_431_655_765, 1_431_655_765 / 500 * 501))
        #expect(!CounterCalibration.agree(1_431_655_765, 3), "the machine slept for an hour")
    }

    /// One nanosecond is one tick.
    private static let even: UInt64 = 1 << 32

    private static let start = crerender_clock_map(
        base_ticks: 5_000_000, base_nanoseconds: 100, scale: even, limit: 500_000)

    private static func next(ticks: UInt64, nanoseconds: UInt64) -> crerender_clock_map {
        crerender_next_map(start, even, crerender_reading(ticks: ticks, nanoseconds: nanoseconds))
    }

    @Test("a map goes on where the older one is, and meets the kernel's clock at its end", arguments: [-400, 0, 400])
    func goesOn(ahead: Int) {
        let kernel = UInt64(500_100 - ahead)
        let map = Self.next(ticks: 5_500_000, nanoseconds: kernel)
        #expect(map.base_ticks == 5_500_000 && map.base_nanoseconds == 500_100 && map.limit == 500_000)
        let end = Int(map.base_nanoseconds + (map.limit * map.scale) >> 32)
        #expect(abs(end - Int(kernel + 500_000)) <= 1, "\(end)")
    }

    @Test("a map that nobody renewed goes on for half of its time again")
    func goesOnLater() {
        let map = Self.next(ticks: 5_749_999, nanoseconds: 749_700)
        #expect(map.base_nanoseconds == 750_099)
    }

    @Test(
        "a map begins anew where the older one ended long ago, where the clock was set, and where the counter was set back",
        arguments: [
            (5_750_000, 750_400), (7_000_001, 2_000_101), (5_500_000, 9_000_000), (4_999_999, 50), (0, 200),
        ] as [(UInt64, UInt64)])
    func beginsAnew(ticks: UInt64, nanoseconds: UInt64) {
        let map = Self.next(ticks: ticks, nanoseconds: nanoseconds)
        #expect(map.base_ticks == ticks && map.base_nanoseconds == nanoseconds && map.scale == Self.even)
    }

    @Test("two readings give a rate, and none where a clock went back")
    func rate() {
        let first = crerender_reading(ticks: 1_000, nanoseconds: 500)
        #expect(crerender_rate(first, crerender_reading(ticks: 4_000, nanoseconds: 1_500)) == Self.even / 3)
        #expect(crerender_rate(first, crerender_reading(ticks: 900, nanoseconds: 1_500)) == 0)
        #expect(crerender_rate(first, crerender_reading(ticks: 4_000, nanoseconds: 400)) == 0)
    }
}
