// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderRecording
@testable import RerenderRun
@testable import RerenderToolBase
import Synchronization
import TestSupport
import Testing
@testable import ToolSupport

/// A program of the session daemon's name, which ends on SIGTERM as soon as it is allowed to.
private struct SlowDaemon {
    let process: TestSupport.ChildProcess
    let pidFile: String
    var pid: Int32 { process.processID }

    init() async throws {
        let directory = try TestFile.makeDirectory()
        let script = """
            #!/bin/bash
            trap 'echo ending; read -r allowed; exit 0' TERM
            echo ready
            while read -r order; do :; done

            """
        try await TestSupport.ChildProcess.makeScript(script, at: directory + "/lttng-sessiond")
        process = try TestSupport.ChildProcess([directory + "/lttng-sessiond"])
        pidFile = directory + "/lttng-sessiond.pid"
        // Its own file, and the mark of a command that started it.
        for file in [pidFile, pidFile + ".rerender"] {
            try TestFile.write(Array("\(process.processID)\n".utf8), to: file)
        }
        #expect(try await process.nextLine() == "ready")
    }

    /// Whether it holds what the next one needs.
    var runs: Bool { SessionDaemonTests.runs(pid) }

    func allowEnd() throws { try process.send("end") }
}

@Suite("LTTng's session daemon of a recording")
struct SessionDaemonTests {
    /// Whether a process has not ended. Its parent may not have waited for it yet.
    static func runs(_ pid: Int32) -> Bool {
        let state = ProcFile.read("/proc/\(pid)/stat").split(separator: ")").last
        return state.map { !$0.hasPrefix(" Z") } ?? false
    }

    @Test("a command that ends it returns when it has ended")
    func ended() async throws {
        let slow = try await SlowDaemon()
        let daemon = SessionDaemon(pidFile: slow.pidFile) { _ in "" }
        let end = Task { (note: await daemon.end(), runs: slow.runs) }
        #expect(try await slow.process.nextLine() == "ending")
        try slow.allowEnd()
        let (note, runs) = await end.value
        #expect(!runs && note == nil)
        #expect(await slow.process.finish().exit == .status(0))
    }

    @Test("one that does not end is named, with what to do, and the recording is not called incomplete")
    func endless() async throws {
        let slow = try await SlowDaemon()
        let daemon = SessionDaemon(pidFile: slow.pidFile, run: { _ in "" }, endLimit: .zero)
        let note = await daemon.end()
        #expect(
            note == "lttng-sessiond (pid \(slow.pid)) has not ended in 0 s: the next recording starts when it has, "
                + "or after: kill -KILL \(slow.pid)")
        let summary = RecordingSummary(
            commands: RecordingCommands(session: "s", place: .directory("/d"), processors: 2),
            outcome: Recording.Outcome(
                directory: "/d", content: TraceContent(bytes: 10, events: .counted(4), metadata: []), lost: 0,
                note: note),
            nanoseconds: 1_000_000_000, host: "h")
        #expect(summary.lines.contains { $0 == note } && summary.failure == nil)
        try slow.allowEnd()
        #expect(await slow.process.finish().exit == .status(0))
    }

    @Test("one starts after another that ends and answers no more")
    func successor() async throws {
        let slow = try await SlowDaemon()
        slow.process.kill(SIGTERM)
        #expect(try await slow.process.nextLine() == "ending")
        let attempts = Mutex<[Bool]>([])
        let daemon = SessionDaemon(pidFile: slow.pidFile) { command in
            guard command == SessionDaemon.startCommand else { return nil }
            let isFree = !slow.runs
            attempts.withLock { $0.append(isFree) }
            if !isFree { try? slow.allowEnd() }
            return isFree ? "" : nil
        }
        try await daemon.start()
        #expect(attempts.withLock { $0 } == [false, true])
        #expect(await slow.process.finish().exit == .status(0))
    }

    @Test("none starts beside another that neither answers nor ends, and what to do is said")
    func stuck() async throws {
        let slow = try await SlowDaemon()
        let daemon = SessionDaemon(pidFile: slow.pidFile, run: { _ in nil }, endLimit: .zero)
        let failure = await #expect(throws: ToolFailure.self) { try await daemon.start() }
        #expect(failure?.status == ExitStatus.system)
        #expect(
            failure?.message == "lttng-sessiond (pid \(slow.pid)) does not answer, and has not ended in 0 s.\n"
                + "End it, and try again: kill -KILL \(slow.pid)")
        slow.process.kill(SIGTERM)
        try slow.allowEnd()
        #expect(await slow.process.finish().exit == .status(0))
    }

    @Test(
        "five recordings, one after the other, each start one and leave none",
        .enabled(if: LTTngDaemon.isInstalled, "needs lttng-tools, babeltrace2 and setpriv"))
    func five() async throws {
        try await RecordBench.with { bench in
            try await bench.daemon.crash()
            for number in 1...5 {
                let process = try await bench.recordAll(["-o", "\(bench.home)/\(number)", "-d", "0.1"])
                let pid = try #require(SessionDaemonPid.inFile(bench.home + "/.lttng/lttng-sessiond.pid"))
                let output = await process.finish()
                #expect(output.exit == .status(0) && output.hasError("started an LTTng session daemon"), "\(output)")
                #expect(!Self.runs(pid), "the session daemon of recording \(number)")
            }
        }
    }
}
