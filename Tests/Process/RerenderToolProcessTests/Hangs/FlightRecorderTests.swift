// SPDX-License-Identifier: MIT
import Foundation
import RerenderDaemon
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import RerenderTrace
import Synchronization
import TestSupport
import TestTraits
import Testing

@Suite("rerenderctl hangs --capture")
struct FlightRecorderTests {
    /// Runs a command against a session daemon under test.
    private static func run(_ command: [String], _ daemon: LTTngDaemon) async -> CapturedOutput {
        do {
            return CapturedOutput(ending: .exited(0), output: try await daemon.command(command))
        } catch {
            return CapturedOutput(ending: .exited(1), errors: "\(error)")
        }
    }

    /// What a recorder looks at before it ends a session daemon.
    private static func whatKeeps(_ daemon: LTTngDaemon, _ pidFile: String) async throws -> [String] {
        let files = [pidFile, pidFile + ".rerender"].map { try? String(contentsOfFile: $0, encoding: .utf8) }
        return files.map { $0 ?? "none" } + [
            try await daemon.command(LTTngSession.list), try await daemon.command(LTTngSession.listTriggers),
        ]
    }

    @Test(
        "a hang is saved with the evaluations before it, and everything is undone", .promise,
        .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools and babeltrace2"))
    func recorder() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let captures = HangCaptures(directory: daemon.home + "/traces")
            try FileManager.default.createDirectory(atPath: captures.directory, withIntermediateDirectories: true)
            chmod(captures.directory, 0o777)
            let pidFile = daemon.home + "/.lttng/lttng-sessiond.pid"
            let capture = FlightRecorder(captures: captures, processors: 2, pidFile: pidFile) {
                await Self.run($0, daemon)
            }
            #expect(try await capture.status() == ["the flight recorder is off"])
            #expect(try await capture.on()[0].hasPrefix("the flight recorder is on: 8192 KiB"))
            #expect(try await capture.on()[0] == "the flight recorder was already on")

            let app = try await daemon.start(product: "signpost-probe")
            #expect(try await app.ask("body 100") == "body 100")
            #expect(captures.snapshots().isEmpty, "nothing is written while nothing hangs")
            let began = Timestamp.now
            #expect(try await app.ask("hangs 1") == "hangs 1")
            let ended = Timestamp.now
            let events = try await eventually("the trace") {
                guard let saved = captures.snapshots().first else { return nil as [LTTngEvent]? }
                // Still being written, it cannot be read.
                let events = try? await LTTngTrace.read(saved.path)
                return events.flatMap { $0.contains { $0.name == "com.rerender.Hang:begin" } ? $0 : nil }
            }
            #expect(events.count { $0.name == "com.rerender.BodyEval:begin" } == 100)
            #expect(events.count { $0.name == "com.rerender.BodyEval:end" } == 100)
            var hang = Hang(id: 1, pid: 1, process: "shop", startedAt: began, turn: 1)
            hang.durationNanoseconds = UInt64(max(1, ended.nanoseconds(since: began)))
            #expect(captures.trace(for: hang) == captures.snapshots().first?.path)
            #expect(try await capture.status().last?.contains("1 trace saved") == true)

            #expect(try await capture.off()[0] == "the flight recorder is off")
            #expect(try await capture.off()[0] == "the flight recorder was already off")
            #expect(try await !daemon.command(["lttng", "--no-sessiond", "list"]).contains("rerender"))
            #expect(try await !daemon.command(["lttng", "--no-sessiond", "list-triggers"]).contains("rerender"))
            #expect(captures.snapshots().count == 1, "what was saved stays")
            app.kill(SIGKILL)
            await app.waitForExit()
        }
    }

    @Test("a process that has the number of a session daemon which crashed is not ended")
    func reusedNumber() async throws {
        let stranger = try PlainChild("/bin/sleep", ["600"])
        let directory = try TestFile.makeDirectory()
        for file in ["/pid.rerender", "/pid"] {
            try TestFile.write(Array("\(stranger.pid)\n".utf8), to: directory + file)
        }
        let capture = FlightRecorder(
            captures: HangCaptures(directory: directory), processors: 1, pidFile: directory + "/pid"
        ) { _ in CapturedOutput(ending: .exited(0)) }
        _ = try await capture.off()
        #expect(!TestFile.exists(directory + "/pid.rerender"), "it was looked at")
        stranger.send(SIGKILL)
        #expect(try await stranger.wait() == -SIGKILL)
    }

    @Test(
        "a session daemon that it had to start ends with it, and no other does",
        .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools and babeltrace2"))
    func sessionDaemon() async throws {
        try await LTTngDaemon.with(.ordinary) { daemon in
            let captures = HangCaptures(directory: daemon.home + "/traces")
            let pidFile = daemon.home + "/.lttng/lttng-sessiond.pid"
            let capture = FlightRecorder(captures: captures, processors: 2, pidFile: pidFile) {
                await Self.run($0, daemon)
            }
            func runs() async -> Bool { (try? await daemon.command(["lttng", "--no-sessiond", "list"])) != nil }
            _ = try await capture.on()
            _ = try await capture.off()
            #expect(await runs(), "it was there before")
            try await daemon.crash()
            _ = try await capture.on()
            #expect(await runs())
            _ = try await daemon.command(["lttng", "--no-sessiond", "create", "other", "--output=\(daemon.home)/other"])
            _ = try await capture.off()
            #expect(await runs(), "somebody else uses it now")
            _ = try await daemon.command(["lttng", "--no-sessiond", "destroy", "other"])
            _ = try await capture.off()
            if await runs() { Issue.record("it runs: \(try await Self.whatKeeps(daemon, pidFile))") }
        }
    }
}
