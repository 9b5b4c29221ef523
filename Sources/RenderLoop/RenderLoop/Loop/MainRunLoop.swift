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

// A driver for tests: the test advances the time, and the order of all callouts is fixed.

/// Runs turns in virtual time.
///
/// In a turn come first the sources that are due, then the timers by their time, then the blocks of the main queue; of
/// each kind, in the order in which they were added. What a callout adds for a later kind still runs in the same turn,
/// what it adds for its own or an earlier kind runs in the next.
@MainActor
public final class VirtualClock: LoopDriver {
    private struct Callout {
        let kind: CalloutKind
        let due: UInt64
        let order: UInt64
        let label: String
        let body: @MainActor () -> Void
    }

    /// The virtual time in nanoseconds.
    public private(set) var now: UInt64 = 0
    private weak var loop: RenderLoop?
    private var waiting: [Callout] = []
    private var order: UInt64 = 0
    private var isAwake = false
    private var wantsFrames = false
    private var frames: FrameClock

    /// Makes a clock with a time between frames, in nanoseconds: 1/60 s at first.
    public init(frameInterval: UInt64 = 16_666_667) { frames = FrameClock(interval: frameInterval) }

    /// Takes up a loop; one clock drives one loop.
    public func connect(_ loop: RenderLoop) { self.loop = loop }

    /// A turn will come at the next ``turn()`` or ``advance(by:)``.
    public func wake() { isAwake = true }

    /// Frames are made from the next one on.
    public func setFrames(_ areWanted: Bool) {
        if areWanted { frames.restart(at: now) }
        wantsFrames = areWanted
    }

    // MARK: Callouts

    /// A source that is due now.
    public func source(_ label: String, _ body: @escaping @MainActor () -> Void) { add(.source, 0, label, body) }

    /// A block on the main queue.
    public func async(_ label: String, _ body: @escaping @MainActor () -> Void) { add(.mainQueue, 0, label, body) }

    /// A timer that fires once.
    public func timer(after nanoseconds: UInt64, _ label: String, _ body: @escaping @MainActor () -> Void) {
        add(.timer, nanoseconds, label, body)
    }

    private func add(_ kind: CalloutKind, _ delay: UInt64, _ label: String, _ body: @escaping @MainActor () -> Void) {
        order += 1
        waiting.append(Callout(kind: kind, due: now.adding(delay), order: order, label: label, body: body))
    }

    // MARK: Time

    /// Lets time pass while the loop is busy: for a callout or a body that takes long.
    public func spend(_ nanoseconds: UInt64) { now = now.adding(nanoseconds) }

    /// Runs one turn at the present time: what is due, then the phases of the loop.
    public func turn() {
        guard let loop else { return }
        isAwake = false
        loop.beginTurn()
        if wantsFrames, let frame = frames.frame(at: now) { loop.beginFrame(frame) }
        for kind in CalloutKind.allCases { run(kind, loop) }
        loop.finishTurn()
    }

    /// Runs turns until nothing is due at the present time; at most `limit`, for programs that never come to rest.
    ///
    /// - Returns: Whether it came to rest.
    @discardableResult
    public func settle(limit: Int = 100) -> Bool {
        for _ in 0..<limit where isDue { turn() }
        return !isDue
    }

    /// Lets time pass, with a turn at each moment at which something is due.
    ///
    /// A program that has something due again and again at one moment would keep time from passing: after 100 turns the
    /// loop warns of it, and time passes without further turns.
    ///
    /// - Returns: Whether time passed as it should.
    @discardableResult
    public func advance(by nanoseconds: UInt64) -> Bool {
        let end = now.adding(nanoseconds)
        var isStuck = isStuckAfterSettling()
        while !isStuck, let next = nextDue, next <= end {
            now = max(now, next)
            turn()
            isStuck = isStuckAfterSettling()
        }
        if isStuck { loop?.graph.warn(.timeStandsStill(at: now, nextCallout)) }
        now = max(now, end)
        return !isStuck
    }

    /// A program that only wants turns lets time pass, and one that spends time in its turns is late.
    private func isStuckAfterSettling() -> Bool {
        let moment = now
        settle()
        return now == moment && (nextDue.map { $0 <= now } ?? false)
    }

    private var nextCallout: String {
        let due = CalloutKind.allCases.lazy.compactMap { kind in
            self.waiting.first { $0.kind == kind && $0.due <= self.now }?.label
        }
        return due.first ?? "frame"
    }

    /// Lets time pass until the next frame, and runs its turn.
    public func nextFrame() {
        settle()
        frames.restart(at: now)
        advance(by: frames.nextDue - now)
    }

    private var isDue: Bool { isAwake || (nextDue.map { $0 <= now } ?? false) }

    private var nextDue: UInt64? {
        let callouts = waiting.map(\.due).min()
        guard wantsFrames else { return callouts }
        return min(callouts ?? .max, frames.nextDue)
    }

    private func run(_ kind: CalloutKind, _ loop: RenderLoop) {
        let isDue = { (callout: Callout) in callout.kind == kind && callout.due <= self.now }
        let due = waiting.filter(isDue).sorted { ($0.due, $0.order) < ($1.due, $1.order) }
        waiting.removeAll(where: isDue)
        for callout in due { loop.callOut(kind, callout.label, callout.body) }
    }
}

extension UInt64 {
    /// The end of time at most.
    func adding(_ other: UInt64) -> UInt64 {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}

// Frames and when they are due, display links, and observers of a loop's events.

/// A refresh of the screen.
public struct Frame: Hashable, Sendable {
    /// Counts the frames since the clock began, those that were skipped included.
    public let number: UInt64
    /// How many before this were skipped because the loop was late.
    public let skipped: UInt64
}

/// Tells which frame a moment belongs to. Late frames are skipped, never caught up with.
package struct FrameClock: Sendable {
    /// The time between two frames in nanoseconds.
    package let interval: UInt64
    private var last: UInt64

    /// Makes a clock whose frame 0 is at time 0.
    package init(interval: UInt64, now: UInt64 = 0) {
        self.interval = max(1, interval)
        last = now / self.interval
    }

    /// The frame that is due; nil if the last one is not over.
    package mutating func frame(at now: UInt64) -> Frame? {
        let number = now / interval
        guard number > last else { return nil }
        defer { last = number }
        return Frame(number: number, skipped: number - last - 1)
    }

    /// How long it is until the next frame is due.
    package func nanosecondsLeft(at now: UInt64) -> UInt64 { nextDue > now ? nextDue - now : 0 }

    /// Forgets the frames until now, which were not wanted.
    package mutating func restart(at now: UInt64) { last = max(last, now / interval) }

    /// When the next frame is due.
    package var nextDue: UInt64 {
        let (due, isTooMuch) = last.adding(1).multipliedReportingOverflow(by: interval)
        return isTooMuch ? .max : due
    }
}

/// A display link that can be taken away again.
public typealias DisplayLink = LoopObservation

extension RenderLoop {
    /// Calls `body` at each frame from the next one on. Frames that the loop is late for are skipped, not queued.
    public func addDisplayLink(_ body: @escaping @MainActor (Frame) -> Void) -> DisplayLink {
        defer { updateFrames() }
        let id = displayLinks.add(body)
        return DisplayLink { [weak self] in
            self?.displayLinks.remove(id)
            self?.updateFrames()
        }
    }

    /// A frame is due; called by the driver, as a source. Input comes first, then the display links.
    public func beginFrame(_ frame: Frame) {
        callOut(.source, "frame") {
            deliverInput()
            guard !displayLinks.isEmpty else { return }
            graph.emit(.frame(frame.number, skipped: frame.skipped))
            displayLinks.call(frame)
        }
        updateFrames()
    }

    /// Frames cost wake-ups: the driver makes them only while there are display links or input.
    func updateFrames() {
        let isWanted = !displayLinks.isEmpty || !inputs.waiting.isEmpty
        guard isWanted != areFramesWanted else { return }
        areFramesWanted = isWanted
        driver.setFrames(isWanted)
    }
}

/// An observer, or a display link, that can be cancelled.
@MainActor
public struct LoopObservation {
    let end: @MainActor () -> Void

    /// Ends the calls.
    public func cancel() { end() }
}

extension RenderLoop {
    /// Calls `body` with every event from now on, in their order, until the observation is cancelled.
    ///
    /// Reasons are recorded from now on: observe before the first turn to get all of them. An observer may change state,
    /// which invalidates as anywhere else.
    @discardableResult
    public func observe(_ body: @escaping @MainActor (LoopEvent) -> Void) -> LoopObservation {
        let id = graph.observers.add(body)
        return LoopObservation { [weak self] in self?.graph.observers.remove(id) }
    }
}
