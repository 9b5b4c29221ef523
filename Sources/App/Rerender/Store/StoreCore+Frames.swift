// SPDX-License-Identifier: MIT
// Frames that a toolkit draws: what they cost, and which views those over their interval belong to.

import CRerender
import RerenderModel
import RerenderWire
import Synchronization

extension StoreCore {
    /// The frames of the current epoch.
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
        return Array((unendedGap + gaps).prefix(WireLimits.gapsPerStore))
    }

    /// Counts an evaluation that began and did not end.
    func noteUnended() {
        unended.wrappingAdd(1, ordering: .relaxed)
        markStateDirty()
    }

    private var unendedGap: [String] {
        let count = unended.load(ordering: .relaxed)
        if count == 0 { return [] }
        let evaluations = count == 1 ? "1 evaluation" : "\(count) evaluations"
        return [
            "not counted: \(evaluations) that the program left by longjmp or a C++ exception, did not end, or runs on stacks of its own"
        ]
    }

    /// Says that something may be missing from the counts, in the place of what was said of the same cause.
    func noteGap(_ cause: String, _ sentence: String) {
        gaps.withLock { $0[cause] = String(sentence.prefix(utf8Bytes: WireLimits.gapBytes)) }
        markStateDirty()
    }

    /// Counts that a frame over its interval belongs to a view.
    func recordFrameOverInterval(of view: ViewRecord) { if isEnabled { update(view) { $0.recordFrameOverInterval() } } }
}
