// SPDX-License-Identifier: MIT
// The demo as a process: what it counted itself against what its store says.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing

@Suite("rerender-demo")
struct DemoTests {
    @Test("The store counts what the demo counted itself", .promise, arguments: ["wasteful", "isolated"])
    func countsAreTruth(scenario: String) async throws {
        let run = try await Demo.run(scenario, ["--ticks", "500", "--rate", "1000"])
        let store = try #require(run.export.processes.first)
        #expect(run.counts.ticks == 500)
        #expect(store.views.counts(\.count) == run.counts.evaluations)
        #expect(store.views.counts(\.commits) == run.counts.commits)
        #expect(store.views.counts(\.instances) == run.counts.instances)
        #expect(store.evaluations == UInt64(run.counts.evaluations.values.reduce(0, +)))
        #expect(store.dropped == 0)
    }

    @Test("Two runs of the same number of ticks count the same, whatever holds up the loop in between")
    func ticks() async throws {
        let options = ["--ticks", "45", "--rate", "10"]
        let (first, second) = (try await Demo.run("hang", options), try await Demo.run("hang", options))
        #expect(first.counts.ticks == 45 && first.counts.evaluations["TickerLabel"] == 46)
        #expect(first.counts.evaluations == second.counts.evaluations && first.counts.commits == second.counts.commits)
        #expect(first.export.processes.map { $0.views.counts(\.count) } == [first.counts.evaluations])
        // Each way of blocking came once, the body's in the one more evaluation of its view.
        let stalls = try #require(first.counts.stalls)
        #expect(stalls.mapValues(\.count) == ["body": 1, "block": 1, "sleep": 1, "lock": 1])
        #expect(stalls.values.joined().allSatisfy { $0 >= 400 } && first.counts.evaluations["ReportView"] == 2)
    }

    @Test("Without an end it runs until a signal, and ends cleanly", .promise, arguments: [SIGINT, SIGTERM])
    func endsOnSignal(signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let demo = try ChildProcess(
            [ChildProcess.product("rerender-demo"), "--seconds", "0"], environment: environment)
        let opening = try await demo.nextLine()
        #expect(opening.contains("until Ctrl-C"))
        #expect(opening.contains("rerenderctl"))
        demo.kill(signal)
        let output = await demo.finish()
        #expect(output.exit == .status(0))
        #expect(output.standardOutput.contains("as the demo itself counted them"))
    }
}

/// One run of the demo to its end.
private struct Demo {
    struct Counts: Decodable {
        let evaluations: [String: Int]
        let commits: [String: Int]
        let instances: [String: Int]
        let ticks: Int
        let stalls: [String: [Double]]?
    }

    let counts: Counts
    let export: StatsExport

    static func run(_ scenario: String, _ options: [String]) async throws -> Demo {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("demo-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let told = ["--scenario", scenario, "--print-counts", "--export", file.path]
        let command = [ChildProcess.product("rerender-demo")] + told + options
        // In a directory of its own: the user's daemon, if one runs, is not ours to fill.
        let directory = try TemporaryDirectory()
        var environment = ProcessInfo.processInfo.environment
        environment["RERENDER_RUNTIME_DIR"] = directory.url.path
        let output = try await ChildProcess.run(command, environment: environment)
        try #require(output.exit == .status(0), "\(output.standardError)")
        let line = try #require(output.standardOutput.split(separator: "\n").last)
        return Demo(
            counts: try JSONDecoder().decode(Counts.self, from: Data(line.utf8)),
            export: try JSONDecoder().decode(StatsExport.self, from: Data(contentsOf: file)))
    }
}

extension [Stats] {
    fileprivate func counts(_ field: KeyPath<Stats, UInt64>) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: map { ($0.key.rawValue, Int($0[keyPath: field])) })
    }
}
