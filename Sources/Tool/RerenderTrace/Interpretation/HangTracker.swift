// SPDX-License-Identifier: MIT
// Hangs of a trace: what the daemon said of them, and what ran inside.

internal import RerenderModel

/// Hangs as they are told. The turn that a hang was may be in the trace before the hang's end, or right after it.
struct HangTally: Sendable {
    private struct Told: Sendable {
        var event: HangEvent
        let daemon: Int32
        var began: Int64
        var isOpen: Bool
        var turn: LongTurn?
    }

    private var told: [Told] = []
    /// Hangs beyond ``TraceLimits/hangs``.
    private(set) var forgotten: UInt64 = 0
    /// Whether a daemon was recorded.
    private(set) var hasAny = false

    mutating func begin(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64) {
        hasAny = true
        append(Told(event: event, daemon: daemon, began: nanoseconds, isOpen: true))
    }

    /// Ends a hang; `turn` is the turn that it was, where that is known already. One of no duration was none.
    mutating func end(_ event: HangEvent, daemon: Int32, at nanoseconds: Int64, turn: LongTurn?) {
        hasAny = true
        let began = turn?.began ?? nanoseconds.earlier(by: event.durationNanoseconds)
        let hang = Told(event: event, daemon: daemon, began: began, isOpen: false, turn: turn)
        let open = told.lastIndex { $0.isOpen && $0.daemon == daemon && $0.event.id == event.id }
        if event.durationNanoseconds == 0 {
            if let open { told.remove(at: open) }
        } else if let open {
            told[open] = hang
        } else {
            append(hang)
        }
    }

    /// Offers a turn that has just ended to a hang whose turn is not known; true if it was that hang.
    mutating func offer(_ turn: LongTurn, of pid: Int32) -> Bool {
        guard hasAny,
            let index = told.lastIndex(where: {
                !$0.isOpen && $0.turn == nil && $0.event.pid == pid
                    && turn.distance(to: $0.event.durationNanoseconds) != nil
            })
        else { return false }
        told[index].turn = turn
        told[index].began = turn.began
        return true
    }

    private mutating func append(_ hang: Told) {
        if told.count == TraceLimits.hangs {
            told.removeFirst()
            forgotten += 1
        }
        told.append(hang)
    }

    /// The hangs, newest first. `view` names a view by its place, `process` a process by its number.
    func hangs(_ texts: TraceTexts, end: Int64, view: (Int) -> ViewKey, process: (Int32) -> String) -> [Hang] {
        told.map { hang in
            var result = Hang(
                id: hang.event.id, pid: hang.event.pid, process: process(hang.event.pid),
                startedAt: Timestamp(nanosecondsSince1970: hang.began), turn: hang.turn?.number ?? 0)
            result.open = hang.isOpen
            result.durationNanoseconds =
                hang.isOpen ? end.nanoseconds(since: hang.began) : hang.event.durationNanoseconds
            result.ended = hang.isOpen ? nil : .normally
            result.view = hang.event.view.isEmpty ? nil : ViewKey(rawValue: texts[hang.event.view])
            result.lastRendered =
                hang.event.lastRendered.isEmpty ? nil : ViewKey(rawValue: texts[hang.event.lastRendered])
            result.attribution = HangAttribution(rawValue: texts[hang.event.attribution]) ?? .none
            result.verdict = HangVerdict(rawValue: texts[hang.event.verdict]) ?? .unknown
            result.counts = result.verdict.counts
            result.setShares(hang.turn, view)
            return result
        }.sorted { $0.startedAt > $1.startedAt }
    }
}

extension HangVerdict {
    /// Whether a hang counts: in one that is not the app's doing, the app did not run.
    var counts: Bool { self != .stopped && self != .suspended }
}

extension Hang {
    /// Takes the views' own times of the turn that the hang was.
    mutating func setShares(_ turn: LongTurn?, _ view: (Int) -> ViewKey) {
        guard let turn else { return unattributedNanoseconds = durationNanoseconds }
        var rest = durationNanoseconds
        for share in turn.shares where share.nanoseconds > 0 {
            let part = min(share.nanoseconds, rest)
            shares.append(Share(view: view(share.view), nanoseconds: part))
            rest -= part
        }
        unattributedNanoseconds = rest
    }

    /// A turn over the threshold in a trace in which no daemon was recorded.
    init(_ turn: LongTurn, pid: Int32, process: String, view: (Int) -> ViewKey) {
        self.init(
            id: turn.number, pid: pid, process: process, startedAt: Timestamp(nanosecondsSince1970: turn.began),
            turn: turn.number)
        durationNanoseconds = turn.nanoseconds
        open = false
        ended = .normally
        setShares(turn, view)
        self.view = shares.first?.view
        attribution = shares.isEmpty ? .none : .share
    }
}
