// SPDX-License-Identifier: MIT
// Numbers of copies and of their stores: those of all copies of the library in a process are different.

import CRerender

/// How the numbers of stores are divided among the copies of the library in a process.
///
/// A trace and a flight page name views by the numbers of their stores, and know nothing of copies.
enum CopyNumber {
    /// Copies below that number have a flight page that tells them apart; those above have none.
    static let copiesWithPage: UInt32 = 2_048
    /// A million stores for each of 4,096 copies. After those a store may have the number of another copy's.
    private static let bits: UInt32 = 20

    static func first(ofCopy copy: UInt32) -> UInt32 { copy << bits }

    static func copy(of storeID: UInt32) -> UInt32 { storeID >> bits }

    /// For a copy that could make no page: a number that comes from where its code lies.
    static var copyWithoutPage: UInt32 {
        copiesWithPage + UInt32(truncatingIfNeeded: mixed(UInt64(crerender_own_address()))) % copiesWithPage
    }
}
