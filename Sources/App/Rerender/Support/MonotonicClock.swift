// SPDX-License-Identifier: MIT
// The clock of all durations, and its relation to the wall clock.

import CRerender
import Glibc
import RerenderModel

/// The clock of all durations.
enum MonotonicClock {
    /// Nanoseconds of CLOCK_MONOTONIC, which other processes read, too: about 9 ns with the time-stamp counter, 20 ns without. Within a
    /// microsecond of the kernel's.
    ///
    /// Its map to the counter is half a millisecond old at most, and the thread that finds it older renews it. An interval goes from one
    /// map to the next without a jump, unless nobody read the clock between.
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

/// Learns the rate of the time-stamp counter between other work, so that no thread waits for it.
struct CounterCalibration {
    /// What the rate is measured from; nil where the counter is not used.
    private var first: crerender_reading?
    /// Nanoseconds per tick, as a 32.32 fixed-point number; 0 until it is known.
    private var rate: UInt64 = 0
    private var disagreements = 0
    /// Two readings 100 ms apart, each good to about 50 ns, give the rate to one part in a million.
    private static let leastNanoseconds: UInt64 = 100_000_000
    /// How often in a row the rate may differ, as after the machine slept, before the counter is not used any more.
    private static let mostDisagreements = 2

    /// Takes the first reading if the kernel vouches for the counter.
    init() { first = Self.isTrusted ? crerender_read_clocks() : nil }

    private static var isTrusted: Bool { DescriptorTable.run { crerender_counter_is_trusted() } == true }

    /// When the second reading may be taken, on ``MonotonicClock``; nil once the rate is known. It wakes the thread once, at the start
    /// of the process.
    var dueAt: UInt64? { rate == 0 ? first.map { $0.nanoseconds + Self.leastNanoseconds } : nil }

    /// Measures the rate anew once enough time has passed.
    mutating func continueIfDue() {
        guard let first else { return }
        let second = crerender_read_clocks()
        guard second.nanoseconds &- first.nanoseconds >= Self.leastNanoseconds else { return }
        take(crerender_rate(first, second))
        self.first = disagreements <= Self.mostDisagreements ? second : nil
    }

    private mutating func take(_ measured: UInt64) {
        if measured != 0, rate == 0 || Self.agree(rate, measured) {
            (rate, disagreements) = (measured, 0)
        } else {
            disagreements = Self.isTrusted ? disagreements + 1 : .max
            if disagreements > Self.mostDisagreements { rate = 0 }
        }
        crerender_set_counter_rate(rate)
    }

    /// Whether two rates are the same but for 0.1 %: the kernel bends its clock by at most half of that to follow the network's time.
    ///
    /// They differ where the machine slept between the readings, which the kernel's clock leaves out, or was moved to another one,
    /// and where the counter is bad.
    static func agree(_ rate: UInt64, _ other: UInt64) -> Bool {
        let difference = rate > other ? rate - other : other - rate
        return difference <= rate / 1_000
    }
}
