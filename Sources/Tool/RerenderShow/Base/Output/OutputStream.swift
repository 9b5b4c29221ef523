// SPDX-License-Identifier: MIT
// Descriptors: writes to them without a buffer, reads them piece by piece, and asks for the size of a terminal.

import Glibc
import RerenderModel

/// A descriptor that text goes to.
package struct OutputStream: Sendable {
    package let descriptor: CInt

    package static let standardOutput = OutputStream(descriptor: STDOUT_FILENO)
    static let standardError = OutputStream(descriptor: STDERR_FILENO)

    /// The reader of the pipe is gone. Not an error: the process ends silently.
    package struct ReaderGone: Error {}

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

/// The size of a terminal, or an assumed one.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var lines: Int

    package init(columns: Int, lines: Int) {
        (self.columns, self.lines) = (columns, lines)
    }

    /// Where nothing says how wide the output is.
    package static let fallback = TerminalSize(columns: 80, lines: 24)
    /// Wide enough that nothing is cut.
    package static let unlimitedColumns = 100_000

    /// `$COLUMNS` and `$LINES` where they are set, else what the terminal says, else 80 by 24.
    ///
    /// Widths outside of 20...1000 are ignored.
    ///
    /// - Parameter columns: What takes the place of the 80.
    package static func of(
        _ stream: OutputStream, columns otherwise: Int = fallback.columns,
        environment: (String) -> String? = { environmentVariable($0) }
    ) -> TerminalSize {
        let asked = ask(stream.descriptor)
        let columns =
            plausible(environment("COLUMNS").flatMap { Int($0) }, 20...1_000) ?? plausible(asked?.columns, 20...1_000)
        let lines = plausible(environment("LINES").flatMap { Int($0) }, 5...1_000) ?? plausible(asked?.lines, 5...1_000)
        return TerminalSize(columns: columns ?? otherwise, lines: lines ?? fallback.lines)
    }

    private static func plausible(_ number: Int?, _ range: ClosedRange<Int>) -> Int? {
        number.flatMap { range.contains($0) ? $0 : nil }
    }

    private static func ask(_ descriptor: CInt) -> TerminalSize? {
        var size = winsize()
        // TIOCGWINSZ writes one winsize, which is what it is given.
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), lines: Int(size.ws_row))
    }
}
