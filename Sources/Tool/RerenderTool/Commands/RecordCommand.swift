// SPDX-License-Identifier: MIT
// `rerenderctl record` records a trace for `report` and Trace Compass, and runs `rerenderctl count-events` to count its events.

import ArgumentParser
import Glibc
import RerenderShow
import RerenderTrace

/// Records what instrumented apps do, with LTTng.
struct RecordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Record an LTTng trace of a command or of all apps.",
        usage: """
            rerenderctl record [--output <dir>] [--duration <time>] [--snapshot]
                               [--all-signposts] [--html <file>]
                               [--inject [--view-protocol <module.name>] ...]
                               [-- <command> ...]
            """,
        discussion: """
            Without a command, records all apps of your user until Ctrl-C, a SIGTERM, or
            the end of --duration. With a command, records until it exits. The command
            waits until tracing is ready, so that the trace has its first evaluation. It
            runs under a daemon as with `rerenderctl run`, so that the trace has its
            hangs. rerenderctl passes its input, output and signals through and exits
            with its status, or with 75 if that is 0 and the recording is not complete.
            After --duration the recording ends and the command continues.

            The trace is complete when rerenderctl exits. It is written to a new
            directory in ~/lttng-traces, or to --output. --snapshot keeps the latest
            events in memory and writes only those, at the end.

            The recording has every instrumented app that runs meanwhile. It remembers
            which processes are the command's, and `report` shows only those; `report
            --all` shows the rest. --html also writes the page of `report`.

            If no LTTng session daemon is running, one is started and stopped again.
            Other recordings are not affected.

            Examples:
              rerenderctl record -- ./my-app
              rerenderctl record --inject -- ./any-swift-ui-app
              rerenderctl record --duration 10s --output before
              rerenderctl record --snapshot
              rerenderctl record --html page.html -- ./my-app
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the trace to this new or empty directory.", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Record for this long: seconds, or 90s, 10m, 2h.", valueName: "time"))
    var duration: RecordDuration?

    @Flag(help: "Keep the latest events in memory and write them at the end.")
    var snapshot = false

    @Flag(help: "Record the events of every signposter, not only Rerender's own.")
    var allSignposts = false

    @Option(
        help: ArgumentHelp("Write a page of the command for a browser to this file.", valueName: "file"),
        completion: .file())
    var html: String?

    @OptionGroup var injecting: InjectOptions

    @OptionGroup var command: CommandArgument

    func validate() throws {
        if try !command.isGiven(to: Self.self), !command.captured.isEmpty {
            throw ValidationError("Add a command after --, or remove -- to record everything.")
        }
        try injecting.mustInject(injecting.inject)
        if injecting.inject, command.words.isEmpty {
            throw ValidationError("--inject needs a command: rerenderctl record --inject -- CMD")
        }
        if html != nil, command.words.isEmpty {
            throw ValidationError("--html needs a command: rerenderctl record --html FILE -- CMD")
        }
        if html == "-" { throw ValidationError("Standard output belongs to the command: choose a file with --html.") }
    }

    func run() async throws {
        // First: a signal from now on ends the recording cleanly.
        let signals = try SignalPipe.open(command.words.isEmpty ? CommandSupervisor.ending : CommandSupervisor.signals)
        // Without a command, what counts already may be recorded, and signposters of apps.
        if !command.words.isEmpty { try SwitchState.mustBeOn() }
        let injection = try await injecting.injection(into: command.words)
        if injection == nil, let advice = RecordedCommand.advice(before: command.words) {
            FailureText.note("rerenderctl: \(advice)")
        }
        let obstacle = await TracingChecks(system: LocalSystem()).obstacle()
        if let obstacle { FailureText.note("rerenderctl: \(obstacle)") }
        let recording = Recording(commands: try commands())
        var session = RecordSession(
            recording: recording, duration: duration?.duration, signals: signals, injection: injection)
        if let html { session.afterwards = { await Self.writePage(of: $0, to: html) } }
        if command.words.isEmpty { try await session.record() } else { try await session.record(command.words) }
    }

    /// Writes the page in a process of its own, as any trace is read.
    private static func writePage(of directory: String, to file: String) async -> ToolFailure? {
        let command = [OwnProgram.path, "report", "--html", file, "--", directory]
        do {
            let result = try await CapturedCommand.run(command, limit: .seconds(3_600))
            guard case .exited(0) = result.ending else {
                return ToolFailure(ExitStatus.cannotCreate, "the page is not written: \(Printable.text(result.errors))")
            }
            // As `report` says it: what was written, and how to open it.
            FailureText.note(Printable.text(String(result.output.split(separator: "\n").last ?? "")))
            return nil
        } catch {
            return ToolFailure(ExitStatus.system, "the page is not written: \(error)")
        }
    }

    private func commands() throws(ToolFailure) -> RecordingCommands {
        // First, so that no directory is made for nothing.
        guard LTTng.isInstalled else { throw LTTng.missing() }
        return RecordingCommands(
            session: RecordingName.ours.session, directory: try RecordingPlace.make(output), isSnapshot: snapshot,
            allSignposts: allSignposts, processors: Int(sysconf(Int32(_SC_NPROCESSORS_CONF))))
    }
}

/// `10`, `1.5`, `90s`, `10m`, `2h`: seconds where no unit is named.
struct RecordDuration: ExpressibleByArgument, Hashable, Sendable {
    let duration: Duration

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600]
    /// From the time that an app needs to be seen at all, to a week.
    private static let range = 0.1...604_800

    init?(argument: String) {
        let unit = argument.last.flatMap { Self.units[$0] }
        let digits = unit == nil ? argument : String(argument.dropLast())
        // Digits and a point alone: Double would take "0x10" and "nan" too.
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
            Self.range.contains(number * (unit ?? 1))
        else { return nil }
        duration = .milliseconds(Int64(number * (unit ?? 1) * 1_000))
    }
}

/// Prints the number of a trace's events, with a plus where there are more than it counts.
struct CountEventsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: EventCount.command, abstract: "Count the events of a recording.", shouldDisplay: false)

    @Argument(help: ArgumentHelp("The directory of the recording.", valueName: "trace"), completion: .directory)
    var trace: String

    func run() throws {
        do {
            try OutputStream.standardOutput.write(EventCount(of: trace).text)
        } catch let error as TraceError {
            throw ToolFailure(error)
        }
    }
}
