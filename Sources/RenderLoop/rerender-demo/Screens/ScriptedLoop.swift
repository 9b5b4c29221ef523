// SPDX-License-Identifier: MIT
// A script on the real main run loop: each step when the turn of the one before has ended.

#if RenderLoop
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
        /// Whether the present turn has what the step waits for.
        private var isReached = false

        /// Begins with the loop's first turn; stops the main run loop at the end of the script.
        init(_ run: RedrawRun, _ script: Script) {
            self.run = run
            remaining = script.steps[...]
            run.loop.observe { [weak self] event in self?.follow(event) }
        }

        private func follow(_ event: LoopEvent) {
            switch event {
            case .input, .callout(.timer, Self.beat): isReached = true
            case .committed where step == nil: isReached = true
            case .waiting where isReached: next()
            default: break
            }
        }

        private func next() {
            isReached = false
            finished.append((step, run.takeRedraws()))
            guard let next = remaining.popFirst() else { return CFRunLoopStop(CFRunLoopGetMain()) }
            step = next
            if case .wait = next { scheduleBeat() } else { run.send(next) }
        }

        private func scheduleBeat() {
            _ = Timer.scheduledTimer(withTimeInterval: Double(RedrawRun.beatInterval) / 1e9, repeats: false) {
                [run] _ in
                MainActor.assumeIsolated { run.loop.callOut(.timer, Self.beat) { run.beat() } }
            }
        }

        private static let beat = "beat"
    }
#endif
