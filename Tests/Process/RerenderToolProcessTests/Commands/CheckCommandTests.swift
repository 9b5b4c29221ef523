// SPDX-License-Identifier: MIT
import Foundation
import RerenderModel
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("rerenderctl check and diff", .serialized)
struct CheckCommandTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    private func path(_ name: String) -> String { bench.path + "/" + name }

    private func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    @discardableResult
    private func write(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
        return path(name)
    }

    private func export(_ name: String, _ count: UInt64, change: (inout ProcessStats) -> Void = { _ in }) throws
        -> String
    {
        let tick = ReasonCount(
            reason: "ticker.tick", count: count - 1, attribution: .exact,
            writers: [WriterCount(writer: "Ticker.advance() Shop/Ticker.swift:40", count: count - 1)])
        var store = Sample.store(
            views: [Sample.view("Cart", count: count, reasons: [tick, Sample.reason("initial", 1)])])
        change(&store)
        return try write(name, String(decoding: Sample.export([store]).json(), as: UTF8.self))
    }

    private var budget: String { path("rerender.json") }

    @Test(
        "a budget written from an export holds on it, and an excess fails with the view, the reason and the writer",
        .promise)
    func exports() async throws {
        let (small, large) = (try export("small.json", 3), try export("large.json", 5))
        let update = try await bench.ctl("check", "--budget", budget, "--update", "--export", small)
        #expect(update.ending == .exited(0) && update.output.contains("1 entry for 1 view"), "\(update)")
        // It is written also where the pipe of standard output has no reader.
        let unread = try Spawned(
            [
                "/bin/bash", "-c",
                "exec 3> >(true); wait $!; "
                    + "\(Program.rerenderctl) check --budget \(path("unread.json")) --update --export \(small) >&3",
            ],
            environment: bench.environment())
        try await unread.wait()
        #expect(try text("unread.json") == text("rerender.json"))
        let holds = try await bench.ctl("check", "--budget", budget, "--export", small)
        #expect(holds.ending == .exited(0) && holds.output.contains("The budget holds") && holds.errors.isEmpty)
        let fails = try await bench.ctl("check", "--budget", budget, "--export", large)
        #expect(fails.ending == .exited(1) && fails.errors == "rerenderctl: the budget does not hold.\n")
        for part in ["Cart: 5 evaluations, at most 3 allowed (2 too many)", "4 ticker.tick", "Ticker.advance()"] {
            #expect(fails.output.contains(part), "\(fails.output)")
        }
    }

    @Test("each form goes where it is asked for, and standard output has it alone")
    func forms() async throws {
        try write("rerender.json", "{\"version\": 1, \"views\": {\"Cart\": {\"evaluations\": 3}}}")
        let run = try export("run.json", 5)
        let json = try await bench.ctl("check", "--budget", budget, "--export", run, "--json", "--junit", path("r.xml"))
        #expect(json.ending == .exited(1))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["holds"] as? Bool == false && (object["exceeded"] as? [Any])?.count == 1)
        // Whoever reads the log and not the JSON sees why.
        for part in ["Cart", "ticker.tick", "Ticker.advance()"] { #expect(json.errors.contains(part)) }
        #expect(try text("r.xml").contains("<failure message=\"Cart: 5 evaluations"))
        let markdown = try await bench.ctl(
            "check", "--budget", budget, "--export", run, "--markdown", "--output", path("r.md"))
        #expect(markdown.ending == .exited(1) && markdown.output.hasPrefix("OVER   Cart"))
        #expect(try text("r.md").hasPrefix("### ❌ Render budget <code>"))
    }

    @Test("lost evaluations, and none at all, fail the check and write no budget", .promise)
    func incomplete() async throws {
        let before = "{\"version\": 1}"
        try write("rerender.json", before)
        let lost = try export("lost.json", 3) { ($0.lost, $0.evaluations) = (2, 5) }
        let empty = try write("empty.json", String(decoding: Sample.export([]).json(), as: UTF8.self))
        for (run, what) in [(lost, "2 evaluations of shop[4711]/main LOST"), (empty, "no instrumented process")] {
            let check = try await bench.ctl("check", "--budget", budget, "--export", run)
            #expect(check.ending == .exited(1) && check.output.contains(what) && check.output.contains("NOT EXACT"))
            let update = try await bench.ctl("check", "--budget", budget, "--update", "--export", run)
            #expect(update.ending == .exited(1) && update.errors.contains(what), "\(update.errors)")
            #expect(try text("rerender.json") == before)
        }
    }

    @Test("a command is run and judged alone, under a daemon that nobody else reports to", .promise)
    func command() async throws {
        let bench = try await Bench(withDaemon: ())
        let other = try await bench.app(evaluating: 70)
        let shell = ["/bin/sh", "-c", "printf 'run 30\\nexit\\n' | \(Program.counting)"]
        let file = bench.path + "/rerender.json"
        let update = try await bench.run("check", "--budget", file, "--update", "--", command: shell)
        #expect(update.ending == .exited(0) && update.errors.contains("30 evaluations"), "\(update.errors)")
        let check = try await bench.run("check", "--budget", file, "--strict", "--", command: shell)
        #expect(check.ending == .exited(0) && check.errors.contains("The budget holds: 30 evaluations"))
        // Standard output is the command's.
        #expect(check.output.hasPrefix("ready\n") && !check.output.contains("budget"))
        let more = ["/bin/sh", "-c", "printf 'run 31\\nexit\\n' | \(Program.counting)"]
        let over = try await bench.run("check", "--budget", file, "--", command: more)
        #expect(over.ending == .exited(1) && over.errors.contains("in total: 31 evaluations, at most 30 allowed"))
        // Without a command and an export it is the daemon's own that is judged.
        let live = try await bench.ctl("check", "--budget", file)
        #expect(live.ending == .exited(1) && live.output.contains("in total: 70 evaluations, at most 30 allowed"))
        other.type("exit\n")
        try await other.wait()
    }

    @Test("a command that fails is the failure, whatever the check says, and writes no budget", .promise)
    func failingCommand() async throws {
        try write("rerender.json", "{\"version\": 1, \"total\": {\"evaluations\": 1}}")
        let status = try await bench.run("check", "--budget", budget, "--", command: ["/bin/sh", "-c", "exit 7"])
        #expect(status.ending == .exited(7))
        #expect(status.errors.contains("/bin/sh exited with status 7, so this is the exit status"))
        let killed = try await bench.run(
            "check", "--budget", budget, "--", command: ["/bin/sh", "-c", "kill -TERM $$"])
        #expect(killed.ending == .killed(SIGTERM) && killed.errors.contains("signal 15"))
        let update = try await bench.run(
            "check", "--budget", path("new.json"), "--update", "--", command: ["/bin/sh", "-c", "exit 7"])
        #expect(update.ending == .exited(7) && update.errors.contains("/new.json is unchanged"))
        #expect(!FileManager.default.fileExists(atPath: path("new.json")))
        let missing = try await bench.run("check", "--budget", budget, "--", command: ["no-such-command"])
        #expect(missing.ending == .exited(127))
    }

    @Test("a good command of which nothing was counted fails: the check would hold for every budget", .promise)
    func nothing() async throws {
        try write("rerender.json", "{\"version\": 1}")
        let check = try await bench.run("check", "--budget", budget, "--", command: ["true"])
        #expect(check.ending == .exited(1) && check.errors.contains("no instrumented process was seen"))
        let off = try bench.start(
            ["check", "--budget", budget, "--", Program.counting], environment: ["RERENDER": "0"])
        off.type("run 5\nexit\n")
        #expect(try await off.wait() == .exited(1) && off.standardError.contains("RERENDER=0"))
    }

    @Test("a report that cannot be written, or a budget that is none, is said before the command runs", .promise)
    func early() async throws {
        let mark = path("ran")
        let command = ["/bin/sh", "-c", "touch \(mark)"]
        let none = try await bench.run("check", "--budget", path("none.json"), "--", command: command)
        #expect(none.ending == .exited(65) && none.errors.contains("--update"))
        try write("rerender.json", "{\"version\": 1}")
        let report = try await bench.run(
            "check", "--budget", budget, "--junit", "/nonexistent/r.xml", "--", command: command)
        #expect(report.ending == .exited(73))
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("diff compares two exports, and fails only where that is asked for", .promise)
    func diff() async throws {
        let (small, large) = (try export("small.json", 3), try export("large.json", 5))
        let shown = try await bench.ctl("diff", small, large)
        #expect(shown.ending == .exited(0) && shown.output.contains("more   Cart: 3 → 5 evaluations"))
        #expect(shown.output.contains("ticker.tick: 2 → 4, written by Ticker.advance()"))
        let fails = try await bench.ctl("diff", small, large, "--fail-on-increase", "--json", "--junit", path("d.xml"))
        #expect(fails.ending == .exited(1) && fails.errors.contains("1 view cost more") && fails.output.hasPrefix("{"))
        #expect(try text("d.xml").contains("Cart: 3 → 5 evaluations"))
        let less = try await bench.ctl("diff", large, small, "--fail-on-increase", "--markdown")
        #expect(less.ending == .exited(0) && less.output.hasPrefix("### ✅ Render comparison"))
        let lost = try export("lost.json", 3) { ($0.lost, $0.evaluations) = (2, 5) }
        let unsure = try await bench.ctl("diff", large, lost, "--fail-on-increase")
        #expect(unsure.ending == .exited(1) && unsure.errors.contains("NOT EXACT"))
        #expect(try await bench.ctl("diff", large, lost).ending == .exited(0))
        let broken = try await bench.ctl("diff", small, budget)
        #expect(broken.ending == .exited(65) && broken.errors.contains("cannot read"))
    }
}

extension Bench {
    /// Runs rerenderctl with a command behind `--`.
    fileprivate func run(_ arguments: String..., command: [String]) async throws -> Outcome {
        let process = try start(arguments + command)
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }
}
