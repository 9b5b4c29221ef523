// SPDX-License-Identifier: MIT
// Shows on the screen what a user asks for from outside.

import CRerenderGTK
@_spi(Bridge) import Rerender
import RerenderModel

#if RERENDER_PROBES && RERENDER_GTK
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
