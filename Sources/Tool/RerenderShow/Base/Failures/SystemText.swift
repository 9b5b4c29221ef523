// SPDX-License-Identifier: MIT
// The system's names of its errors.

import Glibc

/// Names errors of the system.
package enum SystemText {
    /// `No such file or directory` for `ENOENT`.
    package static func of(_ number: CInt) -> String {
        // strerror_r fills our own buffer, or returns a constant of its own: both outlive the copy made here.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let start = buffer.baseAddress, unsafe strerror_r(number, start, 255) == 0 else {
                return "error \(number)"
            }
            return unsafe String(cString: start)
        }
    }

    /// The text for the calling thread's latest error.
    package static var latest: String { of(errno) }
}
