// SPDX-License-Identifier: MIT
// The demo's screens as processes: scripts, what `rerenderctl run` says of them, and a terminal.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("rerender-demo's screens")
struct ScreenDemoTests {
    private static let demo = ChildProcess.product("rerender-demo")

    private static let scripts = [
        "showmax-1": "tap:heart,tap:season,wait", "showmax-2": "tap:heart,tap:season,wait",
        "showmax-3": "tap:heart,tap:season,wait", "showmax-4": "tap:heart,tap:season,wait",
        "dashboard-wasteful": "wait,tap:count,wait", "dashboard-optimised": "wait,tap:count,wait",
        "isolation-observable": "tap:skip,tap:like", "isolation-object": "tap:skip,tap:like",
        "form-wasteful": "type:abc,slide:0.7,tap:save", "form-isolated": "type:abc,slide:0.7,tap:save",
    ]

    /// What a run counted itself, and what its store did.
    private struct Run {
        struct Report: Decodable, Equatable {
            struct Step: Decodable, Equatable {
                let step: String
                let evaluations: [String: Int]
            }
            let scenario: String
            let steps: [Step]
            let evaluations: [String: Int]
        }

        let report: Report
        let screen: Substring
        let process: ProcessStats?

        init(_ scenario: String, _ script: String, _ options: String...) async throws {
            let directory = try TemporaryDirectory()
            let file = directory.url.appendingPathComponent("export.json")
            var environment = ProcessInfo.processInfo.environment
            environment["RERENDER_RUNTIME_DIR"] = directory.url.path
            let arguments = ["--scenario", scenario, "--script", script, "--print-counts", "--export", file.path]
            let output = try await ChildProcess.run([demo] + arguments + options, environment: environment)
            try #require(output.exit == .status(0), "\(output.standardError)")
            let text = output.standardOutput.dropLast()
            let line = try #require(text.split(separator: "\n").last)
            report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
            screen = text.dropLast(line.count)[(text.firstRange(of: "\n\n")?.upperBound ?? text.startIndex)...]
            process = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)).processes.first
        }
    }

    @Test("On the main run loop each step is a turn, with the evaluations of virtual time", arguments: scripts)
    func clocks(scenario: String, script: String) async throws {
        let virtual = try await Run(scenario, script, "--virtual-clock")
        let real = try await Run(scenario, script)
        #expect(real.report == virtual.report)
        #expect(real.screen == virtual.screen && !real.screen.isEmpty)
        #expect(real.report.steps.map(\.step) == ["appears"] + script.split(separator: ",").map(String.init))
        #expect(real.report.steps.dropFirst().contains { !$0.evaluations.isEmpty })
        #expect(real.process?.mainLoop == .cfrunloop)
    }

    @Test("rerenderctl run shows what a tap on the heart wastes", .promise, arguments: 1...4)
    func heart(version: Int) async throws {
        let (table, process) = try await Self.counted("showmax-\(version)", "tap:heart")
        let row = try #require(table.split(separator: "\n").first { $0.hasPrefix("EpisodesView ") })
        let episodes = try #require(process.views.first { $0.key.rawValue == "EpisodesView" })
        if version == 1 {
            #expect(episodes.count == 2)
            #expect(episodes.wasted.count == 1)
            #expect(episodes.lastReason == "model.isMyFavourite")
            #expect(row.contains("model.isMyFavourite"), "\(row)")
        } else {
            #expect(episodes.count == 1)
            #expect(episodes.wasted.count == 0)
            #expect(!row.contains("model."), "\(row)")
        }
        let button = try #require(process.views.first { $0.key.rawValue == "HeartButton" })
        #expect(button.count == 2)
        #expect(button.wasted.count == 0)
    }

    /// A script under `rerenderctl run`: the table, and the process in the export.
    private static func counted(_ scenario: String, _ script: String) async throws -> (String, ProcessStats) {
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("export.json")
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        // All counts arrive, however busy the machine is.
        environment["RERENDER_WAIT_AT_EXIT"] = "60000"
        let tool = [ChildProcess.product("rerenderctl"), "run", "--all", "--json", "-o", file.path, "--"]
        let output = try await ChildProcess.run(
            tool + [demo, "--scenario", scenario, "--script", script], environment: environment)
        try #require(output.exit == .status(0), "\(output.standardError)")
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file))
        let process = try #require(export.processes.first)
        try #require(process.lost == 0)
        return (output.standardError, process)
    }

    @Test("Without a terminal and a script a screen says how to give it one")
    func withoutTerminal() async throws {
        let output = try await ChildProcess.run([Self.demo, "--scenario", "showmax-1"])
        #expect(output.exit == .status(64))
        #expect(output.standardError.contains("--script tap:heart"), "\(output.standardError)")
        #expect(output.standardOutput.isEmpty)
    }
}
