// SPDX-License-Identifier: MIT
// A wait for a mutex of GLib, whose memory has no holder.

/// A `GMutex`: a word that is 0, 1, or 2 where a thread waits. Who holds it is nowhere.
enum GLibMutex {
    /// What a thread does that waits for one, in words.
    static let wait = "waits for a mutex of GLib"
    /// The expected value of such a wait.
    static let awaited: UInt64 = 2

    /// Whether the innermost functions of a thread that waits for that value say so. They are named as in `WaitText`.
    ///
    /// `g_mutex_lock` jumps to a function that waits, so that the program's function is the next one. In a stripped GLib that function has no
    /// name. Others of GLib that wait by futex(2) have one, or are called by one of GLib's.
    static func isAwaited(by functions: [String]) -> Bool {
        guard functions.count > 2, functions[0].hasPrefix("syscall in libc.so"), isOfGLib(functions[1]) else {
            return false
        }
        return functions[1].hasPrefix("g_mutex_lock") || (functions[1].hasPrefix(" in ") && !isOfGLib(functions[2]))
    }

    private static func isOfGLib(_ function: String) -> Bool { function.contains(" in libglib-2.0.so") }

    /// The functions on the stack of such a thread, with a name for the one that has none.
    static func named(_ frames: [String]) -> [String] {
        let nameless = "unknown in "
        guard frames.count > 1, frames[1].hasPrefix(nameless + "libglib-2.0.so") else { return frames }
        var frames = frames
        frames[1] = "g_mutex_lock() in \(frames[1].dropFirst(nameless.count))"
        return frames
    }
}
