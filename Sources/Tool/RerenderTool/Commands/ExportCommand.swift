// SPDX-License-Identifier: MIT
// `rerenderctl export`: the whole export, as the daemon wrote it.

import ArgumentParser
import RerenderQuery

/// Writes the export as JSON.
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything that is known as JSON.",
        discussion: """
            The document is what GET /v1/stats gives, byte for byte:
              curl --unix-socket .../query.sock http://localhost/v1/stats
            It is passed on as it comes in. A file is replaced in one step once it is
            complete, so that nobody finds half of one.

            Examples:
              rerenderctl export -o before.json
              rerenderctl export | jq '.processes[] | {name, evaluations, lost}'
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    func run() async throws {
        let writer = ExportWriter(client: try Session.current().client)
        guard let output, output != "-" else { return try await writer.copy(.get(.stats), to: .standardOutput) }
        try await writer.copy(.get(.stats), toFile: output)
    }
}

/// Passes the bytes of an answer on.
struct ExportWriter: Sendable {
    let client: any QueryClient

    /// To a descriptor, piece by piece; nothing is added, so whether a line end comes last is the daemon's choice.
    func copy(_ request: QueryRequest, to stream: OutputStream) async throws {
        try await client.send(request) { try stream.write($0) }
    }

    /// To a file, which appears only when all of it is there.
    func copy(_ request: QueryRequest, toFile path: String) async throws {
        let file = try AtomicFile(path: path)
        do {
            try await client.send(request) { try file.write($0) }
            try file.commit()
        } catch {
            file.discard()
            throw error
        }
    }
}
