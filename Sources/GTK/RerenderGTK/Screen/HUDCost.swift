// SPDX-License-Identifier: MIT
// What the HUD itself takes.

import Glibc

/// Adds up the processor time of the HUD's updates and events on GTK's thread.
///
/// The drawing by GSK is not in it: that is one work for the whole window.
struct HUDCost {
    /// Percents of one core since the last reading; nil before the first.
    private(set) var percent: Double?
    private var used: UInt64 = 0
    private var begin = Self.time(CLOCK_MONOTONIC)

    /// A reading is over at least so many nanoseconds.
    private static let interval: UInt64 = 1_000_000_000

    /// Begins to measure, for `add`.
    static func start() -> UInt64 { time(CLOCK_THREAD_CPUTIME_ID) }

    /// Adds what this thread took since `start`.
    mutating func add(since start: UInt64) {
        used &+= Self.start() &- start
        read()
    }

    private mutating func read() {
        let now = Self.time(CLOCK_MONOTONIC)
        guard now &- begin >= Self.interval else { return }
        percent = Double(used) / Double(now &- begin) * 100
        (used, begin) = (0, now)
    }

    /// Nanoseconds of the monotonic clock.
    static var now: UInt64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
