// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite(
    "rerenderctl record",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordTests {
    @Test("everything that a command evaluates is in the trace, from the first on, and counted", .promise)
    func command() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.record(["-o", bench.home + "/trace", "--", bench.program("counting")])
            #expect(try await process.ask("run 500") == "ready")
            try process.send("exit")
            let output = await process.finish()
            #expect(output.exit == .status(0) && output.standardOutput == "done\n", "the command's output is its own")
            let events = try await bench.events("trace")
            let ends = events.filter { $0.name == "com.rerender.BodyEval:end" }
            #expect(ends.count == 500 && events.count { $0.name == "com.rerender.BodyEval:begin" } == 500)
            for (view, own) in Dictionary(grouping: ends, by: { $0.text("name") }) {
                #expect(own.compactMap { $0.integer("count") }.min() == 1, "the first one of \(view ?? "")")
            }
            #expect(events.allSatisfy { $0["vpid"] != nil && $0["vtid"] != nil && $0["procname"] != nil })
            #expect(output.hasError(": \(RecordBench.count(events.count)), "))
            #expect(output.hasError(" KiB, in \(bench.home)/trace\nno event was lost\n"))
            #expect(output.hasError("Next: rerenderctl report \(bench.home)/trace\n"))
            // What it names is there, and is the metadata of a trace and not of a directory above several.
            let opened = output.standardError.split(separator: "\n").compactMap { line in
                line.range(of: "In Trace Compass: File > Open Trace: ").map { String(line[$0.upperBound...]) }
            }
            #expect(opened.count == 1 && opened.allSatisfy { $0.hasPrefix(bench.home + "/trace/ust/uid/") })
            #expect(
                opened.allSatisfy { $0.hasSuffix("/64-bit/metadata") && FileManager.default.fileExists(atPath: $0) })
            #expect(try await bench.lttng("list").contains("Currently no"))
        }
    }

    @Test(
        "everything is recorded until a signal, and the trace is complete", .promise,
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(signal: Int32) async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-o", bench.home + "/new/trace"])
            try await bench.probe("body 300", "hangs 2")
            process.kill(signal)
            let output = await process.finish()
            #expect(output.exit == .status(0), "\(output)")
            let events = try await bench.events("new/trace")
            #expect(events.count { $0.name == "com.rerender.BodyEval:end" } == 300)
            #expect(events.count { $0.name == "com.rerender.Hang:begin" } == 2)
            #expect(output.standardOutput.contains(": \(RecordBench.count(events.count)), "))
            #expect(output.standardError.withoutProgress.isEmpty)
        }
    }

    @Test("--duration ends a recording; where no app came, it says so")
    func duration() async throws {
        try await RecordBench.with { bench in
            let output = await (try await bench.recordAll(["--duration", "0.2"])).finish()
            #expect(output.exit == .status(0))
            #expect(output.standardOutput.contains(": 0 events, 0 bytes, in \(bench.home)/lttng-traces/rerender-2"))
            #expect(output.standardOutput.contains("See: rerenderctl doctor"))
            #expect(!output.standardOutput.contains("report"))
        }
    }

    @Test("when --duration is over before the command, the recording ends and the command goes on")
    func commandOutlives() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.record(
                ["-o", bench.home + "/trace", "-d", "15", "--", bench.program("counting")])
            #expect(try await process.ask("run 10") == "ready")
            #expect(try await process.nextLine() == "done")
            #expect(try await !bench.lttng("list").contains("Currently no"), "these are recorded")
            try await eventually("the end of the recording") {
                try await bench.lttng("list").contains("Currently no") ? () : nil
            }
            #expect(try await process.ask("run 500") == "done")
            try process.send("exit")
            let output = await process.finish()
            #expect(output.exit == .status(0))
            let events = try await bench.events("trace")
            #expect(events.count { $0.name.hasPrefix("com.rerender.BodyEval:") } == 20)
            #expect(output.hasError(": \(RecordBench.count(events.count)), "), "\(output)")
        }
    }

    @Test("only --all-signposts has other signposters' events, and nothing but signposts", arguments: [false, true])
    func allSignposts(isOn: Bool) async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-o", bench.home + "/trace"] + (isOn ? ["--all-signposts"] : []))
            try await bench.probe("make com.example.shop Network process", "wait 60000", "pairs 0 25 2", "body 10")
            process.kill(SIGINT)
            #expect(await process.finish().exit == .status(0))
            let events = try await bench.events("trace")
            #expect(events.count { $0.name == "com.example.shop.Network:begin" } == (isOn ? 50 : 0))
            #expect(events.count { $0.name == "com.rerender.BodyEval:begin" } == 10)
            #expect(events.count == (isOn ? 120 : 20), "each once, and none of LTTng's own")
        }
    }

    @Test("--snapshot writes the latest at the end alone")
    func snapshot() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["--snapshot", "-o", bench.home + "/trace"])
            try await bench.probe("body 200000", "hangs 1")
            let list = try? FileManager.default.contentsOfDirectory(atPath: bench.home + "/trace")
            #expect(list?.isEmpty == true, "nothing is written before")
            process.kill(SIGINT)
            let output = await process.finish()
            #expect(output.exit == .status(0))
            let events = try await bench.events("trace")
            #expect(events.last?.name == "com.rerender.Hang:end" && events.count > 1_000 && events.count < 400_000)
            #expect(output.standardOutput.contains("saved the latest of "))
            #expect(output.standardOutput.contains(": \(RecordBench.count(events.count)), "))
            #expect(output.standardOutput.contains("Next: rerenderctl report \(bench.home)/trace/snapshot-1-"))
        }
    }

    @Test("of events that the buffers had no room for it says exactly how many")
    func lost() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-o", bench.home + "/trace"])
            // The first events bring up the process that writes; stopped, it leaves the buffers full.
            try await bench.probe("body 1")
            let writer = try await eventually("the writing process") { bench.daemon.consumer }
            let app = try await bench.daemon.start(product: "signpost-probe")
            try await app.ask("wait 60000")
            kill(writer, SIGSTOP)
            try await app.ask("body 300000")
            kill(writer, SIGCONT)
            _ = await app.finish()
            process.kill(SIGINT)
            let output = await process.finish()
            #expect(output.exit == .status(0))
            let recorded = try await bench.events("trace").count
            #expect(recorded < 600_002)
            #expect(
                output.standardOutput.contains("\(Counted.grouped(600_002 - recorded)) events were lost"),
                "\(recorded): \(output.standardOutput)")
        }
    }

    @Test("a hang of the command is in the trace, though no daemon runs")
    func hang() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.record(
                ["-o", bench.home + "/trace", "--", bench.program("loops"), "stall", "cfrunloop"])
            #expect(try await process.nextLine().hasPrefix("ready"))
            #expect(try await process.ask("threshold 200 100") == "ok")
            try await bench.waitForHangSignposts()
            // Asleep, because a thread that wants to run is starved on a busy machine, which blames no view.
            try process.send("sleep-in-body 700")
            while Stall(try await process.nextLine()) == nil {}
            let output = await process.finish()
            #expect(output.exit == .status(0))
            let events = try await bench.events("trace")
            let begin = events.first { $0.name == "com.rerender.Hang:begin" && $0.text("name") == "Sleeper" }
            let end = events.first { $0.name == "com.rerender.Hang:end" && $0.text("name") == "Sleeper" }
            #expect(begin?.integer("signpost_id") == end?.integer("signpost_id") && begin != nil)
            #expect(end?.integer("duration_ns") ?? 0 >= 700_000_000)
        }
    }

    @Test("a hang that lasts until the command is gone has an end in the trace")
    func hangAtTheEnd() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.record(
                ["-o", bench.home + "/trace", "--", bench.program("loops"), "stall", "cfrunloop"])
            let pid = try #require(try await process.nextLine().split(separator: " ").last)
            #expect(try await process.ask("threshold 200 100") == "ok")
            try await bench.waitForHangSignposts()
            try process.send("sleep-in-body 60000")
            #expect(try await process.nextLine() == "begin sleep-in-body")
            let variables = try TestFile.text("/proc/\(pid)/environ").split(separator: "\0")
            let directory = try #require(variables.first { $0.hasPrefix("RERENDER_RUNTIME_DIR=/tmp/rerender-run-") })
            let http = UnixHTTP(String(directory.dropFirst("RERENDER_RUNTIME_DIR=".count)) + "/query.sock")
            _ = try await http.eventually("the hang") {
                try http.get("/v1/hangs").text.contains("Sleeper") ? true : nil
            }
            #expect(await process.finish().exit == .status(0))
            let hangs = try await bench.events("trace").filter { $0.name.hasPrefix("com.rerender.Hang:") }
            #expect(hangs.map(\.name).suffix(2) == ["com.rerender.Hang:begin", "com.rerender.Hang:end"])
        }
    }
}
