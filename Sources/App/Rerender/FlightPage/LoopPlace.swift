// SPDX-License-Identifier: MIT
// What the record of the main loop knows a view or a handler by.

import Synchronization

/// A view or a handler as the flight page names it, with its entry in the turn's table.
struct LoopPlace: ~Copyable, Sendable {
    /// Its store and its number.
    let pageWord: UInt64
    /// The beginning of its name.
    let pageKey: PageKey
    /// Where the turn's table has it: a hint, see ``LoopTable``.
    let entry = Atomic<UInt64>(.max)

    init(pageWord: UInt64, pageKey: PageKey) {
        self.pageWord = pageWord
        self.pageKey = pageKey
    }
}

/// What time of the main loop goes to beside a view's evaluations: another phase of a view, or an event handler.
final class TimedPlace: Sendable {
    let place: LoopPlace

    init(pageWord: UInt64, pageKey: PageKey) {
        place = LoopPlace(pageWord: pageWord, pageKey: pageKey)
    }
}
