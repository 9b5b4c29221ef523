// SPDX-License-Identifier: MIT
// The object behind a store: its views, its settings and its epoch.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// The object that the copies of a ``RerenderStore`` share with running evaluations and the uplink.
@usableFromInline
@safe
final class StoreCore: Sendable {
    let id: UInt32
    let name: String
    let kind: StoreKind
    let startedAt: Timestamp
    /// What the hot path reads: on, and not in a process that has probes switched off.
    let isCounting: Atomic<Bool>
    let hangThresholdMilliseconds = Atomic<UInt32>(HangThreshold.hangMilliseconds)
    let microHangThresholdMilliseconds = Atomic<UInt32>(HangThreshold.microHangMilliseconds)
    let isConsoleLoggingEnabled = Atomic<Bool>(true)
    let settings = CauseSettings(currentLink: { StoreCore.currentLink() })
    let mainLoop: LoopMonitor
    /// Where evaluations on the main loop's thread leave their times. Here, too, for the hot path.
    private let heldLoop: Unmanaged<LoopRecord>?
    /// The turn that the store's host told of last.
    let hostTurn = HostTurn()
    let pulseHandler = SharedClosure<ViewKey>()
    let screenFollowers = Mutex(ScreenFollowers())
    let hangHandler = SharedClosure<Hang>()
    let hangStacks = Atomic<Bool>(HangStacks.isInEnvironment)
    /// Whether a daemon has told settings.
    let isConfigured = Atomic<Bool>(false)

    private let epochNumber = Atomic<UInt32>(0)
    /// When the epoch began, in nanoseconds since 1970.
    private let epochBeganAt: Atomic<Int64>
    private let evaluations: EvaluationCounter
    private let isReset = Mutex<Void>(())
    private let dropped = Mutex<(epoch: UInt32, count: UInt64)>((0, 0))
    let hangs = Mutex<(epoch: UInt32, counts: StoreHangs)>((0, StoreHangs()))
    let frames = Mutex<(epoch: UInt32, totals: FrameTotals)>((0, FrameTotals()))
    private let views = ViewIndex()
    let handlers = Mutex(HandlerList())
    let cycles = Mutex(CycleList())
    let work = Mutex(WorkList())
    /// Evaluations that began and did not end.
    let unended = Atomic<UInt64>(0)
    /// Evaluations for which too little of their thread's stack was left to look at them.
    let tooDeep = Atomic<UInt64>(0)
    /// What may be missing from the counts, by cause.
    let gaps = Mutex<[String: String]>([:])
    /// The process's. Here, too, for the hot path.
    let input: InputWatch
    /// Who records evaluations, and who records writes; nobody where nothing counts.
    let tracing: EvaluationTracing
    /// Views with totals that the uplink has not seen, each once.
    private let dirtyViews = Mutex<[UInt32]>([])
    private let isStateDirty = Atomic<Bool>(true)
    let whenSwitched = SharedClosure<Bool>()
    let process: ProcessContext

    init(id: UInt32, name: String, kind: StoreKind, evaluations: EvaluationCounter, process: ProcessContext) {
        (self.id, self.name, self.kind) = (id, name, kind)
        let now = Timestamp.now
        self.startedAt = now
        self.epochBeganAt = Atomic(now.nanosecondsSince1970)
        self.evaluations = evaluations
        self.process = process
        self.mainLoop = process.mainLoop
        unsafe self.heldLoop = process.mainLoop.record.map { unsafe Unmanaged.passUnretained($0) }
        self.input = process.input
        self.tracing = EvaluationTracing(isPossible: process.isEnabled && !crerender_is_silent())
        self.isCounting = Atomic(process.isEnabled)
    }

    /// Where evaluations on the main loop's thread leave their times; as ``onLoop(at:_:)``, with a reference.
    var loopRecord: LoopRecord? { mainLoop.record }

    /// Calls `body` with where evaluations leave their times, on the main loop's thread; nothing on another one.
    ///
    /// Proof: the record lives as long as the monitor of the main loop, which the store has. It is not retained, for the hot path.
    @inline(__always)
    func onLoop(at now: UInt64, _ body: (LoopRecord) -> Void) {
        guard let held = unsafe heldLoop else { return }
        unsafe held._withUnsafeGuaranteedRef { if mainLoop.runsOnThisThread($0, at: now) { body($0) } }
    }

    /// The current epoch; raised by a reset.
    var epoch: UInt32 { epochNumber.load(ordering: .acquiring) }
}

// MARK: - Evaluations

extension StoreCore {
    /// The view of a label, made if it is new; nil if there is no room for another.
    ///
    /// - Parameter file: Looked at where the view is new.
    /// - Parameter phase: What an evaluation of it is, where the view is new.
    func view(
        label: String, file: @autoclosure () -> String, line: UInt32, phase: HangPhase = .body
    ) -> Unmanaged<ViewRecord>? {
        unsafe views.view(label: label) { label, index in
            guard process.reserveKey() else { return nil }
            // The key owns its text: a label may be a slice that would keep a large string of the app's alive.
            return ViewRecord(
                storeID: id, index: index, key: ViewKey(rawValue: LongText.copy(label)), file: file(), line: line,
                epoch: epoch, phase: phase)
        }
    }

    /// The view of a probe at a place in the source, made if it is new; nil if there is no room for another.
    ///
    /// - Parameter label: Its key; nil for that of the place.
    @inline(__always)
    func view(label: String?, file: StaticString, line: UInt32) -> Unmanaged<ViewRecord>? {
        guard let word = SiteHash.word(of: file, line: line) else {
            return unsafe view(label: label ?? SiteHash.label(of: file, line: line), file: "\(file)", line: line)
        }
        if let view = unsafe views.view(label, at: word) { return unsafe view }
        return unsafe view(label, at: word, file, line)
    }

    @inline(never)
    private func view(
        _ label: String?, at word: UInt64, _ file: StaticString, _ line: UInt32
    ) -> Unmanaged<ViewRecord>? {
        let key = label ?? SiteHash.label(of: file, line: line)
        guard let view = unsafe view(label: key, file: "\(file)", line: line) else { return nil }
        unsafe views.note(view, label, at: word)
        return unsafe view
    }

    /// Counts one evaluation of a view and returns what its trace event says, if there is one.
    func record(
        _ evaluation: borrowing Evaluation, of view: ViewRecord, _ record: InstanceRecord?, isTraced: Bool
    ) -> RecordedEvaluation? {
        update(view) { state in
            // First the page, then the view: should the process die between the two, the evaluation shows as lost.
            evaluations.add(epoch: state.sums.epoch)
            let verdict = state.record(evaluation, record)
            return isTraced ? state.recorded(verdict) : nil
        }
    }

    /// Counts an evaluation in the flight page; under the lock of its view.
    @inline(__always)
    func countEvaluation(epoch: UInt32) { evaluations.add(epoch: epoch) }

    /// Counts an evaluation of a view that the process had no key left for.
    func recordDropped() {
        dropped.withLock { dropped in
            let epoch = self.epoch
            if dropped.epoch != epoch { dropped = (epoch, 0) }
            evaluations.add(epoch: epoch)
            dropped.count += 1
        }
        markStateDirty()
    }

    @usableFromInline
    func recordCommit(
        of instance: UInt64? = nil, changed: Bool? = nil, label: String, file: StaticString, line: UInt32
    ) {
        guard isEnabled,
            let view = unsafe view(label: label, file: "\(file)", line: line)
        else { return }
        unsafe view._withUnsafeGuaranteedRef { recordCommit(of: instance, changed: changed, view: $0) }
    }

    /// The commit took `nanoseconds`, if that was measured.
    func recordCommit(of instance: UInt64?, changed: Bool?, view: ViewRecord, nanoseconds: UInt64 = 0) {
        guard isEnabled else { return }
        var wasted: WorkPlace?
        let traced = update(view) { state in
            let decided = state.recordCommit(of: instance, changed: changed, nanoseconds: nanoseconds)
            wasted = decided.wastedWork
            return ViewSignpost.isOn ? (state.traced, decided) : nil
        }
        if let wasted { noteWasted(wasted, of: view) }
        guard let (totals, decided) = traced else { return }
        for verdict in decided.earlier {
            ViewSignpost.emit("judged", totals, verdict, of: view, instance: decided.instance, in: self)
        }
        ViewSignpost.emit("committed", totals, decided.latest, of: view, instance: decided.instance, in: self)
    }

    func recordLayout(of view: ViewRecord, count: UInt64 = 1, nanoseconds: UInt64) {
        if isEnabled { update(view) { $0.recordLayouts(count, nanoseconds: nanoseconds) } }
    }

    @usableFromInline
    func recordEnd(of instance: UInt64?, label: String) {
        guard isEnabled,
            let view = unsafe knownView(LongText.bounded(label, to: WireLimits.keyBytes))
        else { return }
        unsafe view._withUnsafeGuaranteedRef { recordEnd(of: instance, view: $0) }
    }

    func recordEnd(of instance: UInt64?, view: ViewRecord) {
        guard isEnabled else { return }
        // Released when the lock is: what it held may run the app's code.
        var ended: InstanceRecord?
        let traced = update(view) { state in
            ended = state.end(instance: instance)
            return ViewSignpost.isOn ? state.traced : nil
        }
        if let traced { ViewSignpost.emit("ended", traced, nil, of: view, instance: instance, in: self) }
        withExtendedLifetime(ended) {}
    }

    /// Notes that a value of a view was in an evaluated output: if its body is never seen, the view is listed. A lock, if it is
    /// known already.
    func noteInOutput(_ view: ViewRecord) { note(view) { $0.noteInOutput() } }

    /// Whether an evaluation of a view was ever counted, or somebody else counts it.
    func isSeen(_ view: ViewRecord) -> Bool { view.state.withLock { $0.isEvaluated } }

    /// Notes that somebody else counts a view: that its body is never seen here means nothing.
    func noteCountedElsewhere(_ view: ViewRecord) { note(view) { $0.leave() } }

    /// - Parameter change: Returns whether it changed anything.
    private func note(_ view: ViewRecord, _ change: (inout ViewState) -> Bool) {
        guard isEnabled else { return }
        let becameDirty = view.state.withLock { state in
            state.enter(epoch: epoch)
            guard change(&state) else { return false }
            defer { state.isDirty = true }
            return !state.isDirty
        }
        if becameDirty { markDirty(view) }
    }

    /// Notes something for the next evaluation of the instances that are meant.
    func note(_ instance: InstanceID?, of label: String, _ change: (inout PendingCauses) -> Void) {
        guard isEnabled,
            let view = unsafe knownView(LongText.bounded(label, to: WireLimits.keyBytes))
        else { return }
        unsafe view._withUnsafeGuaranteedRef { view in
            for record in view.state.withLock({ $0.recordsAnnounced(instance?.rawValue) }) {
                record.pending.note(change)
            }
        }
    }

    @inline(__always)
    func update<Result>(_ view: ViewRecord, _ change: (inout ViewState) -> Result) -> Result {
        var becameDirty = false
        let result = view.state.withLock { state in
            // The epoch is read under the view's lock, and a reset passes through every such lock after it raised the
            // epoch: so an evaluation's count and its slot in the flight page are of one epoch.
            state.enter(epoch: epoch)
            becameDirty = !state.isDirty
            state.isDirty = true
            return change(&state)
        }
        if becameDirty { markDirty(view) }
        return result
    }

    func knownView(_ label: String) -> Unmanaged<ViewRecord>? { unsafe views.known(label) }
}

// MARK: - Epochs

extension StoreCore {
    /// Begins a new epoch with all counts at zero.
    @usableFromInline
    func reset() {
        guard !crerender_is_forked() else { return }
        isReset.withLock { _ in
            let next = epoch &+ 1
            evaluations.begin(epoch: next)
            epochBeganAt.store(Timestamp.now.nanosecondsSince1970, ordering: .relaxed)
            epochNumber.store(next, ordering: .releasing)
            dropped.withLock { $0 = (next, 0) }
            for view in allViews { view.state.withLock { $0.enter(epoch: next) } }
        }
        LoopLedger.shared.storeWasReset(id)
        markStateDirty()
    }
}

// MARK: - What others read

extension StoreCore {
    var allViews: [ViewRecord] { views.all }

    /// The store's own numbers as they travel.
    func state() -> StoreState {
        var state = StoreState(storeID: id, name: name, kind: kind, startedAt: startedAt)
        let epoch = self.epoch
        state.epoch = epoch
        state.countedSince = Timestamp(nanosecondsSince1970: epochBeganAt.load(ordering: .relaxed))
        state.enabled = isEnabled
        state.hangThresholdMilliseconds = hangThresholdMilliseconds.load(ordering: .relaxed)
        state.microHangThresholdMilliseconds = microHangThresholdMilliseconds.load(ordering: .relaxed)
        state.evaluations = evaluations.count(epoch: epoch)
        state.dropped = dropped.withLock { $0.epoch == epoch ? $0.count : 0 }
        state.mainLoop = mainLoop.kind
        state.hangStacks = hangStacks.load(ordering: .relaxed)
        state.isConfigured = isConfigured.load(ordering: .relaxed)
        state.frames = currentFrames
        state.gaps = allGaps
        return state
    }

    /// Takes the view's mark off and returns its totals as they travel, with the reasons that they count.
    func takeTotals(
        of view: ViewRecord, wallClock: WallClock
    ) -> (message: TotalsMessage, reasons: [ReasonTable.Entry]) {
        view.state.withLock { state in
            state.isDirty = false
            state.enter(epoch: epoch)
            state.reasons.settle()
            var message = TotalsMessage(state.totals(wallClock: wallClock))
            message.reasonCounts = state.reasons.counts()
            return (message, state.reasons.entries)
        }
    }

    /// Everything that is known of each view with anything to show, most evaluations first.
    func stats() -> [Stats] {
        guard !crerender_is_forked() else { return [] }
        let wallClock = WallClock()
        return allViews.compactMap { stats(of: $0, wallClock: wallClock) }.sorted(by: Stats.byCount)
    }

    func stats(of view: ViewRecord, wallClock: WallClock) -> Stats? {
        let (totals, hangs, reasons, isVisible) = view.state.withLock { state in
            state.enter(epoch: epoch)
            state.reasons.settle()
            let totals = state.totals(wallClock: wallClock)
            return (totals, state.hangs, state.reasons, state.isVisible)
        }
        guard isVisible else { return nil }
        var stats = Stats(totals, hangs: hangs, key: view.key, file: view.file, line: view.line)
        // Outside of the lock: naming a writer takes time.
        stats.reasons = reasons.reasonCounts()
        stats.lastReason = reasons.lastText
        return stats
    }
}

// MARK: - What has changed

extension StoreCore {
    /// Puts a view among those to send; the caller has set its mark.
    func markDirty(_ view: ViewRecord) {
        dirtyViews.withLock { $0.append(view.index) }
        process.observer.storeChanged()
    }

    func markStateDirty() {
        isStateDirty.store(true, ordering: .releasing)
        process.observer.storeChanged()
    }

    /// The same where something else wakes who is told.
    func noteStateChange() { isStateDirty.store(true, ordering: .releasing) }

    /// Takes off the mark that the store's own numbers changed; true if it was there.
    func takeStateMark() -> Bool {
        isStateDirty.exchange(false, ordering: .acquiringAndReleasing)
    }

    /// Exchanges the list of views to send for an empty one; each view keeps its mark until its totals are taken.
    ///
    /// The two lists change places, so that marking a view never allocates once both are large enough.
    func swapDirtyViews(with empty: inout [UInt32]) {
        dirtyViews.withLock { swap(&$0, &empty) }
    }
}
