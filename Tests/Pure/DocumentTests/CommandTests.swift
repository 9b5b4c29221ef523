// SPDX-License-Identifier: MIT
// Blocks of code in the documents say what they are, and commands stand in blocks that run.

import Testing
@testable import DocumentSupport

/// What may stand in comments before a block.
private let directives: Set<String> = [
    "not run", "beside", "wait", "needs", "show", "status", "terminal", "varies", "example", "builds",
]

@Suite("Commands in the documents")
struct CommandTests {
    private static let known = ["sh", "console", "swift", "c", "python", "json", "toml", "yaml", "text"]

    @Test("a block of code has a language, and commands stand in blocks that run", arguments: Document.all)
    func languages(document: Document) {
        for block in document.blocks {
            let place = "\(document.path):\(block.fences.lowerBound + 1)"
            #expect(Self.known.contains(block.language), "\(place)")
            #expect(block.directives.allSatisfy { directives.contains($0.name) }, "\(place): \(block.directives)")
            #expect(block.directive("not run") != "", "\(place): say why it is not run")
            guard block.language == "text" else { continue }
            let commands = block.content.filter {
                $0.contains(#/^(\$ |rerenderctl [a-z]+ -|sudo |swift (build|test)|lttng )/#)
            }
            #expect(commands == [] || document.path == "docs/reference/commands.md", "\(place)")
        }
        let indented = document.prose.filter {
            $0.text.contains(#/^    (rerenderctl|rerender-demo|swift|Scripts|\$) /#)
        }
        #expect(indented.map(\.number) == [], "\(document.path): commands outside of blocks of code")
    }
}
