// SPDX-License-Identifier: MIT
// What is said to a command line that cannot be right.

import Foundation
@testable import RerenderTool
@testable import RerenderToolBase
import Testing
@testable import ToolSupport

@Suite("Wrong usage")
struct UsageTests {
    @Test(
        "wrong usage is 64 and says what is wrong",
        arguments: [
            ["stats", "--sort", "colour"], ["stats", "--limit", "0"], ["stats", "--limit", "100000"],
            ["stats", "--json", "--csv"], ["report", "trace", "--html", "page.html", "--json"],
            ["stats", "--watch=0"], ["stats", "--watch", "--json"], ["nosuch"], ["pulse"], ["run"],
            ["run", "--"],
            ["run", "--bogus"],
            ["config", "get", "--json", "--process", "1"],
        ])
    func usage(arguments: [String]) async throws {
        let process = try Bench().start(arguments)
        #expect(try await process.wait() == .exited(64))
        #expect(process.standardOutput.isEmpty && process.standardError.hasPrefix("rerenderctl: "))
    }

    @Test(
        "report refuses options that its form has no use for",
        arguments: [
            (["--json", "--limit", "3"], "--json contains everything"),
            (["--json", "--sort", "key"], "--json contains everything"),
            (["--format", "chrome", "--limit", "3"], "--format chrome contains everything"),
            (["--format", "folded", "-n", "all"], "--format folded contains everything"),
            (["--format", "folded", "-s", "time"], "--format folded contains everything"),
            (["--html", "page.html", "--sort", "time"], "--html allows no other options than --process"),
            (["--compare", "old"], "--compare needs --html"),
            (["--source-root", "."], "--source-root needs --html"),
            (["--html", "page.html", "--open-with", "{path}"], "--open-with needs --source-root"),
            (["--html", "page.html", "--source-root", ".", "--open-with", "x"], "--open-with needs {path}"),
        ])
    func reportForms(arguments: [String], hint: String) async throws {
        let process = try Bench().start(["report", "trace"] + arguments)
        #expect(try await process.wait() == .exited(64))
        #expect(process.standardError.contains(hint), "\(process.standardError)")
    }

    @Test(
        "an output that names an input is refused, and the input stays as it was",
        arguments: [
            (["check", "--budget", "IN", "--json", "-o", "IN"], "--output would overwrite the budget"),
            (["check", "--budget", "IN", "--junit", "LINK"], "--junit would overwrite the budget"),
            (["check", "--budget", "{dir}/b", "--export", "IN", "--json", "-o", "{dir}/./in"], "overwrite the export"),
            (["check", "--budget", "LINK", "--junit", "IN", "--", "true"], "--junit would overwrite the budget"),
            (["diff", "IN", "{dir}/b", "--json", "-o", "IN"], "--output would overwrite <old>"),
            (["diff", "{dir}/b", "LINK", "--junit", "IN"], "--junit would overwrite <new>"),
            (
                ["diff", "a", "b", "--json", "-o", "{dir}/new", "--junit", "{dir}/../{name}/new"],
                "need different files"
            ),
        ])
    func outputIsInput(arguments: [String], hint: String) async throws {
        let bench = try Bench()
        let (file, link) = (bench.path + "/in", bench.path + "/link")
        try "as it was".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "in")
        let name = bench.path.split(separator: "/").last ?? ""
        let process = try bench.start(
            arguments.map {
                ["IN": file, "LINK": link][$0]
                    ?? $0.replacing("{dir}", with: bench.path).replacing("{name}", with: name)
            })
        #expect(try await process.wait() == .exited(64))
        #expect(process.standardError.contains(hint), "\(process.standardError)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "as it was")
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path).sorted() == ["in", "link"])
    }

    @Test(
        "a mistyped command is 64 and names the one that was meant",
        arguments: [
            (["stat"], "Unknown command 'stat'. Did you mean 'stats'?"),
            (["STATS", "--json"], "Unknown command 'STATS'. Did you mean 'stats'?"),
            (["docotr"], "Unknown command 'docotr'. Did you mean 'doctor'?"),
            (["help", "exprot"], "Unknown command 'exprot'. Did you mean 'export'?"),
            (["config", "sett", "enabled=no"], "Unknown command 'sett'. Did you mean 'set'?"),
            (["xyzzyx"], "Unknown command 'xyzzyx'. There are: stats, "),
            (["\u{1B}[2J"], "Unknown command '\\u{1b}[2J'."),
        ])
    func unknownCommand(arguments: [String], message: String) async throws {
        let process = try Bench().start(arguments)
        #expect(try await process.wait() == .exited(64))
        #expect(process.standardOutput.isEmpty)
        #expect(process.standardError.hasPrefix("rerenderctl: " + message), "\(process.standardError)")
    }
}
