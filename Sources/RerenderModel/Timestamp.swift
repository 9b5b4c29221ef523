// SPDX-License-Identifier: MIT
// A wall-clock time that travels as ISO 8601 with milliseconds.

public import FoundationEssentials

/// A point in wall-clock time, in nanoseconds since 1970-01-01T00:00:00Z.
///
/// In JSON it is an ISO 8601 string in UTC with milliseconds (`2026-11-20T22:45:00.123Z`), so that a round trip
/// through JSON keeps milliseconds and drops what is finer.
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Nanoseconds since the Unix epoch.
    public let nanosecondsSince1970: Int64

    /// Makes a time from nanoseconds since the Unix epoch.
    public init(nanosecondsSince1970: Int64) {
        self.nanosecondsSince1970 = nanosecondsSince1970
    }

    /// Makes a time from a `Date`, rounded to microseconds (a `Date` near today holds no more).
    public init(_ date: Date) {
        let seconds = date.timeIntervalSince1970
        let bounded = min(max(seconds, -9_000_000_000), 9_000_000_000)
        self.nanosecondsSince1970 = Int64((bounded * 1_000_000).rounded()) * 1_000
    }

    /// The time now, from the system's real-time clock.
    public static var now: Timestamp { Timestamp(Date()) }

    /// The same time as a `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(nanosecondsSince1970) / 1_000_000_000) }

    /// Earlier times are smaller.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool {
        lhs.nanosecondsSince1970 < rhs.nanosecondsSince1970
    }

    /// The time as ISO 8601 in UTC with milliseconds, cut and not rounded.
    public var iso8601: String {
        let milliseconds = nanosecondsSince1970.flooredQuotient(by: 1_000_000)
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        // A Date is binary and its style cuts, so the half millisecond keeps .123 from being shown as .122.
        return (date + 0.000_5).formatted(Self.style)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Reads ISO 8601 with milliseconds; throws `DecodingError.dataCorrupted` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = try? Self.style.parse(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is not an ISO 8601 time with milliseconds")
        }
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        self.nanosecondsSince1970 = Int64(milliseconds) * 1_000_000
    }

    /// Writes ``iso8601``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(iso8601)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
