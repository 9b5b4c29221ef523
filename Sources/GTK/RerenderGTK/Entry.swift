// SPDX-License-Identifier: MIT
// What is called to begin with the widgets of a process.

import CRerenderGTK
import Rerender

#if RERENDER_PROBES && RERENDER_GTK
    /// Counts the widgets of this process from now on, where GTK 4 is loaded. The preloaded library calls it, once.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has this part.
    ///
    /// - Parameter report: Told what becomes of it: `begun` where widgets are counted, and else why none are. From GTK's thread. It must last for ever.
    @c
    public func rerender_gtk_inject(_ report: (@convention(c) (UnsafePointer<CChar>) -> Void)?) {
        unsafe WidgetCounter.shared.follow(report)
        var callbacks = unsafe WidgetCounter.shared.callbacks
        // Proof: it reads the callbacks in the call alone; their context is kept for ever.
        if let why = unsafe crerender_gtk_start(&callbacks) { unsafe report?(why) }
    }

    /// The same for a program that asks for it itself.
    enum LinkedStart {
        /// Counts the widgets of this process from now on, unless they are counted.
        ///
        /// - Returns: Nil, or why they are not; a text that lasts for ever.
        static func start() -> UnsafePointer<CChar>? {
            var callbacks = unsafe WidgetCounter.shared.callbacks
            // Proof: as above; the texts are constants.
            guard let why = unsafe crerender_gtk_start_linked(&callbacks) else { return nil }
            return unsafe why == isElsewhere ? nil : why
        }

        /// Shows the HUD in a window.
        ///
        /// - Parameters:
        ///   - window: A `GtkWindow`.
        ///   - store: The place of a store among those that live.
        /// - Returns: Nil, or why not; a text that lasts for ever.
        static func showHUD(in window: UnsafeMutableRawPointer?, _ corner: HUDCorner, store: Int?) -> UnsafePointer<
            CChar
        >? {
            if let why = unsafe start() { return unsafe why }
            if let why = unsafe crerender_gtk_hud_obstacle(window) { return unsafe why }
            return unsafe InjectedHUD.show(in: UInt(bitPattern: window), corner, store: store)
        }

        /// Takes the HUD away, now on GTK's thread and soon on another one.
        static func hideHUD() {
            if crerender_gtk_is_on_thread() {
                _ = InjectedHUD.hide()
            } else {
                WidgetScreen.onGTK { _ = InjectedHUD.hide() }
            }
        }

        private static var isElsewhere: UnsafePointer<CChar> {
            // Proof: it is a constant of C.
            unsafe crerender_gtk_elsewhere()
        }
    }
#endif
