// SPDX-License-Identifier: MIT
// What is called to begin with the widgets of a process.

import CRerenderGTK
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// Counts the widgets of this process from now on, where GTK 4 is loaded. The preloaded library calls it, once.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has this part.
    ///
    /// - Parameter report: Told what becomes of it: `begun` where widgets are counted, `full` where some are not, and else why
    ///   none are. From GTK's thread. It must last for ever.
    @c
    public func rerender_gtk_start(_ report: (@convention(c) (UnsafePointer<CChar>) -> Void)?) {
        let counter = unsafe WidgetCounter(report: report)
        var callbacks = unsafe counter.callbacks
        // Proof: it reads the callbacks in the call alone; their context is kept for ever.
        if let why = unsafe crerender_gtk_start(&callbacks) { unsafe report?(why) }
    }
#endif
