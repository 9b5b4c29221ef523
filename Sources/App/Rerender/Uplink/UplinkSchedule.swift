// SPDX-License-Identifier: MIT
// Decides when the uplink connects and sends, and when the app tells recordings. Pure state machines; their callers pass the time.

/// Decides what the uplink's thread does next.
///
/// While connected, bursts are at least 100 ms apart and nothing happens while nothing changed. While not, an attempt
/// is made when something new was counted or the socket appeared, never sooner than the back-off allows; without either
/// the thread sleeps, so an idle app is not woken.
struct UplinkSchedule {
    enum Action: Equatable {
        /// Try to connect.
        case connect
        /// Write what changed and send it.
        case burst
        /// Wait until something happens, or until that time.
        case wait(until: UInt64?)
    }

    private enum Link {
        case down(retryAt: UInt64)
        case up(nextBurst: UInt64)
        /// Bytes of the last burst wait for room in the socket.
        case full(nextBurst: UInt64)
    }

    private var link = Link.down(retryAt: 0)
    private var backOff = StoreLimits.firstBackOffNanoseconds
    /// Whether there is something to send.
    private(set) var isDirty = true
    private var isExiting = false
    private var connectedAt: UInt64 = 0

    /// Whether the pauses between attempts still grow.
    var isBackingOff: Bool { backOff < StoreLimits.longestBackOffNanoseconds }

    /// Whether bytes wait for room in the socket.
    var isFull: Bool { if case .full = link { true } else { false } }

    func next(at now: UInt64) -> Action {
        switch link {
        case .down(let retryAt):
            guard isDirty else { return .wait(until: nil) }
            return now >= retryAt ? .connect : .wait(until: retryAt)
        case .up(let nextBurst):
            guard isDirty else { return .wait(until: nil) }
            return now >= nextBurst || isExiting ? .burst : .wait(until: nextBurst)
        case .full:
            return .wait(until: nil)
        }
    }

    /// Something was counted.
    mutating func changed() {
        isDirty = true
    }

    /// The daemon's socket appeared: no reason to wait any longer.
    mutating func socketAppeared(at now: UInt64) {
        isDirty = true
        backOff = StoreLimits.firstBackOffNanoseconds
        if case .down = link { link = .down(retryAt: now) }
    }

    mutating func connected(at now: UInt64) {
        connectedAt = now
        link = .up(nextBurst: now)
        isDirty = true
    }

    /// An attempt failed. The next needs a new reason, unless `mustPoll`: where no notice of the socket can be had.
    mutating func failed(at now: UInt64, mustPoll: Bool) {
        link = .down(retryAt: now + backOff)
        backOff = min(backOff * 2, StoreLimits.longestBackOffNanoseconds)
        isDirty = mustPoll
    }

    /// The connection is gone; everything will have to be sent again.
    ///
    /// Only one that lasted ends the back-off: a daemon that accepts and closes, as one over its limit of connections
    /// does, must not be called ten times a second by an idle app.
    mutating func disconnected(at now: UInt64) {
        if now &- connectedAt >= StoreLimits.longestBackOffNanoseconds { backOff = StoreLimits.firstBackOffNanoseconds }
        link = .down(retryAt: now + backOff)
        backOff = min(backOff * 2, StoreLimits.longestBackOffNanoseconds)
        isDirty = true
    }

    /// The daemon does not want us: no attempt before the longest pause.
    mutating func refused(at now: UInt64) {
        backOff = StoreLimits.longestBackOffNanoseconds
        link = .down(retryAt: now + backOff)
        isDirty = false
    }

    /// A burst was written; `isFull` if the socket did not take all of it, `isMoreLeft` if the budget ended it.
    mutating func sent(at now: UInt64, isFull: Bool, isMoreLeft: Bool) {
        let next = now + StoreLimits.burstNanoseconds
        link = isFull ? .full(nextBurst: next) : .up(nextBurst: next)
        isDirty = isMoreLeft
    }

    /// The socket took the rest.
    mutating func drained() {
        if case .full(let nextBurst) = link { link = .up(nextBurst: nextBurst) }
    }

    /// An answer is due: the next burst need not wait.
    mutating func hurry(at now: UInt64) {
        isDirty = true
        if case .up = link { link = .up(nextBurst: now) }
    }

    /// The process ends: pauses no longer count.
    mutating func exit() {
        isExiting = true
        isDirty = true
        if case .down = link { link = .down(retryAt: 0) }
    }
}

/// Decides when ``LoopSignposts`` are due.
///
/// While a session records, that is once at first, and later at most once in ``StoreLimits/loopTraceNanoseconds`` while something is
/// counted. The last time comes after the last count, so that a recording lags behind by no more. Without a session nothing is due.
struct LoopTrace {
    private var isPending = true
    private var nextAt: UInt64 = 0
    private var threadsAt: UInt64 = 0

    /// Something was counted.
    mutating func changed() { isPending = true }

    /// When something will be due; nil while nothing is to come.
    ///
    /// - Parameter isRecorded: Whether a session records it.
    func dueAt(isRecorded: Bool) -> UInt64? { isPending && isRecorded ? nextAt : nil }

    /// Notes that the app tells recordings now.
    ///
    /// - Parameter isEnding: Whether it is the last time.
    /// - Returns: Whether to tell of other threads, too, which takes longer to find out.
    mutating func told(at now: UInt64, isEnding: Bool = false) -> Bool {
        isPending = false
        nextAt = now + StoreLimits.loopTraceNanoseconds
        guard isEnding || now >= threadsAt else { return false }
        threadsAt = now + StoreLimits.threadTraceNanoseconds
        return true
    }
}
