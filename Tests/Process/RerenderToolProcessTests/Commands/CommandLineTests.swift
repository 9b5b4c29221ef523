// SPDX-License-Identifier: MIT
import RerenderModel
import Foundation
@testable import RerenderTool
@testable import RerenderShow
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

/// The client in Python's package `mcp`, where it was fetched.
private enum ProtocolClient {
    private static let folder = Checkout.url(".build/mcp")

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path + "/mcp") }

    /// What it saw of a server.
    struct Talk: Decodable {
        let server: String
        let tools: [String]
        let texts: [String]
        let errors: [Bool]
    }

    /// Starts a server, and calls a tool with what fits and one with what does not.
    static func talk(_ directory: String, _ process: Int32) async throws -> Talk {
        let script = """
            import asyncio, json, sys
            sys.path.insert(0, sys.argv[1])
            from mcp import ClientSession, StdioServerParameters
            from mcp.client.stdio import stdio_client
            async def main():
                server = StdioServerParameters(command=sys.argv[2], args=["mcp"], env={"RERENDER_RUNTIME_DIR": sys.argv[3]})
                async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
                    hello = await session.initialize()
                    tools = (await session.list_tools()).tools
                    await session.send_ping()
                    answers = [
                        await session.call_tool("stats", {"process": sys.argv[4]}),
                        await session.call_tool("look", {"process": "-x"}),
                    ]
                    print(json.dumps({
                        "server": hello.server_info.name, "tools": [tool.name for tool in tools],
                        "texts": [answer.content[0].text for answer in answers],
                        "errors": [answer.is_error for answer in answers],
                    }))
            asyncio.run(main())
            """
        let output = try await TestSupport.ChildProcess.run(
            ["/usr/bin/python3", "-c", script, folder.path, Program.rerenderctl, directory, "\(process)"])
        guard output.succeeded else { throw TestSupport.ChildProcess.Failure(output.standardError) }
        return try JSONDecoder().decode(Talk.self, from: Data(output.standardOutput.utf8))
    }
}

@Suite("rerenderctl as a user calls it")
struct CommandLineTests {
    @Test(
        "without a daemon a command says so and what to do, ends with 69, and prints nothing else", .promise,
        arguments: [
            ["stats"], ["stats", "--json"], ["stats", "--csv"], ["export"], ["reset"],
            ["config", "get"],
            ["config", "set", "enabled=true"], ["pulse", "A"], ["explain", "A"],
        ])
    func noDaemon(arguments: [String]) async throws {
        let bench = try Bench()
        let process = try bench.start(arguments)
        #expect(try await process.wait() == .exited(69))
        #expect(process.standardOutput.isEmpty)
        #expect(
            process.standardError == """
                rerenderctl: no daemon answers at \(bench.querySocket) (No such file or directory).
                RERENDER_RUNTIME_DIR points to a directory without a daemon. Do one of these:
                  unset RERENDER_RUNTIME_DIR    uses the default directory
                  rerenderd --foreground        runs a daemon in that directory until Ctrl-C
                  rerenderctl run -- CMD        runs one command under a private daemon

                """)
    }

    @Test("an agent is answered by lines, and what runs for it ends with its input")
    func agent() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.wasteful(evaluating: 10)
        let process = try bench.start(["mcp"], environment: ["FORCE_COLOR": "1"])
        process.type(
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"# + "\n")
        try await process.expect("\"protocolVersion\":\"2025-06-18\"")
        func call(_ id: Int, _ tool: String, _ arguments: String) {
            let parameters = #"{"name":"\#(tool)","arguments":\#(arguments)}"#
            process.type(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(parameters)}"# + "\n")
        }
        call(2, "wait", #"{"for":"hang","seconds":300}"#)
        call(3, "stats", #"{"process":"\#(app.pid)"}"#)
        try await process.expect("\"id\":3,")
        // A command that was answered leaves no descriptor open.
        func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.pid)/fd").count
        }
        let open = try descriptors()
        call(4, "explain", #"{"view":"no such view"}"#)
        try await process.expect("\"id\":4,")
        #expect(try descriptors() == open)
        process.closeInput()
        #expect(try await process.wait() == .exited(0))
        let lines = process.standardOutput.split(separator: "\n")
        try #require(lines.count == 3, "\(lines)")
        #expect(lines[1].contains("\"isError\":false") && lines[1].contains("KEY") && !lines[1].contains("\\u001b"))
        #expect(lines[2].contains("\"isError\":true") && lines[2].contains("no such view"), "\(lines[2])")
        #expect(process.standardError.isEmpty)
    }

    @Test("a signal ends what runs for an agent", arguments: [SIGTERM, SIGINT])
    func endedAgent(signal: CInt) async throws {
        let bench = try await Bench(withDaemon: ())
        let process = try bench.start(["mcp"])
        let call = #"{"name":"wait","arguments":{"for":"hang","seconds":300}}"#
        process.type(#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":\#(call)}"# + "\n")
        let tasks = "/proc/\(process.pid)/task"
        let child = try await eventually("the command") {
            let children = try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
                let text = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
                return (text ?? "").split(separator: " ")
            }
            return children.first.map { String($0) }
        }
        process.send(signal)
        #expect(try await process.wait() == .killed(signal))
        // It was waited for: no zombie is left, either.
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(child)") && process.standardOutput.isEmpty)
    }

    @Test(
        "the client of the protocol's own package lists the tools and calls them",
        .enabled(if: ProtocolClient.isThere, "needs mcp: run Scripts/lib/fetch-checkers"))
    func protocolClient() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.wasteful(evaluating: 10)
        let seen = try await ProtocolClient.talk(bench.path, app.pid)
        #expect(seen.server == "rerenderctl" && seen.tools.count == 6 && seen.errors == [false, true], "\(seen)")
        #expect(seen.texts.first?.contains("KEY") == true)
        #expect(seen.texts.last?.contains("does not begin with -") == true, "\(seen)")
    }

    @Test("a runtime directory that others can write to is not trusted", .promise)
    func untrusted() async throws {
        let bench = try Bench()
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: bench.path)
        let outcome = try await bench.ctl("stats")
        #expect(outcome.ending == .exited(69))
        #expect(outcome.errors.contains("chmod 700 \(bench.path)"))
    }

    @Test("with no process connected every form says so and ends with 0")
    func nobody() async throws {
        let bench = try await Bench(withDaemon: ())
        let table = try await bench.ctl("stats")
        #expect(table.ending == .exited(0))
        #expect(table.output.hasPrefix("No process is connected") && table.output.contains("store.evaluate"))
        let csv = try await bench.ctl("stats", "--csv")
        #expect(
            csv.ending == .exited(0) && csv.output == StatsCSV.header.text
                && csv.errors.contains("No process is connected"))
        let json = try await bench.ctl("stats", "--json")
        #expect(try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8)).processes.isEmpty)
        for arguments in [["reset"], ["config", "get"], ["config", "set", "enabled=true"]] {
            let process = try bench.start(arguments)
            #expect(try await process.wait() == .exited(0))
            #expect(process.standardOutput.contains("No process is connected"))
        }
        let chosen = try await bench.ctl("stats", "--process", "shop")
        #expect(chosen.ending == .exited(0) && chosen.output.hasPrefix("No process is connected"), "\(chosen)")
    }

    @Test("every form shows exactly what a real process counted itself", .promise)
    func groundTruth() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 12_345)
        let before = app.outputBytes.count
        app.type("counts\n")
        try await app.expect("\n", after: before)
        var truth: [String: UInt64] = [:]
        for entry in app.standardOutput.split(separator: "\n").last?.split(separator: ";") ?? [] {
            let sides = entry.split(separator: "=")
            truth[String(sides[0])] = UInt64(sides[1])
        }
        #expect(truth.values.reduce(0, +) == 12_345)

        let csv = try await bench.ctl("stats", "--csv")
        #expect(try counts(csv: csv.output) == truth)

        let json = try await bench.ctl("stats", "--json")
        let export = try JSONDecoder().decode(StatsExport.self, from: Data(json.output.utf8))
        var counted: [String: UInt64] = [:]
        for process in export.processes {
            for view in process.views { counted["\(process.store)/\(view.key.rawValue)"] = view.count }
        }
        #expect(counted == truth)

        let table = try await bench.ctl("stats", "--sort", "key", "--columns", "count", "--all", "--limit", "all")
        var shown: [String: UInt64] = [:]
        for line in table.output.split(separator: "\n") where line.hasPrefix("counting/") {
            let words = line.split(separator: " ")
            shown["\(words[0].dropFirst(9))/\(words[1]) \(words[2])"] = UInt64(words[3])
        }
        #expect(shown == truth)
    }

    private func counts(csv: String) throws -> [String: UInt64] {
        var counts: [String: UInt64] = [:]
        for line in csv.components(separatedBy: "\r\n").dropFirst() where !line.isEmpty {
            let fields = line.components(separatedBy: ",")
            counts["\(fields[2])/\(fields[4])"] = UInt64(fields[7])
        }
        return counts
    }

    @Test("an export that fails leaves the file as it was, and nothing beside it", .promise)
    func failedExport() async throws {
        let bench = try Bench()
        let half = Array(CannedServer.answer(Array("{\"processes\": [".utf8), length: 1_000))
        let server = try CannedServer(bench.querySocket) { _ in half }
        defer { server.stop() }
        let file = bench.path + "/out.json"
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try await bench.ctl("export", "-o", file).ending == .exited(69))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path).sorted() == ["out.json", "query.sock"])
    }

    @Test("a reader that goes away ends us as it ends every other program, without a word", .promise)
    func readerGone() async throws {
        let bench = try Bench()
        let views = (0..<4_000).map { Sample.view(ViewKey(rawValue: "view \($0)"), count: 1) }
        let body = Array(try Sample.export([Sample.store(views: views)]).json())
        let server = try CannedServer(bench.querySocket) { _ in CannedServer.answer(body) }
        defer { server.stop() }
        for command in ["stats --limit all", "stats --json", "stats --csv", "export"] {
            let shell = try Spawned(
                [
                    "/bin/bash", "-c",
                    "\(Program.rerenderctl) \(command) | head -c 20 >/dev/null; echo ${PIPESTATUS[0]}",
                ],
                environment: bench.environment())
            #expect(try await shell.wait() == .exited(0))
            #expect(shell.standardOutput == "141\n", "\(command)")
            #expect(shell.standardError.withoutProgress.isEmpty)
        }
    }

    @Test("an app's text reaches neither a terminal nor a file of CSV raw", .promise)
    func hostile() async throws {
        let bench = try Bench()
        let key = "Evil\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E},\"x\""
        let view = Sample.view(
            ViewKey(rawValue: key), count: 2, reasons: [Sample.reason("\u{1B}[31m", 2)], file: "\u{9B}7m")
        let body = Array(try Sample.export([Sample.store("a\u{1B}c", store: "\u{8}\u{8}", views: [view])]).json())
        let server = try CannedServer(bench.querySocket) { _ in CannedServer.answer(body) }
        defer { server.stop() }
        for command in [["stats"], ["stats", "--csv"]] {
            let process = try bench.start(
                command, environment: ["NO_COLOR": "1", "TERM": "xterm"], terminal: .init(columns: 200, lines: 40))
            #expect(try await process.wait() == .exited(0))
            #expect(process.standardOutput.contains("Evil\\u{1b}"))
            let raw = process.standardOutput.unicodeScalars.filter {
                $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) || $0.value == 0x202E
            }
            #expect(raw.allSatisfy { $0 == "\r" || $0 == "\n" }, "\(command)")
        }
        #expect(
            try await bench.ctl("stats", "--csv").output.contains(
                #""Evil\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e},""x""""#))
    }

    @Test("the table fits the terminal's own width, in colour unless NO_COLOR says otherwise")
    func terminal() async throws {
        let bench = try Bench()
        let body = Array(try Sample.export([Sample.shop]).json())
        let server = try CannedServer(bench.querySocket) { _ in CannedServer.answer(body) }
        defer { server.stop() }
        let screen = StatsScreen(export: Sample.export([Sample.shop]), health: nil, order: .cost, limit: 50)
        for (variables, colours) in [
            (["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "1"], false), (["TERM": "dumb"], false),
            (["TERM": "dumb", "FORCE_COLOR": "1"], true), (["FORCE_COLOR": "1", "NO_COLOR": "1"], false),
        ] {
            let process = try bench.start(["stats"], environment: variables, terminal: .init(columns: 100, lines: 30))
            #expect(try await process.wait() == .exited(0))
            let expected = screen.lines(width: 100, colours: colours).map { $0 + "\r\n" }.joined()
            #expect(process.standardOutput == expected)
        }
        // Text is UTF-8 whatever the locale is.
        let other = try await bench.ctl("stats", environment: ["LC_ALL": "C", "COLUMNS": "50"])
        #expect(other.ending == .exited(0) && other.output.utf8.contains { $0 >= 0x80 }, "\(other.output)")
    }
}
