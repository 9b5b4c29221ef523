// SPDX-License-Identifier: MIT
// Writes the list of hangs in pieces, as it was at the request.

import RerenderModel
import RerenderQuery

/// Gives the hangs in pieces. Shares their memory with the history until that forgets them.
struct HangsCursor: DocumentCursor {
    private var hangs: ArraySlice<Hang>
    var text = JSONText(.pretty)
    private(set) var isDone = false
    let elements: Int

    init(_ hangs: [Hang], now: Timestamp = .now) {
        self.hangs = hangs[...]
        elements = hangs.count
        text.openList("hangs", generatedAt: now)
    }

    mutating func step() {
        if let hang = hangs.popFirst() {
            text.separate()
            text.hang(hang)
        } else {
            text.closeList()
            isDone = true
        }
    }
}
