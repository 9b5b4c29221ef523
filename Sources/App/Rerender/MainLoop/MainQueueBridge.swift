// SPDX-License-Identifier: MIT
// Serves the main queue in GLib apps, whose loop does not do so by itself.

import CRerender

/// Lets a GLib main loop serve `DispatchQueue.main` and the main actor.
public enum MainQueueBridge: Sendable {
    /// Makes GLib's default main context run what is sent to the main queue, within microseconds of its arrival.
    ///
    /// Without it, nothing that is sent to `DispatchQueue.main` or awaits the main actor runs in a loop of GLib, as
    /// `g_application_run` is. It may be called on any thread, before or while the loop runs, and further calls do nothing.
    /// The loop must run on the process's first thread; on another one the bridge takes itself away at the first block. A
    /// block that runs a nested loop holds back the others until it returns. In a forked child nothing is served.
    ///
    /// It works with or without a pump that runs `RunLoop.main` now and then, costs nothing while nothing is sent, and is
    /// there in release builds and under `RERENDER=0` too: an app relies on it.
    ///
    /// - Returns: Whether the queue is served; false where GLib or libdispatch is not in the process.
    @discardableResult
    public static func serveFromGLib() -> Bool {
        crerender_serve_main_queue()
    }
}
