// SPDX-License-Identifier: MIT
import Glibc

/// Ends with the status of a check that did not hold.
func fatalExit() -> Never { exit(1) }
