// SPDX-License-Identifier: MIT
// How often something happens in a second.

/// A rate as text.
package enum RateText {
    /// At most six columns: `60/s`, `0.5/s`, `1.2k/s`; `0` for none and `-` where it is not known yet.
    package static func cell(_ rate: Double?) -> String {
        guard let rate else { return "-" }
        if rate <= 0 { return "0" }
        if rate < 0.1 { return "<0.1/s" }
        for (unit, sign) in [(1, "/s"), (1e3, "k/s"), (1e6, "M/s")] where rate < 999.5 * unit {
            return (rate < 9.95 * unit ? tenths(rate / unit) : "\(Int((rate / unit).rounded()))") + sign
        }
        return ">1G/s"
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Shares of a core as text.
package enum PercentOfCore {
    /// `0.4%`; `<0.1%` for less.
    package static func text(_ percent: Double) -> String {
        let tenths = Int((max(0, min(percent, 9_999)) * 10).rounded())
        return tenths == 0 ? "<0.1%" : "\(tenths / 10).\(tenths % 10)%"
    }
}
