// SPDX-License-Identifier: MIT
// What the tool itself uses of a processor.

import Glibc

/// Measures our own processor time between two readings.
struct CostMeter: Sendable {
    private var last: (used: Duration, at: ContinuousClock.Instant)?

    /// The share of one core since the reading before; nil for the first.
    mutating func read() -> OwnCost? {
        let (used, now) = (Self.used, ContinuousClock.now)
        defer { last = (used, now) }
        guard let last, now > last.at else { return nil }
        return OwnCost(percent: (used - last.used) / (now - last.at) * 100)
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
