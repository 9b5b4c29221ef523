// SPDX-License-Identifier: MIT
// A hang in a real LTTng trace: the daemon's events, in their place among the app's.

import Foundation
import RerenderModel
import SignpostSupport
import TestSupport
import TestTraits
import Testing

@Suite(
    "Recorded hangs", .exclusive,
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordedHangTests {
    @Test("begin while the body still runs and end after it, with what is known at each")
    func hang() async throws {
        let (events, hang, pid) = try await LTTngDaemon.with(.ordinary) { tracer in
            try await LTTngSession.with(tracer, LTTngRecording("com.rerender.*")) { session in
                let (hang, pid) = try await Self.hang(tracer)
                return (try await session.stopAndRead(), hang, pid)
            }
        }
        // Babeltrace merges the streams of both processes by time.
        let mine = events.filter {
            ["com.rerender.Hang", "com.rerender.BodyEval"].contains($0.name.split(separator: ":")[0])
        }
        let names = mine.drop { $0.text("name") != "Sleeper" }.map(\.name)
        #expect(
            names == [
                "com.rerender.BodyEval:begin", "com.rerender.Hang:begin", "com.rerender.BodyEval:end",
                "com.rerender.Hang:end",
            ])
        let begin = try #require(events.first { $0.name == "com.rerender.Hang:begin" })
        let end = try #require(events.first { $0.name == "com.rerender.Hang:end" })
        for event in [begin, end] {
            #expect(event.integer("signpost_id") == hang.id)
            // The daemon's thread that tells of hangs, and not one of a library's name.
            #expect(event.text("procname") == "rerenderd-loop")
            #expect(event.text("name") == "Sleeper" && event.label("attribution") == "in body", "\(hang)")
            #expect(event.integer("pid") == UInt64(pid))
        }
        #expect(end.text("last_rendered") == "Sleeper" && end.label("verdict") == hang.verdict.rawValue)
        #expect(end.integer("duration_ns") == hang.durationNanoseconds && hang.durationNanoseconds >= 600_000_000)
        #expect(begin.payload == EventTable.fields[begin.name] && end.payload == EventTable.fields[end.name])
        // One space stands for no text.
        #expect(end.text("handler") == " " && end.integer("handler_ns") == 0)
        #expect(begin.integer("guess") == 1 && end.integer("guess") == 0 && end.text("at_threshold") == "Sleeper")
        #expect(end.integer("turn") == hang.turn && end.integer("starved_ns") == hang.starvedNanoseconds)
        #expect(end.integer("age_ns") ?? 0 >= hang.durationNanoseconds && begin.integer("age_ns") ?? 0 >= 200_000_000)
    }

    @Test("are all that a session with the log level WARNING has")
    func logLevel() async throws {
        var recording = LTTngRecording("com.rerender.*")
        recording.logLevel = "WARNING"
        let (events, hang) = try await LTTngDaemon.with(.ordinary) { [recording] tracer in
            try await LTTngSession.with(tracer, recording) { session in
                let (hang, _) = try await Self.hang(tracer)
                return (try await session.stopAndRead(), hang)
            }
        }
        #expect(Set(events.map(\.name)) == ["com.rerender.Hang:begin", "com.rerender.Hang:end"])
        #expect(events.contains { $0.integer("signpost_id") == hang.id })
    }

    /// One hang of an app under a daemon, both of the tracer's user; the hang as the daemon lists it, and the app's pid.
    static func hang(_ tracer: LTTngDaemon) async throws -> (Hang, Int32) {
        let directory = tracer.home + "/runtime"
        let daemon = try await tracer.start(product: "rerenderd", ["--foreground", "--runtime-dir", directory])
        try await daemon.waitForError(" ready ")
        let http = UnixHTTP(directory + "/query.sock")
        let app = try await tracer.start(
            product: "loops", ["stall", "cfrunloop"],
            environment: ["RERENDER_WAIT_FOR_TRACER": "20000", "RERENDER_RUNTIME_DIR": directory])
        _ = try await app.nextLine()
        try await app.ask("threshold 200 100")
        let process = try await http.eventually("the loop being watched") {
            try app.send("spin 1")
            while Stall(try await app.nextLine()) == nil {}
            let process = try http.get("/v1/stats").json(StatsExport.self).processes.first
            return process?.mainLoop == MainLoopKind.none || process?.hangThresholdMilliseconds != 200 ? nil : process
        }
        // The daemon brings up its tracer when the first app comes.
        _ = try await eventually("the daemon's events") {
            try await tracer.command(["lttng", "--no-sessiond", "list", "--userspace"])
                .contains("com.rerender.Hang:begin") ? true : nil
        }
        try app.send("sleep-in-body 600")
        while Stall(try await app.nextLine()) == nil {}
        let hang = try await http.eventually("the hang") {
            try http.get("/v1/hangs").json(HangList.self).hangs.first {
                !$0.open && $0.durationNanoseconds >= 600_000_000
            }
        }
        app.kill(SIGTERM)
        daemon.kill(SIGTERM)
        _ = await (app.waitForExit(), daemon.waitForExit())
        return (hang, process.pid)
    }
}
