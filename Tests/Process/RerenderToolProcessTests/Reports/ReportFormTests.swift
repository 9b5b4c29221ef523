// SPDX-License-Identifier: MIT
import Foundation
import FoundationXML
import RerenderModel
import RerenderShow
@testable import RerenderTool
import RerenderTrace
import TestSupport
import Testing
@testable import ToolSupport

/// sarif-pydantic, where it was fetched.
private enum SARIFChecker {
    private static let folder = Checkout.url(".build/sarif")

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path + "/sarif_pydantic") }

    /// How many results a log has, and of the first one the rule, the level, the file and the line. Throws where it is no SARIF.
    static func results(in path: String) async throws -> String {
        let script = """
            import sys
            sys.path.insert(0, sys.argv[1])
            from sarif_pydantic import Sarif
            results = Sarif.model_validate_json(open(sys.argv[2]).read()).runs[0].results
            place = results[0].locations[0].physical_location
            level = results[0].level
            print(len(results), results[0].rule_id, getattr(level, "value", level), place.artifact_location.uri, place.region.start_line)
            """
        let output = try await TestSupport.ChildProcess.run(["/usr/bin/python3", "-c", script, folder.path, path])
        guard output.succeeded else { throw TestSupport.ChildProcess.Failure(output.standardError) }
        return String(output.standardOutput.dropLast())
    }
}

/// markdown-it-py, where it was fetched.
private enum MarkdownChecker {
    private static let folder = Checkout.url(".build/markdown")

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path + "/markdown_it") }

    /// What a reader sees: the texts that are code, and the kinds of elements.
    struct Page: Decodable {
        let code: [String]
        let tags: [String]
    }

    /// Renders Markdown with GitHub's tables and strikethrough.
    static func render(_ markdown: String) async throws -> Page {
        let script = """
            import sys, json, re, html
            sys.path.insert(0, sys.argv[1])
            from markdown_it import MarkdownIt
            markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
            page = markdown.render(open(sys.argv[2]).read())
            code = [html.unescape(re.sub("<[^>]*>", "", text)) for text in re.findall("<code>(.*?)</code>", page, re.S)]
            print(json.dumps({"code": code, "tags": sorted(set(re.findall("<([a-z0-9]+)", page)))}))
            """
        let directory = try TemporaryDirectory()
        let file = directory.path + "/page.md"
        try markdown.write(toFile: file, atomically: true, encoding: .utf8)
        let output = try await TestSupport.ChildProcess.run(["/usr/bin/python3", "-c", script, folder.path, file])
        guard output.succeeded else { throw TestSupport.ChildProcess.Failure(output.standardError) }
        return try JSONDecoder().decode(Page.self, from: Data(output.standardOutput.utf8))
    }
}

@Suite("Reports for CI")
struct ReportFormTests {
    @Test(
        "SARIF is what sarif-pydantic takes for it, whatever the keys",
        .enabled(if: SARIFChecker.isThere, "needs sarif-pydantic: run Scripts/lib/fetch-checkers"))
    func sarif() async throws {
        let (directory, files) = try ReportSamples.sources()
        let place = Annotation(.error, .overBudget, "Cart", place: "Shop/a b,c%.swift:12")
        let all =
            [place] + CheckResult(check: ReportSamples.check(ReportSamples.hostile), budget: "b").annotations
            + DiffResult(diff: ReportSamples.diff(ReportSamples.hostile), old: "o", new: "n").annotations
        let log = AnnotationList(all, path: files.relativePath).sarif(version: "1.2.3")
        let file = directory.url.appendingPathComponent("log.sarif")
        try Data(log.text().utf8).write(to: file)
        let taken = try await SARIFChecker.results(in: file.path)
        #expect(taken == "\(all.count) over-budget error Sources/Shop/a%20b%2Cc%25.swift 12")
        try Data("{\"version\": \"2.1.0\", \"runs\": [{}]}".utf8).write(to: file)
        await #expect(throws: (any Error).self, "it finds what is wrong") {
            try await SARIFChecker.results(in: file.path)
        }
    }

    @Test(
        "a reader sees each key as it is, whatever it is, and no other element than for plain keys",
        .enabled(if: MarkdownChecker.isThere, "needs markdown-it-py: Scripts/lib/fetch-checkers"))
    func rendered() async throws {
        let more = [
            "*a* **b**", "_a_ __b__", "~~a~~ ~b~", "1. a", "2) a", "- a", "+ a", "# a", "> a", "===", "---", "![a](b)",
            "https://a.b/c", ":tada:", "$x$", "{+a+}", "[^1]", "\\*a\\*", "|-|", "```", "~~~", "a_b_c", "||", "    a",
        ]
        let keys = ReportSamples.hostile.filter { !$0.isEmpty } + more
        // Of many, a report lists some.
        for start in stride(from: 0, to: keys.count, by: 8) {
            let keys = Array(keys[start..<min(start + 8, keys.count)])
            let page = try await MarkdownChecker.render(
                CheckResult(check: ReportSamples.check(keys), budget: "r.json").markdown.text)
            let seen = Set(page.code.map { $0.trimmingCharacters(in: .whitespaces) })
            let missing = keys.map {
                KeyPattern(exactly: ViewKey(rawValue: $0)).displayName.trimmingCharacters(in: .whitespaces)
            }.filter { !seen.contains($0) }
            #expect(missing == [])
            let plain = CheckResult(check: ReportSamples.check(keys.indices.map { "View \($0)" }), budget: "r.json")
            let expected = try await MarkdownChecker.render(plain.markdown.text)
            #expect(page.tags == expected.tags)
        }
    }
}
