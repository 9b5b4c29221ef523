// SPDX-License-Identifier: MIT
// Where JSON, CSV and metrics go.

import ArgumentParser
import RerenderToolBase

/// `--output`.
struct OutputOption: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write what programs read to this file; - is standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    /// The file; nil for standard output.
    var path: String? { output == "-" ? nil : output }

    /// Writes a whole text.
    func write(_ bytes: [UInt8]) throws {
        if let path { try AtomicFile.write(bytes, to: path) } else { try OutputStream.standardOutput.write(bytes) }
    }

    /// Passes an answer on as it arrives; a file appears only when it is complete.
    func copy(_ request: QueryRequest, from client: any QueryClient) async throws {
        let output = OutputStream.standardOutput
        // What comes is progress enough.
        if path == nil, output.isTerminal { return try await client.copy(request, to: output) }
        try await ProgressLine.during("exporting") { _ in
            if let path { return try await client.copy(request, toFile: path) }
            try await client.copy(request, to: output)
        }
    }
}
