// SPDX-License-Identifier: MIT
// The end of a process as something that `poll` tells.

internal import Glibc

/// A descriptor that is readable once a process has ended: all of its threads, and whether its parent has waited for it or not.
///
/// A thousand of them are one question to the kernel. To read as much in `/proc` takes tens of milliseconds.
package final class ProcessEnd: Sendable {
    private let descriptor: Descriptor

    /// Nil where there is no such process, where the kernel or a sandbox gives no such descriptor, and where there is none left.
    ///
    /// - Parameter pid: The process's number as the kernel gave it; 0 is one of a foreign pid namespace.
    package init?(of pid: Int32) {
        guard pid > 0, let open = Self.open else { return nil }
        // The kernel closes it on `exec` without being told.
        let number = open(pid, 0)
        guard number >= 0 else { return nil }
        descriptor = Descriptor(owning: number)
    }

    package var number: CInt { descriptor.number }

    private typealias Open = @convention(c) (pid_t, UInt32) -> CInt

    /// `pidfd_open`, which Glibc's module does not have, and older C libraries neither.
    private static let open: Open? = {
        guard let symbol = unsafe dlsym(nil, "pidfd_open") else { return nil }
        // Safe: that is the function's type (pidfd_open(2)).
        return unsafe unsafeBitCast(symbol, to: Open.self)
    }()
}
