// SPDX-License-Identifier: MIT
// Makes a report of events, in one pass.

internal import RerenderModel

/// Sums a trace's events up. What it keeps grows with views, processes and causes, each bounded, and not with the trace.
package struct ReportBuilder: TraceConsumer {
    private(set) var known = TraceDirectoryOfViews()
    private(set) var causes = CauseTally()
    private(set) var writes = WriteTally()
    private(set) var hangs = HangTally()
    private(set) var told = HangTotalsByView()
    private(set) var turnHangs = LongTurns()
    private(set) var doubles = DoubleTally()
    private(set) var open = OpenEvaluations()
    private(set) var discarded = DiscardedEvents()
    private(set) var events: UInt64 = 0
    private(set) var otherEvents: UInt64 = 0
    private(set) var began: Int64 = 0
    private(set) var ended: Int64 = 0
    private var turns: UInt64 = 0
    /// What a commit's `change` says.
    private var committed = TextID.empty

    package init() {}

    package mutating func consume(_ events: Span<TraceEvent>, _ texts: TraceTexts) throws {
        for index in events.indices { consume(events[index], texts) }
    }

    package mutating func finish(_ texts: TraceTexts) throws {
        for process in known.processes.indices { endTurn(of: process, at: nil) }
        countHangs()
    }

    @inline(__always)
    private mutating func consume(_ event: borrowing TraceEvent, _ texts: TraceTexts) {
        if case .discarded(let range) = event.what { return note(range, at: event.nanoseconds) }
        if events == 0 { (began, ended) = (event.nanoseconds, event.nanoseconds) }
        events += 1
        if event.nanoseconds > ended { ended = event.nanoseconds }
        if case .other = event.what { return otherEvents += 1 }
        guard let process = known.process(event) else { return }
        if event.tid == event.pid, !known.processes[process].isNamedByMain {
            known.processes[process].name = event.processName
            known.processes[process].isNamedByMain = true
        }
        switch event.what {
        case .evaluationBegan(let began): open.begin(began, pid: event.pid, tid: event.tid, at: event.nanoseconds)
        case .evaluationEnded(let ended): end(ended, event, process, texts)
        case .viewChanged(let change): note(change, process, event.nanoseconds, texts)
        case .turnBegan(let turn):
            // One that is open has an end that was lost: it would seem to last through all that was idle since.
            endTurn(of: process, at: nil)
            beginTurn(turn.number, of: process, at: event.nanoseconds)
        case .turnEnded(let turn):
            if known.processes[process].loop.isOpen(turn.number) { endTurn(of: process, at: event.nanoseconds) }
        case .write(let write): writes.record(write, pid: event.pid)
        case .hangBegan(let hang): hangs.begin(hang, daemon: event.pid, at: event.nanoseconds)
        case .hangEnded(let hang): end(hang, event, texts)
        case .phaseBegan, .phaseEnded, .discarded, .other: break
        }
    }

    @inline(__always)
    private mutating func end(
        _ ended: EvaluationEnded, _ event: borrowing TraceEvent, _ process: Int, _ texts: TraceTexts
    ) {
        let opened = open.end(ended, pid: event.pid, tid: event.tid)
        let now = event.nanoseconds
        guard let view = view(of: ended, process, now) else { return }
        known.views[view].record(ended, at: now)
        if let opened, known.views[view].file.isEmpty {
            known.views[view].file = opened.file
            known.views[view].line = opened.line
        }
        raiseEpoch(of: known.views[view].store, ended.epoch)
        causes.record(ended, process: process, texts)
        // A thread beside the main one may tell of a turn that is over: that ends no other, and begins none.
        guard ended.turn != 0, !known.processes[process].loop.isOver(ended.turn) else { return }
        if !known.processes[process].loop.isOpen(ended.turn) {
            endTurn(of: process, at: nil)
            beginTurn(ended.turn, of: process, at: nil)
        }
        let inner = opened?.innerNanoseconds ?? 0
        let own = ended.bodyNanoseconds > inner ? ended.bodyNanoseconds - inner : 0
        known.processes[process].loop.add(ended, own: own, &known.views[view], at: view, pid: event.pid, now)
    }

    /// The view that was evaluated; of a new store if a program has replaced the one that had its number.
    @inline(__always)
    private mutating func view(of ended: EvaluationEnded, _ process: Int, _ now: Int64) -> Int? {
        guard let view = known.view(ended.view, store: ended.store, named: ended.storeName, process: process, now)
        else { return nil }
        guard known.views[view].isReplaced(by: ended),
            known.replace(store: known.views[view].store, named: ended.storeName, now)
        else { return view }
        // Turns are numbered anew as well; the open one may be the new program's already.
        if known.processes[process].loop.isOver(ended.turn) { endTurn(of: process, at: nil) }
        return known.view(ended.view, store: ended.store, named: ended.storeName, process: process, now)
    }

    private mutating func note(_ change: ViewChanged, _ process: Int, _ now: Int64, _ texts: TraceTexts) {
        if committed.isEmpty { committed = texts.intern("committed") }
        guard
            let view = known.view(
                change.view, store: change.store, named: change.storeName, process: process, now)
        else { return }
        known.views[view].record(change, isCommit: change.change == committed)
        raiseEpoch(of: known.views[view].store, change.epoch)
    }

    @inline(__always)
    private mutating func raiseEpoch(of store: Int, _ epoch: UInt32) {
        if epoch > known.stores[store].epoch { known.stores[store].epoch = epoch }
    }

    private mutating func note(_ range: Discarded, at nanoseconds: Int64) {
        if range.count == 0 { discarded.uncounted += 1 }
        discarded.count &+= range.count
        guard discarded.ranges.count < TraceLimits.discardedRanges else { return }
        discarded.ranges.append(
            DiscardedEvents.Range(
                began: Timestamp(nanosecondsSince1970: range.sinceNanoseconds),
                ended: Timestamp(nanosecondsSince1970: nanoseconds), count: range.count))
    }
}

// MARK: - Turns and hangs

extension ReportBuilder {
    private mutating func beginTurn(_ number: UInt64, of process: Int, at nanoseconds: Int64?) {
        known.processes[process].loop.begin(number, serial: turns, at: nanoseconds)
        turns += 1
    }

    /// Ends the current turn, if there is one; nil where its end is not in the trace.
    private mutating func endTurn(of process: Int, at nanoseconds: Int64?) {
        let ended = known.processes[process].loop.end(at: nanoseconds)
        if let double = ended.double { doubles.add(double) }
        guard let turn = ended.long else { return }
        let pid = known.processes[process].pid
        if hangs.offer(turn, of: pid) { _ = known.processes[process].loop.takeTurn(of: turn.nanoseconds) }
        let milliseconds = turn.nanoseconds / 1_000_000
        if milliseconds >= UInt64(HangThreshold.hangMilliseconds) {
            turnHangs.add(turn, process)
            known.processes[process].turnHangs.add(turn.nanoseconds)
            if let view = turn.blamedView { known.views[view].turnHangs.add(turn.nanoseconds) }
        } else if milliseconds >= UInt64(HangThreshold.microHangMilliseconds) {
            known.processes[process].microHangs += 1
        }
    }

    private mutating func end(_ hang: HangEvent, _ event: borrowing TraceEvent, _ texts: TraceTexts) {
        let process = known.process(pid: hang.pid)
        let turn = process.flatMap { known.processes[$0].loop.takeTurn(of: hang.durationNanoseconds) }
        hangs.end(hang, daemon: event.pid, at: event.nanoseconds, turn: turn)
        let verdict = HangVerdict(rawValue: texts[hang.verdict]) ?? .unknown
        if hang.durationNanoseconds > 0, verdict.counts { told.add(hang) }
    }

    /// Gives processes and views the hangs that the daemon told, or, where none was recorded, their long turns.
    private mutating func countHangs() {
        guard hangs.hasAny else {
            for index in known.processes.indices { known.processes[index].hangs = known.processes[index].turnHangs }
            for index in known.views.indices { known.views[index].hangs = known.views[index].turnHangs }
            return
        }
        for index in known.processes.indices {
            known.processes[index].hangs = told.hangs(of: known.processes[index].pid)
        }
        // A key may be in several stores of a process; the daemon does not say in which, so it is the first.
        var views = told.hangsByView
        for index in known.views.indices where !views.isEmpty {
            let process = known.processes[known.stores[known.views[index].store].process]
            let blamed = HangTotalsByView.Blamed(pid: process.pid, view: known.views[index].key)
            if let totals = views.removeValue(forKey: blamed) { known.views[index].hangs = totals }
        }
    }

    /// What the daemon told, or, where none was recorded, the turns over the default threshold.
    func allHangs(_ texts: TraceTexts) -> [Hang] {
        let views = known.views
        let view = { (index: Int) in ViewKey(rawValue: texts[views[index].key]) }
        let name = { (pid: Int32) in known.process(pid: pid).map { texts[known.processes[$0].name] } ?? "" }
        if hangs.hasAny { return hangs.hangs(texts, end: ended, view: view, process: name) }
        return turnHangs.newest.map { turn, process in
            let process = known.processes[process]
            return Hang(turn, pid: process.pid, process: texts[process.name], view: view)
        }.sorted { $0.startedAt > $1.startedAt }
    }

    /// Hangs that ``allHangs(_:)`` has not.
    var hangsForgotten: UInt64 { hangs.hasAny ? hangs.forgotten : turnHangs.forgotten }
}
