// SPDX-License-Identifier: MIT
// The query API for the commands: a request, and an answer in pieces.

import FoundationEssentials
// The API's values are the vocabulary of every command: who imports the base has them.
@_exported public import RerenderModel
@_exported public import RerenderQuery

/// One request of the query API.
package struct QueryRequest: Hashable, Sendable {
    package var path: QueryPath
    /// The path with its parameters, escaped.
    package let target: String
    /// The parameters that have a value.
    package var parameters: [String: String] = [:]
    /// The JSON body of a POST; nil for a GET.
    package var body: [UInt8]?

    /// A GET; a parameter without a value is left out.
    package static func get(_ path: QueryPath, _ parameters: [(String, String?)] = []) -> QueryRequest {
        let given = parameters.compactMap { name, value in value.map { (name, $0) } }
        let items = given.map { escaped($0) + "=" + escaped($1) }
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        return QueryRequest(
            path: path, target: path.rawValue + query, parameters: Dictionary(given) { first, _ in first })
    }

    /// A POST of a document.
    package static func post(_ path: QueryPath, _ document: some Encodable) throws -> QueryRequest {
        QueryRequest(path: path, target: path.rawValue, body: Array(try StatsExport.encoder().encode(document)))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
            let hex = String(byte, radix: 16, uppercase: true)
            escaped += isPlain ? String(Character(scalar)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
        return escaped
    }
}

/// A way to reach a daemon.
package protocol QueryClient: Sendable {
    /// Sends a request and hands over the body of a good answer in pieces, in order.
    ///
    /// Reads no faster than `receive` returns. Throws ``ToolFailure`` where there is no daemon, where it refuses, and
    /// where the answer breaks off or stays away; and what `receive` throws.
    func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws
}

extension QueryClient {
    /// The largest answer that is held whole: the longest list of processes takes less than a tenth.
    static var largestDocument: Int { 16 << 20 }

    /// Sends a request and reads the answer as one small document.
    package func document<T: Decodable>(_ request: QueryRequest, as type: T.Type = T.self) async throws -> T {
        var bytes: [UInt8] = []
        try await send(request) { piece in
            guard bytes.count + piece.count <= Self.largestDocument else {
                throw ToolFailure.unreadable("it is longer than \(Self.largestDocument >> 20) MiB")
            }
            bytes += piece
        }
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch {
            throw ToolFailure.unreadable(DecodingText.of(error))
        }
    }

    /// Passes an answer on to a descriptor, piece by piece; nothing is added, so whether a line end comes last is the
    /// daemon's choice.
    package func copy(_ request: QueryRequest, to stream: OutputStream) async throws {
        try await send(request) { try stream.write($0) }
    }

    /// Writes an answer to a file, which appears only when all of it is there.
    package func copy(_ request: QueryRequest, toFile path: String) async throws {
        let file = try AtomicFile(path: path)
        try await send(request) { try file.write($0) }
        try file.commit()
    }

    /// Sends a request for an export and reads it view by view.
    package func export(_ request: QueryRequest) async throws -> StatsExport {
        try await rankedExport(request).export
    }

    /// The same with the number of views that match the request; nil for a request without a limit.
    package func rankedExport(_ request: QueryRequest) async throws -> (export: StatsExport, matching: Int?) {
        var reader = ExportReader()
        var processes: [ProcessStats] = []
        try await send(request) { piece in
            for element in try reader.read(piece) {
                switch element {
                case .process(let process): processes.append(process)
                case .view(let view): processes[processes.count - 1].views.append(view)
                }
            }
        }
        let end = try reader.end()
        let export = StatsExport(generatedAt: end.generatedAt, processes: processes, verdict: end.verdict)
        return (export, end.matchingViews)
    }
}

/// A decoding error in one line.
package enum DecodingText {
    /// Where in the document, and what was wrong.
    package static func of(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context): return "\"\(key.stringValue)\" is missing" + place(context)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.debugDescription + place(context)
        case .dataCorrupted(let context): return context.debugDescription + place(context)
        @unknown default: return "\(error)"
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map { $0.intValue.map { String($0) } ?? $0.stringValue }
        return path.isEmpty ? "" : " in " + path.joined(separator: ".")
    }
}
