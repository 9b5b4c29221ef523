// SPDX-License-Identifier: MIT
// Wakes the uplink's thread from any other thread.

import CRerender
import Glibc
import Synchronization

/// Wakes the uplink's thread, and lets it sleep while nothing was counted. Any thread, except where a method says otherwise.
final class UplinkSignal: Sendable {
    /// Whether a daemon listens.
    let isConnected = Atomic<Bool>(false)
    /// Whether the process ends.
    let isExiting = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let isAsleep = Atomic<Bool>(false)
    /// Descriptors that live as long as the process. The first wakes the thread, the second says that its last flush is over.
    let wakeEvent: CInt
    let exitEvent: CInt

    /// Makes the descriptors, unless the app is switched off.
    init(isEnabled: Bool) {
        wakeEvent = isEnabled ? crerender_eventfd() : -1
        exitEvent = isEnabled ? crerender_eventfd() : -1
    }

    var isUsable: Bool { wakeEvent >= 0 && exitEvent >= 0 }

    /// Says that something was counted. One system call if the thread sleeps, none otherwise.
    func wake() {
        // The event is shared with the parent, whose thread would wake up for nothing.
        guard !crerender_is_forked() else { return }
        hasNews.store(true, ordering: .sequentiallyConsistent)
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { Self.signal(wakeEvent) }
    }

    /// Has the thread look at the main loop, if a daemon listens. One system call.
    func requestLook() {
        guard isConnected.load(ordering: .relaxed), !crerender_is_forked() else { return }
        Self.signal(wakeEvent)
    }

    /// Whether something was counted since the last call. On the uplink's thread.
    func takeNews() -> Bool { hasNews.exchange(false, ordering: .sequentiallyConsistent) }

    /// Waits by calling `wait`, during which ``wake()`` ends the wait if `wakesForNews`. On the uplink's thread.
    func sleep(wakesForNews: Bool, _ wait: () -> Void) {
        // Only a thread that waits for news asks to be woken by it; one that paces itself is left alone.
        if wakesForNews {
            isAsleep.store(true, ordering: .sequentiallyConsistent)
            guard !hasNews.load(ordering: .sequentiallyConsistent) else {
                return isAsleep.store(false, ordering: .sequentiallyConsistent)
            }
        }
        wait()
        isAsleep.store(false, ordering: .sequentiallyConsistent)
    }

    /// Says that the last flush is over. On the uplink's thread.
    func finish() {
        isConnected.store(false, ordering: .relaxed)
        Self.signal(exitEvent)
    }

    /// Has the thread send everything, and waits until it has, at most ``ExitWait/nanoseconds``.
    func flushAtExit() {
        guard !crerender_is_forked() else { return }
        isExiting.store(true, ordering: .sequentiallyConsistent)
        Self.signal(wakeEvent)
        let deadline = crerender_monotonic() + ExitWait.nanoseconds
        var done = pollfd(fd: exitEvent, events: Int16(POLLIN), revents: 0)
        // A signal of the host's (a timer, a profiler) ends the call and not the wait.
        while unsafe poll(&done, 1, PollTimeout.milliseconds(until: deadline, from: crerender_monotonic())) < 0,
            errno == EINTR, crerender_monotonic() < deadline
        {}
    }

    private static func signal(_ event: CInt) {
        var one: UInt64 = 1
        _ = unsafe write(event, &one, 8)
    }
}

/// Timeouts of `poll`.
enum PollTimeout {
    /// Milliseconds until a deadline, -1 for none. Rounded up, because a wait that ends a little early would wait again.
    static func milliseconds(until deadline: UInt64?, from now: UInt64) -> CInt {
        guard let deadline else { return -1 }
        return deadline <= now ? 0 : CInt(clamping: (deadline - now + 999_999) / 1_000_000)
    }
}
