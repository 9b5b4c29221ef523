// SPDX-License-Identifier: MIT
// Hangs of a report: added up as they end, so that those that are not listed any more count as well.

internal import CSignpost
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
    /// Those of processes, by their places; what a daemon told replaces them in ``finish(_:_:)``.
    private(set) var processes: [StoreHangs] = []
    /// The newest turns over the threshold, for a trace without a daemon.
    private var turns: [ClosedTurn] = []
    private var turnsForgotten: UInt64 = 0
    /// Hangs that found no room.
    private(set) var overflowed: UInt64 = 0

    /// Adds a hang that the daemon told, if it counts.
    mutating func add(_ hang: HangEvent, _ texts: TraceTexts) {
        guard hang.isCounted(texts) else { return }
        guard told.count < TraceLimits.processes || told[hang.process] != nil else { return overflowed += 1 }
        // A guess is no view's count.
        let isOfNoView = hang.name.isEmpty || hang.guess != 0
        let isStarved = hang.verdict(texts) == .starved
        told[hang.process, default: StoreHangs()].add(
            nanoseconds: hang.duration_ns, starvedNanoseconds: hang.starved_ns, isStarved: isStarved,
            isOfNoView: isOfNoView)
        guard !isOfNoView else { return }
        let blamed = Blamed(pid: hang.process, view: hang.name, store: hang.store_id)
        guard toldByView.count < TraceLimits.views || toldByView[blamed] != nil else { return overflowed += 1 }
        toldByView[blamed, default: HangTotals()].add(
            nanoseconds: hang.duration_ns, starvedNanoseconds: hang.starved_ns, isStarved: isStarved)
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
            processes[turn.process].add(nanoseconds: turn.nanoseconds, isOfNoView: turn.blamedView == nil)
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
            let told = told[known.processes[index].pid] ?? StoreHangs()
            (processes[index].hangs, processes[index].ofNoView) = (told.hangs, told.ofNoView)
        }
        var places: [Blamed: [Int]] = [:]
        for index in views.indices {
            let (view, store) = (known.views[index], known.stores[known.views[index].store])
            let pid = known.processes[store.process].pid
            for number in [store.number.number, .max] {
                places[Blamed(pid: pid, view: view.key, store: number), default: []].append(index)
            }
            views[index].sums.hangs = HangTotals()
        }
        // Where several views may be meant, the hangs are those of the process alone.
        for (blamed, found) in places where found.count == 1 {
            guard let hangs = toldByView[blamed] else { continue }
            views[found[0]].sums.hangs.add(hangs)
        }
    }

    /// What the daemon told, or, where none was recorded, the turns over the default threshold; newest first, with how many
    /// older ones are not listed.
    func list(_ state: TraceState) -> (hangs: [Hang], forgotten: UInt64) {
        let (known, texts, end) = (state.known, state.texts, state.ended)
        let names = HangNames(state)
        let hangs =
            state.hangs.hasAny
            ? state.hangs.all.map { hang in
                let process = known.process(pid: hang.event.process).map { texts[known.processes[$0].name] }
                return Hang(hang, process: process ?? "", end: end, names)
            }
            : turns.map { turn in
                let process = known.processes[turn.process]
                return Hang(turn, pid: process.pid, process: texts[process.name], names)
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

    /// Older recordings do not say whether it counts: then what was done for most of the time decides.
    fileprivate func isCounted(_ texts: TraceTexts) -> Bool {
        counts == .max ? verdict(texts).counts : counts != 0
    }

    /// Whether the trace cannot tell how long each body ran, because the process was stopped in some of them.
    fileprivate func wasStopped(_ texts: TraceTexts) -> Bool { stopped_ns > 0 || verdict(texts) == .stopped }
}

/// Names views and stores by what a trace knows of them.
private struct HangNames {
    let known: TraceDirectory
    let texts: TraceTexts

    init(_ state: borrowing TraceState) { (known, texts) = (state.known, state.texts) }

    func view(_ index: Int) -> ViewKey { ViewKey(rawValue: texts[known.views[index].key]) }

    func store(ofView index: Int) -> Hang.Store {
        let store = known.stores[known.views[index].store]
        return Hang.Store(number: store.number.number, name: texts[store.name])
    }

    /// The latest store of that number in a process; nil if the trace has none.
    func store(_ number: UInt32, pid: Int32) -> Hang.Store? {
        guard let process = known.process(pid: pid) else { return nil }
        let store = known.stores.last { $0.process == process && $0.number.number == number }
        return store.map { Hang.Store(number: number, name: texts[$0.name]) }
    }
}

extension Hang {
    /// A hang that a daemon told; one that is open lasts until `end`.
    fileprivate init(_ hang: TracedHang, process: String, end: Int64, _ names: HangNames) {
        let (event, texts, pid) = (hang.event, names.texts, hang.event.process)
        let key = { (text: TextID) in text.isEmpty ? nil : ViewKey(rawValue: texts[text]) }
        self.init(
            id: event.signpost_id, pid: pid, process: process,
            startedAt: Timestamp(nanosecondsSince1970: hang.began), turn: hang.turn?.number ?? 0)
        open = hang.told == nil
        durationNanoseconds = open ? end.nanoseconds(since: hang.began) : event.duration_ns
        ended = open ? nil : .normally
        self.view = key(event.name)
        lastRendered = key(event.last_rendered)
        viewAtThreshold = key(event.at_threshold)
        (starvedNanoseconds, guess) = (event.starved_ns, open || event.guess != 0)
        attribution = HangAttribution(rawValue: texts[event.attribution]) ?? .none
        verdict = event.verdict(texts)
        counts = event.isCounted(texts)
        stoppedNanoseconds = event.stopped_ns
        viewStore = names.store(event.store_id, pid: pid)
        viewAtThresholdStore = names.store(event.at_threshold_store_id, pid: pid)
        lastRenderedStore = names.store(event.last_rendered_store_id, pid: pid)
        handler = event.handler.isEmpty ? nil : texts[event.handler]
        if handler != nil { phase = .handler }
        setShares(event.wasStopped(texts) ? nil : hang.turn, names)
        addHandler(nanoseconds: event.handler_ns)
    }

    /// A turn over the threshold in a trace in which no daemon was recorded.
    fileprivate init(_ turn: ClosedTurn, pid: Int32, process: String, _ names: HangNames) {
        self.init(
            id: turn.number, pid: pid, process: process,
            startedAt: Timestamp(nanosecondsSince1970: turn.began ?? 0), turn: turn.number)
        durationNanoseconds = turn.nanoseconds
        open = false
        ended = .normally
        setShares(turn, names)
        guess = !turn.isComplete
        guard !guess else { return }
        viewAtThreshold = turn.viewAtThreshold.map(names.view)
        viewAtThresholdStore = turn.viewAtThreshold.map { names.store(ofView: $0) }
        guard let blamed = turn.blamedView else { return }
        (view, viewStore) = (names.view(blamed), names.store(ofView: blamed))
        attribution = turn.viewAtThreshold == blamed ? .inBody : .share
    }

    /// Adds the blamed handler's time, which the events of evaluations do not say, to the shares. Other handlers' is not known.
    private mutating func addHandler(nanoseconds: UInt64) {
        guard let handler, let rest = unattributedNanoseconds, nanoseconds > 0 else { return }
        let part = min(nanoseconds, rest)
        let name = view ?? ViewKey(rawValue: handler)
        let place = shares.firstIndex { $0.nanoseconds < part } ?? shares.count
        shares.insert(
            Share(view: name, handler: handler, phase: .handler, store: viewStore, nanoseconds: part), at: place)
        unattributedNanoseconds = rest - part
    }

    /// Takes the views' own times of the turn that the hang was, if all of them are known.
    private mutating func setShares(_ turn: ClosedTurn?, _ names: HangNames) {
        guard let turn, turn.isComplete else { return unattributedNanoseconds = nil }
        var rest = durationNanoseconds
        for share in turn.shares where share.nanoseconds > 0 {
            let part = min(share.nanoseconds, rest)
            let store = names.store(ofView: share.view)
            // An event says of a widget's snapshot what it says of a body.
            shares.append(Share(view: names.view(share.view), phase: nil, store: store, nanoseconds: part))
            rest -= part
        }
        let others = min(turn.otherNanoseconds, rest)
        if others > 0 { shares.append(Share(view: .otherViews, phase: nil, nanoseconds: others)) }
        unattributedNanoseconds = rest - others
    }
}
