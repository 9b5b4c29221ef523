// SPDX-License-Identifier: MIT
// The key of a view in the form that the flight page uses.

import RerenderWire

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
