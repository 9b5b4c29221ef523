// SPDX-License-Identifier: MIT
// A pipe to a child process that no other child inherits.

package import Foundation
import Glibc

/// A pipe between the tests and one child process.
///
/// Both ends are closed on exec, from their beginning on. A child that inherited one would hold it open, and its reader would wait for an
/// end of file that does not come.
package struct ChildPipe {
    package let reading: FileHandle
    package let writing: FileHandle

    package init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else {
            throw ChildProcess.Failure("no pipe: \(String(cString: strerror(errno)))")
        }
        reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }

    /// Reads a pipe or a terminal to its end, piece by piece. Blocks: on a thread of its own, not of the cooperative pool.
    package static func read(_ descriptor: Int32, _ take: ([UInt8]) -> Void) {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            // Foundation's own reading ends the process when a signal interrupts it.
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            // A terminal without any process left answers EIO.
            guard count > 0 else { return }
            take(Array(piece.prefix(count)))
        }
    }
}

// Glibc's module leaves it out, because its header shows it under _GNU_SOURCE only.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<CInt>, _ flags: CInt) -> CInt
