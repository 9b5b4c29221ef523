// SPDX-License-Identifier: MIT
// The beginning of a time, as `--since` and the query API have it.

package import RerenderModel

/// `10m`, `90s`, `2h`, `3d`, or a time in ISO 8601.
package struct SinceTime: Hashable, Sendable {
    private enum Kind: Hashable {
        case ago(seconds: Int64)
        case at(Timestamp)
    }

    private let kind: Kind

    /// Reads a text; nil if it is none of these.
    package init?(argument: String) {
        if let time = Timestamp(typed: argument) {
            kind = .at(time)
        } else if let unit = argument.last, let seconds = Self.units[unit], let number = Int64(argument.dropLast()),
            (0...100_000).contains(number)
        {
            kind = .ago(seconds: number * seconds)
        } else {
            return nil
        }
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// When that is; a time that is relative is one before `now`.
    package func time(now: Timestamp = .now) -> Timestamp {
        switch kind {
        case .ago(let seconds):
            Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 - seconds * 1_000_000_000)
        case .at(let time): time
        }
    }
}
