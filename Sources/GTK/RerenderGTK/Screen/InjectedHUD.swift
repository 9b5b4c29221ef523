// SPDX-License-Identifier: MIT
// Shows on the screen what the environment or a user from outside asks for: the HUD, pulses and highlights.

import CRerenderGTK
import Glibc
@_spi(Bridge) import Rerender
import RerenderModel

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

    /// Puts borders around widgets, and switches the HUD and the highlight.
    enum WidgetScreen {
        /// Follows the requests to the store of widgets. On GTK's thread; requests come on any.
        ///
        /// - Parameter tell: Told what becomes of the HUD, as ``InjectedHUD/begin(_:)`` tells it.
        /// - Returns: What follows as long as it lives; nil where GTK lacks what is needed.
        static func follow(_ store: RerenderStore, _ tell: @escaping @Sendable (String) -> Void) -> ScreenFollowing? {
            guard unsafe crerender_hud_find() == nil else { return nil }
            return store.followScreen { request, reply in
                onGTK { show(request, reply, tell) }
                return true
            }
        }

        private static func show(_ request: ScreenRequest, _ reply: ScreenReply, _ tell: @escaping (String) -> Void) {
            switch request {
            case .pulse(let key):
                var instances = 0
                let shown = unsafe crerender_pulse_view(key.rawValue, &instances)
                reply.add(shown: shown, of: instances)
            case .highlight(let isOn):
                HUDController.shared.setHighlight(isOn)
                reply.add(shown: 1, of: 1)
            case .hud(isOn: true): reply.add(shown: InjectedHUD.show(tell) ? 1 : 0, of: 1)
            case .hud(isOn: false): reply.add(shown: InjectedHUD.hide() ? 1 : 0, of: 1)
            }
        }

        /// Does something soon, on GTK's thread. Where that hangs, it waits; where it is gone, it never happens. Nor does it where
        /// GTK lacks what is needed.
        ///
        /// Proof of the unsafe parts: the context is a box that is retained for the one call.
        static func onGTK(_ body: @escaping @Sendable () -> Void) {
            guard unsafe crerender_hud_find() == nil else { return }
            let box = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
            unsafe crerender_hud_call(
                { context in
                    guard let context = unsafe context else { return }
                    unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                }, box)
        }

        private final class Box: Sendable {
            let body: @Sendable () -> Void

            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
    }
#endif
