// SPDX-License-Identifier: MIT
// Whether this machine lets tests attach to programs.

import Foundation

package enum AttachMachine {
    package static let needs = "attach is for x86-64, and the system lets no process look into another one"

    /// How long an attach may stop a program's main thread, as it says.
    package static let mostMilliseconds = 100

    /// For how many milliseconds at most an attach says that it stopped the main thread; nil where it says nothing of it.
    package static func stopped(in text: String) -> Int? {
        text.firstMatch(of: #/stopped for at most\s+([0-9]+)\s+ms/#).flatMap { Int($0.1) }
    }

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
