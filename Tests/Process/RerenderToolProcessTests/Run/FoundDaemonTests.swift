// SPDX-License-Identifier: MIT
// Which daemon a command talks to where the user has none.

import Foundation
import Glibc
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("The daemon of a command that runs")
struct FoundDaemonTests {
    /// A session's directory, `$XDG_RUNTIME_DIR`, without a daemon of the user's.
    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    private func start(_ arguments: String...) throws -> Spawned {
        try Spawned([Program.rerenderctl] + arguments, environment: ["XDG_RUNTIME_DIR": scratch.path])
    }

    private func ctl(_ arguments: String...) async throws -> Outcome {
        let process = try Spawned([Program.rerenderctl] + arguments, environment: ["XDG_RUNTIME_DIR": scratch.path])
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    /// Runs an app under a daemon of its own, which knows of `count` evaluations when this returns.
    private func run(evaluating count: Int) async throws -> Spawned {
        let process = try start("run", "--", Program.counting)
        try await process.expect("ready")
        process.type("run \(count)\n")
        try await process.expect("done")
        return process
    }

    private var directories: [RuntimeDirectory] {
        RunDirectories.all(beside: RuntimeDirectory(path: scratch.path + "/rerender", origin: .xdg))
    }

    @Test("is found by the other commands, named where several run, and gone with its command", .promise)
    func found() async throws {
        #expect(try await ctl("stats").errors.contains("no daemon answers at \(scratch.path)/rerender/query.sock"))
        let first = try await run(evaluating: 700)
        #expect(directories.count == 1)
        try await UnixHTTP(try #require(directories.first).querySocket).eventually("the export of the command's app") {
            let outcome = try await ctl("export")
            let counts = try JSONDecoder().decode(StatsExport.self, from: Data(outcome.output.utf8)).processes.flatMap(
                \.views
            ).map(\.count)
            return outcome.ending == .exited(0) && counts.reduce(0, +) == 700 ? () : nil
        }
        #expect(try await ctl("stats").output.contains("counting"))
        let doctor = try await ctl("doctor").output.replacing(/\n +/, with: " ")
        #expect(doctor.contains("1 command has a private daemon"))
        #expect(
            doctor.contains("no daemon of yours runs in \(scratch.path)/rerender; a command has its own: rerenderctl["))
        let failed = doctor.split(separator: "\n").filter { $0.hasPrefix("fail") }
        #expect(failed.isEmpty, "\(doctor)")
        // What somebody names is meant, and nothing else.
        let named = try Spawned(
            [Program.rerenderctl, "stats"],
            environment: ["XDG_RUNTIME_DIR": scratch.path, "RERENDER_RUNTIME_DIR": scratch.path + "/none"])
        #expect(try await named.wait() == .exited(69))

        let second = try await run(evaluating: 10)
        let several = try await ctl("stats")
        #expect(several.ending == .exited(69) && several.errors.contains("2 commands have private daemons"))
        #expect(directories.count == 2 && directories.allSatisfy { several.errors.contains($0.path) })
        #expect(several.errors.contains("Choose one of them by --process"))
        let pids = try several.errors.matches(of: #/counting\[(\d+)\]: /#).map { try #require(Int($0.1)) }
        #expect(Set(pids).count == 2, "both are named: \(several.errors)")
        for pid in pids {
            let one = try await ctl("stats", "--process", "\(pid)")
            #expect(one.ending == .exited(0) && one.output.contains("counting"), "\(one)")
            let export = try await ctl("export", "--process", "\(pid)")
            let stores = try JSONDecoder().decode(StatsExport.self, from: Data(export.output.utf8)).processes
            #expect(Set(stores.map(\.pid)) == [Int32(pid)], "\(export)")
        }
        let both = try await ctl("stats", "--process", "counting")
        #expect(both.ending == .exited(69) && both.errors.contains("2 of them have a process \"counting\"."))
        let none = try await ctl("config", "get", "--process", "nobody")
        #expect(none.ending == .exited(69) && none.errors.contains("None of them has a process \"nobody\"."))

        for process in [first, second] {
            process.type("exit\n")
            #expect(try await process.wait() == .exited(0))
        }
        #expect(directories.isEmpty)
        #expect(try await ctl("stats").errors.contains("Do one of these"))
    }

    @Test(
        "is found where both commands were started with the same RERENDER_RUNTIME_DIR, and with another one it is not")
    func named() async throws {
        func stats(_ directory: String) async throws -> Outcome {
            let process = try Spawned([Program.rerenderctl, "stats"], environment: ["RERENDER_RUNTIME_DIR": directory])
            let ending = try await process.wait()
            return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
        }
        let (mine, other) = (scratch.path + "/mine", scratch.path + "/other")
        let command = try Spawned(
            [Program.rerenderctl, "run", "--", Program.counting], environment: ["RERENDER_RUNTIME_DIR": mine])
        try await command.expect("ready")
        command.type("run 7\n")
        try await command.expect("done")
        try await UnixHTTP.ofCommand(beside: mine).eventually("the command's app") {
            try await stats(mine).output.contains("counting") ? () : nil
        }
        #expect(try await stats(other).ending == .exited(69))
        command.type("exit\n")
        #expect(try await command.wait() == .exited(0))
        #expect(try await stats(mine).ending == .exited(69), "without a history nothing is left")
    }

    @Test("is not looked for where the user's own daemon answers")
    func own() async throws {
        let daemon = try Spawned([Program.rerenderd, "--foreground"], environment: ["XDG_RUNTIME_DIR": scratch.path])
        try await daemon.expectError(" ready ")
        let other = try Spawned(
            [Program.rerenderctl, "check", "--budget", scratch.path + "/none", "--update", "--", Program.counting],
            environment: ["XDG_RUNTIME_DIR": scratch.path])
        try await other.expect("ready")
        #expect(directories.count == 1, "check has a daemon of its own whatever runs")
        #expect(try await ctl("stats").output.contains("No process is connected"))
    }

    @Test("of a process that is named by its number, the daemon of its attach answers, also beside the user's own")
    func attached() async throws {
        let script = "echo pid $$; read go; export RERENDER_RUNTIME_DIR=$2/rerender-run-$$; exec \"$1\""
        let app = try Spawned(["/bin/sh", "-c", script, "sh", Program.counting, scratch.path], environment: [:])
        try await app.expect("pid ")
        let pid = try #require(app.standardOutput.firstMatch(of: #/pid (\d+)/#)?.1)
        let ways = ["XDG_RUNTIME_DIR": scratch.path, "RERENDER_RUNTIME_DIR": "\(scratch.path)/rerender-run-\(pid)"]
        var daemons: [Spawned] = []
        for way in ways {
            let daemon = try Spawned([Program.rerenderd, "--foreground"], environment: [way.key: way.value])
            try await daemon.expectError(" ready ")
            daemons.append(daemon)
        }
        app.type("go\n")
        try await app.expect("ready")
        app.type("run 7\n")
        try await app.expect("done")
        try await UnixHTTP("\(scratch.path)/rerender-run-\(pid)/query.sock").eventually("the app") {
            try await ctl("stats", "--process", "\(pid)").output.contains("counting[\(pid)]") ? () : nil
        }
        #expect(try await ctl("stats").output.contains("No process is connected"))
        app.type("exit\n")
        #expect(try await app.wait() == .exited(0))
        #expect(daemons.count == 2)
    }

    @Test("leaves nothing behind when a signal comes while it starts")
    func interrupted() async throws {
        for delay in 0..<24 {
            let process = try start("run", "--", "sleep", "100000")
            // Nothing is awaited: the signal shall come at any moment.
            try await Task.sleep(for: .milliseconds(2 * delay))
            kill(process.pid, SIGTERM)
            #expect(try await process.wait() == .killed(SIGTERM))
        }
        #expect(directories.isEmpty)
    }
}
