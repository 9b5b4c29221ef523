// SPDX-License-Identifier: MIT
// The answers to a command line that cannot be right.

import Foundation
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("Wrong usage")
struct UsageTests {
    @Test("an output that is no plain file may be an input, too: a terminal, a pipe, /dev/null")
    func specialFiles() {
        #expect(!FilePath.isSame("/dev/null", "/dev/null") && !FilePath.isSame("/tmp", "/tmp/"))
        #expect(FilePath.isSame("/etc/passwd", "/etc/../etc/passwd") && FilePath.isSame("./none", "none"))
        #expect(!FilePath.isSame("none", "other") && !FilePath.isSame("none", ""))
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

    @Test(
        "a mistyped command is 64 and names the one that was meant",
        arguments: [
            (["stat"], "Unknown command 'stat'. Did you mean 'stats'?"),
            (["STATS", "--json"], "Unknown command 'STATS'. Did you mean 'stats'?"),
            (["docotr"], "Unknown command 'docotr'. Did you mean 'doctor'?"),
            (["help", "exprot"], "Unknown command 'exprot'. Did you mean 'export'?"),
            (["config", "sett", "enabled=no"], "Unknown command 'sett'. Did you mean 'set'?"),
            (["xyzzyx"], "Unknown command 'xyzzyx'. There are: run, look, "),
            (["\u{1B}[2J"], "Unknown command '\\u{1b}[2J'."),
        ])
    func unknownCommand(arguments: [String], message: String) {
        let line = ParsedLine(arguments)
        #expect(line.status == 64 && line.text.hasPrefix("rerenderctl: " + message), "\(line)")
    }

    @Test(
        "wrong usage is 64 and says what is wrong",
        arguments: [
            ["stats", "--sort", "colour"], ["stats", "--limit", "0"], ["stats", "--limit", "100000"],
            ["stats", "--json", "--csv"], ["stats", "--sources", "--csv"],
            ["report", "trace", "--html", "page.html", "--json"],
            ["nosuch"], ["pulse"], ["run"],
            ["run", "--"],
            ["run", "--bogus"],
        ])
    func usage(arguments: [String]) {
        let line = ParsedLine(arguments)
        #expect(line.status == 64 && line.text.hasPrefix("rerenderctl: "), "\(line)")
    }

    @Test(
        "run, record, export and top say what would be right",
        arguments: [
            (["export", "trace"], "rerenderctl report FILE --json"),
            (["export", "trace/", "--from", "tap Add", "--to", "3s"], "rerenderctl report FILE --json"),
            (["run", "--html", "page.html", "--", "true"], "rerenderctl record --html FILE -- CMD"),
            (["run", "--view-protocol", "A.B", "--", "true"], "--view-protocol needs --inject"),
            (["run", "--no-inject", "--inject", "--", "true"], "either --no-inject or --inject"),
            (["run", "--no-inject", "--hud", "--", "true"], "either --no-inject or --hud"),
            (["export", "--format", "prometheus", "--process", "shop"], "--process is for JSON"),
            (["look"], "Name a program that is counted, or a command: look -- CMD"),
            (["look", "--"], "or a command: look -- CMD"),
            (["look", "shop", "--", "true"], "either a program or a command"),
            (["look", "shop", "--no-inject"], "are for a command"), (["look", "shop", "--for", "x"], "'--for <time>'"),
            (["check", "--budget", "b", "--view-protocol", "A.B", "--", "true"], "--view-protocol needs --inject"),
            (["run", "--inject", "--view-protocol", "View", "--", "true"], "such as MyUI.Screen, not 'View'"),
            (["run", "--inject", "--view-protocol", "A.B,C.D", "--", "true"], "not 'A.B,C.D'"),
            (["run", "--inject"], "Add a command"), (["record", "--inject"], "--inject needs a command"),
            (["record", "--duration", "0"], "duration"),
            (["record", "--"], "remove -- to record everything"), (["record", "--bogus"], "Unknown option"),
            (["top", "--interval", "0"], "interval"), (["top", "--interval", "0.05"], "interval"),
            (["top", "--interval", "3601"], "interval"), (["top", "--interval", "nan"], "interval"),
            (["top", "--interval", "x"], "interval"),
        ])
    func sessions(arguments: [String], hint: String) {
        let line = ParsedLine(arguments)
        #expect(line.status == 64 && line.text.contains(hint), "\(line)")
    }

    @Test("--hud injects, so it allows what needs injection")
    func hudInjects() {
        let line = ParsedLine(["run", "--hud", "--view-protocol", "A.B", "--", "ls"])
        #expect(line.status == 0 && line.command is RunCommand, "\(line)")
    }

    @Test(
        "check and diff say what would be right",
        arguments: [
            (["check"], "--budget"), (["check", "--budget", "b", "--export", "e", "--", "true"], "or a command"),
            (["check", "--budget", "b", "--json", "--markdown"], "either --json or --markdown"),
            (["check", "--budget", "b", "--json", "--", "true"], "--output"),
            (["check", "--budget", "b", "--output", "f"], "--json"),
            (["check", "--budget", "b", "--"], "the command after --"),
            (["check", "--budget", "b", "--update", "--junit", "f"], "--update"),
            (["check", "--budget", "b", "--inject"], "--inject needs a command"),
            (["check", "--budget", "b", "--no-such"], "--no-such"), (["diff", "a"], "<new>"),
            (["diff", "a", "b", "--json", "--markdown"], "either --json or --markdown"),
            (["diff", "a", "b", "--json", "--output", "f", "--junit", "f"], "different files"),
        ])
    func results(arguments: [String], hint: String) {
        let line = ParsedLine(arguments)
        #expect(line.status == 64 && line.text.contains(hint), "\(line)")
    }

    @Test(
        "report refuses options that its form has no use for",
        arguments: [
            (["--json", "--limit", "3"], "--json contains everything"),
            (["--json", "--sort", "key"], "--json contains everything"),
            (["--json", "--format", "csv"], "either --json or --format"),
            (["--format", "chrome", "--limit", "3"], "--format chrome contains everything"),
            (["--format", "folded", "-n", "all"], "--format folded contains everything"),
            (["--format", "sysprof"], "--format sysprof is no text"),
            (["--format", "sysprof", "-o", "f", "-s", "time"], "--format sysprof contains everything"),
            (["--format", "folded", "-s", "time"], "--format folded contains everything"),
            (["--html", "page.html", "--sort", "time"], "--html allows no other options than --process"),
            (["--compare", "old"], "--compare needs --html"),
        ])
    func reportForms(arguments: [String], hint: String) {
        let line = ParsedLine(["report", "trace"] + arguments)
        #expect(line.status == 64 && line.text.contains(hint), "\(line)")
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
    func outputIsInput(arguments: [String], hint: String) throws {
        let directory = try TemporaryDirectory()
        let (file, link) = (directory.path + "/in", directory.path + "/link")
        try "as it was".write(toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "in")
        let name = directory.path.split(separator: "/").last ?? ""
        let line = ParsedLine(
            arguments.map {
                ["IN": file, "LINK": link][$0]
                    ?? $0.replacing("{dir}", with: directory.path).replacing("{name}", with: name)
            })
        #expect(line.status == 64 && line.text.contains(hint), "\(line)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "as it was")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["in", "link"])
    }

    @Test("options after the program of look are look's, and those of a command are the command's")
    func look() throws {
        let program = try #require(ParsedLine(["look", "shop", "--for", "90s"]).command as? LookCommand)
        #expect(program.program == "shop" && program.length?.duration == .seconds(90) && program.command.isEmpty)
        let line = ParsedLine(["look", "--for", "5", "--", "app", "--for", "3", "--", "--help"])
        let started = try #require(line.command as? LookCommand, "\(line)")
        #expect(started.program == nil && started.command == ["app", "--for", "3", "--", "--help"])
    }

    @Test("--hud includes --inject, so that a protocol can be named beside it")
    func protocolWithHUD() {
        let line = ParsedLine(["run", "--hud", "--view-protocol", "A.B", "--", "true"])
        let run = line.command as? RunCommand
        #expect(run?.hud == true && run?.injecting.viewProtocol == ["A.B"], "\(line)")
    }

    @Test("options after the command of run are the command's")
    func passthrough() {
        let line = ParsedLine(["run", "/bin/echo", "--json", "x", "--", "--help", "-n", "3"])
        let words = (line.command as? RunCommand)?.command.words
        #expect(words == ["/bin/echo", "--json", "x", "--", "--help", "-n", "3"], "\(line)")
    }
}
