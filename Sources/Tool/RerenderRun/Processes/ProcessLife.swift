// SPDX-License-Identifier: MIT
// Tells whether a process exists.

import Glibc

/// Asks the kernel about other processes.
package enum ProcessLife {
    /// Whether there is a process of that number, a zombie included.
    package static func isAlive(_ pid: Int32) -> Bool {
        kill(pid, 0) == 0 || errno != ESRCH
    }
}
