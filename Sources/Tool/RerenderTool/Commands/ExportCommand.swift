// SPDX-License-Identifier: MIT
// `rerenderctl export`: writes the daemon's export.

import ArgumentParser
import RerenderToolBase
import RerenderTrace

/// Writes the export as JSON.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all counts as JSON.",
        discussion: """
            Writes exactly what GET /v1/stats answers:
              curl --unix-socket .../query.sock http://localhost/v1/stats
            Data is passed on as it arrives. A file appears only when it is complete.

            Examples:
              rerenderctl export -o before.json
              rerenderctl export | jq '.processes[] | {name, evaluations, lost}'
            """)

    @OptionGroup var output: OutputOption

    func run() async throws {
        try await output.copy(.get(.stats), from: try Session.current().client)
    }
}
