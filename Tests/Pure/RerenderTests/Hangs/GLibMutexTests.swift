// SPDX-License-Identifier: MIT
// Waits for mutexes of GLib, by the functions on a thread's stack.

import RerenderModel
import Testing

@testable import Rerender

@Suite("A wait for a mutex of GLib")
struct GLibMutexTests {
    private let wait = "syscall in libc.so.6"

    @Test("is known by the functions that wait for it, in a stripped GLib and in one with symbols")
    func functions() {
        let stripped = [wait, " in libglib-2.0.so.0", "unread_count in maillock"]
        #expect(GLibMutex.isAwaited(by: stripped))
        #expect(GLibMutex.isAwaited(by: [wait, " in libglib-2.0.so.0.8600.1", " in plugin.so"]))
        let named = [wait, "g_mutex_lock_slowpath in libglib-2.0.so.0", "g_main_context_acquire in libglib-2.0.so.0"]
        #expect(GLibMutex.isAwaited(by: named))
        let others: [[String]] = [
            [wait, "g_cond_wait in libglib-2.0.so.0", "take_job in maillock"],
            [wait, " in libglib-2.0.so.0", "g_bit_lock in libglib-2.0.so.0"],
            [wait, "my_lock in maillock", "unread_count in maillock"],
            ["futex_wait in maillock", " in libglib-2.0.so.0", "main in maillock"], Array(stripped.prefix(2)), [],
        ]
        for functions in others { #expect(!GLibMutex.isAwaited(by: functions), "\(functions)") }
    }

    @Test("has the function that the program called, which the first line names")
    func stack() {
        let frames = [
            "syscall() in libc.so.6", "unknown in libglib-2.0.so.0", "unread_count() maillock.c:8",
            "update_badge() maillock.c:9", "unknown in libglib-2.0.so.0", "g_main_loop_run() in libglib-2.0.so.0",
            "main maillock.c:13",
        ]
        let named = GLibMutex.named(frames)
        #expect(named[1] == "g_mutex_lock() in libglib-2.0.so.0" && named[4] == frames[4])
        let found = HangCulprit.find(in: [Hang.Stack(atNanoseconds: 0, frames: named)])
        #expect(found.source == "update_badge() maillock.c:9" && found.call == "g_mutex_lock()")
        let known = ["syscall() in libc.so.6", "g_mutex_lock_slowpath() in libglib-2.0.so.0"]
        #expect(GLibMutex.named(known) == known && GLibMutex.named([]).isEmpty)
    }
}
