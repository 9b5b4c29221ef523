// SPDX-License-Identifier: MIT
// Wakes the uplink's thread from any other thread.

import CRerender
import Synchronization

/// Wakes the uplink's thread, and lets it sleep while nothing was counted. Any thread, except where a method says otherwise.
final class UplinkSignal: Sendable {
    /// Whether a daemon listens.
    let isConnected = Atomic<Bool>(false)
    /// Whether the process ends.
    let isExiting = Atomic<Bool>(false)
    private let hasNews = Atomic<Bool>(false)
    private let isAsleep = Atomic<Bool>(false)

    /// Says that something was counted. One system call if the thread sleeps, none otherwise.
    func wake() {
        guard !crerender_is_silent() else { return }
        hasNews.store(true, ordering: .sequentiallyConsistent)
        guard isAsleep.load(ordering: .sequentiallyConsistent) else { return }
        if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { tell() }
    }

    /// Has the thread look at the main loop, if a daemon listens. One system call.
    func requestLook() {
        if isConnected.load(ordering: .relaxed) { requestHooks() }
    }

    /// Has the thread look for main loops, and for answers to commands. One system call.
    func requestHooks() {
        if !crerender_is_silent() { tell() }
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
        crerender_tell_finished()
    }

    /// Has the thread send everything, and waits until it has, at most ``ExitWait/nanoseconds``.
    ///
    /// Nobody waits for a thread that is gone: it has said that it is finished.
    func flushAtExit() {
        guard !crerender_is_forked() else { return }
        isExiting.store(true, ordering: .sequentiallyConsistent)
        tell()
        crerender_wait_until_finished(crerender_monotonic() + ExitWait.nanoseconds)
    }

    private func tell() { crerender_tell(UInt32(CRERENDER_WOKEN)) }
}
