// SPDX-License-Identifier: MIT
// Runs the scripts in `Systemd/` through `Scripts/with-systemd`, and knows why that may be impossible.

import Foundation
import TestSupport
import Testing

enum SystemdHarness {
    /// Where this checkout lies.
    static let checkout = Checkout.root

    /// Where the programs under test lie: they are built beside the program that runs the tests.
    static let binaries = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Why this machine cannot boot a systemd of ours; nil if it can.
    static let obstacle: String? = {
        do {
            let check = try start(["--check"])
            guard check.status != 0 else { return nil }
            return check.output.trimmingCharacters(in: .whitespacesAndNewlines)
        } catch {
            return "Scripts/with-systemd cannot be started: \(error)"
        }
    }()

    /// Records an issue with everything the script printed, unless all its checks held. It sees the directories that are bound. The time, which nothing needs on a
    /// free machine, is for a busy one.
    static func expectSuccess(
        of script: String, _ arguments: String..., binding directories: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await run(
            script, arguments: [checkout.path, binaries.path] + arguments, binding: directories, timeout: 900)
        #expect(result.status == 0, Comment(rawValue: result.output), sourceLocation: sourceLocation)
    }

    /// Runs a script that takes its arguments as they are.
    static func run(_ script: String, _ arguments: String..., timeout: Int = 300) async throws -> Result {
        try await run(script, arguments: arguments, timeout: timeout)
    }

    private static func run(
        _ script: String, arguments: [String], binding directories: [String] = [], timeout: Int
    ) async throws -> Result {
        let path = checkout.appending(path: "Tests/Process/EndToEndTests/Systemd/\(script)").path
        let binds = ([binaries.path] + directories).flatMap { ["--bind", $0] }
        let command = binds + ["--timeout", "\(timeout)", "--", path] + arguments
        return try await offThePool { try start(command) }
    }

    struct Result: Sendable {
        var status: Int32
        /// Standard output and error, as they came.
        var output: String
    }

    private static func start(_ arguments: [String]) throws -> Result {
        let (exit, output) = try StartedChild.run([checkout.appending(path: "Scripts/with-systemd").path] + arguments)
        // A signal is no status of ours: shown as a shell shows it.
        switch exit {
        case .status(let status): return Result(status: status, output: output)
        case .signal(let signal): return Result(status: 128 + signal, output: output)
        }
    }
}
