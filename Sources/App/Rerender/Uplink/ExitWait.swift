// SPDX-License-Identifier: MIT
// How long an app may wait at exit until its counts are sent.

import RerenderModel

/// The wait of the last flush.
enum ExitWait {
    /// In this process: ``StoreLimits/exitNanoseconds``, or what `RERENDER_WAIT_AT_EXIT` says, for runs whose counts must
    /// all arrive, however busy the machine is. The wait is over as soon as they have.
    static let nanoseconds = nanoseconds(environmentVariable("RERENDER_WAIT_AT_EXIT"))

    /// - Parameter text: Milliseconds, 1 to ``StoreLimits/longestExitMilliseconds``; anything else is as if it was not set.
    static func nanoseconds(_ text: String?) -> UInt64 {
        guard let milliseconds = text.flatMap(UInt64.init), milliseconds > 0,
            milliseconds <= StoreLimits.longestExitMilliseconds
        else { return StoreLimits.exitNanoseconds }
        return milliseconds * 1_000_000
    }
}
