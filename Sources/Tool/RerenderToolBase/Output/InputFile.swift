// SPDX-License-Identifier: MIT
// Reads a file piece by piece.

import Glibc

/// Reads files and descriptors in pieces of 64 KiB.
package enum InputFile {
    /// Hands over the bytes of a file in order. Throws what `fault` makes of the error number, and what `take` throws.
    package static func read(
        _ path: String, fault: (CInt) -> ToolFailure, take: ([UInt8]) throws(ToolFailure) -> Void
    ) throws(ToolFailure) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(errno) }
        defer { close(descriptor) }
        while let piece = try next(descriptor, fault: fault) { try take(piece) }
    }

    /// The next bytes; nil at the end.
    package static func next(
        _ descriptor: CInt, fault: (CInt) -> ToolFailure
    ) throws(ToolFailure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // Proof: read() writes at most the bytes that the array has.
            let count = unsafe piece.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw fault(errno) }
            return count == 0 ? nil : Array(piece.prefix(count))
        }
    }
}
