// SPDX-License-Identifier: MIT
// A pipe to a child process that no other child inherits.

package import Foundation
import Glibc

/// A pipe between the tests and one child process.
///
/// Foundation's `Process` closes the descriptors that it finds before it starts a child. A `Pipe` that another thread makes after that,
/// with a higher number, is inherited: the child holds it open, and its reader waits for an end of file that does not come. Both ends
/// of this one are closed on exec.
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
}

// Glibc's module leaves it out, because its header shows it under _GNU_SOURCE only.
@_silgen_name("pipe2")
private func pipe2(_ ends: UnsafeMutablePointer<CInt>, _ flags: CInt) -> CInt
