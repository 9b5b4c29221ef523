// SPDX-License-Identifier: MIT
// Reads messages of the Model Context Protocol, and answers them: JSON-RPC 2.0, one message a line.

import FoundationEssentials
import RerenderModel

/// Answers one client.
actor MCPServer {
    /// Runs a command of `rerenderctl`, and ends it if the task is cancelled.
    typealias Runner = @Sendable (_ words: [String], _ limit: Duration) async -> CapturedOutput

    /// Why a message is refused; the numbers are those of JSON-RPC.
    private enum Refusal: Int {
        case unreadable = -32_700
        case invalid = -32_600
        case unknownMethod = -32_601
        case unknownTool = -32_602
        case busy = -32_000
    }

    /// Versions of the protocol that begin with `initialize`, oldest first. What is used here is the same in all. 2025-03-26 is left out: its
    /// servers must take several messages in one line.
    private static let versions = ["2024-11-05", "2025-06-18", "2025-11-25"]
    private static let longestLine = 64 << 10
    /// The longest text that names a question.
    private static let longestID = 64
    private static let mostCalls = 4

    private let run: Runner
    private let write: @Sendable ([UInt8]) -> Void
    private var line: [UInt8] = []
    private var isTooLong = false
    /// The commands that run, by the questions.
    private var calls: [MCPValue: Task<Void, Never>] = [:]

    init(run: @escaping Runner, write: @escaping @Sendable ([UInt8]) -> Void) {
        (self.run, self.write) = (run, write)
    }

    /// Takes the next bytes of the client.
    func take(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            endLine()
            rest = rest[(end + 1)...]
        }
        add(rest)
    }

    /// Waits for the commands that run.
    func finish() async {
        for call in calls.values { await call.value }
    }

    /// The input has ended: takes a last line without its end, and ends what runs for longer than `patience`.
    func endInput(patience: Duration) async {
        endLine()
        let alarm = Task {
            try await Task.sleep(for: patience)
            await self.end()
        }
        await finish()
        alarm.cancel()
    }

    /// The client has gone: ends what runs for it.
    func end() async {
        for call in calls.values { call.cancel() }
        await finish()
    }

    private func add(_ piece: ArraySlice<UInt8>) {
        isTooLong = isTooLong || line.count + piece.count > Self.longestLine
        line = isTooLong ? [] : line + piece
    }

    private func endLine() {
        defer { (line, isTooLong) = ([], false) }
        if isTooLong { return refuse(.null, .unreadable, "a message has at most \(Self.longestLine) bytes.") }
        guard line.contains(where: { $0 > 0x20 }) else { return }
        guard let message = MCPValue(line) else { return refuse(.null, .unreadable, "a message is one line of JSON.") }
        answer(message)
    }

    // MARK: Messages

    private func answer(_ message: MCPValue) {
        guard case .fields(let fields) = message, fields["jsonrpc"]?.text == "2.0" else {
            return refuse(.null, .invalid, "a message is one object of JSON-RPC 2.0.")
        }
        // What answers a question: this side asks none.
        if fields["method"] == nil, fields["result"] != nil || fields["error"] != nil { return }
        if let id = fields["id"], !Self.isID(id) {
            return refuse(.null, .invalid, "an id is a whole number, or a text of at most \(Self.longestID) bytes.")
        }
        guard let method = fields["method"]?.text else {
            return refuse(fields["id"] ?? .null, .invalid, "a message has a method.")
        }
        let parameters = fields["params"]
        guard let id = fields["id"] else {
            // A notification, which is not answered.
            if method == "notifications/cancelled", let call = parameters?["requestId"] { calls[call]?.cancel() }
            return
        }
        switch method {
        case "initialize": reply(id, Self.hello(parameters?["protocolVersion"]?.text))
        case "ping": reply(id, [:])
        case "tools/list": reply(id, ["tools": .list(MCPTool.all.map(\.listing))])
        case "tools/call": call(id, parameters)
        default: refuse(id, .unknownMethod, "there are initialize, ping, tools/list and tools/call.")
        }
    }

    private static func isID(_ id: MCPValue) -> Bool {
        switch id {
        case .number: true
        case .text(let text): text.utf8.count <= longestID
        case .null, .flag, .list, .fields, .unusable: false
        }
    }

    private static func hello(_ version: String?) -> MCPValue {
        let known = versions.first { $0 == version } ?? versions.last ?? ""
        return [
            "protocolVersion": .text(known), "capabilities": ["tools": [:]],
            "serverInfo": ["name": "rerenderctl", "version": .text(RerenderVersion.current)],
            "instructions": """
            Find which views or widgets of a Linux program are evaluated, why, by which code and at which cost. Start \
            the program by `rerenderctl run -- PROGRAM`, or `look` at one that runs. Then mark, use the program, wait \
            for idle, and ask for stats and explain since the mark. Counts are exact; `~` stands before a guess. \
            `rerenderctl help agents` says more.
            """,
        ]
    }

    private func call(_ id: MCPValue, _ parameters: MCPValue?) {
        guard let tool = MCPTool.all.first(where: { $0.name == parameters?["name"]?.text }) else {
            return refuse(id, .unknownTool, "there are the tools \(Counted.list(MCPTool.all.map(\.name))).")
        }
        guard calls[id] == nil else { return refuse(id, .invalid, "a call of this id goes on.") }
        guard calls.count < Self.mostCalls else {
            return refuse(id, .busy, "\(Self.mostCalls) calls go on: wait for one, or cancel it.")
        }
        do {
            let arguments = try tool.arguments(parameters?["arguments"])
            let (words, limit) = (tool.words(arguments), tool.limit(arguments))
            calls[id] = Task { await self.follow(id, tool.name, words, limit) }
        } catch {
            reply(id, Self.result(error.text, isError: true))
        }
    }

    private func follow(_ id: MCPValue, _ tool: String, _ words: [String], _ limit: Duration) async {
        let output = await run(words, limit)
        calls[id] = nil
        // A client that took its question back waits for no answer.
        guard !Task.isCancelled else { return }
        reply(id, Self.result(Self.text(of: output, tool), isError: !output.succeeded))
    }

    /// What a command printed, and what it said beside that.
    private static func text(of output: CapturedOutput, _ tool: String) -> String {
        var parts = [output.output, output.errors].filter { !$0.isEmpty }
        if case .killed = output.ending { parts.append("! the command did not end in time, and was ended") }
        let text = parts.joined(separator: "\n")
        let end = text.utf8.last == UInt8(ascii: "\n") ? text.dropLast() : text[...]
        return MCPText.fit(
            String(end), advice: "Ask with `process`, `since` or a smaller `limit`; in a shell: rerenderctl \(tool)")
    }

    private static func result(_ text: String, isError: Bool) -> MCPValue {
        let content: MCPValue = ["type": "text", "text": .text(text)]
        return ["content": .list([content]), "isError": .flag(isError)]
    }

    private func reply(_ id: MCPValue, _ result: MCPValue) {
        write((["jsonrpc": "2.0", "id": id, "result": result] as MCPValue).line)
    }

    private func refuse(_ id: MCPValue, _ refusal: Refusal, _ text: String) {
        let error: MCPValue = ["code": .number(refusal.rawValue), "message": .text(text)]
        write((["jsonrpc": "2.0", "id": id, "error": error] as MCPValue).line)
    }
}

// JSON of the Model Context Protocol: what a client sends, which may be anything, and what it gets.

/// A value of JSON.
enum MCPValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([MCPValue])
    case fields([String: MCPValue])
    /// What no message of the protocol needs: a number with a fraction or beyond `Int`, half of a character, or what is too deep.
    case unusable

    /// What is deeper is not read: no message of the protocol is, and each level takes stack.
    private static let deepest = 8

    /// Reads a document; nil where it is not JSON.
    init?(_ document: [UInt8]) {
        guard let value = try? JSONDecoder().decode(MCPValue.self, from: Data(document)) else { return nil }
        self = value
    }

    /// The member of an object.
    subscript(name: String) -> MCPValue? {
        if case .fields(let fields) = self { fields[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = (try? encoder.encode(self)).map { Array($0) } ?? []
        return bytes + [UInt8(ascii: "\n")]
    }
}

extension MCPValue: Codable {
    init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.deepest else {
            self = .unusable
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([MCPValue].self) {
            self = .list(list)
        } else if let fields = try? value.decode([String: MCPValue].self) {
            self = .fields(fields)
        } else {
            self = .unusable
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null, .unusable: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .fields(let fields): try value.encode(fields)
        }
    }
}

extension MCPValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral text: String) { self = .text(text) }

    init(dictionaryLiteral fields: (String, MCPValue)...) {
        self = .fields(Dictionary(fields) { first, _ in first })
    }
}

/// Keeps the text of an answer within what a client takes.
enum MCPText {
    /// The most bytes of a message: 4,000 tokens, at three bytes for each.
    static let mostBytes = 12_000
    /// What is around the text, and the line that says what is missing.
    private static let around = 800

    /// The text, or its first lines and how many are missing.
    ///
    /// - Parameter advice: What shows the rest.
    static func fit(_ text: String, advice: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var (kept, size) = ([Substring](), 0)
        for line in lines {
            size += Self.size(line.unicodeScalars) + 2
            guard size <= mostBytes - around else { break }
            kept.append(line)
        }
        guard kept.count < lines.count else { return text }
        var start = ""
        if kept.isEmpty, let line = lines.first {
            (kept, start) = ([beginning(of: line)], "the end of this line, and ")
        }
        let missing = Counted.text(lines.count - kept.count, "line")
        return kept.joined(separator: "\n") + "\n! cut: \(start)\(missing) more. \(advice)"
    }

    /// How many bytes a text has in a string of JSON, at most.
    private static func size(_ text: some Sequence<Unicode.Scalar>) -> Int {
        text.reduce(0) { $0 + size($1) }
    }

    private static func size(_ scalar: Unicode.Scalar) -> Int {
        switch scalar {
        case "\"", "\\": 2
        case _ where scalar.value < 0x20 || scalar.value == 0x7F: 6
        default: UTF8.width(scalar)
        }
    }

    private static func beginning(of line: Substring) -> Substring {
        var left = mostBytes - around
        let scalars = line.unicodeScalars.prefix {
            left -= size($0)
            return left > 0
        }
        return Substring(scalars)
    }
}
