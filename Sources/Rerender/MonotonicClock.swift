// SPDX-License-Identifier: MIT
// Durations and times: one monotonic clock for the hot path, one anchor to the wall clock.

import CRerender
import Glibc
import RerenderModel

/// The clock of all durations.
enum MonotonicClock {
    /// Nanoseconds of a clock that never goes back; about 9 ns with the time-stamp counter, 20 ns without.
    @inline(__always)
    static var now: UInt64 { crerender_now() }
}

/// One moment on both clocks, with which monotonic times become wall-clock times.
struct WallClock {
    private let monotonic: UInt64
    private let nanosecondsSince1970: Int64

    /// Reads both clocks.
    init() {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        monotonic = MonotonicClock.now
        nanosecondsSince1970 = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    func time(at monotonic: UInt64) -> Timestamp {
        Timestamp(nanosecondsSince1970: nanosecondsSince1970 &+ Int64(truncatingIfNeeded: monotonic &- self.monotonic))
    }
}

/// Learns the rate of the time-stamp counter in passing, so that nobody ever waits for it.
struct CounterCalibration {
    private var first: crerender_reading?
    /// Two readings 100 ms apart, each good to about 50 ns, give the rate to one part in a million.
    private static let leastNanoseconds: UInt64 = 100_000_000

    /// Takes the first reading if the kernel vouches for the counter.
    init() {
        first = crerender_counter_is_trusted() ? crerender_read_clocks() : nil
    }

    /// When the second reading may be taken, on ``MonotonicClock``; nil once there is nothing left to learn. It wakes
    /// the thread once, at the start of the process.
    var dueAt: UInt64? { first.map { $0.nanoseconds + Self.leastNanoseconds } }

    /// Publishes the rate once enough time has passed; does nothing before and after.
    mutating func continueIfDue() {
        guard let first else { return }
        let second = crerender_read_clocks()
        guard second.nanoseconds &- first.nanoseconds >= Self.leastNanoseconds else { return }
        crerender_calibrate(first, second)
        self.first = nil
    }
}
