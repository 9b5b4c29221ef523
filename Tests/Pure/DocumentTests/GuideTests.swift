// SPDX-License-Identifier: MIT
// Guides are short; what only few readers need is in the reference.

import Testing
@testable import DocumentSupport

@Suite("Guides")
struct GuideTests {
    private static let all = Document.all.filter { $0.path.hasPrefix("docs/guide/") }

    @Test("a guide has at most 150 lines", arguments: all)
    func size(document: Document) {
        // What is behind the last line end is no line.
        #expect(document.lines.count <= 151)
    }

    @Test("the architecture has at most 250 lines: a search tells the rest")
    func architecture() throws {
        #expect(try Document.named("docs/architecture.md").lines.count <= 251)
    }

    @Test("a guide has sentences of at most 25 words", arguments: all)
    func sentences(document: Document) {
        #expect(Readability.longSentences(document) == [])
    }
}
