// SPDX-License-Identifier: MIT
// One run of a screen, by a script or by a user, and its report.

import CoreFoundation
import Foundation
import RenderLoop
import RenderLoopScenarios
import Rerender

/// A screen in a loop until its script or its user ends it.
@MainActor
struct ScreenDemo {
    private let output: DemoOutput
    private let usesVirtualClock: Bool
    private let scenario: RedrawScenario
    private let script: Script?
    private let store: RerenderStore
    /// The terminal has another size.
    private let resizes: AwaitedSignals?

    /// Without a script, the user operates the screen in the terminal.
    init(_ scenario: RedrawScenario, _ script: Script?, usesVirtualClock: Bool, output: DemoOutput) {
        resizes = script == nil ? AwaitedSignals([SIGWINCH]) : nil
        EndSignals.endMainLoop(terminalToo: script == nil)
        self.scenario = scenario
        self.script = script
        self.usesVirtualClock = usesVirtualClock
        self.output = output
        store = RerenderStore(name: "main")
    }

    func run() throws {
        var report = ScreenReport(scenario: scenario)
        if let script {
            Console.print(opening)
            let screen =
                usesVirtualClock
                ? runVirtually(script, into: &report) : runOnMainLoop(script, into: &report)
            Console.print(report.text + "\n\n" + screen)
        } else {
            let interaction = Interaction(scenario, store: store, resizes: resizes)
            // What the terminal calls holds it weakly.
            try withExtendedLifetime(interaction) { try interaction.run(into: &report) }
            Console.print(report.text)
        }
        try output.finish(store, counts: report)
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
