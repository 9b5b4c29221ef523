// SPDX-License-Identifier: MIT
// The screens in a window, until that is closed.

import RenderLoopScenarios

/// Screens in a window.
@MainActor
struct WindowDemo {
    let scenario: RedrawScenario
    let output: DemoOutput

    /// Runs until the window is closed. What is reported is of the scenario that was shown last.
    func run() throws {
        #if RERENDER_GTK
            guard let window = ScenarioWindow(scenario) else {
                throw WindowError("--window needs a display, and DISPLAY or WAYLAND_DISPLAY names none that answers")
            }
            window.runLoop()
            guard let run = window.run, let store = window.store else { return }
            var report = ScreenReport(scenario: window.scenario)
            report.count(run.total)
            Console.print(report.text)
            try output.finish(store, counts: report)
        #else
            throw WindowError(
                "this build has no window: install the headers of GTK 4, and run: swift build --traits GTK")
        #endif
    }
}

/// Why there is no window.
struct WindowError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
