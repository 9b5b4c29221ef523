// SPDX-License-Identifier: MIT
// Joins the model of the HUD with GTK: gives it events and data, shows what it draws, does what it asks for, and times all that.

import CRerenderGTK
import Glibc

#if RERENDER_GTK
    /// The HUD of this process.
    ///
    /// Proof of `@unchecked Sendable`: everything but `noteChange` is called on GTK's thread, by the callbacks of C and by callers
    /// that promise it.
    package final class HUDController: @unchecked Sendable {
        package static let shared = HUDController()

        private var state = HUDState()
        private var source: (any HUDSource)?
        /// What is on the screen.
        private var shown: [HUDOperation] = []
        private var place: HUDPoint?
        private var store = 0
        private var cost = HUDCost()

        private init() {}

        /// Shows the HUD in a window.
        ///
        /// - Parameters:
        ///   - window: A `GtkWindow`. Where it is gone, the HUD ends.
        ///   - corner: Where it stands at first; nil for where it stood last.
        ///   - store: The place of the store that it shows first; nil for the one that was shown last.
        /// - Returns: Nil, or what is missing in this process.
        package func show(
            in window: UInt, corner: HUDCorner? = nil, store: Int? = nil, source: any HUDSource
        ) -> String? {
            if let missing = unsafe crerender_hud_find() { return unsafe String(cString: missing) }
            self.source = source
            if let corner { state.corner = corner }
            if let store { self.store = store }
            (shown, place) = ([], nil)
            var host = HUDCallbacks.host
            unsafe crerender_hud_attach(UnsafeMutableRawPointer(bitPattern: window), &host)
            update()
            return nil
        }

        /// Shows the HUD in the first window that is drawn, and in the next one when that is gone or hidden.
        ///
        /// - Returns: Nil, or what is missing in this process.
        package func wait(corner: HUDCorner? = nil, source: any HUDSource) -> String? {
            if let missing = unsafe crerender_hud_find() { return unsafe String(cString: missing) }
            self.source = source
            if let corner { state.corner = corner }
            var host = HUDCallbacks.host
            unsafe crerender_hud_wait(&host)
            return nil
        }

        /// Takes it away.
        package func hide() {
            crerender_hud_detach()
            source = nil
            forget()
        }

        /// Whether it is shown, or waits for a window.
        package var isOn: Bool { source != nil }

        /// Begins or ends to flash what draws again, as its own button does.
        package func setHighlight(_ isOn: Bool) {
            crerender_highlight_set(isOn)
            state.isHighlighting = isOn
            refresh()
        }

        /// Where the HUD stands; nil where it is not shown.
        package var frame: HUDRect? { source == nil ? nil : state.frame }

        /// Says that there may be other data. Any thread; costs some nanoseconds where an update is due already.
        package func noteChange() { crerender_hud_schedule() }

        // MARK: Callbacks

        func take(_ event: crerender_hud_event) -> Bool {
            guard let input = HUDInput(event) else { return state.hasKeyboard }
            let start = HUDCost.start()
            defer { cost.add(since: start) }
            if event.is_free { perform(state.loseButtons()) }
            let response = state.take(input)
            perform(response.actions)
            return response.isConsumed
        }

        func resize(to size: HUDSize, top: Double) {
            state.resize(to: size, top: top)
            refresh()
        }

        func update() {
            if source?.isOff == true {
                crerender_highlight_set(false)
                return hide()
            }
            let start = HUDCost.start()
            readContent()
            refresh()
            cost.add(since: start)
            if source?.isSettling == true { noteChange() }
        }

        /// The window is gone; where the HUD waits for another one, its data come from where they came.
        func forget() {
            (shown, place) = ([], nil)
            state.leave()
        }

        // MARK: Data and drawing

        private func readContent() {
            guard let source else { return }
            var content = source.content(store: store, expanded: state.expanded, showsAll: state.showsAll)
            store = content.store
            content.cost = cost.percent
            state.show(content)
        }

        /// Shows what changed.
        private func refresh() {
            let operations = state.operations
            if operations != shown {
                shown = operations
                let drawn = HUDOperations(operations)
                unsafe crerender_hud_show(drawn.operations, drawn.operations.count, drawn.texts)
            }
            guard let frame = state.frame, place != HUDPoint(frame.x, frame.y) else { return }
            place = HUDPoint(frame.x, frame.y)
            crerender_hud_move(frame.x, frame.y)
        }

        private func perform(_ actions: [HUDAction]) {
            for action in actions { perform(action) }
            if actions.contains(.redraw) { refresh() }
        }

        private func perform(_ action: HUDAction) {
            switch action {
            case .redraw: break
            case .pulse(let key): source?.pulse(key, store: store).map { state.say($0) }
            case .printStatistics(let key): source?.printStatistics(key, store: store)
            case .mark:
                state.say(HUDMark.text(isKept: source?.mark() == true))
                refresh()
            case .choose(let store):
                self.store = store
                readContent()
            case .expand, .unfold:
                readContent()
                state.closeUnlisted()
            case .highlight(let isOn): source?.highlight(isOn)
            case .pick(let point):
                let key = unsafe crerender_hud_pick(point.x, point.y).map { unsafe String(cString: $0) }
                perform(state.show(picked: key))
            }
        }
    }

    /// The functions that C calls.
    private enum HUDCallbacks {
        static var host: crerender_hud_host {
            unsafe crerender_hud_host(
                event: { _, event in
                    guard let event = unsafe event else { return false }
                    return HUDController.shared.take(unsafe event.pointee)
                },
                resized: { _, width, height, top in
                    HUDController.shared.resize(to: HUDSize(width, height), top: top)
                },
                update: { _ in HUDController.shared.update() },
                gone: { _ in HUDController.shared.forget() })
        }
    }
#endif

/// Adds up the processor time of the HUD's updates and events on GTK's thread.
///
/// The drawing by GSK is not in it: that is one work for the whole window.
struct HUDCost {
    /// Percents of one core since the last reading; nil before the first.
    private(set) var percent: Double?
    private var used: UInt64 = 0
    private var begin = Self.time(CLOCK_MONOTONIC)

    /// A reading is over at least so many nanoseconds.
    private static let interval: UInt64 = 1_000_000_000

    /// Begins to measure, for `add`.
    static func start() -> UInt64 { time(CLOCK_THREAD_CPUTIME_ID) }

    /// Adds what this thread took since `start`.
    mutating func add(since start: UInt64) {
        used &+= Self.start() &- start
        read()
    }

    private mutating func read() {
        let now = Self.time(CLOCK_MONOTONIC)
        guard now &- begin >= Self.interval else { return }
        percent = Double(used) / Double(now &- begin) * 100
        (used, begin) = (0, now)
    }

    /// Nanoseconds of the monotonic clock.
    static var now: UInt64 { time(CLOCK_MONOTONIC) }

    private static func time(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
