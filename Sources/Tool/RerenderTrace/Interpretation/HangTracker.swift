// SPDX-License-Identifier: MIT
// Hangs as a daemon tells them, each with the turn that it was.

internal import CShared

/// Hangs as they are told. The turn that a hang was may end in the trace before the hang does, or right after it.
struct HangTracker: Sendable {
    /// The latest event of a hang, and the process of the daemon that told it. The hang began with its turn, where that
    /// is known; the turn is nil where none in the trace is as long.
    typealias Told = (event: HangEvent, daemon: Int32, began: Int64, isOpen: Bool, turn: ClosedTurn?)

    /// The newest hangs.
    private(set) var all: [Told] = []
    /// Hangs beyond ``TraceLimits/hangs``.
    private(set) var forgotten: UInt64 = 0
    /// Whether a daemon was recorded.
    private(set) var hasAny = false

    mutating func begin(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64) {
        hasAny = true
        append((event, daemon, nanoseconds.earlier(by: event.age_ns), true, nil))
    }

    /// Ends a hang and returns it; nil for one of no duration, which turned out to be none.
    ///
    /// `turn` is the turn that it was, where that is known already.
    mutating func end(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64, turn: ClosedTurn?) -> Told? {
        hasAny = true
        let open = all.lastIndex { $0.isOpen && $0.daemon == daemon && $0.event.signpost_id == event.signpost_id }
        guard event.duration_ns > 0 else {
            if let open { all.remove(at: open) }
            return nil
        }
        let age = event.age_ns > 0 ? event.age_ns : event.duration_ns
        let hang: Told = (event, daemon, turn?.began ?? nanoseconds.earlier(by: age), false, turn)
        if let open { all[open] = hang } else { append(hang) }
        return hang
    }

    /// Offers a turn that has just ended to a hang whose turn is not known; true if it was that hang.
    mutating func offer(_ turn: ClosedTurn) -> Bool {
        guard
            let index = all.lastIndex(where: {
                !$0.isOpen && $0.turn == nil && $0.event.process == turn.pid && turn.distance(to: $0.event) != nil
            })
        else { return false }
        all[index].turn = turn
        all[index].began = turn.began ?? all[index].began
        return true
    }

    private mutating func append(_ hang: Told) {
        if all.count == TraceLimits.hangs {
            all.removeFirst()
            forgotten += 1
        }
        all.append(hang)
    }
}
