// SPDX-License-Identifier: MIT
// A script on the real main run loop: each step when the turn of the one before has ended.

import CoreFoundation
import Foundation
import RenderLoop
import RenderLoopScenarios

/// Follows the loop's events: what a turn with a step's input evaluates is that step's.
@MainActor
final class ScriptedLoop {
    /// The steps that are over, with what they evaluated; nil stands for the views' appearance.
    private(set) var finished: [(step: ScriptStep?, redraws: Redraws)] = []
    private let run: RedrawRun
    private var remaining: ArraySlice<ScriptStep>
    private var step: ScriptStep?

    /// Begins with the loop's first turn; stops the main run loop at the end of the script.
    init(_ run: RedrawRun, _ script: Script) {
        self.run = run
        remaining = script.steps[...]
        run.observeSteps(
            commitCounts: { [weak self] in self?.step == nil }, ended: { [weak self] in self?.next(after: $0) })
    }

    private func next(after redraws: Redraws) {
        finished.append((step, redraws))
        guard let next = remaining.popFirst() else { return CFRunLoopStop(CFRunLoopGetMain()) }
        step = next
        if case .wait = next { scheduleBeat() } else { run.send(next) }
    }

    private func scheduleBeat() {
        _ = Timer.scheduledTimer(withTimeInterval: Double(RedrawRun.beatInterval) / 1e9, repeats: false) {
            [run] _ in
            MainActor.assumeIsolated { run.beatInTurn() }
        }
    }
}
