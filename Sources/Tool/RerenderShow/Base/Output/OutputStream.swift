// SPDX-License-Identifier: MIT
// Writes to a descriptor without a buffer.

import Glibc

/// A descriptor that text goes to.
package struct OutputStream: Sendable {
    package let descriptor: CInt

    package static let standardOutput = OutputStream(descriptor: STDOUT_FILENO)
    static let standardError = OutputStream(descriptor: STDERR_FILENO)

    /// The reader of the pipe is gone. Not an error: the process ends silently.
    package struct ReaderGone: Error {}

    /// Whether it is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all of the bytes, and waits where the other end is slow.
    ///
    /// Throws ``ReaderGone`` when a pipe's reader has gone, ``ToolFailure`` for any other error.
    package func write(_ bytes: [UInt8]) throws {
        // The pointer stays within the closure, and `done` within the buffer because write() never returns more
        // than it was given.
        try unsafe bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 { done += count } else { try waitOrThrow(errno) }
            }
        }
    }

    /// Writes a text.
    package func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    private func waitOrThrow(_ error: CInt) throws {
        switch error {
        case EINTR: return
        case EAGAIN:
            var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&wanted, 1, -1)
        case EPIPE: throw ReaderGone()
        default: throw ToolFailure(ExitStatus.inputOutput, "cannot write the output: \(SystemText.of(error))")
        }
    }
}
