// SPDX-License-Identifier: MIT
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
