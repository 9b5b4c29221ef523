// SPDX-License-Identifier: MIT
// A result in every form that it can be written in.

import FoundationEssentials
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
    /// A line for each gap.
    static func gaps(_ gaps: [String]) -> [StyledLine] {
        gaps.map { StyledLine(text: "GAP    \(Printable.text($0))", style: .bad) }
    }
}
