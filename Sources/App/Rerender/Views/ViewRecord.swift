// SPDX-License-Identifier: MIT
// One view of a store: its names, and its totals behind a lock.

import RerenderModel
import RerenderWire
import Synchronization

/// A view that a store has met; lives as long as the store.
final class ViewRecord: Sendable {
    /// The view's number in its store, from 0 without gaps.
    let index: UInt32
    let key: ViewKey
    let file: String
    let line: UInt32
    let state: Mutex<ViewState>
    /// What the next evaluation may take without that lock.
    let offer = PlainOffer()
    /// The view in the flight page, while it is evaluated.
    let place: LoopPlace
    /// The number of the view's store.
    var storeID: UInt32 { UInt32(truncatingIfNeeded: place.pageWord >> 32) }

    /// - Parameter phase: What an evaluation of it is: its body, or a widget's snapshot.
    init(
        storeID: UInt32, index: UInt32, key: ViewKey, file: String, line: UInt32, epoch: UInt32,
        phase: HangPhase = .body
    ) {
        self.index = index
        self.place = LoopPlace(
            pageWord: LoopLayout.word(storeID: storeID, index: index, phase: phase), pageKey: PageKey(key.rawValue))
        self.key = key
        self.file = file
        self.line = line
        self.state = Mutex(ViewState(ViewTotals(storeID: storeID, index: index, epoch: epoch), offer))
    }
}
