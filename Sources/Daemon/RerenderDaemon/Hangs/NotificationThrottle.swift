// SPDX-License-Identifier: MIT
// Keeps notifications from flooding a desktop.

/// Lets one notification through in each period, and tells the next one how many were kept back. Pure.
struct NotificationThrottle: Sendable {
    /// What one can read without being kept from work; desktops show a notification for about five seconds.
    static let period: UInt64 = 10_000_000_000

    private var last: UInt64?
    private var waiting: UInt64 = 0

    /// How many were kept back since the last one, if one may be shown now; nil if this one is kept back too.
    ///
    /// - Parameter now: Monotonic nanoseconds.
    mutating func admit(now: UInt64) -> UInt64? {
        if let last, now < last &+ Self.period {
            keepBack()
            return nil
        }
        last = now
        defer { waiting = 0 }
        return waiting
    }

    /// Counts one that cannot be shown.
    mutating func keepBack() {
        waiting = waiting == .max ? .max : waiting + 1
    }

    /// Begins anew: whoever switches notifications on again is not told of those before.
    mutating func reset() {
        self = NotificationThrottle()
    }
}
