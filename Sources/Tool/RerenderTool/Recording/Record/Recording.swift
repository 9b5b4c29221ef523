// SPDX-License-Identifier: MIT
// One recording, from the LTTng session to the complete trace, and the summary at its end.

import FoundationEssentials
import Glibc
package import RerenderShow
import RerenderTrace

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

    /// What a recording began with.
    package struct Start: Hashable, Sendable {
        /// Recordings that killed processes had left running, and that were ended, for a person.
        var notes: [String] = []
        /// Whether no session daemon ran before.
        var hasStartedDaemon = false
    }

    /// What a recording left.
    package struct Outcome: Hashable, Sendable {
        /// Where the trace is.
        var directory = ""
        var content = TraceContent(bytes: 0, events: .counted(0))
        /// Events that found the buffers full, and packets that were overwritten before they were written; nil where LTTng
        /// did not say.
        var lost: UInt64?
        /// What LTTng refused while the recording ended; the trace is not complete then.
        var refusal: String?
        /// What a person should know of the session daemon; nil where it has ended, or stays.
        var note: String?
    }

    /// Starts to record, or fails and leaves nothing behind.
    package func begin() async throws(ToolFailure) -> Start {
        guard let list = await lttng.run(LTTngSession.list) else { throw LTTng.notStarted(LTTngSession.list) }
        var start = Start()
        if list.succeeded {
            start.notes = await endLeftBehind(LTTngList.sessions(in: list.output))
        } else {
            try await startDaemon()
            start.hasStartedDaemon = true
        }
        do {
            try await loadOnce()
        } catch {
            await undo()
            throw error
        }
        return start
    }

    /// Stops, and returns when LTTng writes no more. The session is gone then, also where LTTng refused something.
    package func end() async -> Outcome {
        var outcome = Outcome()
        do throws(ToolFailure) {
            try await lttng.command(commands.lttng.stop)
            if commands.isSnapshot { try await lttng.command(commands.lttng.snapshot) }
            // LTTng has written all of it now, so that it is read while the session is taken away.
            async let content = TraceContent.of(directory)
            (outcome.lost, outcome.note) = try await destroySession()
            outcome.content = await content
        } catch {
            outcome.note = await undo()
            outcome.refusal = error.message
            outcome.content = await TraceContent.of(directory)
        }
        outcome.directory = directory
        return outcome
    }

    /// Takes away a session that has stopped. Returns what it lost, and a line about the session daemon.
    private func destroySession() async throws(ToolFailure) -> (UInt64, String?) {
        let list = try await lttng.command(commands.lttng.description)
        try await lttng.command(commands.lttng.destroy)
        let note = await daemon.end()
        return (LTTngList.sum("discarded_events", in: list) &+ LTTngList.sum("lost_packets", in: list), note)
    }

    /// Takes the session away, with whatever of it there is. Returns a line about the session daemon.
    @discardableResult
    func undo() async -> String? {
        _ = await lttng.run(commands.lttng.destroy)
        let note = await daemon.end()
        RecordingPlace.removeEmpty(commands.directory)
        return note
    }

    /// Removes the session and its trace, which is not needed.
    package func discard() async {
        await undo()
        // The directory was new or empty when it became the recording's.
        try? FileManager.default.removeItem(atPath: commands.directory)
    }

    // MARK: Parts

    private func startDaemon() async throws(ToolFailure) {
        try await daemon.start()
        await daemon.waitForApps()
    }

    /// Makes and starts the session, also where another command's end took the daemon away after it had answered us.
    private func loadOnce() async throws(ToolFailure) {
        do {
            try await lttng.load(commands.configuration)
        } catch {
            guard await lttng.output(LTTngSession.list) == nil else { throw error }
            try await startDaemon()
            try await lttng.load(commands.configuration)
        }
    }

    /// Ends recordings of killed rerenderctl processes before they fill the disk. Their traces stay.
    private func endLeftBehind(_ sessions: [(name: String, path: String)]) async -> [String] {
        var notes: [String] = []
        for (name, path) in sessions {
            guard let owner = RecordingName(session: name), owner.isLeftBehind,
                await lttng.run(LTTngSession(name: name).destroy)?.succeeded == true
            else { continue }
            notes.append(
                "ended a recording that a killed rerenderctl (pid \(owner.pid)) had left running; its trace: "
                    + (path.isEmpty ? "none" : Printable.text(PathName.trimmed(path))))
        }
        return notes
    }

    /// The directory of the trace. A snapshot has its own directory below the output.
    var directory: String {
        let path = commands.directory
        guard commands.isSnapshot else { return path }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasPrefix("snapshot-") }.max().map { path + "/" + $0 } ?? path
    }
}

/// A recording that has ended, complete or not.
struct RecordingEnd: Sendable {
    private let commands: RecordingCommands
    private let outcome: Recording.Outcome
    private let nanoseconds: UInt64

    static func of(_ recording: Recording, since began: ContinuousClock.Instant) async -> RecordingEnd {
        let time = began.duration(to: .now).wholeNanoseconds
        let outcome = await ProgressLine.during("ending the recording") { _ in await recording.end() }
        return RecordingEnd(commands: recording.commands, outcome: outcome, nanoseconds: time)
    }

    /// What it left, for a person.
    var summary: RecordingSummary {
        RecordingSummary(
            commands: commands, outcome: outcome, isDiskFull: TraceContent.isDiskFull(at: outcome.directory),
            nanoseconds: nanoseconds)
    }

    /// Says so on standard error, and returns why the recording is not complete; nil where it is.
    func say() -> ToolFailure? {
        let summary = summary
        for line in summary.lines { FailureText.note(line) }
        if let failure = summary.failure { FailureText.show(failure) }
        return summary.failure
    }
}

extension Duration {
    /// In nanoseconds.
    var wholeNanoseconds: UInt64 {
        UInt64(clamping: components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}

// The command lines and the session name with which a recording uses LTTng.

/// What is recorded, and where it goes. Pure.
package struct RecordingCommands: Hashable, Sendable {
    /// The LTTng session's name.
    package var session: String
    /// Where the trace is written: the whole path.
    package var directory: String
    /// Keep the latest events in memory, and write them at the end alone.
    package var isSnapshot = false
    /// The events of every signposter, not only Rerender's own.
    package var allSignposts = false
    /// Processors: LTTng has buffers for each.
    package var processors: Int

    package init(
        session: String, directory: String, isSnapshot: Bool = false, allSignposts: Bool = false, processors: Int
    ) {
        (self.session, self.directory, self.isSnapshot, self.allSignposts, self.processors) = (
            session, directory, isSnapshot, allSignposts, processors
        )
    }

    /// All events of Rerender, including the daemon's hangs.
    private static let ours = [LTTngConfiguration.Rule(name: "com.rerender.*")]
    /// Every signposter's: each has these three events, and this field, which LTTng's own of these names do not have. What
    /// is ours too is recorded once. No exclusion: of a session that has one, 2.13's `lttng list` kills the daemon.
    private static let signposts = ["*:begin", "*:end", "*:event"].map {
        LTTngConfiguration.Rule(name: $0, filter: "signpost_id >= 0")
    }

    /// LTTng's session.
    var lttng: LTTngSession { LTTngSession(name: session) }

    /// What makes and starts the session.
    var configuration: LTTngConfiguration {
        // A full part is written while the others fill: few and large ones where all is written, many small ones where the
        // oldest are dropped.
        return LTTngConfiguration(
            session: lttng, url: "file://" + directory, isSnapshot: isSnapshot,
            bytes: FlightRecorderCommands.bytes(processors: processors),
            parts: isSnapshot ? FlightRecorderCommands.parts : 8,
            rules: allSignposts ? Self.ours + Self.signposts : Self.ours)
    }

    /// How large the buffers are, for a person.
    var bufferText: String { "\(FlightRecorderCommands.bytes(processors: processors) >> 10) KiB for each processor" }
}

/// What LTTng's lists in XML say. They are its own, so a search for its plain elements is enough.
enum LTTngList {
    /// The sum of the numbers in all elements of a name.
    static func sum(_ element: String, in xml: String) -> UInt64 {
        texts(element, in: xml).reduce(0) { $0 &+ (UInt64($1) ?? 0) }
    }

    /// The texts of all elements of a name, in order.
    static func texts(_ element: String, in xml: String) -> [String] {
        xml.components(separatedBy: "<\(element)>").dropFirst().map { rest in
            unescaped(String(rest.prefix { $0 != "<" }))
        }
    }

    static func sessions(in xml: String) -> [(name: String, path: String)] {
        xml.components(separatedBy: "<session>").dropFirst().compactMap { rest in
            texts("name", in: rest).first.map { ($0, texts("path", in: rest).first ?? "") }
        }
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}

/// Names sessions after the process that records.
package struct RecordingName: Hashable, Sendable {
    package static let prefix = "rerender-record-"

    let pid: pid_t
    /// When that process started, in the kernel's ticks: a number is given again, and not with the same start.
    let start: UInt64

    /// This process's.
    package static var ours: RecordingName { RecordingName(pid: getpid(), start: startTicks(of: getpid()) ?? 0) }

    package var session: String { "\(Self.prefix)\(pid)-\(start)" }

    /// Whether the process that records is gone.
    var isLeftBehind: Bool { Self.startTicks(of: pid) != start }

    /// Field 22 of the kernel's line; the program's name before it may hold anything.
    private static func startTicks(of pid: pid_t) -> UInt64? {
        let text = ProcFile.read("/proc/\(pid)/stat")
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[end...].split(separator: " ")
        return fields.count > 20 ? UInt64(fields[20]) : nil
    }
}

extension RecordingName {
    /// Reads a session's name; nil for one that is not of a recording.
    init?(session: String) {
        let parts = session.dropFirst(Self.prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        guard session.hasPrefix(Self.prefix), parts.count == 2, let pid = pid_t(parts[0]), let start = UInt64(parts[1])
        else { return nil }
        self.init(pid: pid, start: start)
    }
}
