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

    /// Whether a descriptor can be read without waiting, now or before the deadline; nil for a deadline waits as long as it takes.
    ///
    /// Blocks: with a deadline in the future call it on a thread of its own.
    package static func isReadable(_ descriptor: CInt, until deadline: ContinuousClock.Instant?) -> Bool {
        while true {
            let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Proof: poll() changes this one value, and its count says that there is one.
            let count = unsafe poll(&wanted, 1, left == .zero ? 0 : left.map { Self.milliseconds($0) } ?? -1)
            if count > 0 { return true }
            if count == 0, left == .zero { return false }
            if count < 0, errno != EINTR { return false }
        }
    }

    /// At most a day, since poll() counts in 32 bits; rounded up, so that it does not spin in the last millisecond.
    private static func milliseconds(_ duration: Duration) -> CInt {
        let parts = min(duration, .seconds(86_400)).components
        return CInt(parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000) + 1
    }
}
