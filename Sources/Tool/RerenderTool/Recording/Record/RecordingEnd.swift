// SPDX-License-Identifier: MIT
// Ends a recording, and says what it left.

import FoundationEssentials
import RerenderShow
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

    /// What it left, for a person.
    var summary: RecordingSummary {
        RecordingSummary(
            commands: commands, outcome: outcome,
            isDiskFull: outcome.directory.map(TraceContent.isDiskFull) ?? false, nanoseconds: nanoseconds,
            host: ProcessInfo.processInfo.hostName)
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
