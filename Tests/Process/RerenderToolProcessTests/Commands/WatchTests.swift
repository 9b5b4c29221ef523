// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl stats --watch")
struct WatchTests {
    private let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private let leave = "\u{1B}[?25h\u{1B}[?1049l"

    private func watch(_ bench: Bench, _ columns: UInt16 = 100, _ lines: UInt16 = 30) throws -> Spawned {
        try bench.start(
            ["stats", "--watch", "--interval", "0.1"], environment: ["TERM": "xterm", "NO_COLOR": "1"],
            terminal: .init(columns: columns, lines: lines))
    }

    @Test(
        "redraws in place while the numbers change, and gives the terminal back with the last table on Ctrl-C", .promise
    )
    func inPlace() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 100)
        let process = try watch(bench)
        try await process.expect(enter)
        try await process.expect("stores, 100 evaluations")
        app.type("run 4100\n")
        try await process.expect("\u{1B}[H")
        try await process.expect("stores, 4,200 evaluations")
        process.type("\u{3}")
        #expect(try await process.wait() == .killed(SIGINT))
        let parts = process.standardOutput.components(separatedBy: leave)
        #expect(parts.count == 2 && parts[0].hasPrefix(enter))
        // What stays on the screen is the last table, plain.
        let last = parts.last ?? ""
        #expect(last.contains("stores, 4,200 evaluations") && last.contains("KEY") && !last.contains("\u{1B}"))
    }

    @Test("no frame is larger than the terminal, and says what it cut; a new size is drawn at once")
    func size() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 10_000)
        let process = try watch(bench, 70, 12)
        try await process.expect("more lines do not fit the screen")
        let before = process.outputBytes.count
        process.resize(.init(columns: 44, lines: 8))
        try await process.expect("\u{1B}[J", after: before)
        try await process.expect("more lines do not fit the screen\u{1B}[K\u{1B}[J", after: before)
        // A frame of the old size may still have come after the change.
        try await eventually("a frame of the new size") {
            let whole = process.standardOutput.components(separatedBy: "\u{1B}[J").dropLast().last ?? ""
            return lines(whole.components(separatedBy: "\u{1B}[H").last ?? "").count <= 8 ? () : nil
        }
        process.send(SIGTERM)
        #expect(try await process.wait() == .killed(SIGTERM))
        let frames = process.standardOutput.components(separatedBy: leave)[0].components(separatedBy: "\u{1B}[H")
            .dropFirst()
        #expect(!frames.isEmpty && app.pid > 0)
        for frame in frames {
            #expect(lines(frame).count <= 12 && lines(frame).allSatisfy { DisplayWidth.of($0) <= 70 })
        }
        let small = lines(frames.last ?? "")
        #expect(small.count <= 8 && small.allSatisfy { DisplayWidth.of($0) <= 44 })
    }

    @Test("a screen of 30 columns and 8 lines shows the table's title and a row")
    func tiny() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 100)
        let process = try watch(bench, 30, 8)
        try await process.expect("\u{1B}[J")
        process.send(SIGTERM)
        #expect(try await process.wait() == .killed(SIGTERM) && app.pid > 0)
        let frame = lines(process.standardOutput.components(separatedBy: "\u{1B}[H")[1])
        #expect(frame.contains { $0.contains("KEY") && $0.contains("COUNT") }, "\(frame)")
        #expect(frame.contains { $0.contains("view ") }, "\(frame)")
    }

    /// The lines of a frame without what moves and erases; the terminal adds a carriage return of its own.
    private func lines(_ frame: String) -> [String] {
        // By scalars: a carriage return and the line feed after it are one Character.
        let scalars = frame.unicodeScalars.filter { $0 != "\r" }
        return String(String.UnicodeScalarView(scalars)).replacing(/\u{1B}\[[JK]/, with: "").components(
            separatedBy: "\n")
    }

    @Test("appends tables with their time where there is no terminal, without a control sequence")
    func appends() async throws {
        let bench = try await Bench(withDaemon: ())
        let app = try await bench.app(evaluating: 100)
        let process = try bench.start(["stats", "--watch", "--interval", "0.1"])
        try await process.expect("stores, 100 evaluations")
        app.type("run 4100\n")
        try await process.expect("stores, 4,200 evaluations")
        process.send(SIGTERM)
        #expect(try await process.wait() == .killed(SIGTERM))
        #expect(!process.standardOutput.contains("\u{1B}"))
        let times = process.standardOutput.split(separator: "\n").filter {
            $0.wholeMatch(of: /\d{4}-\d\d-\d\dT.*Z/) != nil
        }
        #expect(times.count >= 2)
        // A reader that goes away ends it, by SIGPIPE.
        let shell = try Spawned(
            [
                "/bin/bash", "-c",
                "\(Program.rerenderctl) stats --watch --interval 0.1 | head -n 2 > /dev/null; echo ${PIPESTATUS[0]}",
            ],
            environment: bench.environment())
        #expect(try await shell.wait() == .exited(0))
        #expect(shell.standardOutput == "141\n")
    }

    @Test("a daemon that goes away is said, and waited for")
    func daemonGone() async throws {
        let bench = try await Bench(withDaemon: ())
        let process = try watch(bench)
        try await process.expect("No process is connected")
        bench.daemon?.send(SIGTERM)
        try await bench.daemon?.wait()
        try await process.expect("no daemon answers")
        let before = process.outputBytes.count
        let next = try Spawned([Program.rerenderd, "--foreground", "--runtime-dir", bench.path])
        try await process.expect("No process is connected", after: before)
        process.type("\u{3}")
        #expect(try await process.wait() == .killed(SIGINT))
        next.send(SIGTERM)
    }

    @Test("Ctrl-C ends it while the daemon has begun to answer and does not come to an end")
    func endlessAnswer() async throws {
        let bench = try Bench()
        let asked = Observed(0)
        let export = Array(try Sample.export([Sample.store()]).json())
        let health = Array(try StatsExport.encoder().encode(HealthReport()))
        let server = try CannedServer(bench.querySocket, then: .trickle) { line in
            guard line.contains("/v1/stats") else { return CannedServer.answer(health) }
            asked.change { $0 += 1 }
            return asked.now == 1 ? CannedServer.answer(export) : CannedServer.answer([], length: 1 << 20)
        }
        defer { server.stop() }
        let process = try watch(bench)
        try await process.expect("shop[4711]/main")
        #expect(await asked.wait { $0 > 1 })
        process.type("\u{3}")
        #expect(try await process.wait() == .killed(SIGINT))
    }

    @Test("Ctrl-Z gives the terminal back while we are stopped, and continuing takes it again")
    func stopAndContinue() async throws {
        let bench = try await Bench(withDaemon: ())
        let shell = try Spawned(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"],
            environment: bench.environment(["PS1": "PROMPT ", "TERM": "xterm", "HISTFILE": ""]),
            terminal: .init(columns: 150, lines: 40))
        try await shell.expect("PROMPT ")
        shell.type("\(Program.rerenderctl) stats --watch --interval 0.1\n")
        try await shell.expect(enter)
        try await shell.expect("No process is connected")
        shell.type("\u{1A}")
        try await shell.expect("Stopped", then: "PROMPT ")
        #expect(shell.standardOutput.contains(leave))
        let before = shell.outputBytes.count
        shell.type("fg\n")
        try await shell.expect(enter, after: before)
        try await shell.expect("No process is connected", after: before)
        shell.type("\u{3}")
        try await shell.expect(leave, then: "PROMPT ", after: before)
        shell.type("echo status=$?\n")
        try await shell.expect("status=130", then: "PROMPT ", after: before)
        try await shell.exitShell()
    }
}
