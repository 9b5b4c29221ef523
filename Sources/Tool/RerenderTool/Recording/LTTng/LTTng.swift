// SPDX-License-Identifier: MIT
// Runs the `lttng` command line tool and explains its refusals; the command lines that look at a session and end it.

import Glibc
package import RerenderShow

/// Runs LTTng's tools, without a shell.
package struct LTTng: Sendable {
    /// How long one command may take; the last ones wait until all data is written, perhaps over a network.
    package static let limit = Duration.seconds(120)

    /// Runs a command; nil where it cannot be started.
    package let run: @Sendable ([String]) async -> CapturedOutput?

    package static let installed = LTTng { try? await CapturedCommand.run($0, limit: limit) }

    /// Whether its tools are there; runs none of them.
    package static var isInstalled: Bool { ProgramFile.path(of: "lttng") != nil }

    /// Says that LTTng's tools are not installed; `what` begins the sentence.
    package static func missing(_ what: String = "recording needs LTTng's tools, but they are") -> ToolFailure {
        ToolFailure(
            ExitStatus.missingProgram,
            "\(what) not installed.\n"
                + PackageAdvice.command("lttng-tools liblttng-ust1", for: "LTTng's tools and liblttng-ust"))
    }

    /// Says why a command could not be started: its tool may not be there, or the system refuses to run it.
    package static func notStarted(_ command: [String]) -> ToolFailure {
        isInstalled ? ToolFailure(ExitStatus.system, text(of: command, nil)) : missing()
    }

    /// Runs a command that must succeed; throws status 71 with LTTng's own words and what to do.
    @discardableResult
    package func command(_ command: [String]) async throws(ToolFailure) -> String {
        let result = await run(command)
        if let result, result.succeeded { return result.output }
        throw ToolFailure(ExitStatus.system, Self.text(of: command, result))
    }

    /// The output; nil where the command fails.
    package func output(_ command: [String]) async -> String? {
        guard let result = await run(command), result.succeeded else { return nil }
        return result.output
    }

    /// LTTng's error, and the command that caused it.
    package static func text(of command: [String], _ result: CapturedOutput?) -> String {
        let line = ShellCommand.line(command.filter { $0 != "--no-sessiond" })
        guard let result else { return "\(command.first ?? "") cannot run.\nSee: rerenderctl doctor" }
        if result.ending == .killed(by: SIGKILL) {
            return "LTTng did not answer in \(limit.components.seconds) s: \(line)\nSee: rerenderctl doctor"
        }
        let lines = (result.errors + result.output).split(separator: "\n").map { Printable.text(String($0)) }
        let errors = lines.filter { $0.hasPrefix("Error: ") || $0.hasPrefix("PERROR") }
        let said = (errors.isEmpty ? lines : errors).first.map {
            $0.hasPrefix("Error: ") ? String($0.dropFirst(7)) : $0
        }
        return "LTTng refused: \(said ?? "no reason given")\nThe command was: \(line)"
    }
}

/// A user-space session with one channel.
struct LTTngSession: Hashable, Sendable {
    var name: String

    /// A command that starts no session daemon.
    static func lttng(_ words: String...) -> [String] { ["lttng", "--no-sessiond"] + words }

    static let list = lttng("--mi=xml", "list")
    static let listTriggers = lttng("--mi=xml", "list-triggers")

    var stop: [String] { Self.lttng("stop", name) }
    var snapshot: [String] { Self.lttng("snapshot", "record", "--session=\(name)") }
    var description: [String] { Self.lttng("--mi=xml", "list", name) }
    var destroy: [String] { Self.lttng("destroy", name) }
}
