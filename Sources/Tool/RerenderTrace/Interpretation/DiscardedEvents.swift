// SPDX-License-Identifier: MIT
// Events that the tracer discarded: they are in no number, and the report says how many they were.

package import RerenderModel

/// Events that the tracer had no room for.
package struct DiscardedEvents: Hashable, Sendable {
    /// How many, as the tracer counted them.
    package private(set) var count: UInt64 = 0
    /// Ranges of which the tracer does not say how many.
    package private(set) var uncounted: UInt64 = 0
    /// When: the first ranges.
    package private(set) var ranges: [Range] = []

    /// A range of time in which events were discarded.
    package struct Range: Hashable, Sendable {
        package let began: Timestamp
        package let ended: Timestamp
        package let count: UInt64
    }

    mutating func add(_ range: Discarded, until nanoseconds: Int64) {
        if range.count == 0 { uncounted += 1 }
        count &+= range.count
        guard ranges.count < TraceLimits.discardedRanges else { return }
        ranges.append(
            Range(
                began: Timestamp(nanosecondsSince1970: range.sinceNanoseconds),
                ended: Timestamp(nanosecondsSince1970: nanoseconds), count: range.count))
    }
}
