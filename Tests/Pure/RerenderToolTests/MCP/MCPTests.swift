// SPDX-License-Identifier: MIT
// What `rerenderctl mcp` answers, whatever is sent.

import Glibc
import RerenderModel
@testable import RerenderTool
import Synchronization
import Testing

@Suite("Answers by the Model Context Protocol")
struct MCPTests {
    /// What a server wrote.
    private final class Answers: Sendable {
        private let lines = Mutex<[[UInt8]]>([])

        func add(_ line: [UInt8]) { lines.withLock { $0.append(line) } }

        var bytes: [[UInt8]] { lines.withLock { $0 } }
        var all: [MCPValue] { bytes.compactMap { MCPValue($0) } }
    }

    /// Prints the words of its command.
    private static let echo: MCPServer.Runner = { words, _ in
        CapturedOutput(ending: .exited(0), output: words.joined(separator: "|") + "\n")
    }

    /// Goes on until it is cancelled.
    private static let endless: MCPServer.Runner = { _, _ in
        try? await Task.sleep(for: .seconds(3_600))
        return CapturedOutput(ending: .killed(by: SIGTERM))
    }

    private static func server(_ run: @escaping MCPServer.Runner = echo) -> (server: MCPServer, answers: Answers) {
        let answers = Answers()
        return (MCPServer(run: run, write: { answers.add($0) }), answers)
    }

    /// What is answered to lines.
    private static func answers(to lines: [String], _ run: @escaping MCPServer.Runner = echo) async -> [MCPValue] {
        let (server, answers) = Self.server(run)
        for line in lines { await server.take(Array((line + "\n").utf8)) }
        await server.finish()
        return answers.all
    }

    private static func call(_ tool: String, _ arguments: MCPValue, id: Int = 1) -> String {
        let parameters: MCPValue = ["name": .text(tool), "arguments": arguments]
        let message: MCPValue = [
            "jsonrpc": "2.0", "id": .number(id), "method": "tools/call", "params": parameters,
        ]
        return String(decoding: message.line.dropLast(), as: UTF8.self)
    }

    /// The answer to a call.
    private static func answer(
        _ tool: String, _ arguments: MCPValue, _ run: @escaping MCPServer.Runner = echo
    ) async throws -> MCPValue {
        let answers = await Self.answers(to: [call(tool, arguments)], run)
        return try #require(answers.first)
    }

    private static func list(_ value: MCPValue?) -> [MCPValue] {
        if case .list(let list)? = value { list } else { [] }
    }

    /// The text of a tool's answer.
    private static func text(_ answer: MCPValue?) -> String? {
        list(answer?["result"]?["content"]).first?["text"]?.text
    }

    private static func isError(_ answer: MCPValue) -> Bool { answer["result"]?["isError"] == MCPValue.flag(true) }

    // MARK: Tools

    @Test("there are at most six tools, and a client reads all of them in 2,000 tokens of three bytes")
    func size() {
        #expect(MCPTool.all.count <= 6 && Set(MCPTool.all.map(\.name)).count == MCPTool.all.count)
        let list = MCPValue.fields(["tools": .list(MCPTool.all.map(\.listing))]).line
        #expect(list.count / 3 <= 2_000, "\(list.count) bytes")
    }

    @Test(
        "a tool is a command, and no value becomes an option",
        arguments: [
            ("stats", [:], ["stats", "--limit=15"]),
            (
                "stats", ["process": "shop", "since": "tap Add", "limit": .number(3), "sources": .flag(true)],
                ["stats", "--process=shop", "--since=tap Add", "--limit=3", "--sources"]
            ),
            ("explain", [:], ["explain"]),
            (
                "explain", ["view": "-x", "process": "--json", "sources": .flag(true)],
                ["explain", "--process=--json", "--sources", "--limit=20", "--", "-x"]
            ),
            ("hangs", ["since": "10m"], ["hangs", "--since=10m", "--limit=5"]),
            ("mark", ["name": "--process=1"], ["mark", "--", "--process=1"]),
            ("wait", ["for": "idle", "view": .null], ["wait", "--idle", "--timeout=20s"]),
            ("wait", ["for": "hang", "seconds": .number(1)], ["wait", "--hang", "--timeout=1s"]),
            ("wait", ["for": "program", "process": "shop"], ["wait", "--process=shop", "--timeout=20s"]),
            ("wait", ["for": "view", "view": "Cart"], ["wait", "--view=Cart", "--timeout=20s"]),
            ("look", ["process": "shop"], ["look", "--for=10s", "--limit=10", "shop"]),
        ] as [(String, MCPValue, [String])])
    func words(name: String, arguments: MCPValue, words: [String]) async throws {
        let tool = try #require(MCPTool.all.first { $0.name == name })
        let given = try tool.arguments(arguments)
        #expect(tool.words(given) == words)
        let line = ParsedLine(words)
        #expect(line.status == 0 && line.command != nil, "\(line.text)")
        let answer = try await Self.answer(name, arguments)
        #expect(Self.text(answer) == words.joined(separator: "|") && !Self.isError(answer))
    }

    @Test(
        "what does not fit a tool is answered with what does, and runs nothing",
        arguments: [
            ("look", [:], "look needs process."), ("look", ["process": "-p1"], "does not begin with -"),
            ("stats", ["limit": .number(0)], "a whole number from 1 to 100"),
            ("stats", ["limit": "3"], "a whole number from 1 to 100"), ("stats", ["sources": "yes"], "true or false"),
            ("stats", ["colour": "red"], "it has process, since, limit and sources."),
            ("explain", ["view": ""], "1 to 1024 bytes"),
            ("explain", ["view": "a\u{0}b"], "without control characters"),
            ("wait", ["for": "ever"], "one of program, view, idle and hang"), ("hangs", "all", "are an object"),
            ("wait", ["for": "program"], "wait for program needs process."),
            ("wait", ["for": "view", "process": "shop"], "wait for view needs view."),
            ("wait", ["for": "idle", "view": "Cart"], "wait for idle takes no view."),
            ("explain", ["view": "last"], "names a file"), ("explain", ["view": "last~2"], "names a file"),
            ("explain", ["view": "/etc/passwd"], "names a file"),
        ] as [(String, MCPValue, String)])
    func misuse(name: String, arguments: MCPValue, hint: String) async throws {
        let answer = try await Self.answer(name, arguments)
        #expect(Self.isError(answer))
        #expect(Self.text(answer)?.contains(hint) == true, "\(answer)")
    }

    @Test(
        "a number that is not whole or too large is refused, and not left out",
        arguments: ["1.5", "99999999999999999999"])
    func unusable(number: String) async throws {
        let parameters = #"{"name":"stats","arguments":{"limit":\#(number)}}"#
        let line = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(parameters)}"#
        let answers = await Self.answers(to: [line])
        let answer = try #require(answers.first)
        #expect(Self.isError(answer) && Self.text(answer)?.contains("a whole number from 1 to 100") == true)
    }

    @Test("a command that fails is an answer that says so, with all that it said")
    func failure() async throws {
        let failing: MCPServer.Runner = { _, _ in
            CapturedOutput(ending: .exited(69), output: "", errors: "rerenderctl: no daemon answers.\n")
        }
        let failed = try await Self.answer("stats", [:], failing)
        #expect(Self.isError(failed) && Self.text(failed) == "rerenderctl: no daemon answers.")
        let slow: MCPServer.Runner = { _, _ in CapturedOutput(ending: .killed(by: SIGKILL), output: "half\n") }
        let ended = try await Self.answer("stats", [:], slow)
        #expect(Self.text(ended)?.contains("did not end in time") == true)
    }

    @Test(
        "an answer stays under 4,000 tokens of three bytes, and says how many lines are missing",
        arguments: ["row \"\\\" ← writer", String(repeating: "\u{1F600}", count: 8_000), "\u{1}\u{2}\u{7F}", ""])
    func bounds(line: String) async throws {
        let count = line.utf8.count > 100 ? 20 : 20_000
        let text = String(repeating: line + "\n", count: count)
        let printing: MCPServer.Runner = { _, _ in CapturedOutput(ending: .exited(0), output: text) }
        let (server, answers) = Self.server(printing)
        await server.take(Array((Self.call("stats", [:]) + "\n").utf8))
        await server.finish()
        let sizes = answers.bytes.map(\.count)
        #expect(sizes.count == 1 && sizes.allSatisfy { $0 <= MCPText.mostBytes }, "\(sizes)")
        let shown = try #require(Self.text(answers.all.first))
        let kept = shown.split(separator: "\n", omittingEmptySubsequences: false)
        let missing = Counted.text(count - (kept.count - 1), "line")
        let last = try #require(kept.last)
        #expect(last.hasPrefix("! cut: ") && last.contains("\(missing) more. Ask with `process`"), "\(last)")
        #expect(last.contains("the end of this line") == (line.utf8.count > 100))
    }

    @Test("what fits is left as it is", arguments: ["a\nb", "", "\n"])
    func whole(text: String) { #expect(MCPText.fit(text, advice: "more") == text) }

    // MARK: Messages

    @Test(
        "a client is greeted in its version, or in the newest one",
        arguments: [("2025-06-18", true), ("2025-03-26", false), ("2999-01-01", false)])
    func greeting(version: String, isKnown: Bool) async throws {
        let hello = #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)"}}"#
        let ready = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
        let ping = #"{"jsonrpc":"2.0","id":"p","method":"ping"}"#
        let list = #"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":null}}"#
        let answers = await Self.answers(to: [hello, ready, ping + "\r", "", list])
        let ids: [MCPValue?] = [.number(0), .text("p"), .number(2)]
        try #require(answers.map { $0["id"] } == ids)
        let (said, nothing) = (answers[0]["result"], MCPValue.fields([:]))
        #expect(said?["protocolVersion"]?.text == (isKnown ? version : "2025-11-25"))
        #expect(said?["capabilities"] == MCPValue.fields(["tools": nothing]))
        #expect(said?["serverInfo"]?["name"]?.text == "rerenderctl" && answers[1]["result"] == nothing)
        let names = Self.list(answers[2]["result"]?["tools"]).compactMap { $0["name"]?.text }
        #expect(names == MCPTool.all.map(\.name))
    }

    @Test(
        "what is no message is refused by its number, and the next one is answered",
        arguments: [
            ("{", -32_700), ("\u{FEFF}nonsense", -32_700), (String(repeating: "[", count: 60_000), -32_700),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + String(repeating: "x", count: 70_000) + "\"}", -32_700),
            ("[]", -32_600), ("7", -32_600), ("{}", -32_600), (#"{"id":1,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":"\#(String(repeating: "i", count: 65))","method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600),
            (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run"}}"#, -32_602),
            (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}"#, -32_602),
        ])
    func refusals(line: String, code: Int) async throws {
        let ping = #"{"jsonrpc":"2.0","id":9,"method":"ping"}"#
        let answers = await Self.answers(to: [line, ping])
        #expect(answers.count == 2 && answers.last?["id"] == MCPValue.number(9), "\(answers)")
        #expect(answers.first?["error"]?["code"] == MCPValue.number(code), "\(answers)")
    }

    @Test(
        "notifications and answers are not answered",
        arguments: [
            #"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"stats"}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[[[[[[[[[[[[]]]]]]]]]]]]}}"#,
            #"{"jsonrpc":"2.0","id":4,"result":{}}"#, #"{"jsonrpc":"2.0","id":4,"error":{"code":1}}"#, " \t",
            #"{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}"#,
        ])
    func silence(line: String) async {
        #expect(await Self.answers(to: [line]) == [])
    }

    @Test("a message may come in pieces, and several in one")
    func pieces() async {
        let (server, answers) = Self.server()
        let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"# + "\n"
        for byte in (ping + ping).utf8 { await server.take([byte]) }
        await server.take(Array((ping + ping + "{").utf8))
        #expect(answers.all.count == 4)
    }

    @Test("depth is no harm: what is deeper than a message is nothing")
    func depth() {
        let deep = String(repeating: "{\"a\":[", count: 200) + String(repeating: "]}", count: 200)
        var (value, levels) = (MCPValue(Array(deep.utf8)), 0)
        while let inner = value?["a"], case .list(let list) = inner {
            (value, levels) = (list.first, levels + 1)
        }
        #expect((1...8).contains(levels))
    }

    // MARK: Calls that go on

    @Test("four calls go on at most, each by its own id, and others are answered meanwhile")
    func busy() async {
        let (server, answers) = Self.server(Self.endless)
        for id in [1, 2, 3, 3, 4, 5] { await server.take(Array((Self.call("stats", [:], id: id) + "\n").utf8)) }
        await server.take(Array((#"{"jsonrpc":"2.0","id":6,"method":"ping"}"# + "\n").utf8))
        let ids: [MCPValue?] = [.number(3), .number(5), .number(6)]
        let codes: [MCPValue?] = [.number(-32_600), .number(-32_000), nil]
        #expect(answers.all.map { $0["id"] } == ids && answers.all.map { $0["error"]?["code"] } == codes)
        await server.end()
        #expect(answers.all.count == 3, "the client has gone")
    }

    @Test("at the end of the input a line without its end is a message, and calls that end soon are answered")
    func endOfInput() async {
        let (server, answers) = Self.server()
        await server.take(Array((Self.call("stats", [:], id: 1) + "\n" + Self.call("hangs", [:], id: 2)).utf8))
        await server.endInput(patience: .seconds(600))
        #expect(answers.all.count == 2 && answers.all.contains { $0["id"] == MCPValue.number(2) })
    }

    @Test("calls that go on after the end of the input end, and are not answered")
    func endlessInput() async {
        let (server, answers) = Self.server(Self.endless)
        await server.take(Array((Self.call("stats", [:], id: 1) + "\n").utf8))
        await server.endInput(patience: .zero)
        #expect(answers.all.isEmpty)
    }

    @Test("a call that the client takes back ends, and is not answered")
    func cancelled() async {
        let (server, answers) = Self.server(Self.endless)
        await server.take(Array((Self.call("wait", ["for": "hang"], id: 1) + "\n").utf8))
        let back = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"late"}}"#
        await server.take(Array((back + "\n").utf8))
        await server.finish()
        #expect(answers.all == [])
    }
}
