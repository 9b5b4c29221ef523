// SPDX-License-Identifier: MIT
// Where the commands of a document run: an empty directory, our programs in PATH, and apps beside them.

import Foundation
import TestSupport

/// The working directory and environment of one document's commands.
final class Stage: Sendable {
    let scratch: TemporaryDirectory
    let environment: [String: String]
    /// Where the commands run.
    var directory: String { scratch.path + "/work" }
    private let home: String

    /// `home` is a session daemon's; `package` an app that was built, in which the commands run that need it.
    init(home: String? = nil) throws {
        scratch = try TemporaryDirectory()
        self.home = home ?? scratch.path + "/home"
        for name in ["work", "home", "bin", "run"] {
            try FileManager.default.createDirectory(
                atPath: "\(scratch.path)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        for program in ["rerenderctl", "rerenderd", "rerender-demo"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(scratch.path)/bin/\(program)", withDestinationPath: ChildProcess.product(program))
        }
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("RERENDER") && $0.key != "NO_COLOR"
        }
        variables["PATH"] = "\(scratch.path)/bin:" + (variables["PATH"] ?? "/usr/bin:/bin")
        variables["HOME"] = self.home
        variables["XDG_STATE_HOME"] = scratch.path + "/state"
        variables["RERENDER_HISTORY"] = "1"
        variables["XDG_RUNTIME_DIR"] = scratch.path + "/run"
        variables["LC_ALL"] = "C.UTF-8"
        variables["COLUMNS"] = "110"
        variables["LTTNG_UST_REGISTER_TIMEOUT"] = "20000"
        environment = variables
    }

    /// What documents say instead of our directories.
    func withoutPlaces(_ text: String) -> String {
        text.replacing(home, with: "/home/me").replacing(directory + "/", with: "").replacing(
            scratch.path, with: "/tmp")
    }

    func run(_ script: String, in place: String? = nil) async throws -> ChildProcess.Output {
        try await shell(script, in: place).finish()
    }

    func shell(_ script: String, in place: String? = nil) throws -> ChildProcess {
        let script = "cd '\(place ?? directory)' && set -euo pipefail\n\(script)"
        return try ChildProcess(["/bin/bash", "-c", script], environment: environment)
    }

    /// Runs `body` while `commands`, separated by `;`, run beside it and have been evaluated or hung as often as `condition` says.
    func beside<T>(
        _ commands: String?, until condition: String?, _ body: () async throws -> T
    ) async throws -> T {
        guard let commands else { return try await body() }
        let apps = try commands.split(separator: ";").map {
            try shell("exec \($0.trimmingCharacters(in: .whitespaces))")
        }
        let result: Result<T, any Error>
        do {
            try await wait(for: condition ?? "100 evaluations")
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for app in apps.reversed() {
            app.kill(SIGTERM)
            _ = await app.finish()
        }
        return try result.get()
    }

    /// Waits until an app has as many `evaluations`, or the daemon as many closed `hangs`.
    private func wait(for condition: String) async throws {
        let parts = condition.split(separator: " ")
        let number = Int(parts.first ?? "") ?? 1
        let isHangs = parts.last == "hangs"
        try await eventually(condition) {
            let answer = try await run("rerenderctl \(isHangs ? "hangs" : "stats") --json 2> /dev/null || true")
                .standardOutput
            let object = try? JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
            let hangs = object?["hangs"] as? [[String: Any]] ?? []
            let processes = object?["processes"] as? [[String: Any]] ?? []
            let evaluations = processes.compactMap { $0["evaluations"] as? Int }.reduce(0, +)
            return (isHangs ? hangs.count { $0["ended"] != nil } : evaluations) >= number ? () : nil
        }
    }
}
