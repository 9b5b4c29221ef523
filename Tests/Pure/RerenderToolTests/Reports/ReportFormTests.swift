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

@Suite("Reports for CI")
struct ReportFormTests {
    @Test(
        "annotations of GitHub have the file where it is certain, on one line each, and no key ends the line or begins another"
    )
    func gitHub() throws {
        let (directory, files) = try ReportSamples.sources()
        let lines = AnnotationList(
            [
                Annotation(.error, .overBudget, "Cart: 5 evaluations\n  100%", place: "Shop/Cart.swift:12"),
                Annotation(.warning, .costsMost, "x", file: "Shop/a b,c%.swift", line: 3),
                Annotation(.warning, .slowBody, "Row", place: "Other/None.swift:1"),
            ], path: files.relativePath
        ).gitHubLines
        #expect(
            lines == [
                "::error file=Sources/Shop/Cart.swift,line=12,title=rerender over-budget::Cart: 5 evaluations%0A  100%25",
                "::warning file=Sources/Shop/a b%2Cc%25.swift,line=3,title=rerender costs-most::x",
                "::warning title=rerender slow-body::Row",
            ])
        let hostile = CheckResult(check: ReportSamples.check(ReportSamples.hostile), budget: "b").annotations
        let over = hostile.filter { $0.rule == .overBudget }
        #expect(over.count == ReportSamples.hostile.count && over.allSatisfy { $0.level == .error })
        let shown = AnnotationList(hostile, path: files.relativePath).gitHubLines
        #expect(shown.allSatisfy { $0.hasPrefix("::error ") || $0.hasPrefix("::warning ") })
        #expect(shown.allSatisfy { !$0.contains("\n") && !$0.contains("\r") })
        withExtendedLifetime(directory) {}
    }

    @Test("JUnit is well-formed and says what is meant, whatever the keys")
    func junit() throws {
        let check = CheckResult(check: ReportSamples.check(ReportSamples.hostile), budget: "<&>.json").junit
        let diff = DiffResult(diff: ReportSamples.diff(ReportSamples.hostile), old: "<", new: "\"").junit
        for document in [check, diff] {
            let reader = JUnitReader()
            #expect(reader.read(document.markup.text), "\(reader.error ?? "")")
            #expect(reader.cases.count == ReportSamples.hostile.count + 1)
            #expect(
                reader.counts == [
                    "tests": "\(ReportSamples.hostile.count + 1)", "failures": "\(ReportSamples.hostile.count)",
                ])
            #expect(reader.failures == ReportSamples.hostile.count)
            let shown = Set(reader.cases)
            for key in ["<b>&\"'", "]]>", "a|b", "カート 🛒", "&amp;", "\\u{1b}[31m\\u{0}", "\\u{fffe}\\u{ffff}"] {
                #expect(shown.contains { $0.contains(key) }, "\(key) in \(shown)")
            }
        }
    }

    @Test("what costs most is beside the cases of JUnit, and is no case")
    func output() throws {
        var slow = Sample.view("<Feed>", count: 9)
        slow.hangs.add(nanoseconds: 410_000_000)
        let stores = [Sample.store(views: [slow])]
        let run = StatsExport(
            generatedAt: Sample.now, processes: stores, verdict: VerdictBuilder.verdict(of: stores, .ended))
        let old = Tally(Sample.export([Sample.store()]))
        let diff = DiffResult(diff: ExportDiff(old: old, new: Tally(run)), old: "a", new: "b")
        let check = CheckResult(check: BudgetCheck(Budget(), Tally(run)), budget: "b")
        let text = "Feed&gt; blocked the main loop once, for 410ms: Shop/Cart.swift:12</system-out>"
        for document in [diff.junit, check.junit] {
            let reader = JUnitReader()
            #expect(reader.read(document.markup.text) && document.markup.text.contains("<system-out>&lt;" + text))
        }
        let costs = "costs  <Feed> blocked the main loop once, for 410ms: Shop/Cart.swift:12"
        #expect(diff.styledLines.map(\.text).contains(costs) && diff.markdown.text.contains("Costs most (1)"))
        #expect(try diff.json().contains("blocked the main loop once"))
        let fine = DiffResult(diff: ExportDiff(old: Tally(run), new: old), old: "b", new: "a")
        #expect(!fine.junit.markup.text.contains("system-out") && !fine.markdown.text.contains("Costs most"))
    }

    @Test("a passed, a skipped and a failed case look as JUnit's readers know them")
    func cases() {
        var document = JUnitXML(suite: "s")
        document.cases = [
            JUnitXML.Case(group: "g", name: "a", outcome: .passed),
            JUnitXML.Case(group: "g", name: "b", outcome: .skipped("m")),
            JUnitXML.Case(group: "g", name: "c", outcome: .failed(message: "m", details: ["d"])),
        ]
        #expect(
            document.markup.text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites tests="3" failures="1" errors="0" skipped="1">
                  <testsuite name="s" tests="3" failures="1" errors="0" skipped="1">
                    <testcase classname="g" name="a"/>
                    <testcase classname="g" name="b">
                      <skipped message="m"/>
                    </testcase>
                    <testcase classname="g" name="c">
                      <failure message="m" type="rerender">m
                d</failure>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test("Markdown has the same lines and marks whatever the keys")
    func markdown() {
        let plain = ReportSamples.hostile.indices.map { "View \($0)" }
        let pairs = [
            (
                CheckResult(check: ReportSamples.check(ReportSamples.hostile), budget: "r.json").markdown.text,
                CheckResult(check: ReportSamples.check(plain), budget: "r.json").markdown.text
            ),
            (
                DiffResult(diff: ReportSamples.diff(ReportSamples.hostile), old: "o", new: "n").markdown.text,
                DiffResult(diff: ReportSamples.diff(plain), old: "o", new: "n").markdown.text
            ),
        ]
        let marks = Set("|`*_[]<>@\\~!")
        for (hostile, plain) in pairs {
            let (lines, expected) = (hostile.split(separator: "\n"), plain.split(separator: "\n"))
            #expect(lines.count == expected.count)
            // The order of lines goes by the keys: so all lines together.
            #expect(hostile.filter(marks.contains).sorted() == plain.filter(marks.contains).sorted())
            #expect(!hostile.contains("www.") && !hostile.unicodeScalars.contains("\u{202E}"))
        }
    }

    @Test("text in Markdown reads as it was, as far as it cannot be markup")
    func readable() {
        let texts = [
            "6 views: 2 more", "RedrawScenario.swift:93", "Ticker.advance() Shop/Ticker.swift:40, 3 writes", "left_pad",
            "98% of 1,024 (was 3)", "a 'b' \"c\" - d; e=f?", "~8 2%, ~tick 93% ← ~Ticker", "1.5 ms", "カート: 2",
        ]
        let escaped = texts.map { Markdown($0).text }
        #expect(escaped == texts)
    }

    @Test("text in Markdown is no list, heading, emphasis, link, picture or mention")
    func noMarkup() {
        let markup = [
            "- a": "&#45; a", "-> b": "&#45;&#62; b", "+ a": "&#43; a", "1. a": "1&#46; a", "12) a": "12&#41; a",
            "===": "&#61;==", "    a": "&#32;   a",
            "# a": "&#35; a", "_a_": "&#95;a&#95;", "~~a~~": "~&#126;a&#126;&#126;", "~a~": "~a&#126;",
            ":tada:": "&#58;tada:",
            "a:100:b": "a&#58;100:b", "https://a.b": "https&#58;//a.b", "WWW.a.b": "WWW&#46;a.b",
            "!7 %7 $a$": "&#33;7 &#37;7 &#36;a&#36;",
            "![a](b)": "&#33;&#91;a&#93;(b)", "{+a+}": "&#123;+a+&#125;",
        ]
        for (text, escaped) in markup { #expect(Markdown(text).text == escaped) }
    }

    @Test("what is escaped in Markdown can be read back")
    func escaping() {
        for (text, escaped) in [("Row 1", "Row 1"), ("a|b", "a&#124;b")] { #expect(Markdown(text).text == escaped) }
        #expect(Markdown.code("カ<") == "<code>カ&#60;</code>")
    }
}

/// Reads JUnit's XML back.
private final class JUnitReader: NSObject, XMLParserDelegate {
    private(set) var cases: [String] = []
    private(set) var counts: [String: String] = [:]
    private(set) var failures = 0
    private(set) var error: String?

    func read(_ text: String) -> Bool {
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        let isRead = parser.parse()
        error = parser.parserError.map { "\($0) in line \(parser.lineNumber)" }
        return isRead
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        switch name {
        case "testsuites": counts = attributes.filter { ["tests", "failures"].contains($0.key) }
        case "testcase": cases.append(attributes["classname"] ?? "")
        case "failure": failures += 1
        default: break
        }
    }
}
