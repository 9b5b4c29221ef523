// SPDX-License-Identifier: MIT
// Limits how often something happens, and counts what it suppresses.

/// Admits a few events in each period, and tells the next one how many were suppressed before it. Pure.
struct RateLimit: Sendable {
    /// Events admitted in a period.
    let count: Int
    /// In nanoseconds; a period begins with its first event.
    let period: UInt64
    private var began: UInt64?
    private var admitted = 0
    private var suppressed: UInt64 = 0

    init(count: Int, period: UInt64) {
        self.count = count
        self.period = period
    }

    /// How many events were suppressed since the last one that was admitted; nil if this one is suppressed too.
    ///
    /// - Parameter now: Monotonic nanoseconds.
    mutating func admit(now: UInt64) -> UInt64? {
        if began.map({ now >= $0.saturatingSum(period) }) ?? true { (began, admitted) = (now, 0) }
        guard admitted < count else {
            suppress()
            return nil
        }
        admitted += 1
        defer { suppressed = 0 }
        return suppressed
    }

    /// Counts an event that cannot happen now.
    mutating func suppress() { suppressed = suppressed.saturatingSum(1) }
}
