// SPDX-License-Identifier: MIT
// `rerenderctl export`: writes the daemon's export, or its numbers as metrics.

import ArgumentParser
import RerenderShow
import RerenderTrace

/// Writes the export as JSON, or metrics for Prometheus.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all counts as JSON, or as metrics for Prometheus.",
        discussion: """
            Writes exactly what GET /v1/stats answers:
              curl --unix-socket .../query.sock http://localhost/v1/stats
            Data is passed on as it arrives. A file appears only when it is complete.

            With --format prometheus, counters of programs and of the twenty views with
            most self time go on from what FILE has, so write to the same file each time.
            It is for the textfile collector of node_exporter; its name must end with .prom.

            Examples:
              rerenderctl export -o before.json
              rerenderctl export | jq '.processes[] | {name, evaluations, lost}'
              rerenderctl export --format prometheus -o rerender.prom
            """)

    /// What is written.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case json
        case prometheus
    }

    @Option(help: "Write the export, or metrics in Prometheus' text format.")
    var format = Format.json

    @OptionGroup var output: OutputOption

    func run() async throws {
        switch format {
        case .json: try await output.write(StatsQuery(), from: try Session.current().client)
        case .prometheus:
            let file = try MetricFile(path: output.path)
            let client = try Session.current().client
            try await ProgressLine.during("exporting") { _ in try await file.write(from: client, to: output) }
        }
    }
}
