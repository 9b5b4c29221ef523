// SPDX-License-Identifier: MIT
// The vocabulary of these tests: a probe process, started and made ready.

import TestSupport
import Testing

extension LTTngDaemon {
    /// Starts a probe with one signposter and waits until tracing is ready.
    func readyProbe(
        _ subsystem: String, _ category: String, scope: String = "process", environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        let probe = try await start(product: "signpost-probe", environment: environment)
        try #require(try await probe.ask("make \(subsystem) \(category) \(scope)") == "0 fine")
        try #require(try await probe.ask("wait 60000") == "ready")
        return probe
    }
}

/// A subsystem that no other test, in this process or elsewhere, uses.
func uniqueSubsystem() -> String {
    "test.r" + String(UInt64.random(in: .min ... .max), radix: 36)
}

extension String {
    /// As the probe wants texts.
    var hex: String { utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// Records `events` of one probe that carries out `commands`, and returns what was recorded.
func record(
    _ user: LTTngUser, _ recording: LTTngRecording, _ subsystem: String, _ category: String, scope: String = "process",
    commands: [String]
) async throws -> [LTTngEvent] {
    try await LTTngDaemon.with(user) { daemon in
        try await LTTngSession.with(daemon, recording) { session in
            let probe = try await daemon.readyProbe(subsystem, category, scope: scope)
            for command in commands { try await probe.ask(command) }
            #expect(await probe.finish().exit == .status(0))
            return try await session.stopAndRead()
        }
    }
}

/// Expects that a probe answers `command` with `answer`; a failure shows what it answered.
func expect(
    _ probe: ChildProcess, _ command: String, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let given = try await probe.ask(command)
    #expect(given == answer, "to \(command)", sourceLocation: sourceLocation)
}
