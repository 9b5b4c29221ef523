// SPDX-License-Identifier: MIT
// Writes the list of hangs in pieces, as it was at the request.

import RerenderModel
import RerenderQuery

/// A document that is made in pieces, as fast as its client reads.
protocol DocumentCursor {
    var isDone: Bool { get }
    /// The next bytes, about `size` of them; the last piece when ``isDone`` is true afterwards.
    mutating func next(size: Int) -> [UInt8]
}

/// Gives the hangs in pieces. Shares their memory with the history until that forgets them.
struct HangsCursor: DocumentCursor {
    private var hangs: ArraySlice<Hang>
    private var text = JSONText(.pretty)
    private(set) var isDone = false

    init(_ hangs: [Hang], now: Timestamp = .now) {
        self.hangs = hangs[...]
        text.openList("hangs", generatedAt: now)
    }

    mutating func next(size: Int) -> [UInt8] {
        while text.bytes.count < size, !isDone {
            if let hang = hangs.popFirst() {
                text.separate()
                text.hang(hang)
            } else {
                text.closeList()
                isDone = true
            }
        }
        return isDone ? text.take() + [UInt8(ascii: "\n")] : text.take()
    }
}
