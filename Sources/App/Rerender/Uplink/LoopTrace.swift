// SPDX-License-Identifier: MIT
// Decides when the app tells recordings of stores and the main loop. A pure state machine; its caller passes the time.

/// Decides when ``LoopSignposts`` are due.
///
/// While a session records, that is once at first, and later at most once in ``StoreLimits/loopTraceNanoseconds`` while something is
/// counted. The last time comes after the last count, so that a recording lags behind by no more. Without a session nothing is due.
struct LoopTrace {
    private var isPending = true
    private var nextAt: UInt64 = 0
    private var threadsAt: UInt64 = 0

    /// Something was counted.
    mutating func changed() { isPending = true }

    /// When something will be due; nil while nothing is to come.
    ///
    /// - Parameter isRecorded: Whether a session records it.
    func dueAt(isRecorded: Bool) -> UInt64? { isPending && isRecorded ? nextAt : nil }

    /// Notes that the app tells recordings now.
    ///
    /// - Parameter isEnding: Whether it is the last time.
    /// - Returns: Whether to tell of other threads, too, which takes longer to find out.
    mutating func told(at now: UInt64, isEnding: Bool = false) -> Bool {
        isPending = false
        nextAt = now + StoreLimits.loopTraceNanoseconds
        guard isEnding || now >= threadsAt else { return false }
        threadsAt = now + StoreLimits.threadTraceNanoseconds
        return true
    }
}
