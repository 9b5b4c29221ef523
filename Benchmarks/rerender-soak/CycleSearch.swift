// SPDX-License-Identifier: MIT
// No false cycle: an hour of each scenario of the demo in virtual time, of the shop in as many ticks, and of programs of GTK.

import Foundation
import RenderLoop
import RenderLoopScenarios
import Rerender
import RerenderModel
import TestSupport

enum CycleSearch {
    /// Frames of a minute.
    private static let frames = 3_600

    static func run(minutes: Int, _ report: inout Report) async throws {
        for scenario in RedrawScenario.allCases {
            let (found, evaluations) = try await look(at: scenario, minutes: minutes)
            let text = "\(scenario.rawValue): \(found) cycles in \(minutes) min of virtual time"
            report.line("\(text), \(evaluations) evaluations", found == 0 && evaluations > 0)
        }
        for scenario in ["wasteful", "isolated"] { try await shop(scenario, minutes: minutes, &report) }
    }

    /// Waits frame by frame, and operates one of the controls each second.
    @MainActor
    private static func look(at scenario: RedrawScenario, minutes: Int) throws -> (cycles: Int, evaluations: UInt64) {
        let (store, clock) = (RerenderStore(name: scenario.rawValue), VirtualClock())
        store.isConsoleLoggingEnabled = false
        let run = RedrawRun(scenario, driver: clock, store: store)
        clock.settle()
        let steps = scenario.controls.map(step)
        for frame in 0..<minutes * frames {
            let isTurn = frame % 60 == 0 && !steps.isEmpty
            run.perform(isTurn ? steps[frame / 60 % steps.count] : .wait, on: clock)
        }
        let export = try JSONDecoder().decode(StatsExport.self, from: store.exportJSON())
        return (export.processes.reduce(0) { $0 + ($1.cycles?.count ?? 0) }, store.stats.reduce(0) { $0 + $1.count })
    }

    private static func step(_ control: ScreenControl) -> ScriptStep {
        switch control.kind {
        case .button: .tap(control.name)
        case .field: .type("a")
        case .slider: .slide(Double.random(in: 0...1))
        }
    }

    /// As many ticks as in so long, a thousand a second.
    private static func shop(_ scenario: String, minutes: Int, _ report: inout Report) async throws {
        let ticks = minutes * frames
        let demo = [
            ChildProcess.product("rerender-demo"), "--scenario", scenario, "--ticks", "\(ticks)", "--rate", "1000",
        ]
        let (found, evaluations) = try await run(demo, seconds: Double(ticks) / 500 + 60)
        report.line(
            "shop, \(scenario): \(found) cycles in \(ticks) ticks, \(evaluations) evaluations",
            found == 0 && evaluations > 0)
    }

    private static func run(_ command: [String], seconds: Double) async throws -> (cycles: Int, evaluations: UInt64) {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("export.json")
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let tool = [ChildProcess.product("rerenderctl"), "run", "--json", "-o", file.path]
        let ended = try await ChildProcess.run(tool + ["--"] + command, environment: environment, seconds: seconds)
        guard ended.succeeded else { throw ChildProcess.Failure(ended.standardError) }
        let stores = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)).processes
        return (stores.reduce(0) { $0 + ($1.cycles?.count ?? 0) }, stores.reduce(0) { $0 + $1.evaluations })
    }
}
