// SPDX-License-Identifier: MIT
// The driver of a loop decides when turns begin and end. For programs it is the process's main run loop.

import CoreFoundation
import Dispatch
import Foundation

/// A source of turns and frames.
///
/// For each turn it calls ``RenderLoop/beginTurn()`` before the first callout, and ``RenderLoop/finishTurn()`` right
/// before it waits. All on the main actor.
@MainActor
public protocol LoopDriver: AnyObject {
    /// A time that never goes back, in nanoseconds.
    var now: UInt64 { get }

    /// Takes up a loop, which it must not keep alive.
    func connect(_ loop: RenderLoop)

    /// The loop has work: a turn must come, now or after the present one.
    func wake()

    /// Whether ``RenderLoop/beginFrame(_:)`` is to be called at each frame.
    func setFrames(_ areWanted: Bool)
}

/// Runs turns with the main run loop: each begins when the loop wakes up and ends right before it waits.
///
/// The program runs the loop: `RunLoop.main.run()`, `CFRunLoopRun()`. What it calls in between (sources, timers, blocks
/// of the main queue) are the callouts of a turn; their order is the run loop's. One driver drives one loop.
@MainActor
public final class MainRunLoop: LoopDriver {
    private weak var loop: RenderLoop?
    private var observer: CFRunLoopObserver?
    private var timer: Timer?
    private var frames: FrameClock

    /// Makes a driver with a time between frames, in nanoseconds: 1/60 s at first.
    public init(frameInterval: UInt64 = 16_666_667) {
        frames = FrameClock(interval: frameInterval)
    }

    isolated deinit {
        timer?.invalidate()
        if let observer { CFRunLoopObserverInvalidate(observer) }
    }

    /// Monotonic time in nanoseconds.
    public var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Takes up a loop and observes the main run loop.
    public func connect(_ loop: RenderLoop) {
        self.loop = loop
        let activities: CFRunLoopActivity = [.afterWaiting, .beforeWaiting, .beforeTimers]
        // Right before observers that end the turn: evaluations belong to it.
        let observer = CFRunLoopObserverCreateWithHandler(
            kCFAllocatorDefault, CFOptionFlags(activities.rawValue), true, CFIndex.max - 1
        ) { [weak self] _, activity in
            MainActor.assumeIsolated { self?.observe(activity) }
        }
        CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
        self.observer = observer
    }

    /// Has the run loop come round once more.
    public func wake() { CFRunLoopWakeUp(CFRunLoopGetMain()) }

    /// Starts or ends the timer of the frames, which fires when a frame of the clock is due: a timer that counted from now
    /// on would come anywhere between two frames, and where it comes close to one, skip some.
    public func setFrames(_ areWanted: Bool) {
        timer?.invalidate()
        timer = nil
        guard areWanted else { return }
        let now = now
        frames.restart(at: now)
        let made = Timer(fire: nextFire(after: now), interval: Double(frames.interval) / 1e9, repeats: true) {
            [weak self] _ in
            MainActor.assumeIsolated { self?.fire() }
        }
        RunLoop.main.add(made, forMode: .common)
        timer = made
    }

    private func fire() {
        let now = now
        let frame = frames.frame(at: now)
        // Timers have another clock: what they are off does not add up.
        timer?.fireDate = nextFire(after: now)
        if let loop, let frame { loop.beginFrame(frame) }
    }

    private func nextFire(after now: UInt64) -> Date {
        Date(timeIntervalSinceNow: Double(frames.nanosecondsLeft(at: now)) / 1e9)
    }

    private func observe(_ activity: CFRunLoopActivity) {
        guard let loop else { return }
        if activity == .beforeWaiting {
            loop.finishTurn()
        } else {
            loop.beginTurn()
        }
    }
}
