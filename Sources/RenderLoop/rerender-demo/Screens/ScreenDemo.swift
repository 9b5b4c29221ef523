// SPDX-License-Identifier: MIT
// One run of a screen: by a script or by a user, and what is said at its end.

#if RenderLoop
    import CoreFoundation
    import Foundation
    import RenderLoop
    import RenderLoopScenarios
    import Rerender

    /// A screen in a loop until its script or its user ends it.
    @MainActor
    struct ScreenDemo {
        private let options: RerenderDemo
        private let scenario: RedrawScenario
        private let script: Script?
        private let store: RerenderStore

        init(_ options: RerenderDemo, _ scenario: RedrawScenario) throws {
            if options.script == nil { ResizeSignal.block() }
            EndSignals.endMainLoop(terminalToo: options.script == nil)
            self.options = options
            self.scenario = scenario
            script = try options.parsedScript(for: scenario)
            store = RerenderStore(name: "main")
        }

        func run() throws {
            var report = ScreenReport(scenario: scenario)
            if let script {
                Console.print(opening)
                let screen =
                    options.virtualClock
                    ? runVirtually(script, into: &report) : runOnMainLoop(script, into: &report)
                Console.print(report.text + "\n\n" + screen)
            } else {
                let interaction = Interaction(scenario, store: store)
                // What the terminal calls holds it weakly.
                try withExtendedLifetime(interaction) { try interaction.run(into: &report) }
                Console.print(report.text)
            }
            if options.printCounts { Console.print(try report.json()) }
            if let file = options.export { try store.exportJSON().write(to: URL(fileURLWithPath: file)) }
        }

        private func runVirtually(_ script: Script, into report: inout ScreenReport) -> String {
            let clock = VirtualClock()
            let run = RedrawRun(scenario, driver: clock, store: store)
            clock.settle()
            report.add("appears", run.takeRedraws())
            for step in script.steps {
                run.perform(step, on: clock)
                report.add(step.description, run.takeRedraws())
            }
            return TextRenderer.text(of: run.loop.committedRoot)
        }

        private func runOnMainLoop(_ script: Script, into report: inout ScreenReport) -> String {
            let run = RedrawRun(scenario, driver: MainRunLoop(), store: store)
            let scripted = ScriptedLoop(run, script)
            CFRunLoopRun()
            for (step, redraws) in scripted.finished { report.add(step?.description ?? "appears", redraws) }
            return TextRenderer.text(of: run.loop.committedRoot)
        }

        private var opening: String {
            "rerender-demo (pid \(getpid())): \(scenario.rawValue), \(scenario.summary)"
        }
    }
#endif
