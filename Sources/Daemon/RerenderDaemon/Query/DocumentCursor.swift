// SPDX-License-Identifier: MIT
// Writes a long document in pieces.

internal import NIOCore
import RerenderQuery

/// A document that is made in pieces, as fast as its client reads.
protocol DocumentCursor {
    /// What was written and not yet handed out.
    var text: JSONText { get set }
    var isDone: Bool { get }
    /// Whether it cannot be completed.
    var isBroken: Bool { get }
    /// How many elements the document has at most, each of some kilobytes.
    var elements: Int { get }
    /// Writes the next element or the end, or does a part of the work before it. Takes a fraction of a millisecond.
    mutating func step()
}

extension DocumentCursor {
    var isBroken: Bool { false }

    /// Goes on until there are about `size` bytes to hand out, or the document is done, or that time has come. True if it stopped
    /// for one of the first two.
    mutating func advance(size: Int, until end: NIODeadline = .distantFuture) -> Bool {
        while text.bytes.count < size, !isDone, !isBroken {
            step()
            if NIODeadline.now() >= end { return text.bytes.count >= size || isDone || isBroken }
        }
        return true
    }

    /// Hands out what was written; the last piece when ``isDone`` is true.
    mutating func take() -> [UInt8] {
        var bytes = text.take()
        // A newline, so that a shell's prompt begins on a line of its own.
        if isDone { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    /// The next bytes, about `size` of them; the last piece when ``isDone`` is true afterwards.
    mutating func next(size: Int) -> [UInt8] {
        _ = advance(size: size)
        return take()
    }
}
