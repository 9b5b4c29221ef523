// SPDX-License-Identifier: MIT
import Foundation
@testable import RerenderShow
@testable import RerenderTool
import Synchronization
import TestSupport
import Testing

/// A session daemon that was asked to end and ends as soon as it is allowed to.
private final class SlowDaemon: Sendable {
    let pid: Int32 = 4_711
    private let directory: TemporaryDirectory
    private let isRunning = Mutex(true)
    private let (requests, asked) = AsyncStream.makeStream(of: Int32.self)
    private let (life, ends) = AsyncStream.makeStream(of: Void.self)

    /// Its own file beside the mark of a command that started it.
    init() throws {
        directory = try TemporaryDirectory()
        for file in [pidFile, pidFile + ".rerender"] {
            try "\(pid)\n".write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    var pidFile: String { directory.path + "/lttng-sessiond.pid" }

    /// Whether it holds what the next one needs.
    var runs: Bool { isRunning.withLock { $0 } }

    /// The process that was asked to end, once one is.
    var request: Int32? { get async { await requests.first { _ in true } } }

    func allowEnd() {
        isRunning.withLock { $0 = false }
        ends.finish()
    }

    var processes: SessionProcesses {
        SessionProcesses(
            pid: { [self] file in file == pidFile ? pid : nil },
            watch: { [self] _ in
                { [self] limit in
                    if limit > .zero { for await _ in life {} }
                    return !runs
                }
            },
            end: { [self] in asked.yield($0) })
    }
}

@Suite("LTTng's session daemon of a recording")
struct SessionDaemonTests {
    private let slow: SlowDaemon
    init() throws { slow = try SlowDaemon() }

    private func daemon(
        endLimit: Duration = .seconds(30), _ run: @escaping @Sendable ([String]) async -> String?
    ) -> SessionDaemon {
        SessionDaemon(pidFile: slow.pidFile, run: run, endLimit: endLimit, processes: slow.processes)
    }

    @Test("a command that ends it returns when it has ended")
    func ended() async throws {
        let (slow, daemon) = (slow, daemon { _ in "" })
        let end = Task { (note: await daemon.end(), runs: slow.runs) }
        #expect(await slow.request == slow.pid)
        slow.allowEnd()
        let (note, runs) = await end.value
        #expect(!runs && note == nil)
    }

    @Test("one that does not end is named, with what to do, and the recording is not called incomplete")
    func endless() async throws {
        let note = await daemon(endLimit: .zero) { _ in "" }.end()
        #expect(
            note == "lttng-sessiond (pid \(slow.pid)) has not ended in 0 s: the next recording starts when it has, "
                + "or after: kill -KILL \(slow.pid)")
        #expect(await slow.request == slow.pid)
        let summary = RecordingSummary(
            commands: RecordingCommands(session: "s", directory: "/d", processors: 2),
            outcome: Recording.Outcome(
                directory: "/d", content: TraceContent(bytes: 10, events: .counted(4), metadata: []), lost: 0,
                note: note),
            nanoseconds: 1_000_000_000)
        #expect(summary.lines.contains { $0 == note } && summary.failure == nil)
    }

    @Test("one starts after another that ends and answers no more")
    func successor() async throws {
        let attempts = Mutex<[Bool]>([])
        let slow = slow
        let daemon = daemon { command in
            guard command == SessionDaemon.startCommand else { return nil }
            let isFree = !slow.runs
            attempts.withLock { $0.append(isFree) }
            if !isFree { slow.allowEnd() }
            return isFree ? "" : nil
        }
        try await daemon.start()
        #expect(attempts.withLock { $0 } == [false, true])
    }

    @Test("none starts beside another that neither answers nor ends, and what to do is said")
    func stuck() async throws {
        let daemon = daemon(endLimit: .zero) { _ in nil }
        let failure = await #expect(throws: ToolFailure.self) { try await daemon.start() }
        #expect(failure?.status == ExitStatus.system)
        #expect(
            failure?.message == "lttng-sessiond (pid \(slow.pid)) does not answer, and has not ended in 0 s.\n"
                + "End it, and try again: kill -KILL \(slow.pid)")
    }
}
