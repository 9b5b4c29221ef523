// SPDX-License-Identifier: MIT
// Times in the user's time zone, and sizes of files, as a person reads them.

import Glibc
package import RerenderModel

/// Writes times in the user's time zone.
package enum LocalTime {
    /// `14:02:11.532`, with the date before it where it is not `now`'s; ISO 8601 where the system knows no local time.
    package static func text(_ time: Timestamp, now: Timestamp = .now) -> String {
        guard let parts = Parts(time), let today = Parts(now) else { return time.iso8601 }
        let milliseconds = (time.nanosecondsSince1970 % 1_000_000_000 + 1_000_000_000) % 1_000_000_000 / 1_000_000
        let clock =
            parts.time.map { Fit.zeros(UInt64($0), 2) }.joined(separator: ":")
            + "." + Fit.zeros(UInt64(milliseconds), 3)
        guard parts.date != today.date else { return clock }
        return parts.date.map { Fit.zeros(UInt64(max(0, $0)), 2) }.joined(separator: "-") + " " + clock
    }

    /// `20261121-140211`, for names of files; in UTC where the system knows no local time.
    package static func compact(_ time: Timestamp) -> String {
        guard let parts = Parts(time) else { return String(time.iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }) }
        let texts = [parts.date, parts.time].map { $0.map { Fit.zeros(UInt64(max(0, $0)), 2) }.joined() }
        return texts.joined(separator: "-")
    }

    private struct Parts {
        let date: [CInt]
        let time: [CInt]

        init?(_ time: Timestamp) {
            var seconds = time_t(time.nanosecondsSince1970 / 1_000_000_000)
            // Both are local variables, lent for the call.
            var parts = unsafe tm()
            guard unsafe localtime_r(&seconds, &parts) != nil else { return nil }
            date = unsafe [parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday]
            self.time = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
        }
    }
}

/// Bytes as a person reads them.
package enum ByteText {
    /// `812 bytes`, `24.5 KiB`, `1.4 MiB`, `3.0 GiB`; cut and not rounded.
    package static func short(_ bytes: UInt64) -> String {
        guard bytes >= 1 << 10 else { return Counted.text(bytes, "byte") }
        let (unit, shift) = bytes >> 30 > 0 ? ("GiB", 30) : bytes >> 20 > 0 ? ("MiB", 20) : ("KiB", 10)
        let tenths = ((bytes >> UInt64(shift - 10)) * 10) >> 10
        return "\(Counted.grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
}
