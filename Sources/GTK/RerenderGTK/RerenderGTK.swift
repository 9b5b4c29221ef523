// SPDX-License-Identifier: MIT
// What a program that links this library calls, and what the preloaded library calls to begin with the widgets of a process.

import CRerenderGTK
public import Rerender

/// The widgets of GTK 4 in this process, and the HUD above its windows.
///
/// It is built where GTK's headers are. A package that names the traits of this one names `GTK`, too. In a release build everything here does
/// nothing, unless the trait `AlwaysOn` keeps the probes. Call it on GTK's thread: the one that initialised GTK and runs its main loop.
public enum RerenderGTK: Sendable {
    /// A corner of a window. Leading is left.
    public enum Alignment: Sendable, CaseIterable {
        case topLeading, topTrailing, bottomLeading, bottomTrailing
    }

    /// Why something cannot be done in this process.
    public struct Obstacle: Error, CustomStringConvertible, Sendable {
        /// A sentence without its end, such as `GTK 4 is not loaded`.
        public let description: String
    }

    /// Counts the widgets of this process from now on, in the store `widgets`.
    ///
    /// Where GTK has made no widget yet, it begins with the first one. Any further call does nothing. Nothing happens either where
    /// `rerenderctl run --inject` counts the widgets already. It costs some milliseconds, once.
    ///
    /// - Throws: An ``Obstacle`` where no GTK 4 is loaded, where another GTK is, and on another thread than GTK's. Before GTK's first
    ///   widget another thread is recognised only while the main loop runs.
    public static func start() throws(Obstacle) {
        #if RERENDER_PROBES && RERENDER_GTK
            // Proof: the text lasts for ever.
            try unsafe throwIfAny(LinkedStart.start())
        #elseif RERENDER_PROBES
            throw Obstacle(description: "rerender was built without its part for GTK")
        #endif
    }

    /// Shows the HUD in a window, until that is gone or ``hideHUD()`` is called. Begins to count, as ``start()`` does.
    ///
    /// There is one HUD: where it is shown in another window, it leaves that. Not while the window is drawn.
    ///
    /// - Parameters:
    ///   - window: A `GtkWindow`, shown or not. It has to be alive.
    ///   - alignment: The corner where it stands at first; the user can drag it.
    ///   - store: The store that it shows first; nil for the one that it showed last, at first the oldest one.
    /// - Throws: An ``Obstacle`` where ``start()`` throws one, where `window` is no window, before GTK's first widget, and where
    ///   another copy of the library counts: that of `rerenderctl run --inject`. For that one, use `rerenderctl hud on`.
    public static func showHUD(
        in window: OpaquePointer, alignment: Alignment = .topTrailing, store: RerenderStore? = nil
    ) throws(Obstacle) {
        #if RERENDER_PROBES && RERENDER_GTK
            let place = store.flatMap { LiveStore.place(of: $0, in: LiveStore.all) }
            // Proof: the caller says that it is a live window; what it is is looked at. The text lasts for ever.
            let why = unsafe LinkedStart.showHUD(
                in: UnsafeMutableRawPointer(window), HUDCorner(alignment), store: place)
            try unsafe throwIfAny(why)
        #elseif RERENDER_PROBES
            throw Obstacle(description: "rerender was built without its part for GTK")
        #endif
    }

    /// Takes the HUD away: at once on GTK's thread, soon on any other one. Without a HUD it does nothing.
    public static func hideHUD() {
        #if RERENDER_PROBES && RERENDER_GTK
            LinkedStart.hideHUD()
        #endif
    }

    #if RERENDER_PROBES && RERENDER_GTK
        private static func throwIfAny(_ text: UnsafePointer<CChar>?) throws(Obstacle) {
            // Proof: it is a text of C.
            if let text = unsafe text { throw Obstacle(description: unsafe String(cString: text)) }
        }
    #endif
}

#if RERENDER_PROBES && RERENDER_GTK
    extension HUDCorner {
        fileprivate init(_ alignment: RerenderGTK.Alignment) {
            switch alignment {
            case .topLeading: self = .topLeft
            case .topTrailing: self = .topRight
            case .bottomLeading: self = .bottomLeft
            case .bottomTrailing: self = .bottomRight
            }
        }
    }
#endif

#if RERENDER_PROBES && RERENDER_GTK
    /// Counts the widgets of this process from now on, where GTK 4 is loaded. The preloaded library calls it, once.
    ///
    /// Scripts/lib/inject takes it as the sign that a build has this part.
    ///
    /// - Parameter report: Told what becomes of it: `begun` where widgets are counted, and else why none are. From GTK's thread. It must last for ever.
    @c
    public func rerender_gtk_inject(_ report: (@convention(c) (UnsafePointer<CChar>) -> Void)?) {
        LoopStore.watchSources()
        unsafe WidgetCounter.shared.follow(report)
        var callbacks = unsafe WidgetCounter.shared.callbacks
        // Proof: it reads the callbacks in the call alone; their context is kept for ever.
        if let why = unsafe crerender_gtk_start(&callbacks) { unsafe report?(why) }
    }

    /// Counts what the main loop of this process calls, where GTK 4 is not loaded. The preloaded library calls it on the loop's thread,
    /// when the loop is about to run for the first time.
    ///
    /// - Parameter isAlone: Whether nothing else counts: then a store of the loop is made.
    @c
    public func rerender_gtk_loop_inject(_ isAlone: Bool) {
        LoopStore.begin(isAlone: isAlone)
    }

    /// The same as ``rerender_gtk_inject(_:)`` for a program that asks for it itself.
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
