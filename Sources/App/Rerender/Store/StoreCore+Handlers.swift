// SPDX-License-Identifier: MIT
// Runs event handlers and other phases of views: names them, and attributes the time of the main loop to them.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

/// Proof of the unsafe parts: see ``TimedSpan``.
extension StoreCore {
    /// Runs a handler; writes in it name it.
    @usableFromInline
    func handle<Output, Failure>(
        _ name: String, of view: String?, reactingTo instance: InstanceID??, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        let (handler, timed) = handler(name, of: view)
        let link = handlerLink(handler, of: view, reactingTo: instance)
        // The span keeps them: a variable of this function would not let go of them where the body is left.
        return try unsafe run(
            Unmanaged.passUnretained(timed.timed), Unmanaged.passRetained(handler),
            link.map { unsafe Unmanaged.passRetained($0) }, isOwner: true, body)
    }

    /// Runs something as a span.
    ///
    /// - Parameter isOwner: Whether the handler and the link are let go of when the span has ended, or was left.
    func run<Output, Failure>(
        _ timed: Unmanaged<TimedPlace>, _ handler: Unmanaged<EventHandler>?, _ link: Unmanaged<CauseLink>?,
        isOwner: Bool, _ body: () throws(Failure) -> Output
    ) throws(Failure) -> Output {
        var hasBegun = false
        defer {
            if isOwner && !hasBegun {
                unsafe handler?.release()
                unsafe link?.release()
            }
        }
        return try unsafe RunningCall.run(
            drop: { memory in
                let span = unsafe memory.assumingMemoryBound(to: TimedSpan.self)
                unsafe StoreCore.unlist(span)
                unsafe span.pointee.release()
            },
            begin: { running in
                hasBegun = true
                unsafe RunningCall.keep(self, in: running)
                let span = unsafe crerender_memory(running).assumingMemoryBound(to: TimedSpan.self)
                unsafe span.initialize(to: self.span(of: timed, handler: handler, link: link, isOwner: isOwner))
                unsafe begin(span)
            },
            end: { running in
                let span = unsafe crerender_memory(running).assumingMemoryBound(to: TimedSpan.self)
                unsafe end(span)
                unsafe span.pointee.release()
            }, body)
    }

    /// Takes a span out of those of this thread, and those in it; false if it is not among them: what it began in was left.
    @discardableResult
    static func unlist(_ span: UnsafeMutablePointer<TimedSpan>) -> Bool {
        var listed = unsafe crerender_span()
        while let inner = unsafe listed, unsafe inner != UnsafeMutableRawPointer(span) {
            unsafe listed = inner.assumingMemoryBound(to: TimedSpan.self).pointee.enclosing
        }
        guard unsafe listed != nil else { return false }
        unsafe crerender_set_span(span.pointee.enclosing)
        return true
    }

    /// A span of something that the store keeps; in a handler, or in the one that runs around it.
    @inline(__always)
    func span(
        of timed: Unmanaged<TimedPlace>, handler: Unmanaged<EventHandler>? = nil,
        link: Unmanaged<CauseLink>? = nil, isOwner: Bool = false
    ) -> TimedSpan {
        let enclosing = unsafe crerender_span()
        let around = unsafe enclosing?.assumingMemoryBound(to: TimedSpan.self)
        return unsafe TimedSpan(
            handler: handler ?? around?.pointee.handler, timed: timed, epoch: epoch, enclosing: enclosing,
            evaluation: crerender_frame(), isHandler: handler != nil, isOwner: isOwner, link: link)
    }

    /// Begins a span; returns when that was.
    @inline(__always)
    @discardableResult
    func begin(_ span: UnsafeMutablePointer<TimedSpan>) -> UInt64 {
        unsafe crerender_set_span(span)
        let now = MonotonicClock.now
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return now }
        unsafe span.pointee.timed._withUnsafeGuaranteedRef {
            unsafe loop.spanBegan($0, epoch: span.pointee.epoch, at: now)
        }
        return now
    }

    /// Ends a span; returns when that was.
    @inline(__always)
    @discardableResult
    func end(_ span: UnsafeMutablePointer<TimedSpan>) -> UInt64 {
        let now = MonotonicClock.now
        guard unsafe Self.unlist(span) else { return now }
        guard let loop = loopRecord, mainLoop.runsOnThisThread(loop, at: now) else { return now }
        let evaluation = unsafe span.pointee.evaluation?.assumingMemoryBound(to: EvaluationFrame.self)
        unsafe loop.spanEnded(at: now, enclosing: Self.runner(in: evaluation))
        return now
    }

    /// The handler of a name and a view, made if it is new, and where its time goes: to the others, if the store has no room.
    func handler(_ name: String, of view: String?) -> (named: EventHandler, timed: EventHandler) {
        let name = HandlerName(
            view: view.map { LongText.bounded($0, to: WireLimits.keyBytes) },
            name: LongText.bounded(name, to: StoreLimits.handlerNameBytes))
        let (named, timed, isNew) = handlers.withLock { handlers in
            if let known = handlers.byName[name] { return (known, known, false) }
            if handlers.all.count < StoreLimits.handlers {
                // It owns its texts: they may be slices that would keep a large string of the app's alive.
                let owned = HandlerName(view: name.view.map(LongText.copy), name: LongText.copy(name.name))
                let made = handlers.add(owned, of: id)
                return (made, made, true)
            }
            let known = handlers.byName[.others]
            let others = known ?? handlers.add(.others, of: id)
            return (EventHandler(storeID: id, index: others.index, name), others, known == nil)
        }
        // The daemon is to hear of it while it runs: it may hang.
        if isNew { markStateDirty() }
        return (named, timed)
    }

    /// The handlers from a number on.
    func handlers(from index: Int) -> ArraySlice<EventHandler> { handlers.withLock { $0.all[index...] } }
}

struct HandlerList: Sendable {
    private(set) var byName: [HandlerName: EventHandler] = [:]
    private(set) var all: [EventHandler] = []

    fileprivate mutating func add(_ name: HandlerName, of storeID: UInt32) -> EventHandler {
        let handler = EventHandler(storeID: storeID, index: UInt32(all.count), name)
        byName[name] = handler
        all.append(handler)
        return handler
    }
}

// The frames and the hangs that a store knows of, and what a verdict on it needs.

extension StoreCore {
    var currentFrames: FrameTotals { frames.withLock { $0.epoch == epoch ? $0.totals : FrameTotals() } }

    /// Counts a frame.
    func record(_ frame: MeasuredFrame) {
        guard isEnabled else { return }
        noteWork(frame)
        change { $0.add(frame) }
    }

    /// Counts that a frame was presented.
    func recordPresented(nanoseconds: UInt64) {
        guard isEnabled else { return }
        change { $0.addPresented(nanoseconds: nanoseconds) }
    }

    private func change(_ change: (inout FrameTotals) -> Void) {
        frames.withLock { known in
            if known.epoch != epoch { known = (epoch, FrameTotals()) }
            change(&known.totals)
        }
        markStateDirty()
    }

    /// What may be missing from the counts, as sentences. A reset keeps them.
    var allGaps: [String] {
        // The thread that asks may have left one.
        crerender_drop_left()
        let gaps = gaps.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
        return Array((attachGap + unendedGap + deepGap + gaps + scriptGap).prefix(WireLimits.gapsPerStore))
    }

    /// Counts an evaluation that began and did not end.
    func noteUnended() {
        unended.wrappingAdd(1, ordering: .relaxed)
        markStateDirty()
    }

    /// Counts an evaluation for which too little of the stack was left: in no view, since to find that takes stack, too.
    func noteTooDeep() {
        // First, or the gap might be asked for before.
        tooDeep.wrappingAdd(1, ordering: .relaxed)
        recordDropped()
    }

    private var deepGap: [String] {
        let count = tooDeep.load(ordering: .relaxed)
        if count == 0 { return [] }
        let evaluations = count == 1 ? "1 evaluation was" : "\(count) evaluations were"
        return [
            "in no view: \(evaluations) so deep in each other that too little of the stack was left to look for a cause"
        ]
    }

    private var unendedGap: [String] {
        let count = unended.load(ordering: .relaxed)
        if count == 0 { return [] }
        let evaluations = count == 1 ? "1 evaluation" : "\(count) evaluations"
        return [
            "not counted: \(evaluations) that the program left by longjmp or a C++ exception, did not end, or runs on stacks of its own"
        ]
    }

    private var attachGap: [String] { unsafe crerender_given_directory() == nil ? [] : [ProcessStats.attached] }

    /// Proof: the text is kept for as long as the process runs.
    private var scriptGap: [String] { unsafe crerender_script_gap().map { [unsafe String(cString: $0)] } ?? [] }

    /// Says that something may be missing from the counts, in the place of what was said of the same cause.
    func noteGap(_ cause: String, _ sentence: String) {
        gaps.withLock { $0[cause] = String(sentence.prefix(utf8Bytes: WireLimits.gapBytes)) }
        markStateDirty()
    }

    /// Counts that a frame over its interval belongs to a view.
    func recordFrameOverInterval(of view: ViewRecord) { if isEnabled { update(view) { $0.recordFrameOverInterval() } } }

    /// Takes over what the daemon counted, if it is of the current epoch.
    func take(_ notice: HangNotice) {
        let hadHangs = hangs.withLock { known in
            guard notice.epoch == epoch else { return false }
            defer { known = (epoch, notice.counts) }
            return known.counts.hangs.count > 0
        }
        // Another daemon counts from zero, and names no view.
        if hadHangs, notice.counts.hangs.count == 0 { forgetHangsOfViews() }
        guard let blamed = notice.blamed, blamed.index < allViews.count else { return }
        allViews[Int(blamed.index)].state.withLock { state in
            state.enter(epoch: epoch)
            if state.sums.epoch == notice.epoch { state.hangs = blamed.hangs }
        }
    }

    private func forgetHangsOfViews() {
        for view in allViews { view.state.withLock { $0.hangs = HangTotals() } }
    }

    /// The hangs of the current epoch that the daemon told of.
    var currentHangs: StoreHangs { hangs.withLock { $0.epoch == epoch ? $0.counts : StoreHangs() } }

    /// The store as the export shows it, without its views and what goes on without input.
    ///
    /// - Parameters:
    ///   - lastEnd: When the latest evaluation of all views ended, by the monotonic clock; 0 before the first.
    ///   - named: Whether writers have names, which may take milliseconds for one that was not named before.
    func summary(_ wallClock: WallClock, lastEnd: UInt64, named: Bool) -> ProcessStats {
        var entry = ProcessStats(state(), hangs: currentHangs, pid: process.identity.pid, name: process.identity.name)
        entry.connected = process.observer.isConnected
        let cycles = cycles(wallClock, named: named)
        entry.cycles = cycles.isEmpty ? nil : cycles
        entry.lastRenderedAt = lastEnd == 0 ? nil : wallClock.time(at: lastEnd)
        return entry
    }

    /// When the latest evaluation of all views ended, by the monotonic clock; 0 before the first. A lock for each view.
    var lastEnd: UInt64 {
        allViews.reduce(0) { last, view in
            view.state.withLock { state in
                state.enter(epoch: epoch)
                return max(last, state.lastEnd)
            }
        }
    }

    /// The store and the views with anything to show, in the order in which they were met first: a lock for each view.
    func brief() -> StoreBrief {
        var last: UInt64 = 0
        let views = allViews.compactMap { view in
            view.state.withLock { state in
                state.enter(epoch: epoch)
                last = max(last, state.lastEnd)
                return state.isVisible ? state.brief(of: view) : nil
            }
        }
        return StoreBrief(store: summary(WallClock(), lastEnd: last, named: false), views: views)
    }
}
