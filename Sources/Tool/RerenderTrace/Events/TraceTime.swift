// SPDX-License-Identifier: MIT
// Arithmetic with times of a trace. Its clock may say anything, so no difference may trap.

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

    /// The time so much later, or the latest that there is.
    @inline(__always)
    package func later(by nanoseconds: UInt64) -> Int64 {
        let (time, overflow) = addingReportingOverflow(Int64(clamping: nanoseconds))
        return overflow ? .max : time
    }

    /// When something began that took so long and ends at this time. A time before 1970 is taken for a wrong measure: then
    /// it took no time.
    @inline(__always)
    func beginning(of nanoseconds: UInt64) -> Int64 {
        let began = earlier(by: nanoseconds)
        return began < 0 ? self : began
    }
}

extension UInt64 {
    /// The difference, or 0 where `other` is larger.
    @inline(__always)
    func minus(_ other: UInt64) -> UInt64 { self > other ? self - other : 0 }
}
