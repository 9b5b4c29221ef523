// SPDX-License-Identifier: MIT
// The frames and the hangs that a store knows of, and what a verdict on it needs.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

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
