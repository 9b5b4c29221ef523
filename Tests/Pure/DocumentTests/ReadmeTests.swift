// SPDX-License-Identifier: MIT
import Foundation
import Testing
@testable import DocumentSupport

/// What makes prose hard to read.
enum Readability {
    private static let longestSentence = 25

    /// Sentences of prose that are too long; a row of a table is no sentence, and code counts as one word.
    static func longSentences(_ document: Document) -> [String] {
        var paragraphs: [String] = [""]
        for (_, line) in document.prose {
            if line.isEmpty || line.hasPrefix("- ") || line.hasPrefix("#") { paragraphs.append("") }
            guard !line.hasPrefix("|"), !line.hasPrefix("<!--"), !line.hasPrefix("!["), !line.hasPrefix("#") else {
                continue
            }
            paragraphs[paragraphs.count - 1] += " " + line
        }
        return paragraphs.flatMap { paragraph in
            paragraph.replacing(/`[^`]*`/, with: "code").replacing(/\]\([^)]*\)/, with: "")
                .split(separator: /[.:?!;](?=\s|$)/).map(String.init)
                .filter { $0.split(separator: " ").count > longestSentence }
        }
    }
}

@Suite("The README")
struct ReadmeTests {
    private let readme: Document

    init() throws { readme = try Document.named("README.md") }

    @Test("has at most 200 lines of at most 120 columns")
    func size() {
        #expect(readme.lines.count <= 201)
        #expect(readme.lines.filter { $0.count > 120 } == [])
    }

    @Test("has sentences of at most 25 words")
    func sentences() {
        #expect(Readability.longSentences(readme) == [])
        let long = Document(path: "", text: "One two " + String(repeating: "word ", count: 24) + "end. Short.")
        #expect(Readability.longSentences(long).count == 1)
    }

    @Test("tells things in the order in which a new user needs them")
    func order() {
        let titles = readme.prose.map(\.text).filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        #expect(titles == ["Try it", "Install it", "Run it", "An example", "Look at it", "CI", "Where the rest is"])
        let commands = readme.blocks.first { $0.language == "sh" }?.content ?? []
        #expect(commands.map { $0.prefix { $0 != " " } } == ["git", "Scripts/demo", "Scripts/test"])
        #expect(readme.links.filter { $0.target.hasSuffix(".png") }.count == 2)
    }

    @Test("has an example of at most 40 lines that measures waste")
    func example() throws {
        let example = try #require(readme.blocks.last { $0.language == "swift" })
        #expect(example.content.count <= 40)
        #expect(example.content.contains { $0.contains("comparing:") })
    }
}
