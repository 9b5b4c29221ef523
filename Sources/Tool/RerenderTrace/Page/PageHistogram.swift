// SPDX-License-Identifier: MIT
// How often a body took how long, in logarithmic buckets that a person can read.

/// Counts by duration: 1, 2 and 5 times each power of ten.
package struct PageHistogram: Hashable, Encodable, Sendable {
    /// Where each bucket begins, in nanoseconds; the last has no end.
    package static let bounds: [UInt64] =
        [0]
        + (2...9).flatMap { power in
            let unit = (0..<power).reduce(UInt64(1)) { value, _ in value * 10 }
            return [unit, unit * 2, unit * 5]
        } + [10_000_000_000]

    private var counts: [UInt64] = []

    /// Whether nothing was counted.
    package var isEmpty: Bool { counts.isEmpty }

    /// Counts nothing yet.
    package init() {}

    /// Counts one duration.
    package mutating func count(_ nanoseconds: UInt64) {
        if counts.isEmpty { counts = [UInt64](repeating: 0, count: Self.bounds.count) }
        counts[Self.bucket(of: nanoseconds)] += 1
    }

    /// The counted durations of one bucket.
    package subscript(bucket: Int) -> UInt64 { counts.isEmpty ? 0 : counts[bucket] }

    /// The bucket in which a duration is.
    package static func bucket(of nanoseconds: UInt64) -> Int { bounds.lastIndex { $0 <= nanoseconds } ?? 0 }

    /// Pairs of a bucket and its count, without empty ones.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (bucket, count) in counts.enumerated() where count > 0 {
            try container.encode([UInt64(bucket), count])
        }
    }
}
