// SPDX-License-Identifier: MIT
// Writes a long document in pieces.

import RerenderQuery

/// A document that is made in pieces, as fast as its client reads.
protocol DocumentCursor {
    /// What was written and not yet handed out.
    var text: JSONText { get set }
    var isDone: Bool { get }
    /// Writes the next element, or the end.
    mutating func step()
}

extension DocumentCursor {
    /// The next bytes, about `size` of them; the last piece when ``isDone`` is true afterwards.
    mutating func next(size: Int) -> [UInt8] {
        while text.bytes.count < size, !isDone { step() }
        // A newline, so that a shell's prompt begins on a line of its own.
        return isDone ? text.take() + [UInt8(ascii: "\n")] : text.take()
    }
}
