// SPDX-License-Identifier: MIT
// A recording made by `record`, reported by `report`, against what the daemon counted of the same run.

import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import Testing

@Suite(
    "record and report",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordReportTests {
    @Test(
        "of a recorded command the report equals the live export in every count", arguments: ["wasteful", "isolated"])
    func equals(scenario: String) async throws {
        try await RecordBench.with { bench in
            let environment = ["RERENDER_RUNTIME_DIR": bench.home + "/runtime", "RERENDER_WAIT_AT_EXIT": "20000"]
            let daemon = try await bench.daemon.start(
                product: "rerenderd", ["--foreground"], environment: environment)
            try await daemon.waitForError(" ready ")
            let demo = [try await bench.program("rerender-demo"), "--scenario", scenario, "--ticks", "60"]
            let recorded = await
                (try await bench.record(["-o", bench.home + "/trace", "--"] + demo, environment: environment)).finish()
            #expect(recorded.exit == .status(0) && recorded.hasError("no event was lost"), "\(recorded)")
            let live = try await export(["export"], bench, environment)
            let traced = try await export(["report", bench.home + "/trace", "--json"], bench, environment)
            daemon.kill(SIGTERM)
            _ = await daemon.finish()
            expectEqual(try #require(traced.processes.first), try #require(live.processes.first))
            #expect(traced.processes.count == 1 && live.processes.count == 1)
        }
    }

    @Test("of a command that was not counted no process is shown, unless all are asked for")
    func uncounted() async throws {
        try await RecordBench.with { bench in
            let environment = ["RERENDER_RUNTIME_DIR": bench.home + "/runtime"]
            let (trace, page) = (bench.home + "/trace", bench.home + "/page.html")
            let recording = try await bench.record([
                "-o", trace, "--html", page, "--", "/bin/sh", "-c", "echo ready; read -r line",
            ])
            #expect(try await recording.nextLine() == "ready")
            let app = try await bench.daemon.start(
                product: "counting", [], environment: environment.merging(["RERENDER_WAIT_FOR_TRACER": "60000"]) { $1 })
            #expect(try await app.nextLine() == "ready")
            #expect(try await app.ask("run 30") == "done")
            try app.send("exit")
            _ = await app.finish()
            try recording.send("go on")
            #expect(await recording.finish().exit == .status(0))
            let what = "No process of /bin/sh was counted in this recording; --all shows the other one."
            let table = try await bench.daemon.start(
                product: "rerenderctl", ["report", trace], environment: environment)
            #expect(await table.finish().standardOutput.replacing(#/\s+/#, with: " ") == what + " ")
            #expect(try await export(["report", trace, "--json"], bench, environment).processes.isEmpty)
            let all = try await export(["report", trace, "--json", "--all"], bench, environment)
            #expect(all.processes.reduce(0) { $0 + $1.evaluations } == 30)
            let written = try String(contentsOfFile: page, encoding: .utf8)
            #expect(written.contains("was counted in this recording; --all shows the other one."))
        }
    }

    /// Twelve programs with what is done in them: a shop, a shop that hangs in four ways, and screens.
    private static let programs: [(String, String)] = [
        ("wasteful", "--ticks 40"), ("hang", "--rate 20 --ticks 99"),
        ("showmax-1", "--script tap:heart,wait,tap:season"), ("showmax-4", "--script tap:heart,wait,tap:season"),
        ("dashboard-wasteful", "--script wait,tap:count,wait,tap:count,wait"),
        ("dashboard-optimised", "--script wait,tap:count,wait,tap:count,wait"),
        ("isolation-observable", "--script tap:skip,wait,tap:like"),
        ("isolation-object", "--script tap:skip,wait,tap:like"), ("form-wasteful", "--script wait,tap:save,wait"),
        ("form-isolated", "--script wait,tap:save,wait"), ("on-appear", "--script wait,tap:finish,wait"),
        ("flow-layout", "--script tap:grow,wait"),
    ]

    @Test("of twelve programs, the report's JSON and its hangs are the daemon's field by field", arguments: programs)
    func fields(scenario: String, options: String) async throws {
        try await RecordBench.with { bench in
            let environment = ["RERENDER_RUNTIME_DIR": bench.home + "/runtime", "RERENDER_WAIT_AT_EXIT": "20000"]
            let daemon = try await bench.daemon.start(
                product: "rerenderd", ["--foreground"], environment: environment)
            try await daemon.waitForError(" ready ")
            // With the first app, the daemon begins to watch, and brings up its tracer.
            let first = try await bench.daemon.start(product: "counting", [], environment: environment)
            #expect(try await first.nextLine() == "ready")
            try await bench.waitForHangSignposts()
            try first.send("exit")
            #expect(await first.finish().exit == .status(0))
            let demo =
                [try await bench.program("rerender-demo"), "--scenario", scenario]
                + options.split(separator: " ").map(String.init)
            let recorded = await
                (try await bench.record(["-o", bench.home + "/trace", "--"] + demo, environment: environment)).finish()
            #expect(recorded.exit == .status(0) && recorded.hasError("no event was lost"), "\(recorded)")
            let ofDemo = ["--process", "rerender-demo"]
            let live = try await json(["export"] + ofDemo, bench, environment)
            let traced = try await json(["report", bench.home + "/trace", "--json"], bench, environment)
            let liveHangs = try await json(["hangs", "--json"] + ofDemo, bench, environment)
            let tracedHangs = try await json(["hangs", bench.home + "/trace", "--json"], bench, environment)
            daemon.kill(SIGTERM)
            _ = await daemon.finish()
            let differences = try Self.differences(live, traced, without: Self.others)
            let ofHangs = try Self.differences(liveHangs, tracedHangs, without: Self.othersOfHangs)
            #expect(differences == [])
            #expect(ofHangs == [])
            let counts = try JSONDecoder().decode(StatsExport.self, from: Data(live.utf8)).processes
            #expect(counts.count == 1 && counts.first.map { $0.evaluations > 0 } == true)
            let hangs = try JSONDecoder().decode(HangList.self, from: Data(liveHangs.utf8)).hangs
            #expect(hangs.count >= (scenario == "hang" ? 4 : 0))
        }
    }

    /// Fields that no recording has, and those whose moment is another one: the loop's totals go on until each is asked, and so does what
    /// is judged by them.
    private static let others: Set = [
        "generatedAt", "connected", "hangStacks", "countedSince", "lastRenderedAt", "latestAt", "loop", "idleWork",
        "verdict",
        "microNanoseconds",
    ]

    /// Those of hangs: what the watchdog saw while one lasted, and times by another clock than the trace's.
    private static let othersOfHangs: Set = [
        "generatedAt", "startedAt", "startedAtNanoseconds", "openedAfterNanoseconds", "watchdogLatenessNanoseconds",
        "waitingOn", "activities", "stacks", "sourceNanoseconds",
    ]

    /// What two JSON texts have different, but for some fields.
    private static func differences(_ live: String, _ traced: String, without others: Set<String>) throws -> [String] {
        let (told, read) = (try leaves(live, without: others), try leaves(traced, without: others))
        return Set(told.keys).union(read.keys).filter { told[$0] != read[$0] }.sorted().map {
            "\($0): \(told[$0] ?? "-") of the daemon, \(read[$0] ?? "-") of the recording"
        }
    }

    /// The values of a JSON text by their ways, as texts.
    private static func leaves(_ text: String, without others: Set<String>) throws -> [String: String] {
        var leaves: [String: String] = [:]
        func add(_ value: Any, _ way: String) {
            if let object = value as? [String: Any] {
                for (key, value) in object where !others.contains(key) { add(value, way + "/" + key) }
            } else if let list = value as? [Any] {
                for (index, value) in list.enumerated() { add(value, way + "/\(index)") }
            } else {
                leaves[way] = "\(value)"
            }
        }
        add(try JSONSerialization.jsonObject(with: Data(text.utf8)), "")
        return leaves
    }

    private func export(
        _ arguments: [String], _ bench: RecordBench, _ environment: [String: String]
    ) async throws -> StatsExport {
        try JSONDecoder().decode(StatsExport.self, from: Data(try await json(arguments, bench, environment).utf8))
    }

    private func json(
        _ arguments: [String], _ bench: RecordBench, _ environment: [String: String]
    ) async throws -> String {
        let process = try await bench.daemon.start(product: "rerenderctl", arguments, environment: environment)
        let output = await process.finish()
        guard output.exit == .status(0) else { throw TestSupport.ChildProcess.Failure("\(arguments): \(output)") }
        return output.standardOutput
    }

    private func expectEqual(_ traced: ProcessStats, _ live: ProcessStats) {
        #expect(traced.pid == live.pid && traced.evaluations == live.evaluations)
        #expect(traced.lost == 0 && live.lost == 0 && live.dropped == 0)
        #expect(traced.views.map(\.key) == live.views.map(\.key) && !live.views.isEmpty)
        for (view, truth) in zip(traced.views, live.views) {
            #expect(view.count == truth.count && view.commits == truth.commits, "\(truth.key.rawValue)")
            #expect(view.instances == truth.instances, "\(truth.key.rawValue)")
            #expect(view.reasons == truth.reasons, "\(truth.key.rawValue)")
            #expect(view.wasted.count == truth.wasted.count, "\(truth.key.rawValue)")
            #expect(view.wasted.kinds == truth.wasted.kinds, "\(truth.key.rawValue)")
            #expect(view.wasted.unjudged == truth.wasted.unjudged, "\(truth.key.rawValue)")
            #expect(view.hangs.count == truth.hangs.count, "\(truth.key.rawValue)")
        }
    }
}
