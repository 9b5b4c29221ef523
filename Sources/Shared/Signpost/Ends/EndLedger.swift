// SPDX-License-Identifier: MIT
// Which of the latest intervals have ended: what tells that one ends twice, without an object for each.

import CShared

/// Numbers intervals and remembers the ends of the latest ``CSIGNPOST_LEDGER_SIZE``.
///
/// Of one that began before those it is not known whether it has ended, and then it is believed to end for the first
/// time: a complaint is always right, and one may be missing.
enum EndLedger {
    /// The number of an interval that begins.
    static func open() -> UInt64 { csignpost_ledger_open() }

    /// False if it is known to have ended before.
    static func close(_ serial: UInt64) -> Bool { csignpost_ledger_close(serial) != 0 }
}
