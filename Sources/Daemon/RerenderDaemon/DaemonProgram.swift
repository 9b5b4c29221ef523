// SPDX-License-Identifier: MIT
// Runs the `rerenderd` process: reads its settings, handles signals, returns an exit status.

internal import Logging
import RerenderModel
internal import ServiceLifecycle
internal import UnixSignals

/// Runs a daemon with the settings from the command line.
package struct DaemonProgram: Sendable {
    /// Whether the log is for people instead of the journal.
    package var isInForeground = false
    /// How long processes that ended stay visible.
    package var keep = RetentionTime(duration: DaemonLimits.keep)
    /// The directory of the sockets; nil for the one in which apps search.
    package var runtimeDirectory: String?
    /// Where ended processes are saved; nil for the service manager's directory, if it gives one.
    package var stateDirectory: String?
    /// The lowest level that is logged.
    package var logLevel = LogLevel.info

    /// Levels by name.
    package enum LogLevel: String, Sendable, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    package init() {}

    /// Runs a daemon until SIGTERM or SIGINT; returns the exit status, after logging why if it is not 0.
    package func run() async -> Int32 {
        let logger = logger
        do {
            let daemon = Daemon(configuration: try configuration(), log: logger)
            let group = ServiceGroup(
                services: [daemon], gracefulShutdownSignals: [.sigterm, .sigint], logger: silent)
            try await group.run()
            return 0
        } catch let error as DaemonError {
            logger.critical("\(error)")
            return error.exitStatus
        } catch {
            logger.critical("stopped by an internal error: \(error)")
            return DaemonError.stopped.exitStatus
        }
    }

    private func configuration() throws(DaemonError) -> DaemonConfiguration {
        var configuration = DaemonConfiguration(
            runtimeDirectory: runtimeDirectory.map { RuntimeDirectory(path: $0) } ?? .current(),
            stateDirectory: stateDirectory ?? inheritedStateDirectory, keep: keep.duration,
            sockets: try .inherited(), notifier: .inherited())
        configuration.raisesOpenFiles = true
        return configuration
    }

    /// systemd names several directories with colons between them; ours is the first.
    private var inheritedStateDirectory: String? {
        environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    }

    private var logger: Logger {
        let style: DaemonLog.Style = isInForeground ? .readable : .journal
        let level = Logger.Level(rawValue: logLevel.rawValue) ?? .info
        return Logger(label: "rerenderd") { _ in DaemonLog(style: style, level: level) }
    }

    /// Silences the service group: the daemon logs its own start and stop.
    private var silent: Logger {
        Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
    }
}

extension DaemonError {
    /// The exit status as in `sysexits.h`.
    package var exitStatus: Int32 {
        switch self {
        case .socketPathTooLong, .directory, .activation: 78  // EX_CONFIG
        case .notASocket: 73  // EX_CANTCREAT
        case .alreadyRunning: 75  // EX_TEMPFAIL
        case .system: 71  // EX_OSERR
        case .stopped: 70  // EX_SOFTWARE
        }
    }
}
