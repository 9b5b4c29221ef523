// SPDX-License-Identifier: MIT
// Calls the C code that hooks the main loops of the process.

import CRerender

/// The hooks into GLib, CoreFoundation and libdispatch, none of which is linked.
///
/// Proof of the unsafe parts: what is passed are functions without a context, which live for ever; the C functions look
/// for each library before they call it, and never load one.
enum LoopHooks {
    /// Installs what can be had and is not there yet. One caller at a time.
    static func install(_ edge: @convention(c) (CInt, CInt) -> Void) {
        guard !crerender_is_forked() else { return }
        crerender_stay_loaded()
        crerender_hook_glib(edge)
        crerender_hook_cfrunloop(edge)
    }

    /// Whether the calling thread is inside of GLib's loop.
    static var ownsGLib: Bool { crerender_owns_glib() }

    /// Whether no thread is inside of GLib's loop. The context is had for nanoseconds: a loop that is started at that very
    /// moment waits for it, or finds it taken.
    static var glibIsFree: Bool {
        guard crerender_acquire_glib() else { return false }
        crerender_release_glib()
        return true
    }

    /// A descriptor that can be read once a turn of GLib's loop has lasted for so long, or up to twice as long; -1 where there
    /// is none.
    static func turnAlarm(after nanoseconds: UInt64) -> CInt { crerender_turn_alarm(nanoseconds) }

    /// The thread that serves the main queue now, 0 for none; nil where that cannot be told.
    static var mainQueueOwner: Int32? {
        let owner = crerender_main_queue_owner()
        return owner < 0 ? nil : owner
    }

    /// Sends a ping to the main queue; false where there is none.
    static func ping(_ answer: @convention(c) () -> Void) -> Bool {
        crerender_ping_main_queue(answer)
    }
}
