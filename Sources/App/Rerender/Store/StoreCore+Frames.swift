// SPDX-License-Identifier: MIT
// Frames that a toolkit draws: what they cost, and which views those over their interval belong to.

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

    /// Counts that a frame over its interval belongs to a view.
    func recordFrameOverInterval(of view: ViewRecord) { if isEnabled { update(view) { $0.recordFrameOverInterval() } } }
}
