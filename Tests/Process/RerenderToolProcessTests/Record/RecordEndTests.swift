// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite(
    "rerenderctl record, its ends",
    .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"),
    .timeLimit(.minutes(15)))
struct RecordEndTests {
    @Test(
        "it ends as the command does",
        arguments: [("exit 7", TestSupport.ChildProcess.Exit.status(7)), ("kill -KILL $$", .signal(SIGKILL))])
    func ending(script: String, ending: TestSupport.ChildProcess.Exit) async throws {
        try await RecordBench.with { bench in
            let output = await (try await bench.record(["--", "/bin/sh", "-c", script])).finish()
            #expect(output.exit == ending)
            #expect(output.hasError(": 0 events, ") && output.hasError("See: rerenderctl doctor"))
            #expect(try await bench.lttng("list").contains("Currently no"))
        }
    }

    @Test("a signal goes to the command, and the trace is complete", arguments: [SIGTERM, SIGINT])
    func passed(signal: Int32) async throws {
        try await RecordBench.with { bench in
            let process = try await bench.record(["-o", bench.home + "/trace", "--", bench.program("counting")])
            #expect(try await process.ask("run 40") == "ready")
            #expect(try await process.nextLine() == "done")
            process.kill(signal)
            // The end of its input would end the command, too.
            await process.waitForExit()
            let output = await process.finish()
            #expect(output.exit == .signal(signal), "\(output)")
            #expect(output.hasError("no event was lost"))
            #expect(try await bench.events("trace").count { $0.name == "com.rerender.BodyEval:end" } == 40)
            #expect(try await bench.lttng("list").contains("Currently no"))
        }
    }

    @Test("Ctrl-C at a terminal ends it, and a second one while it stops breaks nothing")
    func terminal() async throws {
        try await RecordBench.with { bench in
            let command = [try await bench.program("rerenderctl"), "record", "-o", bench.home + "/trace"]
            let process = try Spawned(
                bench.daemon.asUser(command), environment: bench.daemon.environment,
                terminal: Spawned.Size(columns: 200, lines: 30))
            try await process.expect("(Ctrl-C ends it)")
            try await bench.probe("body 30")
            process.type("\u{3}\u{3}")
            #expect(try await process.wait() == .exited(0))
            #expect(process.standardOutput.contains(": 60 events, "), "\(process.standardOutput)")
            #expect(try await bench.events("trace").count == 60)
            #expect(try await bench.lttng("list").contains("Currently no"))
        }
    }

    @Test("a command that is not there: 127, and nothing is left")
    func notFound() async throws {
        try await RecordBench.with { bench in
            // Its part of the trace begins with the session.
            let other = try await bench.daemon.start(product: "counting")
            #expect(try await other.nextLine() == "ready")
            _ = try await other.ask("run 10")
            let output = await (try await bench.record(["-o", bench.home + "/trace", "--", "no-such-program"])).finish()
            #expect(output.exit == .status(127))
            #expect(output.standardError.withoutProgress == "rerenderctl: no-such-program: command not found\n")
            #expect(!FileManager.default.fileExists(atPath: bench.home + "/trace"))
            #expect(try await bench.lttng("list").contains("Currently no"))
        }
    }

    @Test("a session daemon is started where none runs, and ended; one that others use stays")
    func sessionDaemon() async throws {
        try await RecordBench.with { bench in
            try await bench.daemon.crash()
            let process = try await bench.recordAll(["-o", bench.home + "/one"])
            try await bench.probe("body 20")
            process.kill(SIGINT)
            let output = await process.finish()
            #expect(
                output.exit == .status(0)
                    && output.standardError.contains("apps that are already running may need some seconds"))
            #expect(try await bench.events("one").count == 40)
            #expect(await !bench.hasSessionDaemon())

            let second = try await bench.recordAll(["-o", bench.home + "/two"])
            _ = try await bench.lttng("create", "theirs", "--output=\(bench.home)/theirs")
            second.kill(SIGINT)
            #expect(await second.finish().exit == .status(0))
            #expect(try await bench.lttng("list").contains("theirs"), "somebody else uses it now")
            _ = try await bench.lttng("destroy", "theirs")
            let third = try await bench.recordAll(["-o", bench.home + "/three"])
            third.kill(SIGINT)
            #expect(await third.finish().exit == .status(0))
            #expect(await !bench.hasSessionDaemon())
        }
    }

    @Test("a session daemon that ran before stays")
    func runningDaemon() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-d", "0.1"])
            let output = await process.finish()
            #expect(output.exit == .status(0) && !output.standardError.contains("session daemon"))
            #expect(await bench.hasSessionDaemon())
        }
    }

    @Test("the session that is current for the user's own commands stays so")
    func currentSession() async throws {
        try await RecordBench.with { bench in
            let file = bench.home + "/.lttngrc"
            let first = try await bench.recordAll(["-o", bench.home + "/one"])
            #expect(!FileManager.default.fileExists(atPath: file), "ours is not the user's")
            first.kill(SIGINT)
            #expect(await first.finish().exit == .status(0))

            _ = try await bench.lttng("create", "mine", "--output=\(bench.home)/mine")
            let current = try String(contentsOfFile: file, encoding: .utf8)
            #expect(current.contains("session=mine"))
            let second = try await bench.recordAll(["-o", bench.home + "/two"])
            #expect(try String(contentsOfFile: file, encoding: .utf8) == current)
            second.kill(SIGINT)
            #expect(await second.finish().exit == .status(0))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == current)
            #expect(try await bench.lttng("list").contains("mine"))
        }
    }

    @Test("two at once do not know of each other")
    func two() async throws {
        try await RecordBench.with { bench in
            let first = try await bench.recordAll(["-o", bench.home + "/one"])
            let second = try await bench.recordAll(["-o", bench.home + "/two"])
            try await bench.probe("body 20")
            first.kill(SIGINT)
            #expect(await first.finish().exit == .status(0))
            try await bench.probe("body 10")
            second.kill(SIGINT)
            #expect(await second.finish().exit == .status(0))
            #expect(try await bench.events("one").count == 40)
            #expect(try await bench.events("two").count == 60)
        }
    }

    @Test("a recording whose rerenderctl was killed is ended by the next, which names its trace")
    func leftBehind() async throws {
        try await RecordBench.with { bench in
            let killed = try await bench.recordAll(["-o", bench.home + "/one"])
            let living = try await bench.recordAll(["-o", bench.home + "/living"])
            try await bench.probe("body 20")
            killed.kill(SIGKILL)
            await killed.waitForExit()
            #expect(try await bench.lttng("list").contains("rerender-record-\(killed.processID)-"))
            let next = try await bench.recordAll(["-o", bench.home + "/two", "-d", "0.1"])
            let output = await next.finish()
            #expect(
                output.standardError.withoutProgress
                    == "ended a recording that a killed rerenderctl (pid \(killed.processID)) had left running; "
                    + "its trace: \(bench.home)/one\n")
            #expect(try await bench.events("one").count == 40)
            let list = try await bench.lttng("list")
            #expect(list.contains("rerender-record-\(living.processID)-") && !list.contains("-\(killed.processID)-"))
            living.kill(SIGINT)
            #expect(await living.finish().exit == .status(0))
        }
    }

    @Test("a recording that somebody else ends is said to have, and what it wrote is named")
    func endedByOthers() async throws {
        try await RecordBench.with { bench in
            let process = try await bench.recordAll(["-o", bench.home + "/trace"])
            try await bench.probe("body 20")
            let list = try await bench.lttng("--mi=xml", "list")
            _ = try await bench.lttng("destroy", try #require(LTTngList.sessions(in: list).first?.name))
            process.kill(SIGINT)
            let output = await process.finish()
            #expect(output.exit == .status(75))
            #expect(output.hasError("the recording is not complete: LTTng refused: "))
            #expect(output.standardOutput.contains(": 40 events, ") && !output.standardOutput.contains("lost"))
            #expect(output.standardOutput.contains("Next: rerenderctl report \(bench.home)/trace"))
            #expect(try await bench.events("trace").count == 40)
        }
    }

    @Test("without LTTng's tools: 69, and what to install", .promise)
    func noTools() async throws {
        let directory = try TemporaryDirectory()
        let output = try await TestSupport.ChildProcess.run(
            [TestSupport.ChildProcess.product("rerenderctl"), "record", "-o", directory.path + "/trace"],
            environment: ["PATH": directory.path, "HOME": directory.path])
        #expect(output.exit == .status(69) && output.hasError("apt-get install lttng-tools"))
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/trace"))
    }
}
