// SPDX-License-Identifier: MIT
// The classic redraws in a window.

#if RERENDER_GTK
    package import Rerender
    import RenderLoop

    /// A window whose sidebar has all scenarios; each choice begins one anew, with a store of its own.
    @MainActor
    package final class ScenarioWindow {
        /// How often a scenario's clock beats, in nanoseconds.
        private static let beat: UInt64 = 1_000_000_000

        private var window: RenderWindow?
        /// The scenario that is shown, with its loop and its store.
        package private(set) var run: RedrawRun?
        package private(set) var scenario: RedrawScenario
        package private(set) var store: RerenderStore?
        private var driver: GLibLoop?

        /// Makes the window, with a scenario chosen.
        ///
        /// - Returns: Nil where there is no display.
        package init?(_ scenario: RedrawScenario) {
            self.scenario = scenario
            let all = RedrawScenario.inSections
            let choices = all.flatMap { section in
                section.scenarios.enumerated().map { index, scenario in
                    WindowChoice(heading: index == 0 ? section.title : nil, title: scenario.title)
                }
            }
            let order = all.flatMap(\.scenarios)
            window = RenderWindow(title: "Rerender", choices: choices) { [weak self] in self?.show(order[$0]) }
            guard let window else { return nil }
            if let row = order.firstIndex(of: scenario) { window.choose(row: row) }
        }

        /// Shows the window until it is closed, or SIGINT or SIGTERM comes.
        package func runLoop() { window?.run() }

        /// Where a widget is, as ``RenderWindow/bounds(of:)`` tells it.
        package func bounds(of name: String) -> [Double]? { window?.bounds(of: name) }

        private func show(_ scenario: RedrawScenario) {
            let (driver, store) = (GLibLoop(), RerenderStore(name: scenario.rawValue))
            let run = RedrawRun(scenario, driver: driver, store: store)
            (self.scenario, self.run, self.store, self.driver) = (scenario, run, store, driver)
            window?.show(run.loop, on: driver, title: scenario.title, text: scenario.summary, store: store)
            guard run.hasBeat else { return }
            driver.addTimer(each: Self.beat) { [weak run] in
                // On a busy machine the first beat may be due before the views have appeared.
                if let run, run.loop.evaluations > 0 { run.beatInTurn() }
            }
        }
    }
#endif
