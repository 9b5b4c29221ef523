// SPDX-License-Identifier: MIT
// The window of a process: a sidebar, and a render loop's screen.

#if RERENDER_GTK
    import CRerenderGTK
    package import Rerender
    import RerenderGTK

    /// What a sidebar offers.
    package struct WindowChoice {
        let heading: String?
        let title: String

        /// Makes a row; below a heading where one is given.
        package init(heading: String? = nil, title: String) { (self.heading, self.title) = (heading, title) }
    }

    /// A window with a sidebar, which shows one loop's screen at a time. One in a process, on GLib's main loop.
    ///
    /// Proof of the unsafe parts: the window lives as long as the process, and so does this, which the host's context is; texts
    /// and structures are lent for each call, on the main actor.
    @MainActor
    @safe
    package final class RenderWindow {
        private let choose: @MainActor (Int) -> Void
        private var window = unsafe UnsafeMutableRawPointer(bitPattern: 0)
        private var loop: RenderLoop?
        private var driver: GLibLoop?
        private var renderer: WidgetRenderer?
        private var size = CellSize(width: 60, height: 16)
        /// What the HUD is to show, from the end of the next turn on.
        private var storeOfHUD: RerenderStore?

        /// Makes the window, which is not shown yet.
        ///
        /// - Parameters:
        ///   - title: Its title.
        ///   - choices: The rows of its sidebar.
        ///   - choose: Called with the row that is chosen.
        /// - Returns: Nil where there is no display.
        package init?(title: String, choices: [WindowChoice], choose: @escaping @MainActor (Int) -> Void) {
            guard render_loop_start() else { return nil }
            self.choose = choose
            MainQueueBridge.serveFromGLib()
            var host = unsafe WindowCallbacks.host(Unmanaged.passRetained(self).toOpaque())
            unsafe window = unsafe render_loop_window(title, 1080, 680, &host)
            for choice in choices {
                if let heading = choice.heading {
                    unsafe render_loop_add_row(heading, choice.title)
                } else {
                    unsafe render_loop_add_row(nil, choice.title)
                }
            }
        }

        /// Chooses a row of the sidebar.
        package func choose(row: Int) { render_loop_choose(Int32(row)) }

        /// Shows a loop's screen in the place of the one before. Before the loop's first turn.
        ///
        /// - Parameter store: What the HUD shows from the first turn on; nil for no HUD.
        package func show(
            _ loop: RenderLoop, on driver: GLibLoop, title: String, text: String, store: RerenderStore? = nil
        ) {
            self.driver?.turnEnded = {}
            self.loop = nil
            renderer?.end()
            let renderer = WidgetRenderer(.windowCanvas) { [weak loop] in loop?.inputName(of: $0) }
            (self.loop, self.driver, self.renderer, storeOfHUD) = (loop, driver, renderer, store)
            loop.setMetrics(GridMetrics())
            // The widgets in the canvas do not flash where views do.
            loop.onHighlight { render_loop_highlights_views($0) }
            loop.resize(to: size)
            loop.add(renderer)
            driver.turnEnded = { [weak self] in
                self?.showHUD()
                if self?.loop?.hasWaitingInput == false { self?.renderer?.catchUp() }
            }
            unsafe render_loop_describe(title, text)
        }

        /// Shows the window until it is closed, or SIGINT or SIGTERM comes.
        package func run() { render_loop_run() }

        /// Where a widget is in the window, in pixels: a row of the sidebar by its title, a screen's control
        /// by its name for scripts.
        package func bounds(of name: String) -> [Double]? {
            var bounds = [Double](repeating: 0, count: 4)
            return unsafe render_loop_bounds(name, &bounds) ? bounds : nil
        }

        // MARK: The HUD

        /// Shows the HUD that is wanted. Where that cannot be, the HUD is missing and no more.
        private func showHUD() {
            guard let store = storeOfHUD, let window = unsafe window else { return }
            storeOfHUD = nil
            try? unsafe RerenderGTK.showHUD(in: OpaquePointer(window), store: store)
        }

        // MARK: What the user does

        /// Something was done with a widget, or with the canvas where there is none.
        fileprivate func take(_ event: InputEvent, of widget: UInt64) {
            let layer = widget == 0 ? nil : renderer?.takeInput(ofWidget: widget)
            if widget == 0 || layer != nil { loop?.send(event, to: layer) }
        }

        fileprivate func resize(width: Int, height: Int) {
            size = Grid.size(inWidth: width, height: height)
            loop?.resize(to: size)
        }

        fileprivate func userChose(_ row: Int) { choose(row) }
    }

    /// The functions that C calls, with the window as their context.
    private enum WindowCallbacks {
        static func host(_ context: UnsafeMutableRawPointer) -> render_loop_host {
            unsafe render_loop_host(
                context: context,
                input: { context, input in
                    let (event, widget) = (unsafe WindowCallbacks.event(of: input.pointee), unsafe input.pointee.widget)
                    unsafe WindowCallbacks.with(context) { $0.take(event, of: widget) }
                },
                resized: { context, width, height in
                    unsafe WindowCallbacks.with(context) { $0.resize(width: Int(width), height: Int(height)) }
                },
                chosen: { context, row in unsafe WindowCallbacks.with(context) { $0.userChose(Int(row)) } })
        }

        private static func event(of input: render_loop_input) -> InputEvent {
            let kind: InputEvent.Kind =
                switch UInt32(unsafe input.kind) {
                case RENDER_LOOP_TEXT.rawValue: .text(unsafe input.text.map { unsafe String(cString: $0) } ?? "")
                case RENDER_LOOP_VALUE.rawValue: .value(unsafe input.value)
                case RENDER_LOOP_SCROLL.rawValue: .scrolled(lines(unsafe input.value))
                default: .tap
                }
            return InputEvent(kind, location: Grid.point(x: unsafe input.x, y: unsafe input.y))
        }

        /// A touchpad scrolls by parts of a line, each of which is taken for one.
        private static func lines(_ distance: Double) -> Int {
            guard distance.isFinite, abs(distance) < 1e6 else { return 0 }
            return Int(distance.rounded(.awayFromZero))
        }

        private static func with(_ context: UnsafeMutableRawPointer, _ body: @MainActor (RenderWindow) -> Void) {
            let window = unsafe Unmanaged<RenderWindow>.fromOpaque(context).takeUnretainedValue()
            MainActor.assumeIsolated { body(window) }
        }
    }
#endif
