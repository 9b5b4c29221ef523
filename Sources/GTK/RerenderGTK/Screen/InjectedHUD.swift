// SPDX-License-Identifier: MIT
// The HUD of a program that knows nothing of it, where the environment asks for it.

import CRerenderGTK
import Glibc
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// Shows the HUD in the first window of this process.
    enum InjectedHUD {
        /// Called before the first widget is made.
        ///
        /// `RERENDER_HUD` is the corner, such as `bottom-left`; anything else but nothing and `0` stands for the upper right.
        /// `RERENDER_HUD_SHORTCUT` is the key that lends it the keyboard, such as `<Control><Shift>h`.
        ///
        /// - Parameter tell: Told `hud` when it is shown, or `hud TEXT` with why not.
        static func begin(_ tell: @escaping (String) -> Void) {
            guard let corner = value("RERENDER_HUD"), corner != "0" else { return }
            let source = StoresSource { tell("hud") }
            if let missing = HUDController.shared.wait(corner: HUDCorner(rawValue: corner), source: source) {
                return tell("hud its GTK has no \(missing)")
            }
            LiveStore.followChanges { HUDController.shared.noteChange() }
            guard let shortcut = value("RERENDER_HUD_SHORTCUT") else { return }
            if unsafe !crerender_hud_set_shortcut(shortcut) { tell("hud RERENDER_HUD_SHORTCUT is no shortcut") }
        }

        private static func value(_ name: String) -> String? {
            guard let text = unsafe getenv(name) else { return nil }
            let value = unsafe String(cString: text)
            return value.isEmpty ? nil : value
        }
    }
#endif
