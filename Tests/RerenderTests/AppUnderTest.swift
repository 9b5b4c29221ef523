// SPDX-License-Identifier: MIT
// The counting process and a fake daemon, put together.

import Foundation
import RerenderWire
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
    /// Starts the counting process with this as its runtime directory.
    func startApp(_ environment: [String: String] = [:]) throws -> ChildProcess {
        var all = ProcessInfo.processInfo.environment
        all["RERENDER_RUNTIME_DIR"] = url.path
        all.merge(environment) { $1 }
        return try ChildProcess([ChildProcess.product("counting")], environment: all)
    }
}

extension AppMessage {
    var storeState: StoreState? { if case .store(let state) = self { state } else { nil } }

    func isView(named key: String) -> Bool {
        if case .view(let view) = self { view.key == key } else { false }
    }
}
