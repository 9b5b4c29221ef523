// SPDX-License-Identifier: MIT
// A result in every form that it can be written in, with Markdown for GitHub and GitLab, and JUnit XML for CI services.

import FoundationEssentials
package import RerenderModel
package import RerenderShow

/// The forms of one result: text for people, JSON, Markdown for a pull request, JUnit, and annotations.
package protocol ResultDocument: Sendable {
    associatedtype JSON: Encodable
    /// Why the counts are not exact; empty where they are.
    var gaps: [String] { get }
    /// The failure in one line.
    var verdict: String { get }
    /// The first fault in full, and the number of the others.
    var faults: [String] { get }
    /// The text for people.
    var styledLines: [StyledLine] { get }
    var jsonDocument: JSON { get }
    var markdownLines: [Markdown] { get }
    var junit: JUnitXML { get }
    /// The findings, the worst first.
    var annotations: [Annotation] { get }
}

extension ResultDocument {
    /// What standard error says of a result that is a failure: its first gaps and its first fault.
    package var failure: String {
        let gaps = gaps.prefix(3).map { "not exact: \(Printable.text($0))" }
        return ([verdict] + gaps + faults).joined(separator: "\n")
    }

    /// The Markdown document, a line end last.
    package var markdown: Markdown { (markdownLines + [""]).joined(separator: "\n") }

    /// The text for people, broken to fit `width` columns.
    package func lines(width: Int, colours: Bool) -> [String] {
        styledLines.flatMap { line in
            Wrap.text(line.text, width: width, cutting: false).map { line.style.apply($0, colours: colours) }
        }
    }

    /// The JSON text, a line end last.
    package func json() throws -> String {
        String(decoding: try StatsExport.encoder().encode(jsonDocument), as: UTF8.self) + "\n"
    }
}

extension JUnitXML.Case {
    /// The case that fails where numbers are missing.
    static func exactness(_ gaps: [String]) -> JUnitXML.Case {
        JUnitXML.Case(
            group: "rerender", name: "every evaluation is counted",
            outcome: gaps.isEmpty
                ? .passed : .failed(message: "the counts are not exact", details: gaps.map(Printable.text)))
    }
}

extension EscapedText<MarkdownSyntax> {
    /// A list item for each gap, and a blank line.
    static func gaps(_ gaps: some Collection<String>) -> [Markdown] {
        gaps.isEmpty ? [] : gaps.map { "- **Not exact:** \($0)" } + [""]
    }
}

extension StyledLine {
    static func gaps(_ gaps: [String]) -> [StyledLine] {
        gaps.map { StyledLine(text: "GAP    \(Printable.text($0))", style: .bad) }
    }
}

/// Markdown. Interpolated text is on one line and has no meaning.
package typealias Markdown = EscapedText<MarkdownSyntax>

/// How Markdown writes text.
package enum MarkdownSyntax: TextSyntax {
    /// Text in which nothing has a meaning, on one line. What could be markup where it stands is written as its number; what could not stays as
    /// it is, so that a log can be read.
    package static func escaped(_ text: String.UnicodeScalarView) -> String.UnicodeScalarView {
        let scalars = Array(Printable.text(String(text)).unicodeScalars)
        return scalars.indices.reduce(into: "".unicodeScalars) { escaped, place in
            if MarkupRule.isMarkup(scalars, at: place) {
                escaped.append(contentsOf: "&#\(scalars[place].value);".unicodeScalars)
            } else {
                escaped.append(scalars[place])
            }
        }
    }
}

extension EscapedText<MarkdownSyntax> {
    /// A name as code.
    ///
    /// Not with backticks: a `|` in them ends a table's cell, and what `\|` means there differs. In HTML every character
    /// that could be markup can be written as its number, and nothing in `<code>` is taken for a mention.
    static func code(_ text: String) -> Markdown { "<code>\(text)</code>" }

    /// A list item for each text.
    static func items(_ texts: [String]) -> [Markdown] { texts.map { "- \($0)" } }

    /// A table. All columns but the first are numbers where `isNumeric`.
    static func table(_ header: [Markdown], _ rows: [[Markdown]], isNumeric: Bool) -> [Markdown] {
        let rule = header.indices.map { isNumeric && $0 > 0 ? "---:" : "---" as Markdown }
        return ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
    }

    /// Lines that open on a click, with a blank line on either side as Markdown within HTML needs it.
    static func folded(_ title: Markdown, _ lines: [Markdown]) -> [Markdown] {
        ["<details><summary>\(title)</summary>", ""] + lines + ["", "</details>", ""]
    }
}

/// Whether a character of a text could be markup for CommonMark, GitHub or GitLab.
private enum MarkupRule {
    /// What may be markup anywhere: escapes, entities and tags, code, emphasis, links and pictures, cells of tables, mentions and references,
    /// formulas, and GitLab's `{+ +}`.
    private static let everywhere = Set("\\&<>`*[]!|@#${}".unicodeScalars)
    /// What begins a list, or underlines a heading.
    private static let beginning = Set("-+= ".unicodeScalars)

    static func isMarkup(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        let before = place > 0 ? text[place - 1] : nil
        let after = place + 1 < text.count ? text[place + 1] : nil
        switch text[place] {
        case let scalar where everywhere.contains(scalar): return true
        case let scalar where place == 0 && beginning.contains(scalar): return true
        // Emphasis, but for that within a word: `left_pad`.
        case "_": return !isWord(before) || !isWord(after)
        // Only one right behind something ends what it strikes through: `~8` is a number.
        case "~": return before.map { $0 != " " } ?? false
        // A milestone of GitLab's: `%7`.
        case "%": return isWord(after) && !isWord(before)
        case ":": return isEmojiOrAddress(text, at: place)
        // An item of a list: `1. `. Or an address: `www.`.
        case ".", ")": return (isNumber(text[..<place]) && after ?? " " == " ") || endsInWWW(text[..<place])
        default: return false
        }
    }

    /// `:name:` is a picture, and `https://` makes a link.
    private static func isEmojiOrAddress(_ text: [Unicode.Scalar], at place: Int) -> Bool {
        let rest = text[(place + 1)...]
        if rest.starts(with: "//".unicodeScalars) { return true }
        let name = rest.prefix { isWord($0) || "_+-".unicodeScalars.contains($0) }
        return !name.isEmpty && name.endIndex < text.endIndex && text[name.endIndex] == ":"
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { $0.properties.isAlphabetic || $0.properties.numericType != nil } ?? false
    }

    private static func isNumber(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        !text.isEmpty && text.allSatisfy { ("0"..."9").contains($0) }
    }

    private static func endsInWWW(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        text.count >= 3 && text.suffix(3).allSatisfy { $0 == "w" || $0 == "W" }
    }
}

/// Writes one suite of test cases.
package struct JUnitXML: Sendable {
    /// What became of a case.
    enum Outcome: Hashable, Sendable {
        case passed
        case skipped(String)
        case failed(message: String, details: [String])
    }

    /// A test case.
    struct Case: Hashable, Sendable {
        var group: String
        var name: String
        var outcome: Outcome
    }

    let suite: String
    var cases: [Case] = []
    /// What the suite says beside its cases: lines of its standard output.
    var output: [String] = []

    /// The document, a line end last.
    package var markup: Markup {
        let failures = cases.count { if case .failed = $0.outcome { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.outcome { true } else { false } }
        let counts: Markup =
            #"tests="\#(cases.count)" failures="\#(failures)" errors="0" skipped="\#(skipped)""#
        var lines: [Markup] = [#"<?xml version="1.0" encoding="UTF-8"?>"#]
        lines.append(#"<testsuites \#(counts)>"#)
        lines.append(#"  <testsuite name="\#(suite)" \#(counts)>"#)
        for one in cases { lines += Self.lines(one) }
        if !output.isEmpty {
            lines.append("    <system-out>\(Self.lines(output))</system-out>")
        }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return lines.joined(separator: "\n")
    }

    private static func lines(_ one: Case) -> [Markup] {
        let start: Markup = #"    <testcase classname="\#(one.group)" name="\#(one.name)""#
        switch one.outcome {
        case .passed: return [start + "/>"]
        case .skipped(let message):
            return [start + ">", #"      <skipped message="\#(message)"/>"#, "    </testcase>"]
        case .failed(let message, let details):
            return [
                start + ">",
                #"      <failure message="\#(message)" type="rerender">\#(lines([message] + details))</failure>"#,
                "    </testcase>",
            ]
        }
    }

    private static func lines(_ texts: [String]) -> Markup { texts.map { Markup($0) }.joined(separator: "\n") }
}
