// SPDX-License-Identifier: MIT
// The daemon's command line, and the signals that ask for a stop.

import ArgumentParser
import Dispatch
import Glibc
import Logging
import RerenderDaemon
import RerenderModel

@main
struct RerenderdCommand: AsyncParsableCommand {
    /// What errors begin with.
    static var _errorLabel: String { "rerenderd" }

    static let configuration = CommandConfiguration(
        commandName: "rerenderd",
        abstract: "Collects what instrumented apps count and answers rerenderctl.",
        usage: """
            rerenderd [--foreground] [--keep <time>] [--runtime-dir <path>]
                      [--state-dir <path>]
            """,
        discussion: """
            Usually started by systemd as a user service. By hand:
              rerenderd --foreground

            It takes its sockets from systemd, or makes push.sock and query.sock
            in the runtime directory.
            """,
        version: RerenderVersion.current)

    @Flag(help: "Write a log for people, with times, instead of one for the journal.")
    var foreground = false

    @Option(
        help: ArgumentHelp("How long processes that ended stay visible, such as 90s, 30m or 1h.", valueName: "time"))
    var keep = RetentionTime(duration: DaemonLimits.keep)

    @Option(
        help: ArgumentHelp("The directory of the sockets. (default: where apps look)", valueName: "path"),
        completion: .directory)
    var runtimeDir: String?

    @Option(
        help: ArgumentHelp(
            "Where hangs and totals are kept over a stop or a crash. (default: $STATE_DIRECTORY, else nowhere)",
            valueName: "path"),
        completion: .directory)
    var stateDir: String?

    func validate() throws {
        for (name, path) in [("--runtime-dir", runtimeDir), ("--state-dir", stateDir)] {
            guard let path, !PathName.isAbsolute(path) else { continue }
            throw ValidationError("\(name) needs a path that begins with /, and not \"\(path)\"")
        }
    }

    /// Runs a daemon until SIGTERM or SIGINT; ends with its exit status, after logging why if it is not 0.
    func run() async throws {
        FreedMemory.keepLittle()
        let logger = Logger(label: "rerenderd") { [style = foreground ? DaemonLog.Style.readable : .journal] _ in
            DaemonLog(style: style, level: .info)
        }
        do {
            let daemon = Daemon(configuration: try settings(), log: logger)
            // Before the daemon says that it is ready.
            let signals = await StopSignals { daemon.stop() }
            defer { signals.cancel() }
            try await daemon.run()
        } catch let error as DaemonError {
            logger.critical("\(error)")
            throw ExitCode(error.exitStatus)
        } catch {
            logger.critical("stopped by an internal error: \(error)")
            throw ExitCode(DaemonError.stopped.exitStatus)
        }
    }

    private func settings() throws(DaemonError) -> DaemonConfiguration {
        var settings = DaemonConfiguration(
            runtimeDirectory: runtimeDir.map { RuntimeDirectory(path: $0) } ?? .current())
        // systemd names several directories with colons between them; ours is the first.
        settings.stateDirectory =
            stateDir ?? environmentVariable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
        settings.keep = keep.duration
        settings.settingsFile = .current()
        settings.sockets = try .inherited()
        settings.notifier = .inherited()
        settings.raisesOpenFiles = true
        settings.limits.wait(seconds: environmentVariable("RERENDER_TEST_PATIENCE"))
        return settings
    }
}

extension RetentionTime: ExpressibleByArgument {}

/// Calls a closure at each SIGTERM and SIGINT for as long as it is kept; they no longer end the process by themselves.
struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Returns once no signal is missed any more. `stop` is called on a thread of Dispatch's.
    init(_ stop: @escaping @Sendable () -> Void) async {
        var sources: [any DispatchSourceSignal] = []
        for number in [SIGTERM, SIGINT] {
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler(handler: stop)
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.activate()
            }
            sources.append(source)
        }
        self.sources = sources
    }

    /// Leaves the signals alone: from here on nothing happens at one.
    func cancel() {
        for source in sources { source.cancel() }
    }
}
