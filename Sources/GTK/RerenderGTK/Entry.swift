// SPDX-License-Identifier: MIT
// What is called to begin with the widgets of a process.

import CRerenderGTK
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// Counts the widgets of this process from now on, if GTK 4 is loaded. The preloaded library calls it.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has this part.
    ///
    /// - Returns: Whether widgets are counted.
    @c
    public func rerender_gtk_start() -> Bool {
        crerender_gtk_is_built()
    }
#endif
