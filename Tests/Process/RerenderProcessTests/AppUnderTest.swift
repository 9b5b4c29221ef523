// SPDX-License-Identifier: MIT
// The counting process and a fake daemon, put together.

import Foundation
import TestSupport
import Testing

/// Runs `body` with an app that has found a daemon of the test's own; the app is killed afterwards.
func withApp(
    _ environment: [String: String] = [:], _ body: (ChildProcess, FakeDaemon) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let daemon = try FakeDaemon(runtimeDirectory: directory.url.path)
    let app = try directory.startApp(environment)
    #expect(try await app.nextLine() == "ready")
    try await body(app, daemon)
    app.kill(SIGKILL)
    await app.waitForExit()
}

extension TemporaryDirectory {
    /// Starts a process, the counting one if no other is named, with this as its runtime directory.
    ///
    /// - Parameters:
    ///   - environment: What differs from the tests' own environment.
    ///   - starter: A command that starts the process in another way, such as ``prlimit(_:)``.
    ///   - arguments: The process's own.
    func startApp(
        _ environment: [String: String] = [:], under starter: [String] = [],
        program: String = ChildProcess.product("counting"), arguments: [String] = []
    ) throws -> ChildProcess {
        var all = ProcessInfo.processInfo.environment
        all["RERENDER_RUNTIME_DIR"] = url.path
        all.merge(environment) { $1 }
        return try ChildProcess(starter + [program] + arguments, environment: all)
    }
}

private let prlimitCommand = ChildProcess.path(of: "prlimit")
/// Whether processes can be started under limits of their own.
let hasPrlimit = prlimitCommand != nil

/// The beginning of a command that starts a process under limits.
func prlimit(_ limits: String...) throws -> [String] { try [#require(prlimitCommand)] + limits }
