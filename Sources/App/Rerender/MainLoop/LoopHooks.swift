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
        guard !crerender_is_silent() else { return }
        crerender_hook_glib(edge)
        crerender_hook_cfrunloop(edge)
    }

    /// Has libdispatch tell when its threads have worked off what there was; false where it does not.
    @discardableResult
    static func watchDrains(_ ended: @convention(c) () -> Void) -> Bool {
        return crerender_watch_drains(ended)
    }

    /// Since when a thread of libdispatch's works off queues; nil where that is not known.
    static func drainBegan(on thread: Int32) -> UInt64? {
        let began = crerender_drain_began(thread)
        return began == 0 ? nil : began
    }

    /// The same for the calling thread.
    static var ownDrainBegan: UInt64? {
        let began = crerender_own_drain_began()
        return began == 0 ? nil : began
    }

    /// The thread that serves the main queue now, 0 for none; nil where that cannot be told.
    static var mainQueueOwner: Int32? {
        let owner = crerender_main_queue_owner()
        return owner < 0 ? nil : owner
    }
}
