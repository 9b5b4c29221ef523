// SPDX-License-Identifier: MIT
// The daemon's command line.

internal import ArgumentParser
import RerenderDaemon

@main
struct RerenderdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rerenderd",
        abstract: "Collects what instrumented apps count and answers rerenderctl.",
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
            "Where ended processes are kept over a stop. (default: $STATE_DIRECTORY, else nowhere)", valueName: "path"),
        completion: .directory)
    var stateDir: String?

    @Option(help: ArgumentHelp("The least level to log.", valueName: "level"))
    var logLevel = DaemonProgram.LogLevel.info

    func validate() throws {
        for (name, path) in [("--runtime-dir", runtimeDir), ("--state-dir", stateDir)] {
            guard let path, !path.hasPrefix("/") else { continue }
            throw ValidationError("\(name) needs a path that begins with /, and not \"\(path)\"")
        }
    }

    func run() async throws {
        var program = DaemonProgram()
        program.isInForeground = foreground
        program.keep = keep
        program.runtimeDirectory = runtimeDir
        program.stateDirectory = stateDir
        program.logLevel = logLevel
        throw ExitCode(await program.run())
    }
}

extension RetentionTime: ExpressibleByArgument {
    init?(argument: String) {
        self.init(argument)
    }
}

extension DaemonProgram.LogLevel: ExpressibleByArgument {}
