// SPDX-License-Identifier: MIT
// How late the watchdog woke up, in a fixed number of counters.

/// Counts durations in buckets a quarter of a power of two wide, so that a percentile is at most 19 % too high.
struct LatenessHistogram: Hashable, Sendable {
    private var counts = [UInt32](repeating: 0, count: Self.buckets)
    private(set) var count: UInt64 = 0
    private(set) var max: UInt64 = 0

    /// Up to an hour; later ones are in the last bucket, and ``max`` is exact.
    private static let buckets = 42 * 4

    init() {}

    mutating func add(_ nanoseconds: UInt64) {
        let bucket = Self.bucket(of: nanoseconds)
        // Halved when full, so that the newer half of the watch always has its say.
        if counts[bucket] == .max { halve() }
        counts[bucket] += 1
        count += 1
        max = Swift.max(max, nanoseconds)
    }

    private mutating func halve() {
        for index in counts.indices { counts[index] /= 2 }
    }

    /// The duration that a share of all did not exceed; 0 if there is none.
    func percentile(_ percent: UInt64) -> UInt64 {
        let total = counts.reduce(UInt64(0)) { $0 + UInt64($1) }
        guard total > 0 else { return 0 }
        let rank = (total * percent + 99) / 100
        var seen: UInt64 = 0
        for (bucket, number) in counts.enumerated() {
            seen += UInt64(number)
            if seen >= rank { return Swift.min(Self.upperBound(of: bucket), max) }
        }
        return max
    }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= 4 else { return Int(value) }
        let power = 63 - value.leadingZeroBitCount
        let quarter = Int(value >> UInt64(power - 2)) & 3
        return Swift.min(buckets - 1, (power - 1) * 4 + quarter)
    }

    private static func upperBound(of bucket: Int) -> UInt64 {
        guard bucket >= 4 else { return UInt64(bucket) }
        let (power, quarter) = (bucket / 4 + 1, UInt64(bucket % 4))
        return ((4 + quarter + 1) << UInt64(power - 2)) - 1
    }
}
