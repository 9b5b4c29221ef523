// SPDX-License-Identifier: MIT
// Events that the tracer discarded: they are in no number, and the report says how many they were.

/// Events that the tracer had no room for.
package struct DiscardedEvents: Hashable, Sendable {
    /// How many, as the tracer counted them.
    package private(set) var count: UInt64 = 0
    /// Ranges of time for which the tracer does not say how many.
    package private(set) var uncounted: UInt64 = 0

    /// Adds those of a range of time; 0 where the trace does not say how many.
    mutating func add(_ events: UInt64) {
        if events == 0 { uncounted += 1 }
        count &+= events
    }
}
