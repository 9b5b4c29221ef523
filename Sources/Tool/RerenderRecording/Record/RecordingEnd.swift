// SPDX-License-Identifier: MIT
// Ends a recording and counts its events.

import FoundationEssentials
import RerenderRun
import RerenderToolBase
import RerenderTrace

/// A recording that has ended, complete or not.
struct RecordingEnd: Sendable {
    private let commands: RecordingCommands
    private let outcome: Recording.Outcome
    private let nanoseconds: UInt64

    /// Ends the recording.
    static func of(_ recording: Recording, since began: ContinuousClock.Instant) async -> RecordingEnd {
        let time = began.duration(to: .now).wholeNanoseconds
        let outcome = await ProgressLine.during("ending the recording") { _ in await recording.end() }
        return RecordingEnd(commands: recording.commands, outcome: outcome, nanoseconds: time)
    }

    /// What it left; counts the events, which may take minutes.
    func summary() async -> RecordingSummary {
        var content: TraceContent?
        if let directory = outcome.directory { content = await TraceContent.of(directory) }
        return RecordingSummary(
            commands: commands, outcome: outcome, content: content,
            isDiskFull: outcome.directory.map(TraceContent.isDiskFull) ?? false, nanoseconds: nanoseconds,
            host: ProcessInfo.processInfo.hostName)
    }

    /// Says so on standard error, and returns why the recording is not complete; nil where it is.
    func say() async -> ToolFailure? {
        let summary = await summary()
        for line in summary.lines { FailureText.note(line) }
        if let failure = summary.failure { FailureText.show(failure) }
        return summary.failure
    }

    /// Waits for the last work, when the trace is complete and the command has ended.
    ///
    /// Nothing needs cleaning up now, so signals end the process again.
    static func counting<Value>(_ commands: RecordingCommands, _ work: () async throws -> Value) async rethrows -> Value
    {
        SignalPipe.release(CommandSupervisor.ending)
        guard let path = commands.directory else { return try await work() }
        let text = "the trace is complete, in \(Printable.text(path)); counting its events (Ctrl-C skips this)"
        return try await ProgressLine.during(text) { _ in try await work() }
    }
}

extension Duration {
    /// In nanoseconds.
    var wholeNanoseconds: UInt64 {
        UInt64(clamping: components.seconds) * 1_000_000_000 + UInt64(components.attoseconds / 1_000_000_000)
    }
}
