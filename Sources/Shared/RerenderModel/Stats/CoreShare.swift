// SPDX-License-Identifier: MIT
// Parts of a core, as every surface shows them: processor time.

/// A part of a core: processor time of a second.
package struct CoreShare: Hashable, Sendable {
    /// In percents.
    package var percent: Double
    /// Whether it was shared out by the clock among what ran, and not read at its beginning and end.
    package var isShared: Bool

    package init(percent: Double, isShared: Bool = false) { (self.percent, self.isShared) = (percent, isShared) }

    /// The part of some processor time; nil where nothing was counted.
    package init?(_ processor: UInt64, of counted: UInt64, isShared: Bool = false) {
        guard counted > 0 else { return nil }
        self.init(percent: Double(processor) / Double(counted) * 100, isShared: isShared)
    }

    /// `3.1%`; `~3.1%` where it was shared out. A bound needs no sign.
    package var text: String {
        let text = PercentOfCore.text(percent)
        return isShared && !text.hasPrefix("<") ? "~" + text : text
    }
}

/// Makes processor time of time by the clock, for some processes.
///
/// One store of a process has its main loop, so that all stores at hand are needed. Where a process's processor time is not known, its time by the
/// clock stands for it.
package struct CoreShares: Sendable {
    private var loops: [Int32: LoopStats] = [:]
    private var framesRunning: [Int32: Double] = [:]

    package init(_ stores: some Sequence<ProcessStats>) {
        let all = Array(stores)
        // Those of a program that runs first, and then those of one that became it by `exec`.
        for store in all.filter(\.connected) + all.filter({ !$0.connected }) {
            if let loop = store.loop, loops[store.pid] == nil { loops[store.pid] = loop }
            if let ratio = store.frames?.running, framesRunning[store.pid] == nil { framesRunning[store.pid] = ratio }
        }
    }

    /// The main loop of a process; nil where it is not known.
    package func loop(of pid: Int32) -> LoopStats? { loops[pid] }

    /// Percents of a second by the clock in bodies.
    package func bodies(_ percent: Double, of pid: Int32) -> CoreShare {
        guard let loop = loops[pid], loop.knowsBodies else { return CoreShare(percent: percent) }
        return CoreShare(percent: percent * loop.bodiesRunning, isShared: true)
    }

    /// The same in frames.
    package func frames(_ percent: Double, of pid: Int32) -> CoreShare {
        guard let running = framesRunning[pid] else { return CoreShare(percent: percent) }
        return CoreShare(percent: percent * running, isShared: true)
    }

    /// What goes on without input; nil where it took less than a second.
    package func share(of work: IdleWork, in pid: Int32) -> CoreShare? {
        work.share.map { work.kind == .frames ? frames($0 * 100, of: pid) : bodies($0 * 100, of: pid) }
    }
}

extension LoopStats {
    /// Whether the processor time of bodies is known.
    package var knowsBodies: Bool { totals.bodies.wall > 0 && totals.bodies.processor > 0 }
}

extension FrameStats {
    /// By what the time of frames by the clock is multiplied to have processor time; nil where that is not known.
    package var running: Double? {
        let wall = updateNanoseconds.clampedSum(layoutNanoseconds).clampedSum(snapshotNanoseconds)
            .clampedSum(drawingNanoseconds)
        guard let processorNanoseconds, processorNanoseconds > 0, wall > 0 else { return nil }
        return min(1, Double(processorNanoseconds) / Double(wall))
    }
}
