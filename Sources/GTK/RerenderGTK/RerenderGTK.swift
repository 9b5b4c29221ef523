// SPDX-License-Identifier: MIT
// What a program that links this library calls, and what the preloaded library calls to begin with the widgets of a process.

import CRerenderGTK
import Glibc
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

// What rerender.h declares, in Swift, and the evaluations that C began. Sources/GTK/CInterface gives it the names that programs link.

#if RERENDER_PROBES && RERENDER_GTK
    /// The store of programs that have none of their own, made when the first evaluation begins.
    private let store = RerenderStore(name: "main")

    /// A view as C names it. Proof of the unsafe part: a text of C lives for the call.
    private func text(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text = unsafe text else { return nil }
        return unsafe String(cString: text)
    }

    /// 0 stands for the only instance of a view.
    private func instance(_ number: UInt64) -> InstanceID? { number == 0 ? nil : InstanceID(rawValue: number) }

    /// `rerender_evaluate_begin`.
    @c package func rerender_part_begin(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        ThreadEvaluations.ofThisThread?.begin(view, instance(number), in: store)
    }

    /// `rerender_evaluate_end`.
    @c package func rerender_part_end(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        ThreadEvaluations.ofThisThread?.end(view, instance(number))
    }

    /// `rerender_invalidate`, with the address that its call returns to.
    @c package func rerender_part_invalidate(
        _ view: UnsafePointer<CChar>?, _ number: UInt64, _ reason: UnsafePointer<CChar>?, _ caller: UInt
    ) {
        guard let view = unsafe text(view), let reason = unsafe text(reason) else { return }
        // An interpreter calls everything by one function: then its script's function is the writer.
        let writer = caller == 0 ? (InjectedScripts.here?.place ?? 0) : caller
        store.invalidate(view, instance: instance(number), cause: reason, caller: writer)
    }

    /// `rerender_committed`.
    @c package func rerender_part_committed(_ view: UnsafePointer<CChar>?, _ number: UInt64, _ changed: CInt) {
        guard let view = unsafe text(view) else { return }
        let isChanged = changed < 0 ? nil : changed > 0
        store.committed(view, changed: isChanged, instance: instance(number), fileID: "", line: 0)
    }

    /// `rerender_ended`.
    @c package func rerender_part_ended(_ view: UnsafePointer<CChar>?, _ number: UInt64) {
        guard let view = unsafe text(view) else { return }
        store.ended(view, instance: instance(number))
    }

    /// `rerender_gtk_start`. Proof of the unsafe parts here and below: the texts last for ever.
    @c package func rerender_part_start() -> UnsafePointer<CChar>? { unsafe LinkedStart.start() }

    /// `rerender_gtk_show_hud`.
    @c package func rerender_part_show_hud(_ window: UnsafeMutableRawPointer?) -> UnsafePointer<CChar>? {
        unsafe LinkedStart.showHUD(in: window, .topRight, store: nil)
    }

    /// `rerender_gtk_hide_hud`.
    @c package func rerender_part_hide_hud() { LinkedStart.hideHUD() }

    /// Keeps them in order, and brings those to an end that were never ended.
    final class ThreadEvaluations {
        /// Innermost last. Each is among the evaluations that run on this thread, or was until an evaluation around it ended.
        private var open: [BegunEvaluation] = []
        /// More than so many are not in each other: they were left by a jump, or their ends are forgotten.
        private static let most = 256

        private init() {}

        // MARK: Of a thread

        /// Proof of the unsafe parts: a value of the key is an object that is retained until its thread ends.
        private static let key: pthread_key_t? = {
            var key = pthread_key_t()
            let isMade = unsafe pthread_key_create(&key) { object in
                guard let object = unsafe object else { return }
                unsafe Unmanaged<ThreadEvaluations>.fromOpaque(object).takeRetainedValue().dropAll()
            }
            return isMade == 0 ? key : nil
        }()

        /// Those of the calling thread, made where there are none; nil where the system has no room for them.
        static var ofThisThread: ThreadEvaluations? {
            guard let key else { return nil }
            if let object = unsafe pthread_getspecific(key) {
                return unsafe Unmanaged<ThreadEvaluations>.fromOpaque(object).takeUnretainedValue()
            }
            let made = ThreadEvaluations()
            let object = unsafe Unmanaged.passRetained(made)
            guard unsafe pthread_setspecific(key, object.toOpaque()) == 0 else {
                unsafe object.release()
                return nil
            }
            return made
        }

        private func dropAll() { while let last = open.popLast() { last.drop() } }

        // MARK: Beginning and ending

        func begin(_ view: String, _ instance: InstanceID?, in store: RerenderStore) {
            prune()
            if open.count == Self.most { dropAll() }
            if let evaluation = BegunEvaluation(view, in: store, instance: instance) { open.append(evaluation) }
        }

        /// Ends the innermost evaluation of a view's instance. Those that began in it and did not end are forgotten.
        ///
        /// Does nothing without one, or if something runs in it that is not C's.
        func end(_ view: String, _ instance: InstanceID?) {
            prune()
            guard let place = open.lastIndex(where: { $0.label == view && $0.instance == instance }) else { return }
            while open.count > place, let last = open.last, last.standing == .innermost {
                open.removeLast()
                if open.count == place { last.end() } else { last.drop() }
            }
        }

        /// Forgets those that were not ended before what they began in.
        private func prune() {
            while let last = open.last, last.standing == .gone {
                last.drop()
                open.removeLast()
            }
        }
    }
#endif
