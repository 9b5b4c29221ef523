// SPDX-License-Identifier: MIT
// `rerenderctl report` as a process.

import Foundation
import RerenderModel
import TestSupport
import TestTraits
import Testing
@testable import TraceSupport

@Suite("rerenderctl report")
struct ReportCommandTests {
    private static func report(_ arguments: String...) async throws -> ChildProcess.Output {
        try await ChildProcess.run([ChildProcess.product("rerenderctl"), "report"] + arguments)
    }

    private static func tool(_ arguments: String...) async throws -> ChildProcess.Output {
        try await ChildProcess.run([ChildProcess.product("rerenderctl")] + arguments)
    }

    @Test("what is no trace ends with status 65 and says what to do", .promise)
    func unreadable() async throws {
        let directory = try TemporaryDirectory()
        for path in [directory.path, directory.path + "/none"] {
            let output = try await Self.report(path)
            #expect(output.exit == .status(65) && output.standardOutput.isEmpty)
            #expect(
                output.standardError.hasPrefix("rerenderctl: ") && output.standardError.contains("rerenderctl record"))
        }
    }

    @Test(
        "of a recording it prints what was recorded, the table, causes; JSON, CSV and files",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func prints() async throws {
        try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            for order in ["write 10", "cascade 5"] { _ = try await app.ask(order) }
        } read: { directory, pid in
            let text = try await Self.report(directory).standardOutput
            for part in ["counting[\(pid)]/main", "KEY", "gauge.level", "← write(_:store:)", "→ Left 10", "Causes"] {
                #expect(text.contains(part), "\(part) in \(text)")
            }
            #expect(!text.contains("\u{1B}") && !text.contains("!"))
            for process in ["counting", "\(pid)"] {
                #expect(try await Self.report(directory, "--process", process).standardOutput == text)
            }
            let none = try await Self.report(directory, "--process", "countin", "--html", directory + ".html")
            #expect(none.exit == .status(65) && none.standardError.contains("It has counting[\(pid)]."))
            try await Self.expectPage(of: directory)
            let json = try await Self.report(directory, "--json")
            let export = try JSONDecoder().decode(StatsExport.self, from: Data(json.standardOutput.utf8))
            #expect(json.standardError.withoutProgress.isEmpty)
            // The other stores of the program told of themselves, too.
            #expect(export.processes.map(\.store) == ["detail", "main", "sidebar"])
            #expect(export.processes.map(\.views.isEmpty) == [true, false, true])
            let csv = try await Self.report(directory, "--format", "csv").standardOutput
            #expect(csv.hasPrefix("process,pid,store") && csv.contains(",Left,"))
            let first = try await Self.report(directory, "--format", "csv", "--limit", "1").standardOutput
            #expect(csv.hasPrefix(first) && first.split(separator: "\r\n").count == 2, "\(first)")
            let files = try TemporaryDirectory()
            let file = files.path + "/trace.json"
            #expect(try await Self.report(directory, "--format", "chrome", "-o", file).exit == .status(0))
            let chrome = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file)))
            #expect(((chrome as? [String: Any])?["traceEvents"] as? [Any])?.isEmpty == false)
        }
    }

    /// The page has advice, writes, and the older recording.
    private static func expectPage(of directory: String) async throws {
        let files = try TemporaryDirectory()
        let file = files.path + "/page.html"
        let written = try await report(directory, "--html", file, "--compare", directory)
        #expect(written.exit == .status(0) && written.standardError.withoutProgress.isEmpty, "\(written.standardError)")
        let said = written.standardOutput
        #expect(said.hasPrefix("wrote \(file): ") && said.contains(" evaluations, ") && said.hasSuffix(".html\n"))
        #expect(said.contains(". Open it in a browser: file:///"), "\(said)")
        let piped = try await report(directory, "--html", "-")
        #expect(piped.standardOutput.hasPrefix("<!DOCTYPE html>") && piped.standardOutput.hasSuffix("</html>\n"))
        #expect(
            piped.standardError.withoutProgress.hasPrefix("rerenderctl: wrote the page: "), "\(piped.standardError)")
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.contains("\"advice\":[\"") && !page.contains("\"writes\":0"))
        #expect(page.contains("\"compared\":{") && page.contains("\"process\":\"counting\""))
    }

    @Test("of a recording without the numbers of processes it says that they are one, and how to record them")
    func withoutProcesses() async throws {
        let directory = try TemporaryDirectory()
        try CraftedTrace([.turn(begins: true, at: 0), .turn(begins: false, at: 1)]).write(to: directory.url)
        let output = try await Self.report(directory.path)
        #expect(output.exit == .status(0), "\(output)")
        #expect(output.standardOutput.contains("! this recording does not tell processes apart"), "\(output)")
    }

    @Test(
        "diff and check read a recording as they read an export of it",
        .enabled(if: LTTngDaemon.isInstalled, "\(Recording.needs)"))
    func compares() async throws {
        try await Recording.of(product: "counting") { app in
            #expect(try await app.nextLine() == "ready")
            _ = try await app.ask("write 10")
        } read: { directory, _ in
            let files = try TemporaryDirectory()
            let (export, budget) = (files.path + "/export.json", files.path + "/budget.json")
            #expect(try await Self.report(directory, "--json", "-o", export).exit == .status(0))
            let same = try await Self.tool("diff", directory, export, "--fail-on-increase", "--json")
            #expect(same.exit == .status(0) && same.standardOutput.contains("\"exact\" : true"), "\(same)")
            let empty = try await Self.tool("diff", export, files.path)
            #expect(empty.exit == .status(65) && empty.standardError.contains("rerenderctl record"), "\(empty)")
            let update = try await Self.tool("check", "--budget", budget, "--update", "--export", directory)
            #expect(update.exit == .status(0), "\(update)")
            #expect(try await Self.tool("check", "--budget", budget, "--export", export).exit == .status(0))
            let text = try String(contentsOfFile: budget, encoding: .utf8)
            let lower = text.replacing(/"evaluations" : \d+/, with: "\"evaluations\" : 1")
            try lower.write(toFile: budget, atomically: true, encoding: .utf8)
            let over = try await Self.tool("check", "--budget", budget, "--export", directory)
            #expect(over.exit == .status(1) && over.standardOutput.contains("OVER"), "\(over)")
        }
    }
}
