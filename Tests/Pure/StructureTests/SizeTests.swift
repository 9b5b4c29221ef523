// SPDX-License-Identifier: MIT
// The size of each group of `Sources`, against docs/architecture.md.

import Foundation
import TestSupport
import Testing

@Suite("The size of the sources") struct SizeTests {
    private static let begin = "<!-- code lines: begin -->"
    private static let end = "<!-- code lines: end -->"

    @Test("Each group has at most the code lines that docs/architecture.md allows") func groups() throws {
        let text = try String(contentsOf: Checkout.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let limits = try #require(Self.limits(in: text), "docs/architecture.md lacks the table of code lines")
        let lines = Dictionary(grouping: Checkout.targets, by: \.group).mapValues { $0.reduce(0) { $0 + $1.codeLines } }
        #expect(Set(limits.keys) == Set(lines.keys), "the table has a row for each group")
        for (group, count) in lines.sorted(by: { $0.key < $1.key }) {
            let limit = limits[group] ?? 0
            #expect(
                count <= limit,
                """
                \(group) has \(count) code lines, and docs/architecture.md allows \(limit). Delete what the new lines make \
                unnecessary, or raise the number in a commit whose body says what that was.
                """)
            // A limit far above the size holds nothing.
            #expect(limit - count <= 200, "\(group) has \(count) code lines: lower its number in docs/architecture.md")
        }
    }

    @Test("Sources has at most 600 files") func files() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Checkout.url("Sources").path).filter {
            $0.contains(".") && !$0.hasSuffix(".docc")
        }
        #expect(files.count <= 600, "merge what a reader looks for together")
    }

    @Test("Blank lines and comments are no code") func codeLines() {
        let source = """
            // A comment.

            /* One that
               goes on. */
            let one = 1  // behind code
                /// Indented.
            /* short */
            let two = 2
            """
        #expect(CodeLines.count(in: source) == 2)
    }

    /// The numbers of the table's rows, by group; nil without a table.
    private static func limits(in text: String) -> [String: Int]? {
        guard let start = text.range(of: begin), let stop = text.range(of: end), start.upperBound <= stop.lowerBound
        else { return nil }
        let rows = text[start.upperBound..<stop.lowerBound].split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        let numbers = rows.compactMap { cells in
            cells.count == 2 ? Int(cells[1].filter { $0 != "," }).map { (cells[0], $0) } : nil
        }
        return Dictionary(numbers) { first, _ in first }
    }
}

/// Lines that are neither blank nor a comment alone.
enum CodeLines {
    static func count(in source: String) -> Int {
        var (count, isComment) = (0, false)
        for line in source.split(separator: "\n") {
            let text = line.drop { $0 == " " || $0 == "\t" }
            if isComment {
                isComment = !text.contains("*/")
            } else if text.hasPrefix("/*") {
                isComment = !text.contains("*/")
            } else if !text.isEmpty, !text.hasPrefix("//") {
                count += 1
            }
        }
        return count
    }
}
