// SPDX-License-Identifier: MIT
// Writes the list of hangs in pieces.

import RerenderModel
import RerenderQuery

/// Gives the hangs in pieces, each as it is when its turn comes. Leaves out what was forgotten before.
struct HangsCursor: DocumentCursor {
    private var hangs: ArraySlice<UInt64>
    private let find: (UInt64) -> Hang?
    var text = JSONText(.pretty)
    private(set) var isDone = false
    let elements: Int

    /// - Parameter find: gives a hang by its number; nil if it was forgotten.
    init(_ hangs: [Hang], now: Timestamp = .now, find: @escaping (UInt64) -> Hang?) {
        self.hangs = hangs.map(\.id)[...]
        self.find = find
        elements = hangs.count
        text.openList("hangs", generatedAt: now)
    }

    mutating func step() {
        if let id = hangs.popFirst() {
            guard let hang = find(id) else { return }
            text.separate()
            text.hang(hang)
        } else {
            text.closeList()
            isDone = true
        }
    }
}
