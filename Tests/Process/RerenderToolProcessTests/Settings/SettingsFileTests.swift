// SPDX-License-Identifier: MIT
import Foundation
import RerenderDaemon
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import TestTraits
import Testing
@testable import ToolSupport

@Suite("the settings file", .timeLimit(.minutes(10)))
struct SettingsFileTests {
    /// A command with a settings file of this text.
    private func ctl(_ text: String, _ arguments: [String], _ more: [String: String] = [:]) async throws -> Outcome {
        let bench = try Bench(), directory = bench.path + "/config/rerender"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: directory + "/config.toml", atomically: true, encoding: .utf8)
        let environment = ["XDG_CONFIG_HOME": bench.path + "/config"].merging(more) { $1 }
        let process = try bench.start(arguments, environment: environment)
        process.type("run 60\nexit\n")
        process.closeInput()
        let ending = try await process.wait()
        return Outcome(ending: ending, output: process.standardOutput, errors: process.standardError)
    }

    private static func unwrapped(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private func run(_ text: String, _ options: String...) async throws -> Outcome {
        try await ctl(text, ["run"] + options + ["--", Program.counting])
    }

    /// Waits until the settings of an app's stores are these.
    private func expect(_ app: Spawned, _ wanted: [String], in bench: Bench) async throws {
        try await UnixHTTP(bench.querySocket).eventually("\(wanted) of \(app.pid)") {
            let list = try await bench.ctl("config", "get", "--process", "\(app.pid)").output
            let rows = list.split(separator: "\n").dropFirst().map {
                $0.split(separator: " ").suffix(3).map(String.init)
            }
            return !rows.isEmpty && rows.allSatisfy { $0 == wanted } ? () : nil
        }
    }

    @Test("is applied to an app once, also where another daemon reads it again")
    func anotherDaemon() async throws {
        let bench = try Bench(), file = bench.path + "/rerender/config.toml"
        try FileManager.default.createDirectory(atPath: bench.path + "/rerender", withIntermediateDirectories: true)
        try "hangThreshold = 321".write(toFile: file, atomically: true, encoding: .utf8)
        func start() async throws -> Spawned {
            let daemon = try Spawned(
                [Program.rerenderd, "--foreground", "--runtime-dir", bench.path],
                environment: ["XDG_CONFIG_HOME": bench.path])
            try await daemon.expectError(" ready ")
            return daemon
        }
        let daemon = try await start()
        let first = try await bench.app(evaluating: 1)
        try await expect(first, ["321", "100", "false"], in: bench)
        #expect(try await bench.ctl("config", "set", "hangThreshold=250").ending == .exited(0))
        try await expect(first, ["250", "100", "false"], in: bench)
        daemon.send(SIGTERM)
        try await daemon.wait()
        let next = try await start()
        try await expect(first, ["250", "100", "false"], in: bench)
        // What the daemon told the first app, if anything, has come by now.
        let second = try await bench.app(evaluating: 1)
        try await expect(second, ["321", "100", "false"], in: bench)
        try await expect(first, ["250", "100", "false"], in: bench)
        next.send(SIGTERM)
        try await next.wait()
    }

    @Test(
        "sets what apps with the defaults count by, is read again for each app, and gives way to config set", .promise)
    func thresholds() async throws {
        let bench = try Bench(), file = bench.path + "/rerender/config.toml"
        try FileManager.default.createDirectory(atPath: bench.path + "/rerender", withIntermediateDirectories: true)
        func write(_ text: String) throws { try text.write(toFile: file, atomically: true, encoding: .utf8) }
        try write("hangThreshold = 321\nmicroHangThreshold = 45\nhangStacks = true")
        let daemon = try Spawned(
            [Program.rerenderd, "--foreground", "--runtime-dir", bench.path],
            environment: ["XDG_CONFIG_HOME": bench.path])
        try await daemon.expectError(" ready ")

        let first = try await bench.app(evaluating: 1)
        try await expect(first, ["321", "45", "true"], in: bench)
        let set = try await bench.ctl("config", "set", "hangThreshold=400", "hangStacks=false")
        #expect(set.ending == .exited(0))
        try write("hangThreshold = \"1s\"")
        let second = try await bench.app(evaluating: 1)
        try await expect(second, ["1000", "100", "false"], in: bench)
        try await expect(first, ["400", "45", "false"], in: bench)
        try write("hangThreshold = \"1h 5m\"")
        let third = try await bench.app(evaluating: 1)
        try await expect(third, ["250", "100", "false"], in: bench)
        try await daemon.expectError("config.toml:1: hangThreshold needs a time")
    }

    @Test("chooses order and columns of tables, which options overrule")
    func tables() async throws {
        let bench = try Bench()
        let export = bench.path + "/export.json"
        let made = try await run("", "--json", "--output", export)
        #expect(made.ending == .exited(0), "\(made.errors)")
        func titles(_ text: String, _ options: String...) async throws -> [String] {
            let outcome = try await ctl(text, ["stats", export] + options)
            let title = outcome.output.split(separator: "\n").first { $0.contains("KEY") } ?? ""
            return title.split(separator: " ").map(String.init).filter { $0 != "PROCESS" }
        }
        let text = "columns = [\"why\", \"count\"]\nsort = \"key\""
        let (chosen, given) = (try await titles(text), try await titles(text, "--columns", "p95, total"))
        let usual = try await titles("")
        #expect(chosen == ["KEY", "WHY", "COUNT"] && given == ["KEY", "P95", "TOTAL"] && usual.count > 3)
        let unknown = try await ctl("columns = [\"size\"]", ["stats", export])
        #expect(unknown.ending == .exited(78))
        #expect(unknown.errors.contains("config.toml: there is no column \"size\".\nRepair"))
        let wrong = try await ctl("", ["stats", export, "--columns", "size"])
        #expect(wrong.ending == .exited(64))
    }

    @Test("that cannot be used stops a command before it starts anything, and doctor and config say why", .promise)
    func broken() async throws {
        let refused = try await run("srot = 1")
        #expect(refused.ending == .exited(78) && refused.output.isEmpty)
        #expect(refused.errors.contains("/rerender/config.toml:1: there is no setting \"srot\". There are: "))
        let doctor = try await ctl("srot = 1", ["doctor"])
        #expect(doctor.ending == .exited(1) && Self.unwrapped(doctor.output).contains("there is no setting"))
        let file = try await ctl("limit = = 3", ["config", "file"])
        #expect(file.ending == .exited(78) && file.output.hasSuffix("/config/rerender/config.toml\n"))
        #expect(file.errors.contains("config.toml:1: "))
    }
}
