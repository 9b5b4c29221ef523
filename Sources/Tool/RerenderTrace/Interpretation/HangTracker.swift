// SPDX-License-Identifier: MIT
// Hangs as a daemon tells them, each with the turn that it was.

internal import CSignpost

/// A hang that a daemon told.
struct TracedHang: Sendable {
    let event: HangEvent
    /// The daemon's process.
    let daemon: Int32
    /// When it began: with its turn, where that is known.
    fileprivate(set) var began: Int64
    /// When the daemon told its end; nil while it is open.
    var told: Int64?
    /// The turn that it was; nil where none in the trace is as long.
    fileprivate(set) var turn: ClosedTurn?
}

/// Hangs as they are told. The turn that a hang was may end in the trace before the hang does, or right after it.
struct HangTracker: Sendable {
    /// The newest hangs.
    private(set) var all: [TracedHang] = []
    /// Hangs beyond ``TraceLimits/hangs``.
    private(set) var forgotten: UInt64 = 0
    /// Whether a daemon was recorded.
    private(set) var hasAny = false

    mutating func begin(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64) {
        hasAny = true
        append(TracedHang(event: event, daemon: daemon, began: nanoseconds.earlier(by: event.age_ns)))
    }

    /// Ends a hang and returns it; nil for one of no duration, which turned out to be none.
    ///
    /// `turn` is the turn that it was, where that is known already.
    mutating func end(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64, turn: ClosedTurn?) -> TracedHang? {
        hasAny = true
        let open = all.lastIndex { $0.told == nil && $0.daemon == daemon && $0.event.signpost_id == event.signpost_id }
        guard event.duration_ns > 0 else {
            if let open { all.remove(at: open) }
            return nil
        }
        let age = event.age_ns > 0 ? event.age_ns : event.duration_ns
        let began = turn?.began ?? nanoseconds.earlier(by: age)
        let hang = TracedHang(event: event, daemon: daemon, began: began, told: nanoseconds, turn: turn)
        if let open { all[open] = hang } else { append(hang) }
        return hang
    }

    /// Offers a turn that has just ended to a hang whose turn is not known; true if it was that hang.
    mutating func offer(_ turn: ClosedTurn) -> Bool {
        guard
            let index = all.lastIndex(where: {
                $0.told != nil && $0.turn == nil && $0.event.process == turn.pid
                    && turn.distance(to: $0.event) != nil
            })
        else { return false }
        all[index].turn = turn
        all[index].began = turn.began ?? all[index].began
        return true
    }

    private mutating func append(_ hang: TracedHang) {
        if all.count == TraceLimits.hangs {
            all.removeFirst()
            forgotten += 1
        }
        all.append(hang)
    }
}
