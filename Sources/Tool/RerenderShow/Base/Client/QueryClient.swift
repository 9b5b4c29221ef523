// SPDX-License-Identifier: MIT
// Whom the commands ask: a daemon by its query API, or what has the values itself.

import FoundationEssentials
// The API's values are the vocabulary of every command: who imports the base has them.
@_exported public import RerenderModel

/// Who answers for views and hangs: a daemon, a part of this process, or what was saved.
///
/// Throws ``ToolFailure`` where there is no answer.
package protocol QueryClient: Sendable {
    func health() async throws -> HealthReport
    /// Each store without its views.
    func processes() async throws -> [ProcessStats]
    func export(_ query: StatsQuery) async throws -> StatsExport
    func hangs(_ query: HangsQuery) async throws -> HangList
    /// Hands over the JSON document of an export in pieces, with a line end last.
    func write(_ query: StatsQuery, to take: (_ bytes: [UInt8]) throws -> Void) async throws
}

extension QueryClient {
    package func write(_ query: StatsQuery, to take: (_ bytes: [UInt8]) throws -> Void) async throws {
        try await export(query).write(take)
        try take([UInt8(ascii: "\n")])
    }
}

extension QueryClient {
    /// Hands over the JSON document of an export in pieces, as ``write(_:to:)`` does, with readable names.
    ///
    /// - Parameter learn: Asks another program about names.
    package func writeNamed(
        _ query: StatsQuery, learn: (_ names: [String]) async -> Void = { _ in },
        to take: (_ bytes: [UInt8]) throws -> Void
    ) async throws {
        var text = NamedJSON()
        try await write(query) { piece in
            let bytes = text.add(piece)
            if !bytes.isEmpty { try take(bytes) }
        }
        await learn(text.unread)
        try take(text.end())
    }
}

/// A daemon that is asked by its query API.
package protocol DaemonClient: QueryClient {
    /// Sends a request and hands over the body of a good answer in pieces, in order.
    ///
    /// Reads no faster than `receive` returns. Throws ``ToolFailure`` where there is no daemon, where it refuses, and
    /// where the answer breaks off or stays away; and what `receive` throws.
    func send(_ request: QueryRequest, receive: (_ bytes: [UInt8]) throws -> Void) async throws
}

extension DaemonClient {
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

    package func health() async throws -> HealthReport { try await document(.get(.health)) }

    package func processes() async throws -> [ProcessStats] {
        try await document(.get(.processes), as: ProcessList.self).processes
    }

    package func export(_ query: StatsQuery) async throws -> StatsExport {
        var text = ExportText()
        try await send(.stats(query, asLines: true)) { try text.add($0) }
        return try text.end()
    }

    package func hangs(_ query: HangsQuery) async throws -> HangList {
        let limit = query.limit.map { String($0) }
        return try await document(
            .get(.hangs, [("process", query.process), ("since", query.since?.iso8601), ("limit", limit)]))
    }

    /// Passes the answer on; whether a line end comes last is the daemon's choice.
    package func write(_ query: StatsQuery, to take: (_ bytes: [UInt8]) throws -> Void) async throws {
        try await send(.stats(query, asLines: false), receive: take)
    }
}

/// One request of the query API.
package struct QueryRequest: Hashable, Sendable {
    package var path: QueryPath
    /// The path with its parameters, escaped.
    package let target: String
    /// The JSON body of a POST; nil for a GET.
    package var body: [UInt8]?
    /// What the answer is to be.
    var type = MediaType.document

    /// A GET; a parameter without a value is left out.
    package static func get(_ path: QueryPath, _ parameters: [(String, String?)] = []) -> QueryRequest {
        let items = parameters.compactMap { name, value in value.map { escaped(name) + "=" + escaped($0) } }
        return QueryRequest(
            path: path, target: path.rawValue + (items.isEmpty ? "" : "?" + items.joined(separator: "&")))
    }

    /// The views that a query asks for.
    package static func stats(_ query: StatsQuery, asLines: Bool) -> QueryRequest {
        var request = get(
            .stats,
            [
                ("sort", query.order == .count ? nil : query.order.rawValue), ("limit", query.limit.map { String($0) }),
                ("skip", query.skip == 0 ? nil : String(query.skip)), ("process", query.process), ("key", query.key),
                ("match", query.match), ("reverse", query.isReversed ? "true" : nil),
                ("handles", query.hasHandles ? "true" : nil),
            ])
        if asLines { request.type = MediaType.lines }
        return request
    }

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

/// The lines of live events, which come in pieces.
package struct EventStream: Sendable {
    /// The longest line that the daemon writes.
    private static let longestLine = 1 << 20
    private var rest: [UInt8] = []

    package init() {}

    /// The lines that the next bytes complete. Throws status 65 where one is too long.
    package mutating func lines(_ bytes: [UInt8]) throws(ToolFailure) -> [[UInt8]] {
        rest += bytes
        var lines: [[UInt8]] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(Array(rest[..<end]))
            rest.removeFirst(end + 1)
        }
        guard rest.count <= Self.longestLine else { throw ToolFailure.unreadable("a line is too long") }
        return lines
    }

    /// Reads a line. Throws status 65 for anything but a live event.
    package static func read(_ line: [UInt8]) throws(ToolFailure) -> LiveEvent {
        do {
            return try JSONDecoder().decode(LiveEvent.self, from: Data(line))
        } catch {
            throw ToolFailure.unreadable(DecodingText.of(error))
        }
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

// The beginning of a time, as `--since` and the query API have it.

/// `10m`, `90s`, `2h`, `3d`, or a time in ISO 8601.
package struct SinceTime: Hashable, Sendable {
    private enum Kind: Hashable {
        case ago(seconds: Int64)
        case at(Timestamp)
    }

    private let kind: Kind

    /// Reads a text; nil if it is none of these.
    package init?(argument: String) {
        if let time = Timestamp(typed: argument) {
            kind = .at(time)
        } else if let unit = argument.last, let seconds = Self.units[unit], let number = Int64(argument.dropLast()),
            (0...100_000).contains(number)
        {
            kind = .ago(seconds: number * seconds)
        } else {
            return nil
        }
    }

    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

    /// When that is; a time that is relative is one before `now`.
    package func time(now: Timestamp = .now) -> Timestamp {
        switch kind {
        case .ago(let seconds):
            Timestamp(nanosecondsSince1970: now.nanosecondsSince1970 - seconds * 1_000_000_000)
        case .at(let time): time
        }
    }
}

// The shortest unambiguous names of stores.

/// Tells a store from all others.
///
/// A pid alone may be given to another process, and stores of one process may have one name.
package struct StoreID: Hashable, Sendable {
    package let pid: Int32
    let startedAt: Timestamp
    private let name: String
    private let number: UInt32
    private let kind: StoreKind?

    /// The identity of a store.
    package init(_ store: ProcessStats) {
        (pid, startedAt, name, number) = (store.pid, store.startedAt, store.store, store.storeNumber)
        kind = store.kind
    }

    /// Selects this store among those of the processes that run.
    package var selection: ProcessSelection {
        ProcessSelection(process: String(pid), store: "\(name)#\(number)")
    }

    /// Whether it has the views of a program that knows nothing of it.
    var isInjected: Bool { kind == .injectedViews }
}

/// Names each store of an export so that no two have the same name.
///
/// A process's name alone where it is the only one of that name; with its pid where several have it, or the pid alone
/// where all have it; with the store's name where one process has several stores, and its number where these have one
/// name. Safe to print.
package struct StoreLabels: Sendable {
    private let pidsByName: [String: Set<Int32>]
    /// The numbers of a process's stores by their names.
    private let storesByProcess: [Int32: [String: Set<UInt32>]]

    /// Learns the names that there are.
    package init(_ processes: [ProcessStats]) {
        pidsByName = processes.reduce(into: [:]) { $0[$1.name, default: []].insert($1.pid) }
        storesByProcess = processes.reduce(into: [:]) {
            $0[$1.pid, default: [:]][$1.store, default: []].insert($1.storeNumber)
        }
    }

    /// The store's name among these.
    package func label(_ process: ProcessStats) -> String {
        var text = Printable.text(process.name)
        if pidsByName[process.name, default: []].count > 1 {
            text = pidsByName.count == 1 ? "\(process.pid)" : "\(text)[\(process.pid)]"
        }
        let stores = storesByProcess[process.pid, default: [:]]
        if stores.count > 1 || isNameShared(process) { text += "/" + Printable.text(process.store) }
        return text + number(process)
    }

    /// The full name of the store, with its number where another one of the process has its name.
    package func full(_ process: ProcessStats) -> String {
        Self.full(process) + number(process)
    }

    /// The full name of the store, which another one of the process may have, too.
    package static func full(_ process: ProcessStats) -> String {
        "\(Printable.text(process.name))[\(process.pid)]/\(Printable.text(process.store))"
    }

    private func number(_ process: ProcessStats) -> String {
        isNameShared(process) ? "#\(process.storeNumber)" : ""
    }

    private func isNameShared(_ process: ProcessStats) -> Bool {
        storesByProcess[process.pid]?[process.store, default: []].count ?? 0 > 1
    }
}

extension Hang {
    /// Whether it is blamed on a view of a store of the process. Of a hang whose store is not known it is not said.
    package func isBlamed(on key: ViewKey, of store: ProcessStats) -> Bool {
        pid == store.pid && view == key && viewStore?.number == store.storeNumber
    }
}
