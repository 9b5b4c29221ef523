// SPDX-License-Identifier: MIT
// The clock of what is measured.

import Glibc

/// CLOCK_MONOTONIC in nanoseconds.
func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
