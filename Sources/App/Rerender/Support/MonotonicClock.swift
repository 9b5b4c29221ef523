// SPDX-License-Identifier: MIT
// The clock of all durations, and its relation to the wall clock.

import CRerender
import Glibc
import RerenderModel
import RerenderSymbols

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

/// Learns the rate of the time-stamp counter between other work, so that no thread waits for it.
struct CounterCalibration {
    private var first: crerender_reading?
    private var previous: (counter: UInt64, kernel: UInt64)?
    /// Two readings 100 ms apart, each good to about 50 ns, give the rate to one part in a million.
    private static let leastNanoseconds: UInt64 = 100_000_000

    /// Takes the first reading if the kernel vouches for the counter.
    init() {
        first = DescriptorTable.run { crerender_counter_is_trusted() } == true ? crerender_read_clocks() : nil
    }

    /// When the second reading may be taken, on ``MonotonicClock``; nil once there is nothing left to learn. It wakes
    /// the thread once, at the start of the process.
    var dueAt: UInt64? { first.map { $0.nanoseconds + Self.leastNanoseconds } }

    /// Publishes the rate once enough time has passed, and from then on sees to it that the counter keeps it.
    mutating func continueIfDue() {
        if let first {
            let second = crerender_read_clocks()
            guard second.nanoseconds &- first.nanoseconds >= Self.leastNanoseconds else { return }
            crerender_calibrate(first, second)
            self.first = nil
            previous = (MonotonicClock.now, crerender_monotonic())
        } else if let previous {
            let current = (counter: MonotonicClock.now, kernel: crerender_monotonic())
            if !Self.agree(current.counter &- previous.counter, current.kernel &- previous.kernel) {
                crerender_distrust_counter()
                self.previous = nil
            } else {
                self.previous = current
            }
        }
    }

    /// Whether the same stretch of time, taken with both clocks, is the same but for 0.1 % (the kernel bends its clock by
    /// at most half of that to follow the network's time) and a millisecond (we may be interrupted between the two).
    ///
    /// They differ after the machine slept, which the kernel's clock leaves out, and where the counter turned out bad.
    static func agree(_ counter: UInt64, _ kernel: UInt64) -> Bool {
        let difference = counter > kernel ? counter - kernel : kernel - counter
        return difference <= kernel / 1_000 + 1_000_000
    }
}
