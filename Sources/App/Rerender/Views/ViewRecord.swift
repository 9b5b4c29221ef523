// SPDX-License-Identifier: MIT
// One view of a store: its name in every form that is needed, and its totals behind a lock.

import RerenderModel
import Synchronization

/// A view that a store has met; lives as long as the store.
final class ViewRecord: Sendable {
    /// The view's number in its store, from 0 without gaps.
    let index: UInt32
    let key: ViewKey
    let file: String
    let line: UInt32
    let state: Mutex<ViewState>
    /// The beginning of the key for the flight page.
    let pageKey: PageKey
    /// Where the turn's table has the view: a hint, see ``LoopTable``.
    let loopEntry = Atomic<UInt64>(.max)

    init(index: UInt32, key: ViewKey, file: String, line: UInt32, epoch: UInt32) {
        self.index = index
        self.key = key
        self.file = file
        self.line = line
        self.pageKey = PageKey(key.rawValue)
        self.state = Mutex(ViewState(epoch: epoch))
    }
}
