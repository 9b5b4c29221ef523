// SPDX-License-Identifier: MIT
// How the flight page and the record of the main loop name a view or a handler.

import RerenderModel
import RerenderWire
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

/// The beginning of a key as a page has it.
struct PageKey: Sendable {
    var words = InlineArray<6, UInt64>(repeating: 0)

    /// No key.
    init() {}

    init(_ key: String) {
        var at = 0
        for byte in key.prefix(utf8Bytes: LoopLayout.keyBytes).utf8 {
            // In memory the first byte is the first of the text.
            words[at / 8] |= UInt64(littleEndian: UInt64(byte) << (8 * UInt64(at % 8)))
            at += 1
        }
    }
}
