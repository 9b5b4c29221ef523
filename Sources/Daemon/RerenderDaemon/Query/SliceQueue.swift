// SPDX-License-Identifier: MIT
// Hands out the event loop's time among the answers that are being made.

internal import NIOCore

/// Runs one slice of work at a time, and lets the loop do other things after each. Confined to the event loop.
///
/// The loop runs all tasks that are due before it reads again. Without the queue, each client would add a slice to the time
/// for which everyone waits.
final class SliceQueue {
    private let loop: NIOIsolatedEventLoop
    private let pause: TimeAmount
    /// At most one for each connection: who waits for a slice asks for no other.
    private var waiting = CircularBuffer<() -> Void>()
    private var isPausing = false

    /// - Parameter pause: how long the loop has for other things after a slice.
    init(loop: NIOIsolatedEventLoop, pause: TimeAmount) {
        self.loop = loop
        self.pause = pause
    }

    /// Runs a slice, at once if no other has just run.
    func run(_ slice: @escaping () -> Void) {
        guard !isPausing else { return waiting.append(slice) }
        isPausing = true
        slice()
        loop.scheduleTask(in: pause) { self.runNext() }
    }

    private func runNext() {
        isPausing = false
        if let next = waiting.popFirst() { run(next) }
    }
}
