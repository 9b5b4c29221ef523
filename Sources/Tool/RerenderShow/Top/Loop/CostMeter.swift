// SPDX-License-Identifier: MIT
// Measures the processor time of `top` itself.

import Glibc

/// Measures our own processor time between two readings.
struct CostMeter: Sendable {
    private var last: (used: Duration, at: ContinuousClock.Instant)?
    private var latest: Double?

    /// Right after a key a moment's work would look like a load.
    private static let leastWindow = Duration.milliseconds(900)

    /// The share of one core over a second or so; nil before that.
    mutating func read() -> Double? { read(used: Self.used, now: .now) }

    mutating func read(used: Duration, now: ContinuousClock.Instant) -> Double? {
        guard let last else {
            self.last = (used, now)
            return nil
        }
        guard now - last.at >= Self.leastWindow else { return latest }
        latest = (used - last.used) / (now - last.at) * 100
        self.last = (used, now)
        return latest
    }

    private static var used: Duration {
        var usage = rusage()
        // Fills the one value that it is given.
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return .zero }
        return time(usage.ru_utime) + time(usage.ru_stime)
    }

    private static func time(_ value: timeval) -> Duration {
        .seconds(value.tv_sec) + .microseconds(value.tv_usec)
    }
}
