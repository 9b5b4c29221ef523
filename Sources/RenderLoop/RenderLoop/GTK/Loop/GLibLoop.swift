// SPDX-License-Identifier: MIT
// A driver for windows: GLib's main loop.

#if RERENDER_GTK
    import CRerenderGTK

    /// Runs turns with GLib's main loop: a frame, a timer and a wish for a turn are a turn each, right before GTK draws.
    ///
    /// While nothing is wanted, it wakes nothing. One driver drives one loop.
    @MainActor
    package final class GLibLoop: LoopDriver {
        private weak var loop: RenderLoop?
        private var frames: FrameClock
        private var areFramesWanted = false
        private lazy var turns = TimedSource(beforeDrawing: true) { [weak self] in self?.run {} }
        private lazy var frameTimes = TimedSource(beforeDrawing: false) { [weak self] in self?.fire() }
        private var timers: [TimedSource] = []
        /// Called when a turn has ended.
        var turnEnded: @MainActor () -> Void = {}

        /// Makes a driver with a time between frames, in nanoseconds: 1/60 s at first.
        package init(frameInterval: UInt64 = 16_666_667) { frames = FrameClock(interval: frameInterval) }

        /// Monotonic time in nanoseconds.
        package var now: UInt64 { UInt64(render_loop_now()) * 1_000 }

        /// Takes up a loop.
        package func connect(_ loop: RenderLoop) { self.loop = loop }

        /// Has the main loop come round once more.
        package func wake() { turns.set(0) }

        /// Frames come from the next one on, or no more.
        package func setFrames(_ areWanted: Bool) {
            areFramesWanted = areWanted
            if areWanted { frames.restart(at: now) }
            frameTimes.set(areWanted ? frames.nextDue : nil)
        }

        /// Calls a body again and again, each time as a callout of a turn, for as long as the driver is there.
        package func addTimer(each nanoseconds: UInt64, _ body: @escaping @MainActor () -> Void) {
            let place = timers.count
            timers.append(
                TimedSource(beforeDrawing: false) { [weak self] in
                    guard let self else { return }
                    timers[place].set(now + nanoseconds)
                    run(body)
                })
            timers[place].set(now + nanoseconds)
        }

        private func fire() {
            if let frame = frames.frame(at: now) { run { loop?.beginFrame(frame) } }
            if areFramesWanted { frameTimes.set(frames.nextDue) }
        }

        private func run(_ callouts: () -> Void) {
            guard let loop else { return }
            loop.beginTurn()
            callouts()
            loop.finishTurn()
            turnEnded()
        }
    }
#endif
