// SPDX-License-Identifier: MIT
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
