// SPDX-License-Identifier: MIT
// Runs a private daemon inside this process, and waits until a daemon has taken in everything that ended processes sent.

import FoundationEssentials
import Glibc
import Logging
import RerenderDaemon
package import RerenderShow

/// What is in this process is asked for its values. Other processes use its sockets.
extension Daemon: QueryClient {}

/// A daemon for one command; it ends with us.
package struct EmbeddedDaemon: Sendable {
    /// How the command reaches it.
    package let session: Session
    private let daemon: Daemon
    private let task: Task<Void, any Error>

    /// A command may start more processes than a day of work does, and the table comes at the end.
    private static let keep = (duration: Duration.seconds(30 * 86_400), processes: 4_096)

    /// Starts one and returns when its sockets are open; throws status 70 or 71 with the reason where it cannot, and status 69
    /// where the user switched Rerender off.
    ///
    /// - Parameter process: The process that it is for, where that runs already.
    package static func start(for process: Int32? = nil) async throws(ToolFailure) -> EmbeddedDaemon {
        let directory = RuntimeDirectory(path: try makeDirectory(for: process))
        do {
            // Now that the directory is there: who switches off later finds it.
            try SwitchState.mustBeOn()
        } catch {
            try? FileManager.default.removeItem(atPath: directory.path)
            throw error
        }
        var configuration = DaemonConfiguration(runtimeDirectory: directory)
        (configuration.keep, configuration.maxEnded) = keep
        configuration.settingsFile = .current()
        let daemon = Daemon(configuration: configuration, log: silent)
        let task = Task { try await daemon.run() }
        let embedded = EmbeddedDaemon(
            session: Session(directory: directory, client: daemon), daemon: daemon, task: task)
        do {
            try await daemon.waitUntilReady()
            return embedded
        } catch {
            await embedded.stop()
            throw ToolFailure(ExitStatus.software, "cannot start a daemon for the command: \(error)")
        }
    }

    /// Stops it and removes its directory.
    package func stop() async {
        daemon.stop()
        _ = try? await task.value
        removeDirectory()
    }

    func removeDirectory() {
        try? FileManager.default.removeItem(atPath: session.directory.path)
    }

    /// A log would be in the midst of what the command writes.
    private static var silent: Logger {
        Logger(label: "rerenderctl") { _ in SwiftLogNoOpLogHandler() }
    }

    /// A new directory of mode 0700. One that is for a process that runs has its number for a name.
    private static func makeDirectory(for process: Int32?) throws(ToolFailure) -> String {
        let user = RuntimeDirectory.current()
        let path: String
        if let process {
            path = RunDirectories.path(for: process, beside: user)
            try makeDirectory(at: path)
        } else {
            path = try Directory.makeTemporary(RunDirectories.template(beside: user))
        }
        RunDirectories.note(user: user, in: path)
        return path
    }

    /// What a tool left that was killed is removed first.
    private static func makeDirectory(at path: String) throws(ToolFailure) {
        // Proof: mkdir() reads the path for the call only.
        if unsafe mkdir(path, 0o700) == 0 { return }
        if errno == EEXIST, RuntimeDirectory(path: path).fault() == nil {
            try? FileManager.default.removeItem(atPath: path)
        }
        guard unsafe mkdir(path, 0o700) == 0 else {
            throw ToolFailure(
                ExitStatus.system, "cannot create a directory \(Printable.text(path)): \(SystemText.latest)")
        }
    }
}

extension Session {
    /// How long the daemon may take in nothing: it reads a socket in milliseconds, and longer on a loaded machine.
    static let intakeLimit = Duration.seconds(5)

    /// Waits for the daemon to catch up. Returns true once everything is in, false when it has taken in nothing for `limit`.
    func waitForIntake(
        limit: Duration = intakeLimit, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Bool {
        var (deadline, received) = (clock.now.advanced(by: limit), UInt64(0))
        var pause = Duration.milliseconds(2)
        while true {
            let health = try await client.health()
            if health.drained { return true }
            if health.bytesReceived > received {
                (deadline, received) = (clock.now.advanced(by: limit), health.bytesReceived)
            }
            guard clock.now < deadline else { return false }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .milliseconds(50))
        }
    }
}
