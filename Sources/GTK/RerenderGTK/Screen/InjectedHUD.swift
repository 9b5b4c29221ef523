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
            if let corner = value("RERENDER_HUD"), corner != "0" { _ = show(tell) }
        }

        /// Shows it, unless it is shown, in the first window that there is, or that comes. On GTK's thread.
        ///
        /// - Returns: Whether there is one already.
        static func show(_ tell: @escaping (String) -> Void) -> Bool {
            if HUDController.shared.isOn { return crerender_hud_choose() }
            let corner = value("RERENDER_HUD").flatMap { HUDCorner(rawValue: $0) }
            if let missing = HUDController.shared.wait(corner: corner, source: StoresSource { tell("hud") }) {
                tell("hud its GTK has no \(missing)")
                return false
            }
            LiveStore.followChanges { HUDController.shared.noteChange() }
            if let shortcut = value("RERENDER_HUD_SHORTCUT"), unsafe !crerender_hud_set_shortcut(shortcut) {
                tell("hud RERENDER_HUD_SHORTCUT is no shortcut")
            }
            return crerender_hud_choose()
        }

        /// Shows it in a window that the program chose. On GTK's thread.
        ///
        /// - Parameter store: The place of a store among those that live; nil for the one that was shown last.
        /// - Returns: Nil, or why not; a text that lasts for ever.
        static func show(in window: UInt, _ corner: HUDCorner, store: Int?) -> UnsafePointer<CChar>? {
            let missing = HUDController.shared.show(in: window, corner: corner, store: store, source: StoresSource())
            // Proof: a literal lasts for ever.
            if missing != nil {
                return unsafe UnsafeRawPointer(isLacking.utf8Start).assumingMemoryBound(to: CChar.self)
            }
            LiveStore.followChanges { HUDController.shared.noteChange() }
            return nil
        }

        private static let isLacking: StaticString = "its GTK lacks functions that the HUD needs"

        /// Takes it away. The highlight stays as it is. On GTK's thread.
        ///
        /// - Returns: Whether it was there.
        static func hide() -> Bool {
            guard HUDController.shared.isOn else { return false }
            LiveStore.followChanges(nil)
            HUDController.shared.hide()
            return true
        }

        private static func value(_ name: String) -> String? {
            guard let text = unsafe getenv(name) else { return nil }
            let value = unsafe String(cString: text)
            return value.isEmpty ? nil : value
        }
    }
#endif
