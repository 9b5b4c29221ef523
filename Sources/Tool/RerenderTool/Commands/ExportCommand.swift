// SPDX-License-Identifier: MIT
// `rerenderctl export` and `analyses`: files for other programs, such as JSON, metrics, and the analyses for Trace Compass.

import ArgumentParser
import Glibc
import RerenderShow
import RerenderTrace

/// Writes the export as JSON, or metrics for Prometheus.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all counts as JSON or for Prometheus.",
        usage: """
            rerenderctl export [--process <pid or name>] [--output <file>]
                               [--since <mark> | --from <mark> --to <mark>]
            rerenderctl export --format prometheus [--output <file>]
            """,
        discussion: """
            Writes what GET /v1/stats answers, with readable names of Rust and C++:
              curl --unix-socket .../query.sock http://localhost/v1/stats
            Data is passed on as it arrives. A file appears only when it is complete.

            With --format prometheus, each process has counters of its own, and so have
            the twenty views with most self time. A file is for the textfile collector of
            node_exporter, which reads it if its name ends with .prom.

            Examples:
              rerenderctl export -o before.json
              rerenderctl export --since "tap Add" -o click.json
              rerenderctl export | jq '.processes[] | {name, evaluations, lost}'
              rerenderctl export --format prometheus -o rerender.prom
            """)

    /// What is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json, prometheus
    }

    /// Known, so that its error says what to do.
    @Argument(help: .hidden)
    var file: String?

    @Option(help: "Write the export, or metrics in Prometheus' text format.")
    var format = Format.json

    @OptionGroup var selection: ProcessOption

    @OptionGroup var since: MarkOption

    @OptionGroup var output: OutputOption

    func validate() throws {
        if file != nil {
            throw ValidationError("export is of what runs. The counts of a recording: rerenderctl report FILE --json")
        }
        if format == .prometheus, since.isGiven {
            throw ValidationError("--since is for JSON, as --from: metrics are counted since a program's start.")
        }
        if format == .prometheus, selection.process != nil {
            throw ValidationError("--process is for JSON: metrics have all processes.")
        }
    }

    func run() async throws {
        switch format {
        case .json:
            let marked = try await since.source(file: nil, process: selection.process)
            let client = try marked?.session.client ?? Session.current(process: selection.process).client
            try await output.write(StatsQuery(process: selection.process), from: client)
        case .prometheus:
            if let path = output.path { try Self.refuseForeignLink(path) }
            let client = try Session.current().client
            try await ProgressLine.during("exporting") { _ in
                let forgotten = try await client.health().dropped.endedProcesses
                let export = try await client.export(StatsQuery())
                try output.write(Array(MetricText.text(export, forgotten: forgotten, uid: geteuid()).utf8))
            }
        }
    }

    /// In a directory that others may write to, a link of theirs would have us replace a file of our own.
    static func refuseForeignLink(_ path: String) throws(ToolFailure) {
        guard let owner = FilePath.linkOwner(path), owner != geteuid(), owner != 0 else { return }
        throw ToolFailure(
            ExitStatus.cannotCreate, "\(Printable.text(path)) is a link of another user: choose another file.")
    }
}

/// Writes the analyses for Trace Compass.
struct AnalysesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "analyses",
        abstract: "Write the analyses for Trace Compass, as XML.",
        discussion: """
            Trace Compass then shows a recording as timelines by view, by process and
            thread, and of turns with their hangs; as a chart of the evaluations in each
            turn; as a flame chart of nested evaluations; and as tables and distributions
            of evaluation times, hangs, wasted evaluations, and evaluations that another
            one followed in the same turn.

            Import the file in Trace Compass: Window > Preferences > Tracing > XML
            Analyses. Then tick its box.

            Example:
              rerenderctl analyses > rerender-trace-compass.xml
            """)

    func run() async throws {
        try OutputStream.standardOutput.write(TraceCompassFile.bytes)
    }
}
