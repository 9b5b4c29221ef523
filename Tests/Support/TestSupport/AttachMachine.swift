// SPDX-License-Identifier: MIT
// Whether this machine lets tests attach to programs.

import Foundation

package enum AttachMachine {
    package static let needs = "attach is for x86-64, and the system lets no process look into another one"

    /// Whether this machine lets a program look into one that it did not start.
    package static var isPossible: Bool {
        #if arch(x86_64)
            let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
            return geteuid() == 0 || scope?.first ?? "0" == "0"
        #else
            return false
        #endif
    }
}
