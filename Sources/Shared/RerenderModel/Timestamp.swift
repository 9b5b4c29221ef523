// SPDX-License-Identifier: MIT
// A wall-clock time that travels as ISO 8601 with milliseconds.

public import FoundationEssentials

/// A point in wall-clock time, in nanoseconds since 1970-01-01T00:00:00Z.
///
/// In JSON it is an ISO 8601 string in UTC with milliseconds (`2026-11-20T22:45:00.123Z`), so that a round trip
/// through JSON keeps milliseconds and drops what is finer.
public struct Timestamp: Hashable, Comparable, Codable, Sendable, BitwiseCopyable {
    /// Nanoseconds since the Unix epoch.
    public let nanosecondsSince1970: Int64

    /// Makes a time from nanoseconds since the Unix epoch.
    package init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Makes a time from a `Date`, rounded to microseconds (a `Date` near today holds no more).
    package init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let bounded = min(max(seconds, -9_000_000_000), 9_000_000_000)
        self.nanosecondsSince1970 = Int64((bounded * 1_000_000).rounded()) * 1_000
    }

    /// The time now, from the system's real-time clock.
    package static var now: Timestamp { Timestamp(Date()) }

    /// The same time as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(nanosecondsSince1970) / 1_000_000_000) }

    /// Nanoseconds from an earlier time to this one, negative from a later one; the farthest that fits for times that are
    /// farther apart.
    package func nanoseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = nanosecondsSince1970.subtractingReportingOverflow(earlier.nanosecondsSince1970)
        guard overflow else { return difference }
        return self < earlier ? .min : .max
    }

    /// Earlier times are smaller.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.nanosecondsSince1970 < rhs.nanosecondsSince1970
    }

    /// The time as ISO 8601 in UTC with milliseconds, cut and not rounded.
    public var iso8601: String {
        let (quotient, remainder) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000)
        let milliseconds = Double(remainder < 0 ? quotient - 1 : quotient)
        // A tenth of one more: a `Date` has no exact one, and a style may cut it or round it.
        return Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_1).formatted(Self.style)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Reads what people type: ISO 8601 with a time zone, with or without a fraction; nil for anything else.
    package init?(typed text: String) {
        guard let date = (try? Self.style.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) else {
            return nil
        }
        self.init(date)
    }

    /// Reads ISO 8601 with milliseconds; throws `DecodingError.dataCorrupted` for any other text.
    ///
    /// A time outside of the years 1677 to 2262, which this type cannot hold, becomes the nearest that it can.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = try? Self.style.parse(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an ISO 8601 time with milliseconds")
        }
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let (nanoseconds, isOverflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        self.nanosecondsSince1970 = isOverflow ? (milliseconds < 0 ? .min : .max) : nanoseconds
    }

    /// Writes ``iso8601``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}
