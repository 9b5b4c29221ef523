// SPDX-License-Identifier: MIT
// Ends of intervals: what can be wrong with one, and which intervals have ended.

import CShared

/// The mistakes an end can make, most telling first.
enum EndCheck: Equatable {
    case fine
    case endedTwice
    case otherSignposter
    case otherName(began: String, ended: String)

    /// The text for the developer, nil if all is well.
    var complaint: String? {
        switch self {
        case .fine: nil
        case .endedTwice: "signpost interval ended twice"
        case .otherSignposter: "signpost interval ended by another signposter than the one that began it"
        case .otherName(let began, let ended): "signpost interval \"\(began)\" ended as \"\(ended)\""
        }
    }

    /// The message of the closing event: the complaint before what the caller said.
    func message(_ message: String) -> String {
        guard let complaint else { return message }
        return message.isEmpty ? "error: \(complaint)" : "error: \(complaint); \(message)"
    }
}

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
