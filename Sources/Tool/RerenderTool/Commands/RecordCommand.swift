// SPDX-License-Identifier: MIT
// `rerenderctl record`: a trace of everything, for `report` and Trace Compass.

import ArgumentParser
import Glibc
import RerenderModel
import RerenderRecording
import RerenderRun
import RerenderToolBase

/// Records what instrumented apps do, with LTTng.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record a trace with LTTng: of a command, or of everything that runs.",
        usage: """
            rerenderctl record [--output <dir>] [--duration <time>] [--snapshot]
                               [--all-signposts] [--to <url>] [-- <command> ...]
            """,
        discussion: """
            Without a command it records all apps of your user until Ctrl-C, a
            SIGTERM, or the end of --duration. With a command it records until the
            command ends; the command waits until tracing is ready, so that its
            first evaluation is in the trace, and runs under a daemon as with
            `rerenderctl run`, so that its hangs are. Its input and output are
            untouched, signals are passed on, and rerenderctl ends as the command
            does. When --duration is over before, the recording ends and the
            command goes on.

            The trace is complete when rerenderctl has ended. It goes to a new
            directory in ~/lttng-traces, to that of --output, or with --to over the
            network to an lttng-relayd. With --snapshot the latest events are kept
            in memory and only those are written, at the end.

            A session daemon of LTTng is started where none runs, and ended again.
            Other recordings are not touched.

            Examples:
              rerenderctl record -- ./my-app
              rerenderctl record --duration 10s --output before
              rerenderctl record --snapshot
              rerenderctl record --to net://build-server -- ./my-app
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where the trace goes; a new or empty directory.", valueName: "dir"))
    var output: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("How long to record: seconds, or 90s, 10m, 2h.", valueName: "time"))
    var duration: RecordDuration?

    @Flag(help: "Keep the latest events in memory, and write them at the end.")
    var snapshot = false

    @Flag(help: "Record the events of every signposter, not only Rerender's own.")
    var allSignposts = false

    @Option(
        help: ArgumentHelp(
            "Send the trace to an lttng-relayd: net://HOST, or net://HOST:CONTROL:DATA with its ports.",
            valueName: "url"))
    var to: String?

    @OptionGroup var command: CommandArgument

    func validate() throws {
        if try !command.isGiven(to: Self.self), !command.captured.isEmpty {
            throw ValidationError("Say what to run after the --, or leave it out to record everything.")
        }
        if let to, RelayAddress(to) == nil {
            throw ValidationError("--to takes net://HOST or net://HOST:CONTROL:DATA, not '\(Printable.text(to))'.")
        }
        if to != nil, output != nil {
            throw ValidationError("--output is a directory here and --to a relay elsewhere: give one of them.")
        }
    }

    func run() async throws {
        // Before anything of ours is there: a signal from now on ends the recording and leaves nothing behind.
        let signals = try SignalPipe.open(command.words.isEmpty ? CommandSupervisor.ending : CommandSupervisor.signals)
        let recording = Recording(commands: try await commands())
        let session = RecordSession(recording: recording, duration: duration?.duration, signals: signals)
        if command.words.isEmpty { try await session.record() } else { try await session.record(command.words) }
    }

    private func commands() async throws(ToolFailure) -> RecordingCommands {
        // First, so that no directory is made for nothing.
        try await LTTng.installed.need()
        let place =
            if let to { RecordingCommands.Place.relay(to) } else {
                RecordingCommands.Place.directory(try RecordingPlace.make(output))
            }
        return RecordingCommands(
            session: RecordingName.ours.session, place: place, isSnapshot: snapshot, allSignposts: allSignposts,
            processors: Int(sysconf(Int32(_SC_NPROCESSORS_CONF))))
    }
}
