// SPDX-License-Identifier: MIT
// One recording, from the LTTng session to the complete trace.

import FoundationEssentials
import Glibc
import RerenderRun
package import RerenderToolBase

/// Drives the session of one recording.
package struct Recording: Sendable {
    package let commands: RecordingCommands
    package let lttng: LTTng
    package let daemon: SessionDaemon

    package init(
        commands: RecordingCommands, lttng: LTTng = .installed, pidFile: String = SessionDaemon.usualPidFile
    ) {
        self.commands = commands
        self.lttng = lttng
        daemon = SessionDaemon(pidFile: pidFile) { await lttng.output($0) }
    }

    /// What a recording left.
    package struct Outcome: Hashable, Sendable {
        /// Where the trace is; nil with a relay.
        var directory: String?
        /// Events that found the buffers full, and packets that were overwritten before they were written; nil where LTTng
        /// did not say.
        var lost: UInt64?
        /// What LTTng refused while the recording ended; the trace is not complete then.
        var refusal: String?
    }

    /// Starts to record, or fails and leaves nothing behind. Returns notes on recordings that killed processes left.
    package func begin() async throws(ToolFailure) -> [String] {
        try await lttng.need()
        try await startDaemonIfNeeded()
        let notes = await endLeftBehind()
        do {
            try await createOnce()
            for command in commands.start { try await lttng.command(command) }
        } catch {
            await undo()
            throw explained(error)
        }
        return notes
    }

    /// Stops, and returns when LTTng writes no more. The session is gone then, also where LTTng refused something.
    package func end() async -> Outcome {
        var outcome = Outcome()
        do throws(ToolFailure) {
            try await lttng.command(commands.lttng.stop)
            if commands.isSnapshot { try await lttng.command(commands.lttng.snapshot) }
            let list = try await lttng.command(commands.lttng.description)
            outcome.lost = LTTngList.sum("discarded_events", in: list) &+ LTTngList.sum("lost_packets", in: list)
            try await lttng.command(commands.lttng.destroy)
            await daemon.end()
        } catch {
            await undo()
            outcome.refusal = error.message
        }
        outcome.directory = directory
        return outcome
    }

    /// Takes the session away, with whatever of it there is.
    func undo() async {
        _ = await lttng.run(commands.lttng.destroy)
        await daemon.end()
        if let path = commands.directory { RecordingPlace.removeEmpty(path) }
    }

    /// Removes the session and its trace, which is not needed.
    package func discard() async {
        await undo()
        // The directory was new or empty when it became the recording's.
        if let path = commands.directory { try? FileManager.default.removeItem(atPath: path) }
    }

    // MARK: Parts

    /// Whether a session daemon answers.
    var hasSessionDaemon: Bool { get async { await lttng.output(LTTngSession.list) != nil } }

    private func startDaemonIfNeeded() async throws(ToolFailure) {
        guard await !hasSessionDaemon else { return }
        try await daemon.start()
        await daemon.waitForApps()
    }

    /// Creates the session, also where another command's end took the daemon away after it had answered us.
    private func createOnce() async throws(ToolFailure) {
        do {
            try await create()
        } catch {
            guard await !hasSessionDaemon else { throw error }
            try await startDaemonIfNeeded()
            try await create()
        }
    }

    /// Creates the session, and leaves the user's own current session current.
    private func create() async throws(ToolFailure) {
        let file = SessionDaemon.home + "/.lttngrc"
        let before = Self.currentSession(file)
        try await lttng.command(commands.create)
        guard Self.currentSession(file) == commands.session else { return }
        if let before {
            _ = await lttng.run(LTTngSession(name: before).makeCurrent)
        } else {
            _ = unsafe unlink(file)
        }
    }

    /// The session that LTTng's file names.
    static func currentSession(_ file: String) -> String? {
        let lines = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("session=") }.map { String($0.dropFirst(8)) }
    }

    /// Ends recordings of killed rerenderctl processes before they fill the disk. Their traces stay.
    private func endLeftBehind() async -> [String] {
        let sessions = LTTngList.sessions(in: await lttng.output(LTTngSession.list) ?? "")
        var notes: [String] = []
        for (name, path) in sessions {
            guard let owner = RecordingName(session: name), owner.isLeftBehind,
                await lttng.run(LTTngSession(name: name).destroy)?.succeeded == true
            else { continue }
            notes.append(
                "ended a recording that a killed rerenderctl (pid \(owner.pid)) had left running; its trace: "
                    + (path.isEmpty ? "none" : Printable.text(path)))
        }
        return notes
    }

    /// The directory of the trace. A snapshot has its own directory below the output.
    var directory: String? {
        guard let path = commands.directory, commands.isSnapshot else { return commands.directory }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix("snapshot-") }.max().map { path + "/" + $0 } ?? path
    }

    private func explained(_ failure: ToolFailure) -> ToolFailure {
        guard case .relay(let url) = commands.place else { return failure }
        return ToolFailure(
            failure.status,
            failure.message + "\nCheck that lttng-relayd is running there and that ports 5342 and 5343 are reachable. "
                + "The address was \(Printable.text(url))")
    }
}
