// SPDX-License-Identifier: MIT
// Arithmetic for numbers that another process may have made up: it must not trap.

extension UInt64 {
    /// The sum, or the largest number if the sum does not fit.
    func saturatingSum(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The difference, or zero if it is negative.
    func saturatingDifference(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
