// SPDX-License-Identifier: MIT
// Reckoning with times of a trace: its clock may say anything, so no difference may trap.

extension Int64 {
    /// Nanoseconds from an earlier time to this one, exact however far apart they are; 0 where that one is later.
    @inline(__always)
    package func nanoseconds(since earlier: Int64) -> UInt64 {
        self > earlier ? UInt64(bitPattern: self &- earlier) : 0
    }

    /// The time so much earlier, or the earliest that there is.
    @inline(__always)
    package func earlier(by nanoseconds: UInt64) -> Int64 {
        let (time, overflow) = subtractingReportingOverflow(Int64(clamping: nanoseconds))
        return overflow ? .min : time
    }
}
