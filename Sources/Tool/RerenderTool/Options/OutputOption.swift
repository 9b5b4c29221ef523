// SPDX-License-Identifier: MIT
// Where JSON, CSV and metrics go.

import ArgumentParser
import FoundationEssentials
import RerenderShow

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

    /// Writes a document.
    func write(document: some Encodable) throws {
        try write(Array(try StatsExport.encoder().encode(document)) + [UInt8(ascii: "\n")])
    }

    /// Passes an export on as it arrives; a file appears only when it is complete.
    func write(_ query: StatsQuery, from client: any QueryClient) async throws {
        let output = OutputStream.standardOutput
        // What comes is progress enough.
        if path == nil, output.isTerminal { return try await client.write(query) { try output.write($0) } }
        try await ProgressLine.during("exporting") { _ in
            guard let path else { return try await client.write(query) { try output.write($0) } }
            let file = try AtomicFile(path: path)
            try await client.write(query) { try file.write($0) }
            try file.commit()
        }
    }
}
