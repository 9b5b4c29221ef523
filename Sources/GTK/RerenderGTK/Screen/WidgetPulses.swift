// SPDX-License-Identifier: MIT
// Shows a view on the screen when a user asks for it.

import CRerenderGTK
import Rerender
import RerenderModel

#if RERENDER_PROBES && RERENDER_GTK
    /// Puts a border around the widgets of a view that is pulsed.
    enum WidgetPulses {
        /// Follows the pulses of the store of widgets. On GTK's thread; pulses come on any.
        ///
        /// - Returns: What follows as long as it lives; nil where GTK lacks what is needed.
        static func follow(_ store: RerenderStore) -> PulseFollowing? {
            guard unsafe crerender_hud_find() == nil else { return nil }
            return store.followPulses { unsafe crerender_pulse_view_later($0.rawValue) }
        }
    }
#endif
