// SPDX-License-Identifier: MIT
// Writes an answer of the daemon to a stream or a file.

/// Passes the bytes of an answer on.
package struct ExportWriter: Sendable {
    package let client: any QueryClient

    package init(client: any QueryClient) {
        self.client = client
    }

    /// To a descriptor, piece by piece; nothing is added, so whether a line end comes last is the daemon's choice.
    package func copy(_ request: QueryRequest, to stream: OutputStream) async throws {
        try await client.send(request) { try stream.write($0) }
    }

    /// To a file, which appears only when all of it is there.
    package func copy(_ request: QueryRequest, toFile path: String) async throws {
        let file = try AtomicFile(path: path)
        try await client.send(request) { try file.write($0) }
        try file.commit()
    }
}
