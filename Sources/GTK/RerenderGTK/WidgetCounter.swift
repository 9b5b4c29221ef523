// SPDX-License-Identifier: MIT
// Counts the runs of widgets' `snapshot` as evaluations of views, in a store of their own, or says why it does not.

import CRerenderGTK
@_spi(Bridge) import Rerender
import RerenderModel

#if RERENDER_PROBES && RERENDER_GTK
    /// What the C part calls back; kept for ever. On GTK's thread alone, but for the first.
    @safe
    final class WidgetCounter: @unchecked Sendable {
        /// The one of this process.
        static let shared = WidgetCounter()

        private var report: (@convention(c) (UnsafePointer<CChar>) -> Void)?
        private(set) var store: RerenderStore?
        private var screen: ScreenFollowing?
        private var views: [String: WidgetView] = [:]
        private var withoutRoom: WidgetView?
        private var handlers: [[String?]: InjectedSpan] = [:]
        private var otherHandlers: InjectedSpan?
        fileprivate let reasons = WidgetReasons()

        private init() { unsafe report = nil }

        /// Tells somebody what becomes of it, also what has become of it already.
        func follow(_ report: (@convention(c) (UnsafePointer<CChar>) -> Void)?) {
            unsafe self.report = unsafe report
            if store != nil { tell("begun") }
        }

        /// Makes the store: a process that never makes a widget has none.
        fileprivate func begin() {
            let store = RerenderStore(named: "widgets", of: .widgets)
            // All of it comes through GTK.
            store.tellsInput()
            InjectedView.observe(store) {
                crerender_gtk_set_counting($0)
                if LiveStore.isSwitchedOff { crerender_gtk_put_back() }
            }
            WidgetFacts.provide()
            self.store = store
            tell("begun")
            screen = WidgetScreen.follow(store) { self.tell($0) }
            InjectedHUD.begin { self.tell($0) }
        }

        fileprivate func view(_ key: String) -> WidgetView? {
            if let known = views[key] { return known }
            guard let store else { return nil }
            // The C part's, for all that it has no room for the texts of.
            if key == "another widget" { note(.noTexts) }
            let view = WidgetView(InjectedView(key, in: store, file: "", line: 0, phase: .snapshot))
            guard view.counted.hasRoom else {
                // One for all of them: each run is counted as one that was dropped.
                let dropped = withoutRoom ?? view
                withoutRoom = dropped
                return dropped
            }
            views[key] = view
            return view
        }

        /// The handler of a view's signal, or of none; one for all others where there are too many.
        func handler(_ name: String, of view: String?) -> InjectedSpan? {
            if let known = handlers[[view, name]] { return known }
            guard let store else { return nil }
            guard handlers.count < Self.mostHandlers else {
                let others = otherHandlers ?? InjectedSpan.otherHandlers(in: store)
                otherHandlers = others
                return others
            }
            let made = InjectedSpan(handler: name, of: view, in: store)
            handlers[[view, name]] = made
            return made
        }

        /// As many as a store names.
        private static let mostHandlers = 1_024

        /// A program that is linked has nobody else to tell: a store without views says it.
        fileprivate func refused(_ why: String, isElsewhere: Bool) {
            if unsafe report != nil { return tell(why) }
            guard !isElsewhere else { return }
            store = RerenderStore(named: "widgets", of: .widgets)
            note(.refused(why))
        }

        fileprivate func note(_ gap: WidgetGap) { store?.noteGap(gap.cause, gap.sentence) }

        fileprivate func tell(_ text: String) {
            // Proof: the text lives for the call.
            unsafe text.withCString { unsafe report?($0) }
        }
    }

    /// A kind of widgets.
    final class WidgetView {
        let counted: InjectedView
        private lazy var layout = counted.span(.layout)
        private lazy var drawing = counted.span(.drawing)
        private lazy var firstDrawing = counted.span(.firstDrawing)

        func span(_ phase: crerender_gtk_phase) -> InjectedSpan? {
            switch phase {
            case CRERENDER_GTK_DRAWING: drawing
            case CRERENDER_GTK_FIRST_DRAWING: firstDrawing
            default: layout
            }
        }

        fileprivate init(_ counted: InjectedView) { self.counted = counted }
    }

    extension WidgetView {
        fileprivate static func callback(_ outcome: crerender_gtk_outcome) -> ToldCause.Callback? {
            let function = UInt(outcome.callback)
            return switch outcome.source {
            case CRERENDER_GTK_TIMER: ToldCause.Callback(.timer, function: function)
            case CRERENDER_GTK_IDLE: ToldCause.Callback(.idleFunction, function: function)
            case CRERENDER_GTK_OTHER_SOURCE: ToldCause.Callback(.source, function: function)
            default: nil
            }
        }
    }

    /// The texts of reasons by their numbers, each made once.
    private final class WidgetReasons {
        // Proof: on GTK's thread alone, where no access is in another one.
        @exclusivity(unchecked) private var texts: [String?] = []

        @inline(__always)
        func text(_ number: UInt32) -> String? {
            let place = Int(number)
            if unsafe place < texts.count, let known = unsafe texts[place] { return known }
            return make(place)
        }

        @inline(never)
        private func make(_ place: Int) -> String? {
            // Proof: the C part keeps each text for ever.
            guard let text = unsafe crerender_gtk_reason(UInt32(place)) else { return nil }
            let made = unsafe String(cString: text)
            while unsafe texts.count <= place { unsafe texts.append(nil) }
            unsafe texts[place] = made
            return made
        }
    }

    // MARK: Called from C

    extension WidgetCounter {
        /// For the C part. The counter is kept for ever.
        ///
        /// Proof of the unsafe parts: a context is the counter, which is retained once and never released; a view is one that
        /// ``view(_:)`` returned, which the counter keeps.
        var callbacks: crerender_gtk_callbacks {
            var callbacks = unsafe crerender_gtk_callbacks()
            unsafe callbacks.context = unsafe Unmanaged.passRetained(self).toOpaque()
            unsafe callbacks.begin = { context in
                unsafe WidgetCounter.with(context) { $0.begin() }
            }
            unsafe callbacks.view = { context, key in
                guard let key = unsafe key else { return nil }
                let label = unsafe String(cString: key)
                return unsafe WidgetCounter.with(context) { counter in
                    unsafe counter.view(label).map { unsafe Unmanaged.passUnretained($0).toOpaque() }
                } ?? nil
            }
            unsafe fillRuns(&callbacks)
            unsafe callbacks.laid_out = { view, count, nanoseconds in
                guard let view = unsafe view else { return }
                unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    $0.counted.addLayouts(count, nanoseconds: nanoseconds)
                }
            }
            unsafe WidgetPhases.fill(&callbacks)
            unsafe callbacks.ended = { view, instance in
                guard let view = unsafe view else { return }
                unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    $0.counted.ended(instance: instance)
                }
            }
            unsafe fillTexts(&callbacks)
            return unsafe callbacks
        }

        /// Proof: the texts live for the calls.
        private func fillTexts(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.report = { context, text in
                guard let text = unsafe text else { return }
                let said = unsafe String(cString: text)
                unsafe WidgetCounter.with(context) { $0.tell(said) }
            }
            unsafe callbacks.refused = { context, why in
                guard let why = unsafe why else { return }
                let (text, isElsewhere) = unsafe (String(cString: why), why == crerender_gtk_elsewhere())
                unsafe WidgetCounter.with(context) { $0.refused(text, isElsewhere: isElsewhere) }
            }
            unsafe callbacks.was_full = { context in
                unsafe WidgetCounter.with(context) { $0.note(.noRoom) }
            }
            unsafe callbacks.replaced = { context, count, names in
                let all = unsafe names.map { unsafe String(cString: $0) } ?? ""
                unsafe WidgetCounter.with(context) {
                    $0.note(.replaced(count, names: all.split(separator: " ").map(String.init)))
                }
            }
        }

        /// Proof: the memory is what `run_memory` returned, the hint is the C part's; both live for the calls at least.
        private func fillRuns(_ callbacks: inout crerender_gtk_callbacks) {
            unsafe callbacks.run_memory = { unsafe InjectedView.toldMemory() }
            unsafe callbacks.run_began = { view, instance, hint, memory in
                guard let view = unsafe view, let hint = unsafe hint, let memory = unsafe memory else { return false }
                return unsafe Unmanaged<WidgetView>.fromOpaque(view)._withUnsafeGuaranteedRef {
                    unsafe $0.counted.beginTold(in: memory, instance: instance, hint: hint)
                }
            }
            unsafe callbacks.run_ended = { memory, run in
                guard let memory = unsafe memory, let run = unsafe run else { return 0 }
                return unsafe InjectedView.endTold(in: memory) {
                    let outcome = unsafe crerender_gtk_judge(run)
                    guard outcome.is_counted else { return nil }
                    return ToldCause(
                        reason: outcome.reason, isProved: outcome.is_child,
                        isSameOutput: outcome.is_compared ? outcome.is_same : nil, writer: outcome.writer,
                        callback: WidgetView.callback(outcome))
                } text: {
                    WidgetCounter.shared.reasons.text($0)
                }
            }
            unsafe callbacks.run_forgotten = { memory in
                if let memory = unsafe memory { unsafe InjectedView.forgetTold(in: memory) }
            }
            unsafe callbacks.run_dropped = { context in
                unsafe WidgetCounter.with(context) { $0.store?.noteDropped() }
            }
        }

        static func with<Result>(
            _ context: UnsafeMutableRawPointer?, _ body: (WidgetCounter) -> Result
        ) -> Result? {
            guard let context = unsafe context else { return nil }
            return unsafe Unmanaged<WidgetCounter>.fromOpaque(context)._withUnsafeGuaranteedRef { body($0) }
        }
    }
#endif

/// Why widgets may not be counted.
enum WidgetGap {
    /// None are counted, for this reason.
    case refused(String)
    /// There was no room for the functions of their classes.
    case noRoom
    /// There was no room for their keys.
    case noTexts
    /// Other code has put so many functions into classes; the first of them by name.
    case replaced(Int, names: [String])

    /// What tells it from others.
    var cause: String {
        switch self {
        case .refused: "refused"
        case .noRoom: "no room"
        case .noTexts: "no texts"
        case .replaced: "replaced"
        }
    }

    /// What may be missing, and why.
    var sentence: String {
        switch self {
        case .refused(let why): return "the widgets are not counted: \(why)"
        case .noRoom:
            return "some widgets are not counted: no more than 256 functions of one kind can be replaced"
        case .noTexts:
            return
                "Rerender tells at most 8,192 keys and reasons of widgets apart: the row another widget has all others"
        case .replaced(let count, let names):
            let (functions, were) = count == 1 ? ("1 function", "was") : ("\(count) functions", "were")
            let others = count > names.count ? ", …" : ""
            return
                "\(functions) of widgets' classes \(were) replaced by other code, which rerender leaves there, and some of their "
                + "runs may not be counted: \(names.joined(separator: ", "))\(others)"
        }
    }
}
