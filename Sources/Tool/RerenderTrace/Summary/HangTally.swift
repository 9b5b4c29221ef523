// SPDX-License-Identifier: MIT
// Hangs of a report: added up as they end, so that those that are not listed any more count as well.

internal import CShared
internal import RerenderModel

/// Hangs by process and view, as a daemon told them, or else as the turns over the default threshold. Bounded.
struct HangTally: Sendable {
    /// A view that hangs of a process are blamed on.
    private struct Blamed: Hashable {
        let pid: Int32
        let view: TextID
        /// The number of its store; the largest where the recording does not say it.
        let store: UInt32
    }

    private var told: [Int32: StoreHangs] = [:]
    /// Those of views; a hang need not be blamed on one.
    private var toldByView: [Blamed: HangTotals] = [:]
    /// Those of sources and handlers.
    private var toldBySource: [Int32: [SourceHangs]] = [:]
    /// Those of processes, by their places; what a daemon told replaces them in ``finish(_:_:)``.
    private(set) var processes: [StoreHangs] = []
    /// The newest turns over the threshold, for a trace without a daemon.
    private var turns: [ClosedTurn] = []
    private var turnsForgotten: UInt64 = 0
    /// Hangs that found no room.
    private(set) var overflowed: UInt64 = 0

    /// Adds a hang that the daemon told, if it counts.
    mutating func add(_ event: HangEvent, _ texts: TraceTexts) {
        var hang = Hang(event, texts)
        guard hang.counts else { return }
        hang.setOwn(nanoseconds: event.own_ns)
        guard told.count < TraceLimits.processes || told[hang.pid] != nil else { return overflowed += 1 }
        told[hang.pid, default: StoreHangs()].add(hang)
        toldBySource[hang.pid, default: []].add(hang)
        // A guess is no view's count.
        guard hang.view != nil, !hang.guess else { return }
        let blamed = Blamed(pid: hang.pid, view: event.name, store: event.store_id)
        guard toldByView.count < TraceLimits.views || toldByView[blamed] != nil else { return overflowed += 1 }
        toldByView[blamed, default: HangTotals()].add(hang)
    }

    /// Adds a turn, if it is over a default threshold; `views` are the report's.
    mutating func add(_ turn: ClosedTurn, _ views: inout [ViewTally]) {
        guard turn.isLong else { return }
        processes.reach(turn.process, with: StoreHangs())
        switch HangThresholds().length(nanoseconds: turn.nanoseconds) {
        case .short: break
        case .microHang:
            processes[turn.process].microHangs += 1
            processes[turn.process].hangs.addMicro(nanoseconds: turn.nanoseconds)
            if let view = turn.blamedView { views[view].sums.hangs.addMicro(nanoseconds: turn.blamedNanoseconds) }
        case .hang:
            if turns.count == TraceLimits.hangs {
                turns.removeFirst()
                turnsForgotten += 1
            }
            turns.append(turn)
            processes[turn.process].hangs.add(nanoseconds: turn.nanoseconds, own: turn.blamedNanoseconds)
            if let view = turn.blamedView {
                views[view].sums.hangs.add(nanoseconds: turn.nanoseconds, own: turn.blamedNanoseconds)
            } else {
                processes[turn.process].ofNoView.add(nanoseconds: turn.nanoseconds)
            }
        }
    }

    /// Gives processes and views the hangs that the daemon told, if one was recorded.
    mutating func finish(_ state: TraceState, _ views: inout [ViewTally]) {
        let known = state.known
        processes.reach(known.processes.count - 1, with: StoreHangs())
        guard state.hangs.hasAny else { return }
        for index in known.processes.indices {
            var told = told[known.processes[index].pid] ?? StoreHangs()
            // No daemon tells of those in a trace.
            told.hangs.microNanoseconds = processes[index].hangs.microNanoseconds
            (processes[index].hangs, processes[index].ofNoView) = (told.hangs, told.ofNoView)
        }
        var places: [Blamed: [Int]] = [:]
        for index in views.indices {
            let (view, store) = (known.views[index], known.stores[known.views[index].store])
            let pid = known.processes[store.process].pid
            for number in [store.number.number, .max] {
                places[Blamed(pid: pid, view: view.key, store: number), default: []].append(index)
            }
            let micro = views[index].sums.hangs.microNanoseconds
            views[index].sums.hangs = HangTotals()
            views[index].sums.hangs.microNanoseconds = micro
        }
        // Where several views may be meant, the hangs are those of the process alone.
        for (blamed, found) in places where found.count == 1 {
            guard let hangs = toldByView[blamed] else { continue }
            views[found[0]].sums.hangs.add(hangs)
        }
    }

    /// Hangs of a process by the source or handler that they were in, as the daemon told.
    func sources(pid: Int32) -> [SourceHangs] { toldBySource[pid] ?? [] }

    /// What the daemon told, or, where none was recorded, the turns over the default threshold; newest first, with how
    /// many older ones are not listed.
    func list(_ state: TraceState) -> (hangs: [Hang], forgotten: UInt64) {
        let hasDaemon = state.hangs.hasAny
        let hangs = hasDaemon ? state.hangs.all.map { state.hang($0) } : turns.map { state.hang($0) }
        return (hangs.sorted { $0.startedAt > $1.startedAt }, hasDaemon ? state.hangs.forgotten : turnsForgotten)
    }
}

extension Hang {
    /// What an event of a daemon says of a hang: nothing of its stores' names, and of the shares of views.
    fileprivate init(_ event: HangEvent, _ texts: TraceTexts, began: Int64 = 0) {
        let key = { (text: TextID) in text.isEmpty ? nil : ViewKey(rawValue: texts[text]) }
        self.init(
            id: event.signpost_id, pid: event.process, process: "",
            startedAt: Timestamp(nanosecondsSince1970: began), turn: event.turn)
        durationNanoseconds = event.duration_ns
        view = key(event.name)
        lastRendered = key(event.last_rendered)
        viewAtThreshold = key(event.at_threshold)
        handler = event.handler.isEmpty ? nil : texts[event.handler]
        if handler != nil { phase = .handler }
        source = event.source.isEmpty ? nil : texts[event.source]
        call = event.call.isEmpty ? nil : texts[event.call]
        ended = event.excused == 1 ? .exited : nil
        if event.excused == 2 { phase = .firstDrawing }
        (attribution, verdict) = (event.blame, event.activity)
        (starvedNanoseconds, stoppedNanoseconds, guess) = (event.starved_ns, event.stopped_ns, event.guess != 0)
        counts = event.counts != 0
    }

    /// Takes what the blamed view or handler took itself as the only share. Sums need no other one.
    fileprivate mutating func setOwn(nanoseconds: UInt64) {
        guard nanoseconds > 0 else { return }
        guard let blamed = view ?? handler.map(ViewKey.init(rawValue:)) else { return sourceNanoseconds = nanoseconds }
        shares = [Share(view: blamed, handler: handler, phase: phase, store: viewStore, nanoseconds: nanoseconds)]
    }
}

/// Gives hangs the names and shares that the trace has of them.
extension TraceState {
    /// A hang that a daemon told; one that is open lasts until the end of the trace.
    fileprivate func hang(_ told: HangTracker.TracedHang) -> Hang {
        let event = told.event
        var hang = Hang(event, texts, began: told.began)
        hang.process = known.process(pid: hang.pid).map { texts[known.processes[$0].name] } ?? ""
        (hang.open, hang.ended) = (told.isOpen, told.isOpen ? nil : hang.ended ?? .normally)
        if told.isOpen { (hang.durationNanoseconds, hang.guess) = (ended.nanoseconds(since: told.began), true) }
        hang.viewStore = store(event.store_id, pid: hang.pid)
        hang.viewAtThresholdStore = store(event.at_threshold_store_id, pid: hang.pid)
        hang.lastRenderedStore = store(event.last_rendered_store_id, pid: hang.pid)
        hang.unattributedNanoseconds = nil
        let (text, duration, pid) = (texts[event.shares], hang.durationNanoseconds, hang.pid)
        guard !told.isOpen, let parts = HangShareText.shares(in: text, of: duration, store: { store($0, pid: pid) })
        else { return hang }
        (hang.shares, hang.unattributedNanoseconds) = (parts.shares, parts.unattributed)
        hang.phase = hang.phase ?? blamedPhase(of: hang)
        return hang
    }

    /// In which phase the blamed view had most of a hang, by the daemon's shares.
    private func blamedPhase(of hang: Hang) -> HangPhase? {
        guard hang.isBlamed else { return nil }
        return hang.shares.first {
            $0.view == hang.view && $0.handler == hang.handler && $0.store == hang.viewStore
        }?.phase
    }

    /// A turn over the threshold in a trace in which no daemon was recorded.
    fileprivate func hang(_ turn: ClosedTurn) -> Hang {
        let process = known.processes[turn.process]
        var hang = Hang(
            id: turn.number, pid: process.pid, process: texts[process.name],
            startedAt: Timestamp(nanosecondsSince1970: turn.began ?? 0), turn: turn.number)
        (hang.durationNanoseconds, hang.open, hang.ended) = (turn.nanoseconds, false, .normally)
        setShares(of: &hang, turn)
        hang.guess = !turn.isComplete
        guard turn.isComplete else { return hang }
        hang.viewAtThreshold = turn.viewAtThreshold.map(view)
        hang.viewAtThresholdStore = turn.viewAtThreshold.map { store(ofView: $0) }
        guard let blamed = turn.blamedView else { return hang }
        (hang.view, hang.viewStore) = (view(blamed), store(ofView: blamed))
        hang.attribution = turn.viewAtThreshold == blamed ? .inBody : .share
        return hang
    }

    /// Takes the views' own times of the turn that the hang was, if all of them are known.
    private func setShares(of hang: inout Hang, _ turn: ClosedTurn) {
        guard turn.isComplete else { return hang.unattributedNanoseconds = nil }
        var rest = hang.durationNanoseconds
        for share in turn.shares where share.nanoseconds > 0 {
            let part = min(share.nanoseconds, rest)
            // An event says of a widget's snapshot what it says of a body.
            hang.shares.append(
                Hang.Share(view: view(share.view), phase: nil, store: store(ofView: share.view), nanoseconds: part))
            rest -= part
        }
        let others = min(turn.otherNanoseconds, rest)
        if others > 0 { hang.shares.append(Hang.Share(view: .otherViews, phase: nil, nanoseconds: others)) }
        hang.unattributedNanoseconds = rest - others
    }

    private func view(_ index: Int) -> ViewKey { ViewKey(rawValue: texts[known.views[index].key]) }

    private func store(ofView index: Int) -> Hang.Store {
        let store = known.stores[known.views[index].store]
        return Hang.Store(number: store.number.number, name: texts[store.name])
    }

    /// The latest store of that number in a process; nil if the trace has none.
    private func store(_ number: UInt32, pid: Int32) -> Hang.Store? {
        guard let process = known.process(pid: pid) else { return nil }
        let store = known.stores.last { $0.process == process && $0.number.number == number }
        return store.map { Hang.Store(number: number, name: texts[$0.name]) }
    }
}
