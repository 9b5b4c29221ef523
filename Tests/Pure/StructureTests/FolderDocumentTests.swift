// SPDX-License-Identifier: MIT
// docs/architecture.md against the sources.

import Foundation
import Testing
import TestSupport

@Suite("The folder graph in docs/architecture.md") struct FolderDocumentTests {
    private static let document = Checkout.root.appending(path: "docs/architecture.md")

    /// With `RERENDER_WRITE_FOLDER_GRAPH` set, as by `Scripts/folder-graph`, it writes the block instead.
    @Test("It is what the sources say") func isCurrent() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let current = try #require(
            FolderDocument.replacing(FolderDocument.block(Checkout.targets), in: text),
            "docs/architecture.md lacks the lines \(FolderDocument.begin) and \(FolderDocument.end)")
        if ProcessInfo.processInfo.environment["RERENDER_WRITE_FOLDER_GRAPH"] != nil {
            try current.write(to: Self.document, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text == current, "The folders have changed. Run Scripts/folder-graph to bring the document up to date.")
        }
    }
}
