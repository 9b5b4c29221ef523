// SPDX-License-Identifier: MIT
// Keeps what a peer can cause from filling the log.

import Logging
import NIOCore

/// Lets a few lines of each kind through in each period and says afterwards how many it kept back.
struct LogThrottle {
    /// Kinds of trouble that a peer can cause as often as it likes.
    enum Cause: String, CaseIterable {
        case refusedConnection, malformed, flightPage, processes
    }

    /// What one would still read.
    static let linesPerPeriod = 10
    static let period = TimeAmount.seconds(10)

    private struct Count {
        var began: NIODeadline
        var lines = 0
    }
    private var counts: [Cause: Count] = [:]

    /// Whether a line may be written now, and how many were kept back in the period that ended.
    mutating func admit(_ cause: Cause, now: NIODeadline) -> (isAdmitted: Bool, keptBack: Int) {
        var count = counts[cause] ?? Count(began: now)
        var keptBack = 0
        if now - count.began >= Self.period {
            keptBack = max(0, count.lines - Self.linesPerPeriod)
            count = Count(began: now)
        }
        count.lines += 1
        counts[cause] = count
        return (count.lines <= Self.linesPerPeriod, keptBack)
    }
}
