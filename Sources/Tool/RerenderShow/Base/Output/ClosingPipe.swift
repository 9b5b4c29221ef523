// SPDX-License-Identifier: MIT
// Makes pipes that child processes do not inherit. Contains unsafe code.

import Glibc

/// Makes pipes with close-on-exec. A child gets an end only if it is passed explicitly.
///
/// In one step: a program that another thread starts between `pipe` and `fcntl` would hold the end open, and the reader would
/// wait for it.
package enum ClosingPipe {
    /// Both ends; nil where the system has no descriptor left, with `errno` saying why.
    package static func open() -> (read: CInt, write: CInt)? {
        var ends: (CInt, CInt) = (-1, -1)
        // pipe2() fills the two numbers of the tuple, which are beside one another.
        let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
            unsafe bytes.baseAddress.map { unsafe pipe2($0, O_CLOEXEC) } ?? -1
        }
        return result == 0 ? (ends.0, ends.1) : nil
    }
}

// Glibc's module leaves it out, because its header shows it under _GNU_SOURCE only.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutableRawPointer, _ flags: CInt) -> CInt
