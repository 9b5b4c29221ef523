// SPDX-License-Identifier: MIT
// What the tool says of itself.

import Foundation
import RerenderModel
@testable import RerenderShow
@testable import RerenderTool
import TestSupport
import Testing

@Suite("rerenderctl explains itself")
struct HelpTests {
    private static let commands = [
        "stats", "top", "explain", "hangs", "export", "reset", "config", "pulse", "run", "record", "report", "analyses",
        "check", "diff", "doctor", "off", "on", "history", "look", "attach", "issue", "wait", "mark",
        "mcp",
    ]

    @Test(
        "the help of each command names its options and has an example",
        arguments: [
            (["stats"], ["--json", "--csv", "--sort", "--process", "--limit", "--sources"]),
            (["export"], ["--output", "--process"]),
            (["explain"], ["--process", "--store", "--json", "key"]),
            (["top"], ["--sort", "--process", "--interval", "Space"]),
            (["hangs"], ["--process", "--since", "--limit", "--json", "--capture"]),
            (["reset"], ["--process", "--store"]), (["config", "get"], ["--process", "--store"]),
            (["config", "set"], ["--process", "--store", "hangThreshold", "microHangThreshold", "enabled"]),
            (["off"], ["RERENDER=0", "$RERENDER_RUNTIME_DIR"]), (["on"], ["started"]),
            (["pulse"], ["--process", "--store", "key"]), (["doctor"], ["--json"]),
            (["run"], ["--json", "--csv", "--output", "--sort", "--limit", "127", "--no-inject"]),
            (["issue"], ["--process", "--store", "--output", "key"]),
            (["look"], ["--for", "--limit", "--no-inject", "SIGTERM", "(default: 10s)"]),
            (["attach"], ["--hud", "--for", "--limit", "--sudo", "ptrace_scope"]),
            (["history"], ["--json", "RERENDER_HISTORY"]),
            (["mark"], ["--process", "--since", "name"]), (["mcp"], ["standard input", "12,000 bytes", "64 KiB"]),
            (["wait"], ["--program", "--view", "--idle", "--hang", "--timeout", "(default: 30s)"]),
            (["record"], ["--output", "--duration", "--snapshot", "--all-signposts"]),
            (["analyses"], ["Window > Preferences > Tracing"]),
            (
                ["check"],
                ["--budget", "--update", "--strict", "--export", "--json", "--markdown", "--output", "--junit"]
            ),
            (["diff"], ["--fail-on-increase", "--json", "--markdown", "--output", "--junit"]),
        ])
    func help(command: [String], mentions: [String]) {
        let line = ParsedLine(command + ["--help"])
        #expect(line.status == 0)
        for mention in mentions { #expect(line.text.contains(mention), "\(command) \(mention)") }
        #expect(line.text.contains("Example") && line.text.contains("  rerenderctl \(command.joined(separator: " "))"))
    }

    @Test("the help of stats and the reference explain each column of the table", arguments: ViewTable.columnNames)
    func columns(name: String) throws {
        let title = name.uppercased()
        let paragraphs = ParsedLine(["stats", "--help"]).text.components(separatedBy: "\n\n")
        let list = try #require(paragraphs.first { $0.hasPrefix("Columns,") })
        #expect(list.split { $0 == " " || $0 == "\n" }.contains { $0 == title }, "StatsCommand.swift has no \(title)")
        let page = try String(contentsOf: Checkout.url("docs/reference/table.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.compactMap { $0.split(separator: "|").first }
        #expect(names.contains { $0.contains("`\(title)`") }, "table.md has no row for \(title)")
    }

    @Test("the help says how a place is opened from top")
    func places() {
        #expect(ParsedLine(["help", "top"]).text.contains("open the place in $EDITOR"))
    }

    @Test("no line of a help is broken by the usual width", arguments: [""] + Self.commands)
    func widths(command: String) {
        let output = ParsedLine([command, "--help"].filter { !$0.isEmpty }).text
        // What is written as one line comes out as one: a wrapped example or table would not be one.
        for line in output.split(separator: "\n") where line.hasPrefix("  rerenderctl ") {
            #expect(line.utf8.count < 80)
        }
        let discussion = output.prefix(upTo: output.firstRange(of: "USAGE:")?.lowerBound ?? output.endIndex)
            .split(separator: "\n")
        #expect(!discussion.isEmpty && !discussion.contains { DisplayWidth.of($0) > 80 })
        #expect(
            !discussion.contains {
                $0.split(separator: " ").count == 1 && !$0.hasPrefix(" ") && !$0.hasSuffix(":") && !$0.hasSuffix(".")
            })
    }

    @Test(
        "no help or usage is wider than 80 columns, or shows how a default is spelled in the source",
        arguments: ["", "config get", "config set"] + Self.commands)
    func leaks(command: String) {
        let words = command.split(separator: " ").map { String($0) }
        let (help, error) = (ParsedLine(words + ["--help"]).text, ParsedLine(words + ["--no-such-option"]).text)
        #expect(help.contains("USAGE: rerenderctl") && error.contains("Usage: rerenderctl \(command)"))
        for line in "\(help)\n\(error)".split(separator: "\n") {
            #expect(DisplayWidth.of(String(line)) <= 80, "\(line)")
        }
        #expect(!(help + error).contains("as flag"))
        for value in help.matches(of: /default: ([^)]*)\)/) {
            #expect(!value.1.contains("(") && !value.1.contains(".0"), "\(value.1)")
        }
    }

    @Test("the defaults are said as one would type them")
    func defaults() {
        #expect(ParsedLine(["run", "--help"]).text.contains("(default: 50)"))
    }

    @Test("the usage of run has the -- before the command", arguments: [["run", "--help"], ["run"]])
    func runUsage(arguments: [String]) {
        #expect(ParsedLine(arguments).text.contains(" -- <command> ...\n"))
    }

    @Test("the root lists every command, and the version is the package's")
    func root() {
        let help = ParsedLine([]).text
        for command in Self.commands { #expect(help.contains("\n  \(command) "), "\(help)") }
        // It fits a screen: a line for each command, those first that one begins with.
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        let list = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(lines.count < 50 && list.allSatisfy { $0.count > 26 && !$0.hasPrefix("   ") }, "\(help)")
        #expect(list.first?.hasPrefix("  run ") == true)
        #expect(ParsedLine(["--version"]).text == RerenderVersion.current)
    }

    @Test("there are completions for zsh and fish too", arguments: ["zsh", "fish"])
    func otherShells(name: String) throws {
        let shell = try #require(CompletionScript.shell(["--generate-completion-script", name]))
        #expect(CompletionScript.text(for: shell).contains("doctor"))
    }
}
