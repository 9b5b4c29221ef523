// SPDX-License-Identifier: MIT
import Foundation
import Glibc
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("runs can be looked at afterwards", .timeLimit(.minutes(10)))
struct HistoryTests {
    /// An empty runtime directory, and a place for the runs that are kept.
    private let bench: Bench
    private var state: String { bench.path + "/state" }
    private var kept: String { state + "/rerender" }

    init() throws { bench = try Bench() }

    private var environment: [String: String] { ["RERENDER_HISTORY": "1", "XDG_STATE_HOME": state] }

    private func ctl(_ arguments: String...) async throws -> Outcome { try await ctl(arguments) }

    private func ctl(_ arguments: [String], environment more: [String: String] = [:]) async throws -> Outcome {
        let process = try bench.start(arguments, environment: environment.merging(more) { $1 })
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    /// Runs the counting process, which evaluates `count` bodies.
    @discardableResult
    private func run(_ count: Int, environment more: [String: String] = [:]) async throws -> Outcome {
        let process = try bench.start(
            ["run", "--", Program.counting], environment: environment.merging(more) { $1 })
        process.type("run \(count)\nexit\n")
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    private var files: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: kept)) ?? []).sorted()
    }

    @Test(
        "stats, explain and hangs show the last run to people where no daemon answers, and say so in one line", .promise
    )
    func fallsBack() async throws {
        try await run(60)
        let stats = try await ctl("stats")
        #expect(stats.ending == .exited(0))
        #expect(
            stats.errors.hasPrefix("rerenderctl: no daemon answers: this is the last run of counting, "))
        #expect(stats.errors.split(separator: "\n").count == 1)
        #expect(stats.output.contains("60 evaluations"))
        let saved = SavedStats(try ExportFile(path: kept + "/" + files[0]).read(), name: nil)
        let export = saved.export
        let view = try #require(export.processes.flatMap(\.views).max { $0.count < $1.count })
        let explained = try await ctl(
            "explain", view.key.rawValue, "--store",
            export.processes.first { $0.views.contains { $0.key == view.key } }?.store ?? "")
        #expect(explained.ending == .exited(0), "\(explained.errors)")
        #expect(explained.output.hasPrefix(view.key.displayName))
        let hangs = try await ctl("hangs")
        #expect(hangs.ending == .exited(0))
        // A machine that stops the run for long makes hangs, which the run keeps.
        #expect(hangs.output.contains("\nNo hang.") == (try #require(saved.hangs).isEmpty))
    }

    @Test(
        "what programs read is never the last run: it is an error that names it", .promise,
        arguments: [
            ["stats", "--json"], ["stats", "--csv"], ["hangs", "--json"], ["explain", "--json"],
            ["check", "--budget", "/dev/null/none"],
        ])
    func namesForPrograms(arguments: [String]) async throws {
        try await run(10)
        var arguments = arguments
        if arguments[0] == "check" {
            let budget = bench.path + "/budget.json"
            try "{\"version\": 1}".write(toFile: budget, atomically: true, encoding: .utf8)
            arguments[2] = budget
        }
        let refused = try await ctl(arguments)
        #expect(refused.ending == .exited(69))
        #expect(refused.output.isEmpty)
        #expect(refused.errors.contains("The last run is read only where it is named: rerenderctl \(arguments[0])"))
        #expect(refused.errors.contains("last"))
    }

    @Test("a run is a file for every command: by name, by path, and one before another")
    func names() async throws {
        #expect(try await ctl("history").output.hasPrefix("No run is kept."))
        try await run(10)
        try await run(30)
        let list = try await ctl("history").output.split(separator: "\n")
        #expect(list.count == 3 && list[1].hasPrefix("counting  last ") && list[2].hasPrefix("counting  last~1 "))
        #expect(files.count == 2)
        for (name, count) in [("last", 30), ("last~1", 10), (kept + "/" + files[0], 10)] {
            let read = try await ctl("stats", name, "--json")
            let export = try JSONDecoder().decode(StatsExport.self, from: Data(read.output.utf8))
            #expect(export.processes.reduce(0) { $0 + $1.evaluations } == UInt64(count), "\(name)")
            #expect(read.errors.isEmpty)
        }
        let diff = try await ctl("diff", "last~1", "last")
        #expect(diff.ending == .exited(0) && diff.output.contains("more"))
        let missing = try await ctl("stats", "last~2")
        #expect(missing.ending == .exited(65))
        #expect(missing.errors.contains("there is no run last~2. 2 runs are kept."))
        let same = try await ctl("diff", "last", "last", "--fail-on-increase")
        #expect(same.ending == .exited(0))
    }

    @Test("a command for what runs says that the last program has ended, and --process finds the last run of a program")
    func ended() async throws {
        try await run(10)
        try await run(30)
        for command in [["reset"], ["config", "get"], ["pulse", "x"], ["hud", "on"]] {
            let refused = try await ctl(command)
            #expect(refused.ending == .exited(69), "\(refused)")
            let lines = refused.errors.split(separator: "\n")
            #expect(lines.count > 1 && lines[0].contains("no daemon answers"), "\(refused)")
            #expect(lines[1].contains("counting was counted until ") && lines[1].hasSuffix(": rerenderctl stats last"))
        }
        // The newest run is of another program.
        let newest = try #require(files.last)
        var other = try ExportFile(path: kept + "/" + newest).read()
        other.run?.program = "another"
        let history = RunHistory(directory: kept)
        try history.keep(StatsExport(generatedAt: .now, processes: [], verdict: nil, run: other.run), pid: 1)
        let stats = try await ctl("stats", "--process", "counting")
        #expect(stats.output.contains("30 evaluations"), "\(stats)")
        #expect(stats.errors.contains("this is the last run of counting"), "\(stats)")
        #expect(history.latest(of: "counting")?.name == "last~1" && history.latest(of: "another")?.name == nil)
        #expect(history.latest(of: "none")?.name == nil && history.latest(of: nil)?.run == history.runs().first)
    }

    @Test("what is kept is the user's alone, and RERENDER_HISTORY=0 keeps nothing and falls back to nothing", .promise)
    func permissions() async throws {
        try await run(10, environment: ["RERENDER_HISTORY": "0"])
        #expect(files.isEmpty)
        try await run(10)
        let modes = try ["", "/" + files[0]].map {
            try FileManager.default.attributesOfItem(atPath: kept + $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])
        let off = try await ctl(["stats"], environment: ["RERENDER_HISTORY": "0"])
        #expect(off.ending == .exited(69) && !off.errors.contains("last"))
    }

    @Test("a run does not fail where it cannot be kept, and says so in one line")
    func cannotKeep() async throws {
        // A directory cannot be made below a file, whoever asks.
        try "".write(toFile: state, atomically: true, encoding: .utf8)
        let outcome = try await run(10)
        #expect(outcome.ending == .exited(0))
        #expect(outcome.errors.split(separator: "\n").count { $0.contains("this run is not kept: ") } == 1)
        #expect(outcome.errors.contains("10 evaluations"))
    }

    @Test("what the line Next: names works after the run, and so does hangs")
    func next() async throws {
        let demo = ChildProcess.product("rerender-demo")
        let ran = try await ctl("run", "--", demo, "--scenario", "hang", "--ticks", "62")
        #expect(ran.ending == .exited(0))
        let line = try #require(ran.errors.split(separator: "\n").last)
        #expect(line.hasPrefix("Next: rerenderctl hangs"), "\(ran.errors)")
        let words = line.dropFirst("Next: rerenderctl ".count).split(separator: " ").map(String.init)
        let told = try await ctl(words)
        #expect(told.ending == .exited(0))
        #expect(told.output.contains("rerender-demo["))
        #expect(told.output.contains("in body"))
        let view = try await ctl("explain", "last")
        #expect(view.ending == .exited(0))
        #expect(view.output.contains("What happens"), "\(view.errors)")
    }
}
