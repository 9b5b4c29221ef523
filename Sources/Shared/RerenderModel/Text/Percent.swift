// SPDX-License-Identifier: MIT
// Writes shares.

/// A share of a whole.
package enum Percent {
    /// Whole percents, cut: `<1%` for a little, and `100%` for all of it alone.
    package static func text(_ part: UInt64, of whole: UInt64) -> String {
        guard whole > 0 else { return "-" }
        // What an app says may be more than its whole, by any factor.
        let percent = UInt128(part) * 100 / UInt128(whole)
        return part > 0 && percent == 0 ? "<1%" : "\(percent)%"
    }
}
