// SPDX-License-Identifier: MIT
// Hangs of a report: added up as they end, so that those that are not listed any more count as well.

internal import RerenderModel

/// Hangs by process and view, as a daemon told them, or else as the turns over the default threshold. Bounded.
struct HangTally: Sendable {
    /// A view that hangs of a process are blamed on.
    private struct Blamed: Hashable {
        let pid: Int32
        let view: TextID
    }

    private var told: [Int32: HangTotals] = [:]
    /// Those of views; a hang need not be blamed on one.
    private var toldByView: [Blamed: HangTotals] = [:]
    /// Those of processes, by their places; what a daemon told replaces them in ``finish(_:_:)``.
    private(set) var processes: [StoreHangs] = []
    /// The newest turns over the threshold, for a trace without a daemon.
    private var turns: [ClosedTurn] = []
    private var turnsForgotten: UInt64 = 0
    /// Hangs that found no room.
    private(set) var overflowed: UInt64 = 0

    /// Adds a hang that the daemon told, if it counts.
    mutating func add(_ hang: HangEvent, _ texts: TraceTexts) {
        guard hang.verdict(texts).counts else { return }
        guard told.count < TraceLimits.processes || told[hang.pid] != nil else { return overflowed += 1 }
        told[hang.pid, default: HangTotals()].add(nanoseconds: hang.durationNanoseconds)
        guard !hang.view.isEmpty else { return }
        let blamed = Blamed(pid: hang.pid, view: hang.view)
        guard toldByView.count < TraceLimits.views || toldByView[blamed] != nil else { return overflowed += 1 }
        toldByView[blamed, default: HangTotals()].add(nanoseconds: hang.durationNanoseconds)
    }

    /// Adds a turn, if it is over a default threshold; `views` are the report's.
    mutating func add(_ turn: ClosedTurn, _ views: inout [ViewTally]) {
        guard turn.isLong else { return }
        processes.reach(turn.process, with: StoreHangs())
        let milliseconds = turn.nanoseconds / 1_000_000
        if milliseconds >= UInt64(HangThreshold.hangMilliseconds) {
            if turns.count == TraceLimits.hangs {
                turns.removeFirst()
                turnsForgotten += 1
            }
            turns.append(turn)
            processes[turn.process].hangs.add(nanoseconds: turn.nanoseconds)
            if let view = turn.blamedView { views[view].sums.hangs.add(nanoseconds: turn.nanoseconds) }
        } else if milliseconds >= UInt64(HangThreshold.microHangMilliseconds) {
            processes[turn.process].microHangs += 1
        }
    }

    /// Gives processes and views the hangs that the daemon told, if one was recorded.
    mutating func finish(_ state: TraceState, _ views: inout [ViewTally]) {
        let known = state.known
        processes.reach(known.processes.count - 1, with: StoreHangs())
        guard state.hangs.hasAny else { return }
        for index in known.processes.indices {
            processes[index].hangs = told[known.processes[index].pid] ?? HangTotals()
        }
        // A key may be in several stores of a process. The daemon does not say in which, so it is the first.
        for index in views.indices {
            let process = known.processes[known.stores[known.views[index].store].process]
            let blamed = Blamed(pid: process.pid, view: known.views[index].key)
            views[index].sums.hangs = toldByView.removeValue(forKey: blamed) ?? HangTotals()
        }
    }

    /// What the daemon told, or, where none was recorded, the turns over the default threshold; newest first, with how many
    /// older ones are not listed.
    func list(_ state: TraceState) -> (hangs: [Hang], forgotten: UInt64) {
        let (known, texts, end) = (state.known, state.texts, state.ended)
        let view = { (index: Int) in ViewKey(rawValue: texts[known.views[index].key]) }
        let hangs =
            state.hangs.hasAny
            ? state.hangs.all.map { hang in
                let process = known.process(pid: hang.event.pid).map { texts[known.processes[$0].name] }
                return Hang(hang, process: process ?? "", end: end, texts, view)
            }
            : turns.map { turn in
                let process = known.processes[turn.process]
                return Hang(turn, pid: process.pid, process: texts[process.name], view)
            }
        return (
            hangs.sorted { $0.startedAt > $1.startedAt }, state.hangs.hasAny ? state.hangs.forgotten : turnsForgotten
        )
    }
}

extension HangVerdict {
    /// Whether a hang counts: in one that is not the app's doing, the app did not run.
    fileprivate var counts: Bool { self != .stopped && self != .suspended }
}

extension HangEvent {
    fileprivate func verdict(_ texts: TraceTexts) -> HangVerdict { HangVerdict(rawValue: texts[verdict]) ?? .unknown }
}

extension Hang {
    /// A hang that a daemon told; one that is open lasts until `end`. `view` names a view by its place.
    fileprivate init(
        _ hang: TracedHang, process: String, end: Int64, _ texts: TraceTexts, _ view: (Int) -> ViewKey
    ) {
        let event = hang.event
        let key = { (text: TextID) in text.isEmpty ? nil : ViewKey(rawValue: texts[text]) }
        self.init(
            id: event.id, pid: event.pid, process: process,
            startedAt: Timestamp(nanosecondsSince1970: hang.began), turn: hang.turn?.number ?? 0)
        open = hang.told == nil
        durationNanoseconds = open ? end.nanoseconds(since: hang.began) : event.durationNanoseconds
        ended = open ? nil : .normally
        self.view = key(event.view)
        lastRendered = key(event.lastRendered)
        viewAtThreshold = key(event.atThreshold)
        (starvedNanoseconds, guess) = (event.starvedNanoseconds, open || event.isGuess)
        attribution = HangAttribution(rawValue: texts[event.attribution]) ?? .none
        verdict = event.verdict(texts)
        counts = verdict.counts
        setShares(hang.turn, view)
    }

    /// A turn over the threshold in a trace in which no daemon was recorded.
    fileprivate init(_ turn: ClosedTurn, pid: Int32, process: String, _ view: (Int) -> ViewKey) {
        self.init(
            id: turn.number, pid: pid, process: process,
            startedAt: Timestamp(nanosecondsSince1970: turn.began ?? 0), turn: turn.number)
        durationNanoseconds = turn.nanoseconds
        open = false
        ended = .normally
        setShares(turn, view)
        viewAtThreshold = turn.viewAtThreshold.map(view)
        guard let blamed = turn.blamedView else { return }
        self.view = view(blamed)
        attribution = turn.viewAtThreshold == blamed ? .inBody : .share
    }

    /// Takes the views' own times of the turn that the hang was.
    private mutating func setShares(_ turn: ClosedTurn?, _ view: (Int) -> ViewKey) {
        unattributedNanoseconds = durationNanoseconds
        for share in turn?.shares ?? [] where share.nanoseconds > 0 {
            let part = min(share.nanoseconds, unattributedNanoseconds)
            shares.append(Share(view: view(share.view), nanoseconds: part))
            unattributedNanoseconds -= part
        }
    }
}
