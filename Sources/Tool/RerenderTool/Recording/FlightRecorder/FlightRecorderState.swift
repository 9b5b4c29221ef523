// SPDX-License-Identifier: MIT
// Asks LTTng which parts of the flight recorder exist.

import Glibc
import RerenderShow

/// Which parts of the flight recorder are there.
struct FlightRecorderState: Hashable, Sendable {
    /// Whether there is an `lttng` to ask.
    var isInstalled = true
    /// Whether a session daemon answers.
    var hasDaemon = false
    var hasSession = false
    var hasTrigger = false

    var isOn: Bool { hasSession && hasTrigger }
    var isAnything: Bool { hasSession || hasTrigger }

    /// Asks LTTng; throws status 71 where it gives no answer, because then nothing is known.
    static func read(_ lttng: LTTng) async throws(ToolFailure) -> FlightRecorderState {
        guard let result = await lttng.run(LTTngSession.list) else { return FlightRecorderState(isInstalled: false) }
        guard let sessions = try output(of: result, LTTngSession.list),
            let triggers = await lttng.run(LTTngSession.listTriggers),
            let triggers = try output(of: triggers, LTTngSession.listTriggers)
        else { return FlightRecorderState() }
        return FlightRecorderState(
            hasDaemon: true, hasSession: FlightRecorderCommands.isListed(in: sessions),
            hasTrigger: FlightRecorderCommands.isListed(in: triggers))
    }

    /// A list; nil if no session daemon runs.
    private static func output(of result: CapturedOutput, _ command: [String]) throws(ToolFailure) -> String? {
        if result.succeeded { return result.output }
        if result.errors.contains("No session daemon is available") { return nil }
        let refusal = LTTng.text(of: command, result).split(separator: "\n").first.map { String($0) }
        let what = result.ending == .killed(by: SIGKILL) ? "LTTng did not answer" : refusal ?? "LTTng refused"
        throw ToolFailure(
            ExitStatus.system,
            "\(what); it is unknown whether the flight recorder is on.\nTry again, or see why: lttng list")
    }
}
