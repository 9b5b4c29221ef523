// SPDX-License-Identifier: MIT
// What is said to a command line that cannot be right.

import Testing

@testable import RerenderTool

@Suite("Wrong usage")
struct UsageTests {
    @Test(
        "wrong usage is 64 and says what is wrong",
        arguments: [
            ["stats", "--sort", "colour"], ["stats", "--limit", "0"], ["stats", "--limit", "100000"],
            ["stats", "--json", "--csv"], ["report", "trace", "--html", "page.html", "--json"],
            ["stats", "--watch=0"], ["stats", "--watch", "--json"], ["nosuch"], ["pulse"], ["explain"], ["run"],
            ["run", "--"],
            ["run", "--bogus"],
            ["config", "get", "--json", "--process", "1"],
        ])
    func usage(arguments: [String]) async throws {
        let process = try Bench().start(arguments)
        #expect(try await process.wait() == .exited(64))
        #expect(process.standardOutput.isEmpty && process.standardError.contains("rror: "))
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
        #expect(process.standardError.hasPrefix("Error: " + message), "\(process.standardError)")
    }

    @Test(
        "a command that there is, is not taken for a mistyped one",
        arguments: [
            [], ["stats"], ["config"], ["config", "--json"], ["config", "get"], ["help", "config", "set"], ["help"],
            ["run", "stat"], ["run", "--", "stat"], ["pulse", "stat"], ["--version"], ["-h", "stat"],
        ])
    func knownCommand(arguments: [String]) {
        #expect(UnknownCommand.fault(in: arguments) == nil)
    }
}
