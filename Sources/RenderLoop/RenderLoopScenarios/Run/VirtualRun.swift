// SPDX-License-Identifier: MIT
// A script in virtual time.

package import RenderLoop

extension RedrawRun {
    /// How long ``ScriptStep/wait`` waits, in nanoseconds: a frame.
    package static let beatInterval: UInt64 = 16_666_667

    /// Runs the turn of one step, and those that follow where handlers were cut off.
    package func perform(_ step: ScriptStep, on clock: VirtualClock) {
        if case .wait = step {
            clock.timer(after: Self.beatInterval, "beat") { self.beat() }
            clock.advance(by: Self.beatInterval)
        } else {
            send(step)
            clock.nextFrame()
        }
        clock.settle()
    }
}
