// SPDX-License-Identifier: MIT
// Marks in a real recording: events of the daemon's, and moments for each command that reads it.

import Foundation
import RerenderModel
import TestSupport
import Testing

@Suite(
    "Marks of a recording",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordMarkTests {
    @Test("are events, of the tool and of a program, and moments for each command that reads it, as times are")
    func moments() async throws {
        try await RecordBench.with { bench in
            try await Self.record(bench)
            let marks = try await bench.events("trace").filter { $0.name == "com.rerender.Mark:event" }
            #expect(marks.map { $0.text("message") } == ["tap Add", "then", "moment 1"])
            let recording = Recorded(bench: bench)
            let trace = recording.trace
            let hangs = try await recording.hangs()
            try #require(hangs.count == 2)
            // A time before the first hang, and behind what came before it.
            let time = hangs[1].startedAt.iso8601
            let span = ["--from", "tap Add", "--to", "moment 1"]
            for command in ["stats", "report"] {
                for (words, count) in [
                    ([], 720), (span, 240), (["--since", "moment 1"], 360), (["--from", "0s", "--to", "tap Add"], 120),
                    (["--from", "tap Add", "--to", time], 240), (["--from", time], 360),
                ] as [([String], UInt64)] {
                    let export = try await recording.export([command, trace] + words)
                    let views = export.processes.filter { $0.name == "counting" }.flatMap(\.views)
                    #expect(views.reduce(0) { $0 + $1.count } == count, "\(command) \(words)")
                }
            }
            for (words, count) in [
                (span, 1), (["--since", "moment 1"], 1), (["--from", "tap Add", "--to", "then"], 0),
                (["--from", "then"], 2), (["--to", time], 0),
            ] as [([String], Int)] {
                #expect(try await recording.hangs(words).count == count, "\(words)")
            }
            let selected = ["--process", "counting", "--store", "sidebar"]
            let explained = try await recording.ctl(["explain", "view 7", trace] + selected + span)
            #expect(explained.standardOutput.contains("Its body was evaluated 2 times"), "\(explained)")
            let old = bench.home + "/old.json"
            let whole = try await recording.ctl(["report", trace, "--json", "--output", old])
            #expect(whole.exit == .status(0), "\(whole)")
            let compared = try await recording.ctl(["diff", old, trace, "--json"] + span)
            let totals = try JSONDecoder().decode(ComparedTotals.self, from: Data(compared.standardOutput.utf8))
            let (all, some) = (try await recording.evaluations(), try await recording.evaluations(span))
            #expect(totals.old.evaluations == all && totals.new.evaluations == some, "\(compared)")
            let export = try await recording.ctl(["export", trace] + span)
            #expect(export.exit == .status(64), "\(export)")
            #expect(export.standardError.contains("rerenderctl report FILE --json"), "\(export)")
            let unknown = try await recording.ctl(["stats", trace, "--from", "before"])
            #expect(unknown.exit == .status(65), "\(unknown)")
            #expect(unknown.standardError.contains(#"It has "moment 1", "tap Add", "then"."#), "\(unknown)")
        }
    }

    /// What `diff --json` says of both sides.
    private struct ComparedTotals: Decodable {
        struct Counts: Decodable { let evaluations: UInt64 }

        let old: Counts
        let new: Counts
    }

    /// The recording of a test, and what commands say of it.
    private struct Recorded {
        let bench: RecordBench
        var trace: String { bench.home + "/trace" }

        func ctl(_ arguments: [String]) async throws -> TestSupport.ChildProcess.Output {
            let environment = ["RERENDER_RUNTIME_DIR": bench.home + "/runtime"]
            return try await bench.daemon.start(product: "rerenderctl", arguments, environment: environment).finish()
        }

        func export(_ arguments: [String]) async throws -> StatsExport {
            let output = try await ctl(arguments + ["--json"])
            #expect(output.exit == .status(0), "\(output)")
            return try JSONDecoder().decode(StatsExport.self, from: Data(output.standardOutput.utf8))
        }

        /// The evaluations of all programs.
        func evaluations(_ span: [String] = []) async throws -> UInt64 {
            try await export(["stats", trace] + span).processes.reduce(0) { $0 + $1.evaluations }
        }

        /// Those that the test made.
        func hangs(_ span: [String] = []) async throws -> [Hang] {
            let output = try await ctl(["hangs", trace, "--json"] + span)
            #expect(output.exit == .status(0), "\(output)")
            let list = try JSONDecoder().decode(HangList.self, from: Data(output.standardOutput.utf8))
            return list.hangs.filter { $0.durationNanoseconds >= 600_000_000 }
        }
    }

    /// Of `counting` 120 evaluations, a mark of the tool's, 240, another mark, a hang of `loops`, a mark of the program's own, 360, and
    /// another hang.
    private static func record(_ bench: RecordBench) async throws {
        let place = ["RERENDER_RUNTIME_DIR": bench.home + "/runtime"]
        let environment = place.merging(["RERENDER_WAIT_FOR_TRACER": "60000"]) { $1 }
        let socket = bench.home + "/runtime/query.sock"
        let daemon = try await bench.daemon.start(product: "rerenderd", ["--foreground"], environment: place)
        try await daemon.waitForError(" ready ")
        let recording = try await bench.recordAll(["-o", bench.home + "/trace"])
        let app = try await bench.daemon.start(product: "counting", environment: environment)
        #expect(try await app.nextLine() == "ready")
        let loop = try await bench.daemon.start(product: "loops", ["stall", "cfrunloop"], environment: environment)
        #expect(try await loop.nextLine().hasPrefix("ready"))
        #expect(try await loop.ask("threshold 200 100") == "ok")
        // The daemon brings up its tracer when the first app comes.
        try await eventually("the daemon's events") {
            let list = try await bench.lttng("list", "--userspace")
            return list.contains("com.rerender.Hang:begin") && list.contains("com.rerender.Mark:event") ? () : nil
        }
        let tool = Recorded(bench: bench)
        func hang(_ number: Int) async throws {
            try loop.send("sleep-in-body 700")
            while Stall(try await loop.nextLine()) == nil {}
            try await UnixHTTP(socket).eventually("the end of hang \(number)") {
                let list = try UnixHTTP(socket).get("/v1/hangs").json(HangList.self)
                return list.hangs.count { !$0.open && $0.durationNanoseconds >= 600_000_000 } == number ? () : nil
            }
        }
        #expect(try await app.ask("here 120") == "done")
        #expect(try await tool.ctl(["mark", "tap Add"]).exit == .status(0))
        #expect(try await app.ask("here 240") == "done")
        #expect(try await tool.ctl(["mark", "then"]).exit == .status(0))
        try await hang(1)
        #expect(try await app.ask("mark 1") == "done")
        try await UnixHTTP(socket).eventually("the app's own mark") {
            try await tool.ctl(["stats", "--since", "moment 1"]).exit == .status(0) ? () : nil
        }
        #expect(try await app.ask("here 360") == "done")
        try await hang(2)
        try app.send("exit")
        _ = await (app.finish(), loop.finish())
        recording.kill(SIGINT)
        let ended = await recording.finish()
        #expect(ended.exit == .status(0) && ended.standardOutput.contains("no event was lost"), "\(ended)")
        daemon.kill(SIGTERM)
        _ = await daemon.finish()
    }
}
